//! Turns a payload file (`{ "language", "category", "title", "lessons": […] }`, or `level`, or
//! `categories`) into a level, as the content surface does it.

use engine::{SourceField, SourceLesson, SourceLevel};
use serde_json::Value;

/// The level of a payload.
///
/// # Panics
/// When the payload has no level with lessons.
pub(crate) fn level_of(payload: &Value) -> SourceLevel {
    let nested = payload["categories"].as_array().and_then(|categories| {
        categories.iter().enumerate().find_map(|(at, category)| {
            let levels = category["levels"].as_array()?;
            let (inner, level) = levels
                .iter()
                .enumerate()
                .find(|(_, level)| level["lessons"].as_array().is_some_and(|lessons| !lessons.is_empty()))?;
            Some((title(category), level, format!("/categories/{at}/levels/{inner}")))
        })
    });
    let (category, level, pointer) = if payload["level"].is_object() {
        (title(&payload["category"]), &payload["level"], "/level".to_owned())
    } else if let Some((category, level, pointer)) = nested {
        (category, level, pointer)
    } else {
        (title(&payload["category"]), payload, String::new())
    };
    let lessons = level["lessons"].as_array().expect("a level with lessons");
    SourceLevel {
        language: payload["language"].as_str().unwrap_or("en").to_owned(),
        category_title: category.unwrap_or_else(|| "Imported content".to_owned()),
        level_title: title(level),
        lessons: lessons
            .iter()
            .enumerate()
            .map(|(at, lesson)| lesson_of(lesson, format!("{pointer}/lessons/{at}")))
            .collect(),
    }
}

fn lesson_of(lesson: &Value, pointer: String) -> SourceLesson {
    let Some(members) = lesson.as_object() else {
        let field = SourceField { pointer: pointer.clone(), name: String::new(), value: lesson.clone() };
        return SourceLesson { pointer, title: None, kind: "content".to_owned(), fields: vec![field] };
    };
    let named = if members.contains_key("title") { "title" } else { "name" };
    let other = members.iter().filter(|(name, _)| !["id", "type", named].contains(&name.as_str())).take(6);
    let fields = other
        .map(|(name, value)| SourceField {
            pointer: format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
            name: name.clone(),
            value: value.clone(),
        })
        .collect();
    SourceLesson {
        title: members.get(named).and_then(Value::as_str).map(str::to_owned),
        kind: lesson["type"].as_str().unwrap_or("content").to_owned(),
        fields,
        pointer,
    }
}

fn title(value: &Value) -> Option<String> {
    value.as_str().or_else(|| value["title"].as_str()).or_else(|| value["name"].as_str()).map(str::to_owned)
}
