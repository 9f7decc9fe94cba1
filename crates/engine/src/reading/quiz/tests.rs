use serde_json::{Value, json};

use super::*;
use crate::phrases::for_language;
use crate::reading::blocks::{Block, Body};
use crate::reading::flat::each_text;
use crate::reading::{blocks::LessonReading, read_lessons, read_text};
use crate::source::{SourceField, SourceLesson, SourceLevel};

fn read(value: Value) -> LessonReading {
    let fields = value.as_object().unwrap().iter().map(|(name, value)| SourceField {
        pointer: format!("/lessons/0/{name}"),
        name: name.clone(),
        value: value.clone(),
    });
    let lesson = SourceLesson {
        pointer: "/lessons/0".to_owned(),
        title: Some("Lesson".to_owned()),
        kind: "content".to_owned(),
        fields: fields.collect(),
    };
    let level = SourceLevel {
        language: "en".to_owned(),
        category_title: "C".to_owned(),
        level_title: None,
        lessons: vec![lesson],
    };
    read_lessons(&level, for_language("en").phrases).remove(0)
}

fn questions(value: Value) -> Vec<Question> {
    let found = read(value).blocks.into_iter();
    found
        .filter_map(|block| if let Body::Questions(questions) = block.body { Some(questions) } else { None })
        .flatten()
        .collect()
}

/// The keys of the questions of a quiz, each on one line.
fn keys(quiz: Value) -> Vec<String> {
    questions(json!({ "quiz": quiz })).iter().map(|question| question.answers.join("+")).collect()
}

