//! Quizzes in JSON, by the names and the shapes of their members.

use serde_json::{Value, json};

use super::*;

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
        ("a variant among others", json!({ "question": "Q?", "answers": "right / x / y", "solution": "right" })),
        ("written out, by letter", json!({ "frage": "Q?", "antworten": "x / right / y", "loesung": "b" })),
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
fn records_that_share_no_name_are_understood_apart() {
    let quiz = json!([
        { "v": "Who chairs the board?", "a": "the dike-reeve" },
        { "vraag": "What does a pumping station do?", "A": "it lifts water", "B": "it lifts ships", "goed": "A" },
        { "v": "The dam was closed in 1953", "juist": false },
        { "vraag": "how many boards are there", "antw": 21 },
    ]);
    assert_eq!(keys(quiz), ["the dike-reeve", "it lifts water", "False", "21"]);
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
