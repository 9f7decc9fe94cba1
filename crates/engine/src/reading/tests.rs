//! Sources as authors write them, in `tests/sources`. Each file says what of it is read: `kinds` are the blocks of all lessons
//! in order, `shown` and `hidden` are texts that are content and texts that are not, `objectives` and `instructions` are as
//! many.

use serde_json::Value;

use super::blocks::{Body, LessonReading, Purpose};
use super::flat::each_text;
use super::read_lessons;
use crate::phrases::for_language;
use crate::source::{SourceField, SourceLesson, SourceLevel};

fn level(source: &Value) -> SourceLevel {
    let lesson = |(at, lesson): (usize, &Value)| {
        let pointer = format!("/lessons/{at}");
        let field = |name: &String, value: &Value| SourceField {
            pointer: format!("{pointer}/{name}"),
            name: name.clone(),
            value: value.clone(),
        };
        let fields = match lesson {
            Value::Object(members) => members
                .iter()
                .filter(|(name, _)| !["id", "type", "title"].contains(&name.as_str()))
                .map(|(name, value)| field(name, value))
                .collect(),
            text => vec![SourceField { pointer: pointer.clone(), name: String::new(), value: text.clone() }],
        };
        let kind = lesson["type"].as_str().unwrap_or("content").to_owned();
        SourceLesson { title: lesson["title"].as_str().map(str::to_owned), kind, fields, pointer }
    };
    SourceLevel {
        language: source["language"].as_str().expect("a language").to_owned(),
        category_title: "Category".to_owned(),
        level_title: None,
        lessons: source["lessons"].as_array().expect("lessons").iter().enumerate().map(lesson).collect(),
    }
}

fn kind(body: &Body) -> &'static str {
    match body {
        Body::Heading { .. } => "heading",
        Body::Paragraph(_) => "paragraph",
        Body::List { steps: true, .. } => "steps",
        Body::List { .. } => "list",
        Body::Table(_) => "table",
        Body::Definitions(_) => "definitions",
        Body::Questions(_) => "questions",
        Body::Facts(_) => "facts",
        Body::Dialogue(_) => "dialogue",
        Body::Timeline(_) => "timeline",
        Body::Code(_) => "code",
        Body::Formula(_) => "formula",
        Body::Picture(_) => "picture",
        Body::Quotation(_) => "quotation",
        Body::Example(_) => "example",
    }
}

/// The texts of lessons, without the answers of their questions.
fn shown(readings: &[LessonReading]) -> String {
    let mut all = String::new();
    let mut say = |text: &str| {
        all.push_str(text);
        all.push('\n');
    };
    for block in readings.iter().flat_map(|reading| &reading.blocks) {
        match &block.body {
            Body::Questions(questions) => {
                questions.iter().for_each(|question| {
                    say(&question.question);
                    question.options.iter().for_each(|option| say(option));
                });
            }
            body => each_text(body, &mut say),
        }
    }
    all
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn sources_are_read_as_their_authors_mean_them() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sources");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 10);
    let mut faults = Vec::new();
    for path in paths {
        let source: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let level = level(&source);
        let readings = read_lessons(&level, for_language(&level.language).phrases);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let all = shown(&readings);
        let blocks = || readings.iter().flat_map(|reading| &reading.blocks);
        let kinds: Vec<&str> = blocks().map(|block| kind(&block.body)).collect();
        if kinds != texts(&source["kinds"]) {
            faults.push(format!("{name}: {kinds:?}"));
        }
        faults.extend(
            texts(&source["shown"])
                .into_iter()
                .filter(|text| !all.contains(text))
                .map(|text| format!("{name} lacks {text:?} in {all}")),
        );
        faults.extend(
            texts(&source["hidden"])
                .into_iter()
                .filter(|text| all.contains(text))
                .map(|text| format!("{name} shows {text:?} in {all}")),
        );
        let answers: Vec<&str> = blocks()
            .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None })
            .flatten()
            .flat_map(|question| question.answers.iter().map(String::as_str))
            .collect();
        if answers != texts(&source["answers"]) {
            faults.push(format!("{name}: answers {answers:?}"));
        }
        let objectives: usize = readings.iter().map(|reading| reading.objectives.len()).sum();
        let instructions = blocks().filter(|block| block.purpose == Purpose::Instruction).count();
        for (what, count) in [("objectives", objectives), ("instructions", instructions)] {
            if source[what].as_u64().unwrap_or(0) != count as u64 {
                faults.push(format!("{name}: {count} {what}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