#[test]
fn keys_are_found_in_every_usual_form() {
    for (name, question) in [
        ("text", json!({ "stem": "Q?", "choices": ["x", "right", "y"], "correctAnswers": ["right"] })),
        (
            "flag",
            json!({ "question": "Q?", "answers": [{ "text": "x", "correct": false }, { "text": "right", "correct": true }] }),
        ),
        (
            "is flag",
            json!({ "q": "Q?", "options": [{ "label": "x", "isCorrect": "false" }, { "label": "right", "isCorrect": "true" }] }),
        ),
        (
            "share",
            json!({ "question_text": "Q?", "answers": [{ "answer_text": "x", "answer_weight": 0 }, { "answer_text": "right", "answer_weight": 100 }] }),
        ),
        ("letters", json!({ "question": "Q?", "options": { "A": "x", "B": "right" }, "answer": "B" })),
        ("letter", json!({ "question": "Q?", "options": ["x", "right"], "answer": "b)" })),
        ("lettered texts", json!({ "question": "Q?", "options": ["A) x", "B) right"], "answer": "B" })),
        ("members", json!({ "question": "Q?", "optionA": "x", "optionB": "right", "correct_option": "B" })),
        ("numbered members", json!({ "question": "Q?", "option1": "x", "option2": "right", "answer": 2 })),
        (
            "ids",
            json!({ "question": "Q?", "options": [{ "id": "o7", "text": "x" }, { "id": "o9", "text": "right" }], "correctOptionId": "o9" }),
        ),
        ("index", json!({ "question": "Q?", "options": ["x", "right", "y"], "correctIndex": 1 })),
        ("last", json!({ "question": "Q?", "options": ["x", "right"], "correct": 2 })),
        ("others", json!({ "question": "Q?", "correct_answer": "right", "incorrect_answers": ["x", "y"] })),
        (
            "kahoot",
            json!({ "question": "Q?", "time": 20000, "choices": [{ "answer": "x", "correct": false }, { "answer": "right", "correct": true }] }),
        ),
        (
            "wrapped",
            json!({ "structure": { "query": { "text": "Q?" }, "options": [{ "text": "x" }, { "text": "right" }], "answer": "right" } }),
        ),
        (
            "survey",
            json!({ "type": "radiogroup", "name": "q1", "title": "Q?", "choices": ["x", "right"], "correctAnswer": "right" }),
        ),
        (
            "moodle",
            json!({ "@type": "multichoice", "name": { "text": "q1" }, "questiontext": { "@format": "html", "text": "<p>Q?</p>" }, "answer": [
            { "@fraction": "0", "text": "x", "feedback": { "text": "no" } }, { "@fraction": "100", "text": "right", "feedback": { "text": "yes" } }] }),
        ),
        (
            "h5p",
            json!({ "library": "H5P.MultiChoice 1.16", "params": { "question": "<p>Q?</p>", "answers": [
            { "text": "<div>x</div>", "correct": false, "tipsAndFeedback": { "tip": "t" } }, { "text": "<div>right</div>", "correct": true }] } }),
        ),
        ("written", json!({ "question": "Q?", "answer": "right" })),
    ] {
        let found = questions(json!({ "quiz": [question] }));
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert_eq!(
            (found[0].question.as_str(), &found[0].answers[..]),
            ("Q?", &["right".to_owned()][..]),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn a_number_that_can_count_from_0_or_1_is_no_key() {
    let ask = |correct: i64| json!({ "question": "Q?", "options": ["a1", "b2", "c3"], "correct": correct });
    assert_eq!(keys(json!([ask(1), ask(2), ask(1)])), ["", "", ""]);
    assert_eq!(keys(json!([ask(1), ask(2), ask(0)])), ["b2", "c3", "a1"]);
    assert_eq!(keys(json!([ask(1), ask(2), ask(3)])), ["a1", "b2", "c3"]);
    assert_eq!(keys(json!([ask(0), ask(3)])), ["", ""]);
    let told = json!({ "question": "Q?", "options": ["a1", "b2", "c3"], "correct": 2, "correctAnswer": "b2" });
    assert_eq!(keys(json!([ask(1), told])), ["a1", "b2"]);
}

#[test]
fn a_name_says_what_a_number_counts_from_or_nothing_does() {
    let ask = |name: &str| json!([{ "question": "Q?", "options": ["a1", "b2", "c3"], name: 1 }]);
    for (name, key) in [
        ("correct_index", "b2"),
        ("richtig (ab 0)", "b2"),
        ("answer_index_1", "a1"),
        ("answerNumber", ""),
        ("correct", ""),
    ] {
        assert_eq!(keys(ask(name)), [key], "{name}");
    }
}

#[test]
fn names_that_nobody_knows_are_told_by_their_values() {
    for (what, quiz) in [
        ("text", json!([{ "zzq": "Which is it?", "zzo": ["x", "right", "y"], "zzk": "right", "zzf": "Well done." }])),
        (
            "letters",
            json!([{ "zzq": "Which is it?", "zzo": { "А": "x", "Б": "right" }, "zzk": "Б" }, { "zzq": "And this?", "zzo": { "А": "x", "Б": "y" }, "zzk": "А" }]),
        ),
        (
            "one line",
            json!([{ "zzq": "Which is it?", "zzo": "A: x / B: right / C: y", "zzk": "B" }, { "zzq": "And this?", "zzo": "A: x / B: z", "zzk": "A" }]),
        ),
        ("flags", json!([{ "zzq": "Which is it?", "zzo": [{ "zt": "x", "zr": 0 }, { "zt": "right", "zr": 1 }] }])),
        ("worths", json!([{ "zzq": "Which is it?", "zzo": [["x", 0], ["right", 100]] }])),
        ("answers", json!([{ "q": "Which is it?", "answers": ["x", "right"], "zzk": "right" }])),
        ("index", json!([{ "zzq": "Which is it?", "zzo": ["x", "right"], "zz_index": 1 }])),
    ] {
        let found = questions(json!({ "zzz": quiz }));
        let told = (found[0].question.as_str(), &found[0].answers[..]);
        assert_eq!(told, ("Which is it?", &["right".to_owned()][..]), "{what}: {found:?}");
    }
}

#[test]
fn what_teaches_is_no_quiz() {
    let seen = |value: Value, texts: &[&str]| {
        let reading = read(json!({ "x": value }));
        let all = shown(&reading);
        for text in texts {
            assert!(all.contains(text), "{text}: {reading:?}");
        }
        assert!(!reading.blocks.iter().any(|block| {
            matches!(&block.body, Body::Questions(questions) if questions.iter().any(|question| !question.question.ends_with('?')))
        }), "{reading:?}");
    };
    seen(
        json!([{ "type": "text", "text": "Plants make sugar from light." }, { "type": "text", "text": "Chlorophyll is green." },
            { "type": "question", "text": "What gas do plants take in?", "options": ["Oxygen", "Carbon dioxide"], "answer": "Carbon dioxide" }]),
        &["Plants make sugar", "Chlorophyll is green"],
    );
    seen(
        json!([{ "country": "Brazil", "cities": ["Rio", "São Paulo", "Brasília"], "capital": "Brasília", "language": "Portuguese" },
            { "country": "Australia", "cities": ["Sydney", "Canberra", "Perth"], "capital": "Canberra", "language": "English" }]),
        &["Portuguese", "Perth"],
    );
    seen(
        json!([{ "group": "Alkali metals", "reacts": "violently with water", "elements": [{ "name": "Lithium", "weight": 6.94 }, { "name": "Sodium", "weight": 22.99 }] }]),
        &["violently", "22.99"],
    );
    seen(json!({ "star": "Sun", "spectral_type": "G2V", "reaction_order": 1 }), &["G2V", "1"]);
}

#[test]
fn what_is_said_beside_a_quiz_is_no_key() {
    let ask = |name: &str, value: Value| {
        let question = |question: &str, options: [&str; 3]| json!({ "question": question, "options": options, name: value.clone() });
        json!([question("2+2?", ["3", "4", "5"]), question("3+3?", ["5", "6", "7"])])
    };
    assert_eq!(keys(ask("section", json!("A"))), ["", ""]);
    assert_eq!(keys(ask("penalty", json!(0))), ["", ""]);
    let all = json!([{ "question": "Which are noble gases?", "options": ["Helium", "Neon", "Argon"], "correct": ["Helium", "Neon", "Argon"] }]);
    assert_eq!(keys(all), ["Helium+Neon+Argon"]);
    for (question, answer) in
        [("Which mountains form the border?", "The Pyrenees"), ("Who was Anne Frank?", "A girl of Amsterdam")]
    {
        assert_eq!(keys(json!([{ "question": question, "answer": answer }])), [answer]);
    }
    let table = json!([{ "question": "Which city is larger?", "data": [["City", "People"], ["Rome", "2.8 million"]], "answer": "Rome" }]);
    assert_eq!(keys(table), ["Rome"]);
}

#[test]
fn an_answer_is_not_cut_at_an_abbreviation_or_a_bracket() {
    for answer in ["2(x + 3)", "f(x) = 2x", "St. Petersburg", "J. S. Bach", "approx. 5 m"] {
        let found = questions(json!({ "content": format!("Read.\n\nQ: What is it?\nA: {answer}") }));
        assert_eq!(found[0].answers, [answer]);
    }
}

#[test]
fn a_number_of_points_is_no_key() {
    let quiz = json!([{ "question": "Q?", "options": ["a1", "b2", "c3"], "zzp": 1 }, { "question": "R?", "options": ["a1", "b2"], "zzp": 2 }]);
    assert_eq!(keys(quiz), ["", ""]);
}

#[test]
fn what_has_the_members_of_a_question_is_one_and_what_stands_between_is_read() {
    let page = "A cell is the smallest unit of life, and everything that lives consists of cells.";
    let pages = json!([
        { "kind": "page", "body": page },
        { "id": "s1", "spm": "Which is it?", "opts": ["x", "right"], "correct_index": 1, "respons": "SECRET" },
        { "id": "s2", "spm": "Why is it so?", "svar": "SECRET", "respons": "SECRET" },
    ]);
    let reading = read(json!({ "slides": pages }));
    let all = shown(&reading);
    assert!(all.contains(page) && all.contains("Why is it so?") && !all.contains("SECRET"), "{all}");
    assert_eq!(questions(json!({ "slides": pages })).len(), 2);
}

#[test]
fn keys_link_the_lists_of_a_matching_question() {
    for quiz in [
        json!([{ "question": "Match.", "left": ["cat", "dog"], "right": ["bark", "meow"], "key": "1b 2a" }]),
        json!([{ "question": "Match.", "links": ["cat", "dog"], "rechts": ["bark", "meow"], "Lösung": "1-2, 2-1" }]),
        json!([{ "question": "Match.", "左": ["cat", "dog"], "右": ["bark", "meow"], "配对": [[0, 1], [1, 0]] }]),
        json!([{ "question": "Match.", "rows": ["cat", "dog"], "columns": ["bark", "meow"], "correctAnswer": { "cat": "meow", "dog": "bark" } }]),
        json!([{ "question": "Match.", "пары": [["cat", "meow"], ["dog", "bark"]] }]),
    ] {
        let [question] = &questions(json!({ "quiz": quiz }))[..] else { panic!("{quiz}") };
        assert_eq!(question.question, "Match.");
        assert_eq!(question.options, ["cat – bark", "cat – meow", "dog – bark", "dog – meow"], "{quiz}");
        assert_eq!(question.answers, ["cat – meow", "dog – bark"], "{quiz}");
    }
}

#[test]
fn the_entries_to_order_are_shown_and_their_order_is_the_answer() {
    let found = questions(
        json!({ "quiz": [{ "stem": "Put the steps in order.", "itemType": "order", "correctSequence": ["wash", "cut", "bake"] }] }),
    );
    assert_eq!(found[0].question, "Put the steps in order: bake; cut; wash");
    assert_eq!(found[0].answers, ["wash → cut → bake"]);
    assert_eq!(keys(json!([{ "question": "Put them in order.", "answer": [2, 3, 1] }])), [""]);
}

#[test]
fn a_place_without_its_option_and_a_code_are_no_answers() {
    for question in [
        json!({ "question": "What is it?", "answer": "B" }),
        json!({ "question": "Match them", "answer": "1b 2d 3c" }),
        json!({ "question": "What is it?", "key": "MN1-r1" }),
    ] {
        assert_eq!(keys(json!([question])), [""], "{question}");
    }
    assert_eq!(keys(json!([{ "question": "Which vitamin? ____", "answer": "B" }])), ["B"]);
    assert_eq!(
        keys(json!([{ "question": "Why?", "modelAnswer": "It floats (2 points, see KEY-8)." }])),
        ["It floats."],
        "a remark for markers"
    );
}

#[test]
fn statements_are_true_or_false_in_any_language_and_questions_are_not() {
    assert_eq!(
        keys(json!([{ "question": "Eine Lösung mit pH 9 ist alkalisch.", "Typ": "r/f", "answer": "r" }])),
        ["True"]
    );
    assert_eq!(keys(json!([{ "question": "Marmaray su altında.", "doğru": false }])), ["False"]);
    assert_eq!(keys(json!([{ "question": "It is so.", "options": ["true", "false"], "answer": "false" }])), ["False"]);
    assert_eq!(keys(json!([{ "question": "Чи зміниться це?", "відповідь": "ні" }])), ["ні"]);
}

#[test]
fn an_explanation_that_names_an_option_by_its_letter_is_left_out() {
    let ask = |why: &str| {
        let quiz =
            json!([{ "question": "Q?", "options": { "A": "x", "B": "right" }, "answer": "B", "explanation": why }]);
        questions(json!({ "quiz": quiz })).remove(0).explanation
    };
    assert_eq!(ask("Whoever takes A forgets the rest."), None);
    assert_eq!(ask("A rest remains."), Some("A rest remains.".to_owned()));
    assert_eq!(ask("It is right."), Some("It is right.".to_owned()));
}

#[test]
fn contradicting_and_doubtful_keys_are_none() {
    for question in [
        json!({ "question": "Q?", "options": ["a1", "b2"], "answer": "c3" }),
        json!({ "question": "Q?", "options": ["a1", "b2"], "answer": "a1", "correctAnswer": "b2" }),
        json!({ "question": "Q?", "options": ["a1", "a1"], "answer": "a1" }),
        json!({ "question": "Q?", "answers": ["a1", "b2"] }),
        json!({ "question": "Q?", "options": ["1", "2", "3"], "answer": 2 }),
        json!({ "question": "Q?", "type": "ordering", "options": ["b2", "a1"], "answer": [1, 0] }),
    ] {
        assert_eq!(keys(json!([question])), [""], "{question}");
    }
}

#[test]
fn true_and_false_pairs_and_numbers_are_understood() {
    assert_eq!(
        keys(
            json!([{ "statement": "It is so.", "isTrue": true }, { "question": "Is it?", "type": "true_false", "answer": "F" }])
        ),
        ["True", "False"]
    );
    assert_eq!(keys(json!([{ "question": "Is it?", "options": ["True", "False"], "answer": false }])), ["False"]);
    let found = questions(
        json!({ "quiz": [{ "question": "Match", "pairs": [{ "left": "cat", "right": "meow" }, { "left": "dog", "right": "bark" }] }] }),
    );
    assert_eq!(found[0].question, "Match");
    let found = questions(
        json!({ "quiz": [{ "pairs": [{ "left": "cat", "right": "meow" }, { "left": "dog", "right": "bark" }] }] }),
    );
    assert_eq!(
        (found.len(), found[1].question.as_str(), &found[1].options[..], &found[1].answers[..]),
        (2, "Which of these goes with “dog”?", &["bark".to_owned(), "meow".to_owned()][..], &["bark".to_owned()][..])
    );
    let found =
        questions(json!({ "quiz": [{ "question": "g?", "type": "numerical", "answer": 9.81, "tolerance": 0.1 }] }));
    assert_eq!((&found[0].answers[..], found[0].tolerance.as_deref()), (&["9.81".to_owned()][..], Some("0.1")));
    let found = questions(
        json!({ "x": { "library": "H5P.Blanks 1.14", "params": { "questions": ["<p>The capital is *Paris/paris:a city*.</p>"] } } }),
    );
    assert_eq!(
        (found[0].question.as_str(), &found[0].answers[..]),
        ("The capital is ____.", &["Paris".to_owned(), "paris".to_owned()][..])
    );
}

#[test]
fn quizzes_in_texts_are_understood() {
    let text = "Read this.\n\n1. Which is red?\nA) Moon\nB) Mars\nAnswer: B\n\nQ: What is 2+2?\nA: 4\n\n- What else?\n- [ ] a\n- [x] b\n\nDone.";
    let found = read(json!({ "content": text }));
    let asked: Vec<&Question> = found
        .blocks
        .iter()
        .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None })
        .flatten()
        .collect();
    let shown: Vec<(&str, String)> =
        asked.iter().map(|question| (question.question.as_str(), question.answers.join("+"))).collect();
    assert_eq!(
        shown,
        [("Which is red?", "Mars".to_owned()), ("What is 2+2?", "4".to_owned()), ("What else?", "b".to_owned())]
    );
    assert!(
        matches!(
            &found.blocks[..],
            [Block { body: Body::Paragraph(_), .. }, _, Block { body: Body::Paragraph(_), .. }]
        ),
        "{found:?}"
    );
    let html = "<p>Which is red?</p><ol><li>Moon</li><li>Mars</li></ol><p><strong>Answer:</strong> b</p>";
    assert_eq!(questions(json!({ "content": html }))[0].answers, ["Mars"]);
    assert_eq!(questions(json!({ "questions": ["What is it? (Answer: mud)", "Who?"] }))[0].answers, ["mud"]);
    let beside = questions(json!({ "questions": ["What is it?", "Who?"], "answers": ["mud", "Ann"] }));
    assert_eq!(beside[1].answers, ["Ann"]);
}

#[test]
fn what_is_said_behind_a_key_is_its_explanation() {
    let told = "Check.\n\n1. True or false: it is so.\n\nKey: TRUE. SECRET\n\n2) Which is red?\n a) Moon\n b) Mars\n\nRight answer: b. SECRET";
    let found = questions(json!({ "content": told }));
    let answers: Vec<&str> = found.iter().map(|question| question.answers[0].as_str()).collect();
    assert_eq!(answers, ["TRUE", "Mars"], "{found:?}");
    assert!(!shown(&read(json!({ "content": told }))).contains("SECRET"));
}

/// Every text of a lesson but the answers and explanations of its questions.
fn shown(reading: &LessonReading) -> String {
    let mut all = format!("{:?}", reading.title);
    for block in &reading.blocks {
        match &block.body {
            Body::Questions(questions) => {
                for question in questions {
                    all.push_str(&question.question);
                    question.notes.iter().for_each(|note| all.push_str(&note.value));
                }
            }
            body => each_text(body, &mut |text| {
                all.push_str(text);
                all.push('\n');
            }),
        }
    }
    all
}

#[test]
fn no_key_of_a_sources_quiz_is_read_as_content() {
    // Of each format: SECRET is a key, feedback, a hint, a note, an id or a point that nobody may be shown.
    for source in [
        json!({ "quiz": [{ "id": "SECRET", "question": "Q?", "answer": "SECRET", "hint": "SECRET", "note": "SECRET", "points": "SECRET", "feedback": "SECRET", "difficulty": "SECRET" }] }),
        json!({ "quiz": { "title": "T", "passingScore": "SECRET", "answerKey": ["SECRET"], "feedback": { "good": "SECRET" }, "questions": [{ "q": "Q?", "a": "SECRET" }] } }),
        json!({ "questions": ["Q?", "R?"], "answers": ["SECRET", "SECRET"] }),
        json!({ "questions": ["Q?", "R?"], "answers": { "1": "SECRET" }, "solutions": "SECRET" }),
        json!({ "question": "Q?", "correctAnswer": "SECRET", "rationale": "SECRET", "teacherNotes": "SECRET" }),
        json!({ "exercises": [{ "stem": { "unknown": ["SECRET"] }, "solution": "SECRET" }, { "problem": "P", "answer": "SECRET" }] }),
        json!({ "quiz": [{ "type": "matching", "question": "Q?", "left": ["a"], "right": ["b"], "solution": { "a": "SECRET" } }] }),
        json!({ "quiz": [{ "question": "Q?", "code": "print(1)", "answer": "SECRET", "explanation": "SECRET" }] }),
        json!({ "x": { "library": "H5P.QuestionSet 1.20", "params": { "introPage": { "x": "SECRET" }, "questions": [
            { "library": "H5P.TrueFalse 1.8", "params": { "question": "<p>Q?</p>", "correct": "true", "behaviour": { "feedbackOnCorrect": "SECRET" } }, "subContentId": "SECRET" },
            { "library": "H5P.Blanks 1.14", "params": { "text": "Fill in.", "questions": ["<p>It is *SECRET/SECRET:SECRET*. And *SECRET* or *SECRET*.</p>"] } },
            { "library": "H5P.MarkTheWords 1.11", "params": { "textField": "*SECRET* word" } },
            { "library": "H5P.DragQuestion 1.14", "params": { "question": { "task": { "elements": [{ "x": "SECRET" }] } } } },
            { "library": "H5P.Essay 1.5", "params": { "taskDescription": "Write.", "keywords": [{ "keyword": "SECRET" }] } }] } } }),
        json!({ "questions": [{ "@type": "shortanswer", "questiontext": { "text": "Q?" }, "answer": [{ "@fraction": "100", "text": "SECRET", "feedback": { "text": "SECRET" } }, { "@fraction": "50", "text": "SECRET" }], "generalfeedback": { "text": "SECRET" }, "idnumber": "SECRET" },
            { "@type": "cloze", "questiontext": { "text": "It is {1:SHORTANSWER:=SECRET#SECRET} or {2:MULTICHOICE:=SECRET}." } }] }),
        json!({ "content": "What is it? {=SECRET #SECRET ~x}\n\n::T:: Is it {=SECRET =SECRET} so?" }),
        json!({ "content": "1. Q?\nA) x\nB) y\nAnswer: B SECRET\nExplanation: SECRET\nHint: SECRET\n\nQ: R?\nA: SECRET" }),
        json!({ "content": "# Text\n\nRead.\n\n## Answer key\n\n1. SECRET\n2. SECRET\n\n## More\n\nRead on." }),
        json!({ "content": "<p>Q?</p><details><summary>Answer</summary>SECRET</details><div class='answer-key'>SECRET</div><h3>Teacher notes</h3><p>SECRET</p>" }),
        json!({ "content": "<p>Q?</p><ul><li>a</li><li>b</li></ul><p>Answer: SECRET</p><p>R? (Answer: SECRET)</p>" }),
        json!({ "quiz": { "q1": { "question": "Q?", "answer": "SECRET" }, "q2": { "question": "R?", "answer": "SECRET", "tip": "SECRET" } } }),
        json!({ "sections": [{ "title": "S", "text": "Long enough to be content of its own, and to be read as it is.", "check": { "question": "Q?", "options": ["a", "b"], "key": "SECRET", "hints": ["SECRET"] } }] }),
    ] {
        let reading = read(source.clone());
        let all = shown(&reading);
        assert!(!all.contains("SECRET"), "{source}: {all}");
        let options = reading
            .blocks
            .iter()
            .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None });
        assert!(
            options.flatten().all(|question| !question.options.iter().all(|option| option.contains("SECRET"))
                || question.options.is_empty()),
            "{source}: {reading:?}"
        );
    }
}

