//! Answers that are wrong: asked for once more with the reason, then without what stayed wrong, or not at all.

use serde_json::Value;

use super::script::{block, question};
use super::*;

type Spoil = fn(&mut Value);

/// Faults of a section, each with words of the complaint about it.
const SECTION_FAULTS: [(&str, Spoil); 13] = [
    ("the number 1999", |section| section["blocks"][0]["text"] = "Cells divide. In 1999 they stopped.".into()),
    ("the name Darwin", |section| section["recap"] = "A cell is what Darwin saw.".into()),
    ("is quoted", |section| section["objective"] = "Explain why “all is water” holds.".into()),
    ("not given", |section| section["excerpts"] = json!([77])),
    ("`excerpts` is empty", |section| section["excerpts"] = json!([])),
    ("unknown field", |section| section["html"] = "<p>".into()),
    ("missing field", |section| section.as_object_mut().unwrap().retain(|name, _| name != "recap")),
    ("unknown variant", |section| section["blocks"][0]["kind"] = "script".into()),
    ("not formed", |section| section["blocks"][0] = block("table", "x")),
    ("`blocks` has 0", |section| section["blocks"] = json!([])),
    ("longer than", |section| section["recap"] = "cells ".repeat(200).into()),
    ("key_not_an_option", |section| section["items"][0]["correctAnswers"] = json!(["Maybe"])),
    ("not in the language", |section| {
        section["blocks"][0]["text"] =
            "Die Zelle ist die kleinste Einheit des Lebens und alle Pflanzen bestehen aus Zellen, \
            die der Mensch mit dem Auge nicht sehen kann, weil sie so klein sind und weil sie im Inneren liegen."
                .into();
    }),
];

#[test]
fn a_wrong_part_is_asked_for_once_more_with_what_was_wrong() {
    for (words, spoil) in SECTION_FAULTS {
        let model = Arc::new(Scripted::spoilt(false, move |asked, answer| {
            if asked.name == "section" {
                spoil(answer);
            }
        }));
        let shelf = Shelf::default();
        module_by(&model, &shelf).unwrap_or_else(|error| panic!("{words}: {error}"));
        assert_eq!(model.count("section"), 6, "{words}");
        let complaints: Vec<String> = model.asked().into_iter().filter_map(|asked| asked.complaint).collect();
        assert!(complaints.iter().all(|complaint| complaint.contains(words)), "{words}: {complaints:?}");
        assert!(shelf.remarks.lock().unwrap().is_empty(), "{words}: nothing was dropped");
    }
}

#[test]
fn what_stays_wrong_is_dropped_and_told_or_the_part_fails() {
    for (words, spoil) in SECTION_FAULTS {
        let model = Arc::new(Scripted::spoilt(true, move |asked, answer| {
            if asked.data["section"] == "Tissue" {
                spoil(answer);
            }
        }));
        let shelf = Shelf::default();
        let made = module_by(&model, &shelf);
        let dropped = matches!(
            words,
            "the number 1999" | "the name Darwin" | "is quoted" | "not formed" | "longer than" | "key_not_an_option"
        );
        if words == "not formed" {
            // Only a heading is left of it.
            assert_eq!(made.unwrap_err().code, "model_output_invalid", "{words}");
        } else if dropped {
            let draft = made.unwrap_or_else(|error| panic!("{words}: {error}"));
            for invented in ["1999", "Darwin", "all is water", "Maybe", "cells cells"] {
                assert!(!draft.content_html.contains(invented), "{words}: {invented}");
            }
            let quizzes = if words == "key_not_an_option" { 2 } else { 3 };
            assert_eq!(draft.quizzes.len(), quizzes, "{words}");
        } else {
            let error = made.unwrap_err();
            assert_eq!((error.code, error.retryable), ("model_output_invalid", true), "{words}");
        }
    }
}

#[test]
fn a_sentence_that_stays_invented_goes_alone() {
    let model = Scripted::spoilt(true, |asked, answer| {
        if asked.data["section"] == "Tissue" {
            answer["blocks"][0]["text"] = "Muscle moves the bones. In 1999 it stopped. Blood carries oxygen.".into();
        }
    });
    let shelf = Shelf::default();
    let draft = module_by(&Arc::new(model), &shelf).unwrap();
    assert!(
        draft.content_html.contains("<p>Muscle moves the bones. Blood carries oxygen.</p>"),
        "{}",
        draft.content_html
    );
    assert_eq!(shelf.remarks.lock().unwrap()[..], [Remark::Dropped(1)]);
}

