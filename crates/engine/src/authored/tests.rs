//! Drafts by scripted models: what good ones lead to, what faults do, and what hostile ones can't do.

mod faults;
mod hostile;
mod parts;
mod properties;
mod questions;
mod requests;
mod script;
mod windows;

use std::sync::Arc;

use futures_util::FutureExt as _;
use kernel::model::ModelError;
use serde_json::json;

use self::script::{Asked, Scripted, Shelf, good};
use super::*;
use crate::generator::Remark;
use crate::source::{SourceField, SourceLesson};

const LESSONS: [(&str, &str); 3] = [
    (
        "The cell",
        "A cell is the smallest unit of life. Every plant is made of such cells. The wall keeps a plant firm. Light gives \
         plants their energy. In 1838 a botanist looked closely at leaves. Animals have no walls. The nucleus holds the plan. \
         A membrane lets water through.",
    ),
    (
        "Tissue",
        "Many cells of one kind make a tissue. Muscle moves the bones. Skin keeps bodies dry. Blood carries oxygen. Nerves lead \
         signals. Fat stores food. Bark protects a tree. Roots drink from the soil.",
    ),
    (
        "Organs",
        "An organ does one task. The heart pumps blood. The lungs take in air. The stomach breaks down meals. The liver cleans \
         what we eat. Kidneys make urine. The brain thinks. Eyes see colours.",
    ),
];

fn level() -> SourceLevel {
    let lesson = |(at, (title, text)): (usize, &(&str, &str))| SourceLesson {
        pointer: format!("/level/lessons/{at}"),
        title: Some((*title).to_owned()),
        kind: "content".into(),
        fields: vec![SourceField {
            pointer: format!("/level/lessons/{at}/text"),
            name: "text".into(),
            value: json!(text),
        }],
    };
    SourceLevel {
        language: "en".into(),
        category_title: "Biology".into(),
        level_title: Some("Life".into()),
        lessons: LESSONS.iter().enumerate().map(lesson).collect(),
    }
}

/// What a model makes of an order. Scripts answer at once, so nothing is ever waited for.
fn made<T>(work: impl Future<Output = Result<T, GenerationError>>) -> Result<T, GenerationError> {
    work.now_or_never().expect("a script answers at once")
}

fn module_by(model: &Arc<Scripted>, bench: &Shelf) -> Result<ModuleDraft, GenerationError> {
    made(Authored::new(model.clone()).module(&level(), bench))
}

fn quiz_by(model: &Arc<Scripted>, bench: &Shelf) -> Result<QuizDraft, GenerationError> {
    made(Authored::new(model.clone()).quiz(&level(), bench))
}

fn video_by(model: &Arc<Scripted>, bench: &Shelf) -> Result<VideoDraft, GenerationError> {
    made(Authored::new(model.clone()).video(&level(), bench))
}

#[test]
fn a_module_has_a_section_for_each_part_with_the_places_it_came_from() {
    let (model, shelf) = (Arc::new(Scripted::good()), Shelf::default());
    let draft = module_by(&model, &shelf).unwrap();
    assert_eq!((draft.title.as_str(), draft.language.as_str()), ("All about it", "en"));
    assert!(draft.content_html.starts_with("<article lang=\"en\" dir=\"ltr\">"), "{}", draft.content_html);
    assert_eq!(draft.content_html.matches("<section").count(), 5, "objectives, three lessons, recap");
    assert!(draft.content_html.contains("<h2 id=\"lesson-2-title\">Tissue</h2>"));
    assert_eq!((draft.quizzes.len(), draft.quizzes[2].sequence, draft.quizzes[1].title.as_str()), (3, 3, "Tissue"));
    let places = |part: &str| &draft.citations.iter().find(|citation| citation.part == part).unwrap().pointers;
    assert_eq!(places("sections/2"), &["/level/lessons/1/text"]);
    assert_eq!(places("quizzes/2"), &["/level/lessons/2/text"]);
    assert_eq!(places("sections/4").len(), 3);
    assert!(shelf.remarks.lock().unwrap().is_empty());
    assert_eq!((model.count("module_outline"), model.count("section")), (1, 3));
}

#[test]
fn a_video_takes_as_long_as_its_scripts_take_to_speak() {
    let draft = video_by(&Arc::new(Scripted::good()), &Shelf::default()).unwrap();
    let sum: f64 = draft.scenes.iter().map(|scene| scene.duration_seconds).sum();
    assert_eq!((draft.scenes.len(), f64::from(draft.target_duration_seconds)), (4, sum.round()));
    assert!(draft.scenes.iter().all(|scene| scene.duration_seconds >= 3.0));
    assert_eq!(draft.citations[0].pointers, ["/level/lessons/0/text"]);
}

#[test]
fn a_quiz_has_items_of_varied_types_over_its_topics() {
    let draft = quiz_by(&Arc::new(Scripted::good()), &Shelf::default()).unwrap();
    assert_eq!((draft.items.len(), draft.subject.as_str(), draft.level.as_str()), (6, "Biology", "MEDIUM"));
    let kinds: std::collections::HashSet<_> = draft.items.iter().map(|item| item.kind).collect();
    assert_eq!(kinds.len(), 4, "{kinds:?}");
    assert_eq!(draft.citations.len(), 6);
}