#[test]
fn what_stands_beside_a_question_is_read() {
    let long = "A cell is the smallest unit of life, and everything that lives consists of cells.";
    let reading = read(json!({ "content": long, "question": "Q?", "answer": "x" }));
    assert!(shown(&reading).contains(long) && reading.blocks.len() == 2, "{reading:?}");
}

#[test]
fn members_are_told_by_the_words_of_their_names() {
    let cards = json!([
        { "card_id": "wd-31", "lado_pregunta": "¿Qué falta?", "lado_respuesta": "agua", "grito": "SECRET" },
        { "card_id": "wd-32", "lado_pregunta": "¿Qué sobra?", "lado_respuesta": "sal", "grito": "SECRET" },
    ]);
    let reading = read(json!({ "tarjetas": cards }));
    assert!(!shown(&reading).contains("SECRET") && !shown(&reading).contains("wd-31"), "{}", shown(&reading));
    let answers: Vec<String> =
        questions(json!({ "tarjetas": cards })).iter().map(|question| question.answers.join("+")).collect();
    assert_eq!(answers, ["agua", "sal"]);
    let remarks =
        json!([{ "question": "How many hours?", "answers": [{ "t": "72", "ok": true }], "correctMsg": "Three days." }]);
    assert_eq!(keys(remarks), ["72"]);
}