#[test]
fn what_is_no_json_or_no_answer_is_a_typed_failure() {
    for text in
        ["", "Sure! Here is your module.", "[]", "{\"title\": 1}", "null", "{", "\u{0}", "{\"title\": \"a\"} and more"]
    {
        let text = text.to_owned();
        let model = Arc::new(Scripted::new(move |_| Ok(text.clone())));
        let error = module_by(&model, &Shelf::default()).unwrap_err();
        assert_eq!((error.code, error.retryable, model.asked().len()), ("model_output_invalid", true, 2));
    }
}

/// Spoils every question of a quiz.
fn spoilt_quiz(again: bool, spoil: fn(usize, &mut Value)) -> (Result<QuizDraft, GenerationError>, Arc<Scripted>) {
    let model = Arc::new(Scripted::spoilt(again, move |asked, answer| {
        if asked.name == "questions" {
            answer["items"].as_array_mut().unwrap().iter_mut().enumerate().for_each(|(at, item)| spoil(at, item));
        }
    }));
    (quiz_by(&model, &Shelf::default()), model)
}

const ITEM_FAULTS: [fn(usize, &mut Value); 7] = [
    |_, item| item["correctAnswers"] = json!([]),
    |_, item| item["explanation"] = "It was so in 1999.".into(),
    |_, item| item["excerpts"] = json!([99]),
    |_, item| item["question"] = " ".into(),
    |_, item| *item = question("true-false", "A cell is the smallest unit of life.", 1),
    |_, item| {
        item["options"] = json!(["nobody", "nothing"]);
        item["correctAnswers"] = json!(["somebody"]);
    },
    |at, item| {
        *item = question("select", "A cell is the smallest unit of life.", 1);
        item["question"] = format!("What is it about, in the {at} place?").into();
        item["explanation"] = "The correct answer is nobody.".into();
    },
];

#[test]
fn questions_are_repaired_where_they_can_be() {
    for (at, spoil) in ITEM_FAULTS.into_iter().enumerate() {
        let (made, model) = spoilt_quiz(false, spoil);
        assert_eq!(made.unwrap().items.len(), 6, "{at}");
        assert_eq!(model.count("questions"), 4, "{at}: each topic is asked for twice");
    }
}

#[test]
fn a_quiz_with_too_few_questions_left_fails_typed() {
    for (at, spoil) in ITEM_FAULTS.into_iter().enumerate() {
        let error = spoilt_quiz(true, spoil).0.unwrap_err();
        assert_eq!((error.code, error.retryable), ("draft_invalid", false), "{at}");
    }
}

#[test]
fn a_quiz_of_one_type_where_several_were_asked_for_fails_typed() {
    let model = Scripted::spoilt(true, |asked, answer| {
        if asked.name == "questions" {
            let sentences = asked.sentences();
            let items = sentences.iter().take(3).map(|sentence| {
                let number = asked.material["lessons"][0]["excerpts"][0]["n"].as_u64().unwrap();
                question("true-false", sentence, number)
            });
            answer["items"] = items.collect();
        }
    });
    assert_eq!(quiz_by(&Arc::new(model), &Shelf::default()).unwrap_err().code, "draft_invalid");
}

#[test]
fn a_few_bad_questions_are_dropped_and_the_rest_is_the_quiz() {
    let (made, _) = spoilt_quiz(true, |at, item| {
        if at == 0 {
            item["explanation"] = "It was so in 1999.".into();
        }
    });
    let draft = made.unwrap();
    assert_eq!((draft.items.len(), draft.citations.len()), (4, 4));
}

#[test]
fn keys_with_other_white_space_or_case_are_no_fault() {
    let (made, model) = spoilt_quiz(true, |_, item| {
        if item["type"] == "select" {
            let key = format!(" {}\n", item["correctAnswers"][0].as_str().unwrap().to_uppercase());
            item["correctAnswers"][0] = key.into();
        }
    });
    let draft = made.unwrap();
    assert_eq!((draft.items.len(), model.count("questions")), (6, 2));
    assert!(
        draft
            .items
            .iter()
            .filter(|item| !item.options.is_empty())
            .all(|item| item.options.contains(&item.correct_answers[0]))
    );
}

#[test]
fn scenes_that_stay_wrong_are_dropped() {
    let model = Scripted::spoilt(true, |asked, answer| {
        if asked.name == "scenes" {
            answer["scenes"][0]["script"] = "In 1999 it was so.".into();
            answer["scenes"][1]["display"] = "word ".repeat(40).into();
        }
    });
    let shelf = Shelf::default();
    let draft = video_by(&Arc::new(model), &shelf).unwrap();
    assert_eq!(draft.scenes.len(), 2);
    assert!(draft.scenes.iter().all(|scene| scene.display_text.chars().count() <= 80));
    assert!(matches!(shelf.remarks.lock().unwrap()[..], [Remark::Dropped(_)]));
}