#[test]
fn every_prompt_of_a_kind_begins_alike_and_says_whose_turn_it_is() {
    let model = Arc::new(Scripted::good());
    module_by(&model, &Shelf::default()).unwrap();
    quiz_by(&model, &Shelf::default()).unwrap();
    let asked = model.asked();
    for one in &asked {
        let same = asked.iter().filter(|other| other.name == one.name);
        assert!(same.into_iter().all(|other| other.instructions == one.instructions), "{}", one.name);
        for text in LESSONS.iter().flat_map(|(title, text)| [title, text]) {
            assert!(!one.instructions.contains(*text) && !one.task.contains(*text), "{}", one.name);
        }
    }
}

#[test]
fn parts_that_are_done_are_never_asked_for_again() {
    let shelf = Shelf::default();
    let fails = Scripted::new(|asked| match asked.data["section"].as_str() {
        Some("Tissue") => Err(ModelError::TimedOut),
        _ => Ok(good(asked).to_string()),
    });
    let error = module_by(&Arc::new(fails), &shelf).unwrap_err();
    assert_eq!((error.code, error.retryable), ("model_timeout", true));
    assert_eq!(shelf.kept.lock().unwrap().len(), 3, "the outline and two sections");
    let model = Arc::new(Scripted::good());
    let draft = module_by(&model, &shelf).unwrap();
    assert_eq!((model.asked().len(), draft.quizzes.len()), (1, 3));
    assert_eq!(model.asked()[0].data["section"], "Tissue");
    let again = Arc::new(Scripted::new(|_| Err(ModelError::Declined)));
    assert_eq!(module_by(&again, &shelf).unwrap(), draft);
    assert!(again.asked().is_empty());
}

#[test]
fn what_was_kept_of_another_source_is_not_used() {
    let shelf = Shelf::default();
    module_by(&Arc::new(Scripted::good()), &shelf).unwrap();
    let mut edited = level();
    edited.lessons[1].fields[0].value = json!("Bones are hard. Bones carry the body. They grow for years.");
    let model = Arc::new(Scripted::good());
    let draft = made(Authored::new(model.clone()).module(&edited, &shelf)).unwrap();
    assert!(draft.content_html.contains("Bones are hard") && !draft.content_html.contains("Muscle"));
    assert_eq!((model.count("module_outline"), model.count("section")), (1, 1), "the other sections say the same");
}

#[test]
fn work_that_was_taken_away_stops_and_says_so() {
    let shelf = Shelf { room: Some(2), ..Shelf::default() };
    let authored =
        Authored::new(Arc::new(Scripted::good())).with_limits(Limits { parts_at_once: 1, ..Limits::default() });
    let error = made(authored.module(&level(), &shelf)).unwrap_err();
    assert_eq!((error.code, shelf.kept.lock().unwrap().len()), ("interrupted", 2));
}

#[test]
fn a_model_that_is_away_is_not_asked_for_the_other_parts() {
    let away = |error: ModelError| {
        let answer = move |asked: &Asked| match asked.name {
            "section" => Err(error.clone()),
            _ => Ok(good(asked).to_string()),
        };
        let model = Arc::new(Scripted::new(answer));
        let authored = Authored::new(model.clone()).with_limits(Limits { parts_at_once: 1, ..Limits::default() });
        let error = made(authored.module(&level(), &Shelf::default())).unwrap_err();
        (error.code, error.retryable, model.count("section"))
    };
    assert_eq!(away(ModelError::Unavailable { retry_after: None }), ("model_unavailable", true, 1));
    assert_eq!(away(ModelError::Busy { retry_after: None }), ("model_busy", true, 1));
    assert_eq!(away(ModelError::Misconfigured), ("model_misconfigured", false, 1));
    assert_eq!(away(ModelError::TooLong), ("model_input_too_long", false, 3));
    assert_eq!(away(ModelError::CutOff), ("model_output_cut", false, 3));
}

#[test]
fn a_huge_source_is_read_within_the_limits_and_what_is_left_out_is_told() {
    let mut source = level();
    let long = |topic: &str| (0..400).map(|at| format!("{topic} grows, says line {at}. ")).collect::<String>();
    source.lessons[1].fields[0].value = json!(long("Tissue"));
    let limits = Limits { overview_characters: 2_000, part_characters: 3_000, ..Limits::default() };
    let (model, shelf) = (Arc::new(Scripted::good()), Shelf::default());
    made(Authored::new(model.clone()).with_limits(limits).video(&source, &shelf)).unwrap();
    for asked in model.asked() {
        let longest = if asked.name == "scenes" { 4_000 } else { 9_000 };
        assert!(asked.texts[0].len() < longest, "{}: {}", asked.name, asked.texts[0].len());
    }
    let remarks = shelf.remarks.lock().unwrap();
    assert_eq!(remarks[..], [Remark::LeftOut(vec!["/level/lessons/1/text".into()])]);
}

#[test]
fn nothing_to_teach_is_said_before_anybody_is_asked() {
    let model = Arc::new(Scripted::good());
    let empty = SourceLevel { lessons: Vec::new(), ..level() };
    let error = made(Authored::new(model.clone()).quiz(&empty, &Shelf::default())).unwrap_err();
    assert_eq!((error.code, model.asked().len()), ("source_empty", 0));
}