#[test]
fn records_that_all_ask_are_a_quiz_whatever_else_they_hold() {
    let cards = json!([
        { "ask": "Pair the lights?", "left": ["red", "white"], "right": ["SECRET", "SECRET 2"], "yy": "SECRET" },
        { "ask": "How many lights?", "typed": ["SECRET", "three"], "yy": "SECRET" },
    ]);
    let reading = read(json!({ "cards": cards }));
    assert!(shown(&reading).contains("How many lights?") && !shown(&reading).contains("SECRET"), "{}", shown(&reading));
    // A heading that asks stands above what is taught, and whoever talks asks as well.
    let page = "A cell is the smallest unit of life, and everything that lives consists of cells.";
    for taught in [
        json!([{ "title": "What is a cell?", "text": page }, { "title": "Where is it?", "text": page }]),
        json!([{ "zz": "What is a cell?", "text": page }, { "zz": "Where is it?", "text": page }]),
        json!([{ "speaker": "Mina", "line": "What is it?" }, { "speaker": "Tom", "line": page }]),
        json!([{ "question": "What is a cell?", "yy": page.repeat(6) }, { "question": "Where is it?", "yy": page.repeat(6) }]),
        json!([{ "myth": "Is a cell large?", "fact": page }, { "myth": "Is it dead?", "fact": page }]),
    ] {
        let reading = read(json!({ "parts": taught }));
        assert!(shown(&reading).contains(page), "{taught}: {}", shown(&reading));
    }
}

