//! What is no quiz and no key, and what of a quiz no learner is shown.

use serde_json::{Value, json};

use super::*;

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
fn questions_that_a_source_answers_itself_are_read_with_their_answers() {
    let reading = read(json!({ "faq": [{ "question": "May I bring a dog?", "answer": "Dogs stay at the gate." }] }));
    assert!(shown(&reading).contains("Dogs stay at the gate."), "{}", shown(&reading));
    assert!(!reading.blocks.iter().any(|block| matches!(block.body, Body::Questions(_))));
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
fn places_of_a_list_that_is_not_read_are_no_answer() {
    let quiz = json!([{ "question": "Put the bundles in order.", "elements": "see above", "key": "2, 4, 1, 3" }]);
    assert_eq!(keys(quiz), [""]);
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
