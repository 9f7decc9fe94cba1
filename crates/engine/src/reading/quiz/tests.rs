//! Tests of reading quizzes: the lesson around one, its questions, and their keys.

mod doubt;
mod shapes;
mod texts;

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