#[test]
fn questions_that_a_source_answers_itself_are_read_with_their_answers() {
    let reading = read(json!({ "faq": [{ "question": "May I bring a dog?", "answer": "Dogs stay at the gate." }] }));
    assert!(shown(&reading).contains("Dogs stay at the gate."), "{}", shown(&reading));
    assert!(!reading.blocks.iter().any(|block| matches!(block.body, Body::Questions(_))));
}

#[test]
fn lettered_options_and_a_key_are_a_quiz_that_asks_nothing() {
    let series = json!([
        { "num": "E-118", "zz": "I see a yellow sign. I have priority:", "props": ["A. here", "B. everywhere", "C. on Sunday"], "yy": "B" },
        { "num": "E-119", "zz": "At the stop sign I must:", "props": ["A. slow", "B. halt", "C. yield", "D. honk"], "yy": "BC" },
    ]);
    let found = questions(json!({ "serie": series }));
    let answers: Vec<String> = found.iter().map(|question| question.answers.join("+")).collect();
    assert_eq!(answers, ["everywhere", "halt+yield"]);
}

#[test]
fn options_are_marked_weighed_written_and_numbered() {
    for (name, question) in [
        ("star", json!({ "question": "Q?", "options": ["x", "*right"] })),
        ("JSON in a text", json!({ "question": "Q?", "options": "[\"*right\",\"x\"]" })),
        ("weights", json!({ "question": "Q?", "options": { "n1": "x", "j1": "right" }, "zz": { "n1": 0, "j1": 2 } })),
        ("series", json!({ "question": "Q?", "alt_a": "x", "alt_b": "right", "alt_c": "y", "answer": "b" })),
        (
            "ids",
            json!({ "question": "Q?", "zz": [{ "identifier": "V1", "text": "x" }, { "identifier": "V2", "text": "right" }], "correctResponse": ["V2"] }),
        ),
    ] {
        assert_eq!(keys(json!([question])), ["right"], "{name}");
    }
    let several = json!({ "question": "Q?", "zz": [{ "identifier": "V1", "text": "x" }, { "identifier": "V2", "text": "y" }, { "identifier": "V3", "text": "z" }], "correctResponse": ["V1", "V2"] });
    assert_eq!(keys(json!([several])), ["x+y"]);
    assert_eq!(keys(json!([{ "question": "How much?", "answer": "2400 (±0)" }])), ["2400"]);
    assert_eq!(
        keys(json!([{ "type": "VF", "question": "It is so.", "options": ["V", "F"], "answer": "F" }])),
        ["False"]
    );
    assert_eq!(keys(json!([{ "question": "Who?", "hint1": "x", "hint2": "y", "answer": "you" }])), ["you"]);
}

#[test]
fn rows_under_the_names_of_a_questions_parts_are_a_quiz() {
    let rows = json!([
        ["cod", "enunciado", "alt_a", "alt_b", "gabarito", "devolutiva"],
        ["PB-1", "How many?", "3", "4", "b", "SECRET"],
        ["PB-2", "Which one?", "", "", "the red one", "SECRET"],
    ]);
    let tabbed = "ref\tprompt\topt1\topt2\tans\tnote\nAX/1\tHow many?\t3\t4\t2\tSECRET\nAX/2\tWhich one?\t\t\tthe red one\tSECRET";
    let lines = "MC\tHow many?\t3\tincorrect\t4\tcorrect\nESS\tWhich one?\tthe red one";
    let records = json!([
        { "line": "MC\tHow many?\t3\tincorrect\t4\tcorrect", "zz": "SECRET" },
        { "line": "ESS\tWhich one?\tthe red one", "zz": "SECRET" },
    ]);
    for value in [rows, json!(tabbed), json!(lines), records] {
        let reading = read(json!({ "pool": value }));
        let all = shown(&reading);
        assert!(!["SECRET", "PB-1", "AX/1", "MC", "ESS"].iter().any(|secret| all.contains(secret)), "{all}");
        let found = questions(json!({ "pool": value }));
        let told: Vec<(&str, String)> =
            found.iter().map(|question| (question.question.as_str(), question.answers.join("+"))).collect();
        assert_eq!(told, [("How many?", "4".to_owned()), ("Which one?", "the red one".to_owned())], "{value}");
        assert!(found.iter().all(|question| question.pointer.written().starts_with("/lessons/0/pool")));
    }
    let table = read(json!({ "data": "City\tPeople\nRome\t2.8 million\nParis\t2.1 million" }));
    assert!(table.blocks.iter().any(|block| matches!(block.body, Body::Table(_))));
}

#[test]
fn codes_and_kinds_of_blocks_are_not_shown() {
    let page = "Port is left when you face the bow, and starboard is right.";
    let reading = read(json!({
        "module_ref": "AX-BNK-02",
        "virus": "SARS-CoV-2",
        "disease": "COVID-19",
        "cms": { "slug": "dune-3", "rev": "r118-salt", "author_ref": "usr_0447" },
        "blocks": [
            { "kind": "para", "txt": page },
            { "kind": "coachCue", "txt": "SECRET" },
            { "kind": "quickfire", "deck": "rzq-power", "cards": [{ "ask": "Which side is port?", "typeIn": ["left"] }, { "ask": "And starboard?", "typeIn": ["right"] }] },
        ],
        "router": { "model": "AX-3000", "wifi": { "band": "5 GHz" } },
    }));
    let all = shown(&reading);
    for hidden in ["AX-BNK-02", "dune-3", "r118", "usr_0447", "SECRET", "quickfire", "rzq-power", "para", "TXT"] {
        assert!(!all.contains(hidden), "{hidden}: {all}");
    }
    for kept in [page, "AX-3000", "SARS-CoV-2", "COVID-19"] {
        assert!(all.contains(kept), "{kept}: {all}");
    }
    let figures =
        json!([{ "type": "simile", "text": "as brave as a lion" }, { "type": "metaphor", "text": "time is money" }]);
    let styles = json!({ "python": "snake_case", "css": "kebab-case" });
    let all = shown(&read(json!({ "figures": figures, "styles": styles })));
    assert!(["simile", "metaphor", "snake_case"].iter().all(|kept| all.contains(kept)), "{all}");
}

#[test]
fn sides_letters_and_signs_are_understood() {
    let matching = json!([{
        "question_text": "Match.",
        "answers": [{ "answer_match_left": "cat", "answer_match_right": "meow" }, { "answer_match_left": "dog", "answer_match_right": "bark" }],
        "matching_answer_incorrect_matches": "a singing fish"
    }]);
    assert_eq!(keys(matching), ["cat – meow+dog – bark"]);
    let lettered = json!([{ "domanda": "Q?", "opzioni": [{ "lettera": "A", "testo": "x" }, { "lettera": "B", "testo": "y" }, { "lettera": "C", "testo": "z" }], "esatta": "A,C" }]);
    assert_eq!(keys(lettered), ["x+z"]);
    assert_eq!(keys(json!([{ "question": "Which are right?", "answer": "B, D" }])), [""]);
    for (kind, sign, verdict) in
        [("○×", "×", "False"), ("true_false", "O", "True"), ("OX", "X", "False"), ("VF", "V", "True")]
    {
        assert_eq!(
            keys(json!([{ "question": "It is so.", "type": kind, "answer": sign }])),
            [verdict],
            "{kind} {sign}"
        );
    }
    assert_eq!(keys(json!([{ "question": "Which sign is oxygen's?", "answer": "O" }])), ["O"]);
}

#[test]
fn what_only_looks_like_a_key_is_none() {
    let options = json!(["Rome", "Oslo", "Paris", "Madrid"]);
    let counted =
        json!([{ "max_answers": 1, "correct_index": 2, "question": "Capital of France?", "options": options }]);
    assert_eq!(keys(counted), ["Paris"]);
    let beside = json!([{ "question": "Capital of France?", "options": options, "correct": "Paris", "student_reply_answer": "Rome" }]);
    assert_eq!(keys(beside), ["Paris"]);
    assert_eq!(keys(json!([{ "question": "Solve it.", "answer": "x = 2 ± √3" }])), ["x = 2 ± √3"]);
    assert_eq!(
        keys(json!([{ "question": "Which is right?", "options": ["*He go", "He goes", "They goes"], "answer": 1 }])),
        [""]
    );
    let steps = json!([{ "question": "How many moons?", "answer": 2, "step1": "Count one.", "step2": "Count on." }]);
    assert_eq!(keys(steps), ["2"]);
    let wrong = json!([{ "question": "Capital?", "correct": "Paris", "wrong1": "Rome", "wrong2": "Bonn" }]);
    assert_eq!(questions(json!({ "quiz": wrong }))[0].options.len(), 3);
    assert_eq!(keys(wrong), ["Paris"]);
    assert_eq!(keys(json!([{ "question": "Which letter is force?", "options": ["F", "V"], "answer": "F" }])), ["F"]);
    let many = json!([{ "question": "Match.", "pairs": [["12", "three"], ["12", "four"], ["35", "five"]] }]);
    assert_eq!(keys(many), [""]);
}

#[test]
fn tables_that_teach_are_no_quiz() {
    for rows in [
        json!([["Problem", "Cause", "Solution"], ["The chain slips", "Worn teeth", "Replace the cassette"]]),
        json!([["Question", "Answer"], ["What is osmosis?", "Water moves through a membrane"]]),
    ] {
        let all = shown(&read(json!({ "table": rows })));
        assert!(all.contains("Worn teeth") || all.contains("Water moves"), "{all}");
    }
    let states = json!([{ "line": "MA\tMassachusetts\tBoston" }, { "line": "New York is large." }]);
    assert!(shown(&read(json!({ "states": states }))).contains("New York is large."));
    let faq =
        json!([{ "question": "What is a cell?", "answer": "The smallest unit.", "example": "A yeast cell is one." }]);
    assert!(shown(&read(json!({ "faq": faq }))).contains("A yeast cell is one."));
}

#[test]
fn objects_within_one_another_are_one_question() {
    let step = |id: u32, name: &str, text: &str, source: Value| {
        let mut block = json!({ "name": name, "text": text, "source": source });
        if source != json!({}) {
            block["feedback_correct"] = json!("Bravo!");
        }
        json!({ "step_id": id, "block": block })
    };
    let steps = json!([
        step(
            71,
            "choice",
            "Which one is a metal?",
            json!({ "is_multiple_choice": false, "options": [
            { "is_correct": false, "text": "Sulfur", "feedback": "It breaks." }, { "is_correct": true, "text": "Iron", "feedback": "" } ] })
        ),
        step(
            72,
            "free-answer",
            "Explain why iron rusts.",
            json!({ "manual_scoring": true, "sample": "Water and oxygen." })
        ),
        step(73, "text", "<p>Rust is an oxide of iron. It is brittle and falls off.</p>", json!({})),
    ]);
    let read = read(json!({ "steps": steps }));
    let asked: Vec<(String, Vec<String>)> = read
        .blocks
        .iter()
        .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None })
        .flatten()
        .map(|question| (question.question.clone(), question.answers.clone()))
        .collect();
    assert_eq!(asked[0], ("Which one is a metal?".to_owned(), vec!["Iron".to_owned()]));
    assert_eq!(asked[1].0, "Explain why iron rusts.");
    assert_eq!(asked.len(), 2);
    let shown = format!("{:?}", read.blocks);
    assert!(shown.contains("Rust is an oxide"), "{shown}");
    for secret in ["Bravo", "It breaks", "Water and oxygen", "71", "free-answer"] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
}

#[test]
fn a_question_within_a_section_leaves_the_section_as_it_is() {
    let section = |title: &str| {
        let check = json!({ "question": "Which one?", "options": ["x", "right"], "answer": "right" });
        json!({ "title": title, "body": "Rust is an oxide of iron. It is brittle, and it falls off in flakes that leave the iron bare.", "check": check })
    };
    let read = read(json!({ "sections": [section("Rust"), section("More of it")] }));
    let shown = format!("{:?}", read.blocks);
    assert_eq!(shown.matches("Rust is an oxide").count(), 2, "{shown}");
    assert_eq!(shown.matches("Which one?").count(), 2, "{shown}");
}

#[test]
fn open_edxs_markdown_is_read_and_its_marks_are_not_shown() {
    let text = "Try these.\n\n---\n\n>>What does 20,000 become at 10 % in 3 years?||In rupees.<<\n\n= 26620 +- 1\n\n[explanation]\nThree times.\n\
        [explanation]\n\n---\n\n>>Which one is a bank?<<\n\n( ) A shop {{No.}}\n(x) A lender {{Yes!}}\n\n---\n\n>>How many years?<<\n\n[[ 6, (8), 9 ]]\n\n\
        ---\n\n>>What is it called?<<\n\ns= rate\nor= EAR\n\n---\n\n>>Explain it.<<\n\n[[openresponse rubric=R2]]\nsample: As it is.\n";
    let read = read(json!({ "problems_md": text }));
    let asked: Vec<&Question> = read
        .blocks
        .iter()
        .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None })
        .flatten()
        .collect();
    let answers: Vec<String> = asked.iter().map(|question| question.answers.join("+")).collect();
    assert_eq!(answers, ["26620", "A lender", "8", "rate+EAR", ""]);
    assert_eq!(asked[0].question, "What does 20,000 become at 10 % in 3 years?");
    assert_eq!((asked[0].tolerance.as_deref(), asked[0].explanation.as_deref()), (Some("1"), Some("Three times.")));
    assert_eq!(asked[1].options, ["A shop", "A lender"]);
    let shown = format!("{:?}", read.blocks);
    assert!(shown.contains("Try these."), "{shown}");
    for secret in [">>", "{{", "explanation]", "openresponse", "As it is"] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
    let code = read_text("int a = 1 << 3;\nint b = a >> 2;", &Pointer::root("/lessons/0/code"), 1);
    assert!(!code.iter().any(|block| matches!(block.body, Body::Questions(_))), "{code:?}");
}

#[test]
fn a_numbered_question_ends_with_its_answer() {
    let text = "1.（判断题）浓硫酸敞口放置一段时间后，溶液的质量会减小。\n答案：错误\n解析：它会越放越沉。\n难度：中　分值：2\n\
        2.（连线题）把现象与变化对应起来\n左：1.变浑浊 2.溶解\n右：a.沉淀 b.蓝色\n答案：1-a；2-b\n解析：别穿错了。\n";
    let read = read(json!({ "题库": text }));
    let asked: Vec<&Question> = read
        .blocks
        .iter()
        .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None })
        .flatten()
        .collect();
    assert_eq!(asked.len(), 2, "{:?}", read.blocks);
    assert!(asked[1].question.contains("左：1.变浑浊 2.溶解 右："), "{}", asked[1].question);
    let others = read.blocks.iter().filter(|block| !matches!(block.body, Body::Questions(_)));
    assert!(others.into_iter().all(|block| matches!(block.body, Body::Heading { .. })), "{:?}", read.blocks);
    assert_eq!(asked[0].explanation.as_deref(), Some("它会越放越沉。"));
}

#[test]
fn rows_with_shares_of_the_points_are_options() {
    let quiz = json!([
        { "NewQuestion": "MC", "QuestionText": "Why?", "Option": [[100, "right", ""], [0, "x", "No."], [0, "y", ""]], "Feedback": "Yes." },
        { "NewQuestion": "SA", "QuestionText": "Name it.", "Answer": [[100, "WPA"], [100, "Works"], [50, "Work"]] },
    ]);
    assert_eq!(keys(quiz), ["right", "WPA+Works"]);
    let quiz = json!([{ "question": "Name it.", "answer": [[100, "WPA"], [100, "Works"], [50, "Work"]] }]);
    assert!(questions(json!({ "quiz": quiz }))[0].options.is_empty(), "all of them earn something");
}

#[test]
fn places_of_a_list_that_is_not_read_are_no_answer() {
    let quiz = json!([{ "question": "Put the bundles in order.", "elements": "see above", "key": "2, 4, 1, 3" }]);
    assert_eq!(keys(quiz), [""]);
}

#[test]
fn statements_with_a_verdict_each_are_judged_one_by_one() {
    let quiz = json!([{ "question": "Judge the statements.", "statements": [["Veins carry blood to the heart.", "T"], ["Arteries have valves.", "F"]] }]);
    assert_eq!(keys(quiz), ["True", "False"]);
    let quiz = json!([{ "QuestionText": "Falling prices made it easier to pay back loans.", "TRUE": 0, "FALSE": 100 }]);
    assert_eq!(keys(quiz), ["False"]);
}

#[test]
fn entries_with_their_places_are_an_order() {
    let quiz = json!([{ "kind": "ordering", "question": "Put the steps in order.", "items": [
        { "text": "Set limits", "place": 3 }, { "text": "Find hazards", "place": 1 }, { "text": "Find critical points", "place": 2 } ] }]);
    assert_eq!(keys(quiz), ["Find hazards → Find critical points → Set limits"]);
}

#[test]
fn an_answer_may_stand_in_an_object_with_its_tolerance() {
    let quiz = json!([{ "question": "How much does it pump?", "answer": { "wartosc": 18, "tolerancja": 0.5, "jednostka": "l/min" } }]);
    let asked = questions(json!({ "quiz": quiz }));
    assert_eq!((&asked[0].answers[..], asked[0].tolerance.as_deref()), (&["18".to_owned()][..], Some("0.5")));
}

#[test]
fn what_is_asked_may_be_wrapped_beside_an_empty_text() {
    let html = |text: &str| json!({ "Text": "", "Html": format!("<p>{text}</p>") });
    let quiz = json!([{ "QuestionType": "MultipleChoice", "QuestionText": html("Which one?"), "Answers": [
        { "AnswerText": html("x"), "Weight": 0 }, { "AnswerText": html("right"), "Weight": 100 } ] }]);
    assert_eq!(keys(quiz), ["right"]);
}

#[test]
fn gift_may_stand_behind_a_tag_and_on_lines_of_its_own() {
    let text = "::Q1::[html]<p>Which one?</p>{\n\t=right#Yes.\n\t~x#No.\n}\n\n::Q2::How much is it?{#\n\t=210:0#All of it.\n}\n";
    let asked = questions(json!({ "gift": text }));
    let answers: Vec<String> = asked.iter().map(|question| question.answers.join("+")).collect();
    assert_eq!(answers, ["right", "210"]);
}

#[test]
fn gift_is_no_code_whatever_its_member_is_called() {
    let text = "::Q1:: Which one? {\n~x\n=right\n}\n\n::Q2:: It is so. {FALSE}\n\n::Q3:: How many? {#15}\n";
    for lesson in [json!({ "quiz": { "format": "GIFT", "source": text } }), json!({ "source": text })] {
        let answers: Vec<String> = questions(lesson).iter().map(|question| question.answers.join("+")).collect();
        assert_eq!(answers, ["right", "false", "15"]);
    }
}

#[test]
fn a_sheet_names_its_columns_apart_from_its_rows() {
    let sheet = json!({ "シート名": "確認テスト", "見出し": ["問番号", "形式", "問題文", "選択肢1", "選択肢2", "正答", "解説"], "行": [
        ["T1", "TANITSU", "どれが適切ですか。", "もしもし", "お待たせしました", "2", "玄関です。"],
        ["T2", "TANITSU", "どちらが先ですか。", "名乗る", "復唱する", "1", "順です。"] ] });
    let asked = questions(json!({ "確認テスト": sheet }));
    let answers: Vec<String> = asked.iter().map(|question| question.answers.join("+")).collect();
    assert_eq!(answers, ["お待たせしました", "名乗る"]);
}

#[test]
fn qti_3_in_json_is_read_as_a_question() {
    let item = |prompt: &str, right: &str| {
        json!({ "qti-assessment-item": { "@identifier": "q-101", "@title": "Cause",
            "qti-response-declaration": { "@identifier": "RESPONSE", "qti-correct-response": { "qti-value": right } },
            "qti-item-body": { "qti-choice-interaction": { "@max-choices": "1", "qti-prompt": prompt, "qti-simple-choice": [
                { "@identifier": "A", "#text": "x" }, { "@identifier": "B", "#text": "right" } ] } },
            "qti-modal-feedback": [{ "@identifier": "A", "qti-content-body": { "p": "No." } }] } })
    };
    let read = read(json!({ "items": [item("Which one?", "B"), item("What is it?", "B")] }));
    let shown = format!("{:?}", read.blocks);
    assert!(!shown.contains("No.") && !shown.contains("q-101"), "{shown}");
    let asked = questions(json!({ "items": [item("Which one?", "B"), item("What is it?", "B")] }));
    let answers: Vec<String> = asked.iter().map(|question| question.answers.join("+")).collect();
    assert_eq!(answers, ["right", "right"]);
}

#[test]
fn what_only_looks_like_a_quiz_or_a_machines_keeps_its_content() {
    for (name, value, texts) in [
        (
            "objects with options",
            json!([{ "title": "Paying by card", "details": { "options": ["chip and PIN", "contactless"] } },
                { "title": "Paying in cash", "details": { "options": ["notes", "coins"] } }]),
            vec!["chip and PIN", "coins"],
        ),
        (
            "rows with years",
            json!([{ "name": "France", "history": { "events": [[1789, "Bastille"], [1792, "Republic"]] } },
                { "name": "Haiti", "history": { "events": [[1791, "Revolt"], [1804, "Independence"]] } }]),
            vec!["Bastille", "Independence"],
        ),
        (
            "blocks of an author's own",
            json!([{ "type": "heading", "text": "Cells" }, { "type": "paragraph", "content": "A cell is small." },
                { "type": "list", "content": [{ "type": "li", "text": "wall" }] }]),
            vec!["A cell is small.", "wall"],
        ),
        (
            "constants",
            json!([{ "error": "ERR_TIMED_OUT", "meaning": "Nobody answered." }, { "error": "ERR_REFUSED", "meaning": "Nobody listens." }]),
            vec!["ERR_TIMED_OUT"],
        ),
        (
            "a chat",
            json!([{ "author": "Ana", "text": "¿Dónde quedamos?", "createdAt": "2026-01-01" }, { "author": "Leo", "text": "En el parque.", "createdAt": "2026-01-01" }]),
            vec!["¿Dónde quedamos?"],
        ),
        (
            "a Python session",
            json!("Try it:\n\n>>> 1 << 3\n8\n>>> 16 >> 2\n4\n\nShifts are fast."),
            vec!["Shifts are fast."],
        ),
        (
            "German quotation marks",
            json!(">>Wer bist du?<<, fragte der Fuchs.\nDer Prinz schwieg."),
            vec!["Der Prinz schwieg."],
        ),
        (
            "what is invisible",
            json!({ "name": "Ultraviolet", "visible": false, "uses": ["sterilising", "tanning"] }),
            vec!["sterilising"],
        ),
    ] {
        let read = read(json!({ "material": value }));
        let mut shown = String::new();
        for block in read.blocks.iter().filter(|block| !matches!(block.body, Body::Questions(_))) {
            each_text(&block.body, &mut |text| shown.push_str(text));
        }
        for text in texts {
            assert!(shown.contains(text), "{name}: {text} is not in {:?}", read.blocks);
        }
    }
    assert_eq!(keys(json!([{ "question": "Name the primes below 7.", "answer": "2, 3, 5" }])), ["2, 3, 5"]);
}
