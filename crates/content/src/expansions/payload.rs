//! The rules of the source payload (content-api section 2): three variants, one level, six fields a lesson.
//!
//! [`payload`] judges a payload as a request, naming every fault; [`source_level`] reads the level to expand from
//! a payload that passed. Titles come from `title`, then `name`; a category's also from `id`.

use edge::body::{At, Check, Fields, judged, list, text};
use engine::{DEFAULT_CATEGORY_TITLE, SourceField, SourceLesson, SourceLevel};
use serde_json::{Map, Value};

use crate::resources::fields;

const DEFAULT_LANGUAGE: &str = "en";
const DEFAULT_LESSON_TYPE: &str = "content";
/// Other fields of a lesson that are read, in key order.
const FIELDS_PER_LESSON: usize = 6;
/// Lesson members that are not among the six.
const RESERVED_LESSON_MEMBERS: [&str; 4] = ["id", "title", "name", "type"];
/// Lessons of a level: each becomes a section and a scene at least, written in one transaction.
const MOST_LESSONS: usize = 1000;
/// Categories, and levels of a category.
const MOST_LEVELS: usize = 10_000;

/// A payload, read as the level that it asks to expand.
pub fn payload() -> impl Check<Value = SourceLevel> {
    judged(|value, at| {
        check(value, at)?;
        source_level(value).or_else(|| at.refuse("has no level to expand"))
    })
}

/// Judges a payload; its faults go to `at`.
fn check(value: &Value, at: &mut At<'_>) -> Option<()> {
    let mut payload = at.object(value)?;
    let language = payload.optional("language", fields::stored_language());
    let category = payload.optional("category", judged(category));
    let source = check_source(&mut payload);
    (language.is_some() && category.is_some() && source.is_some()).then_some(())
}

/// Only the variant that counts is judged: the others are extra fields.
fn check_source(payload: &mut Fields<'_>) -> Option<()> {
    if is_given(payload.members(), "level") {
        payload.required("level", judged(level_with_lessons))
    } else if is_given(payload.members(), "categories") {
        payload.required("categories", judged(categories))
    } else if is_given(payload.members(), "lessons") {
        let title = titled(payload);
        let lessons = payload.required("lessons", list(1..=MOST_LESSONS, judged(lesson)));
        title.and(lessons).map(drop)
    } else {
        payload.at().refuse("must have at least one of level, categories, lessons")
    }
}

fn category(value: &Value, at: &mut At<'_>) -> Option<()> {
    match value {
        Value::String(title) if title.is_empty() => at.refuse("must not be empty"),
        Value::String(_) => Some(()),
        Value::Object(_) => titled(&mut at.object(value)?),
        _ => at.refuse("must be a string or an object"),
    }
}

fn level_with_lessons(value: &Value, at: &mut At<'_>) -> Option<()> {
    let mut level = at.object(value)?;
    let title = titled(&mut level);
    let lessons = level.required("lessons", list(1..=MOST_LESSONS, judged(lesson)));
    title.and(lessons).map(drop)
}

fn categories(value: &Value, at: &mut At<'_>) -> Option<()> {
    let category = judged(|value, at| {
        let mut category = at.object(value)?;
        let title = titled(&mut category);
        let levels = category.required("levels", list(0..=MOST_LEVELS, judged(level_that_may_be_skipped)));
        title.and(levels).map(drop)
    });
    list(0..=MOST_LEVELS, category).read(value, at)?;
    match first_level_of_categories(value) {
        Some(_) => Some(()),
        None => at.refuse("must have a level with at least one lesson"),
    }
}

fn level_that_may_be_skipped(value: &Value, at: &mut At<'_>) -> Option<()> {
    let mut level = at.object(value)?;
    let title = titled(&mut level);
    let lessons = level.optional("lessons", list(0..=MOST_LESSONS, judged(lesson)));
    title.and(lessons).map(drop)
}

fn lesson(value: &Value, at: &mut At<'_>) -> Option<()> {
    match value {
        Value::String(_) => Some(()),
        Value::Object(_) => {
            let mut lesson = at.object(value)?;
            let kind = lesson.optional("type", text(0..=usize::MAX));
            titled(&mut lesson).and(kind).map(drop)
        }
        _ => at.refuse("must be an object or a string"),
    }
}

/// A titled object's own fields; the caller's `id` is often a number.
fn titled(object: &mut Fields<'_>) -> Option<()> {
    let title = object.optional("title", text(0..=usize::MAX));
    let name = object.optional("name", text(0..=usize::MAX));
    let is_id = judged(|value, at| match value {
        Value::String(_) | Value::Number(_) => Some(()),
        _ => at.refuse("must be a string or a number"),
    });
    let id = object.optional("id", is_id);
    title.and(name).and(id).map(drop)
}

/// The level that a payload asks to expand. `None` when the payload was never checked.
pub fn source_level(payload: &Value) -> Option<SourceLevel> {
    let members = payload.as_object()?;
    let language = title_text(members, &["language"]).unwrap_or_else(|| DEFAULT_LANGUAGE.to_owned());
    let own_category = members.get("category").and_then(category_title);
    let (level, category, pointer) = if is_given(members, "level") {
        (members.get("level")?, own_category, "/level".to_owned())
    } else if is_given(members, "categories") {
        let categories = members.get("categories")?;
        let (category_index, level_index) = first_level_of_categories(categories)?;
        let category = categories.get(category_index)?;
        let pointer = format!("/categories/{category_index}/levels/{level_index}");
        (category.get("levels")?.get(level_index)?, category_title(category), pointer)
    } else {
        (payload, own_category, String::new())
    };
    let level = level.as_object()?;
    let lessons = level.get("lessons")?.as_array()?.iter().enumerate();
    Some(SourceLevel {
        language,
        category_title: category.unwrap_or_else(|| DEFAULT_CATEGORY_TITLE.to_owned()),
        level_title: title_text(level, &["title", "name"]),
        lessons: lessons.map(|(index, lesson)| read_lesson(lesson, format!("{pointer}/lessons/{index}"))).collect(),
    })
}

/// What the job is called: category title and level title, joined by a comma and a space.
pub fn source_title(level: &SourceLevel) -> String {
    match &level.level_title {
        Some(title) => format!("{}, {title}", level.category_title),
        None => level.category_title.clone(),
    }
}

/// Indexes of the first category and its level that has a lesson.
fn first_level_of_categories(categories: &Value) -> Option<(usize, usize)> {
    let has_lessons = |level: &Value| level.get("lessons").and_then(Value::as_array).is_some_and(|l| !l.is_empty());
    categories.as_array()?.iter().enumerate().find_map(|(index, category)| {
        let levels = category.get("levels")?.as_array()?;
        Some((index, levels.iter().position(has_lessons)?))
    })
}

fn category_title(category: &Value) -> Option<String> {
    match category {
        Value::String(title) => Some(title.trim().to_owned()).filter(|title| !title.is_empty()),
        Value::Object(members) => title_text(members, &["title", "name", "id"]),
        _ => None,
    }
}

/// The first of some members that holds a text with something in it.
fn title_text(members: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match members.get(*name)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

fn read_lesson(lesson: &Value, pointer: String) -> SourceLesson {
    let Some(members) = lesson.as_object() else {
        let field = SourceField { pointer: pointer.clone(), name: String::new(), value: lesson.clone() };
        return SourceLesson { pointer, title: None, kind: DEFAULT_LESSON_TYPE.to_owned(), fields: vec![field] };
    };
    let others = members.iter().filter(|(name, _)| !RESERVED_LESSON_MEMBERS.contains(&name.as_str()));
    let fields = others.take(FIELDS_PER_LESSON).map(|(name, value)| SourceField {
        pointer: format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
        name: name.clone(),
        value: value.clone(),
    });
    SourceLesson {
        fields: fields.collect(),
        title: title_text(members, &["title", "name"]),
        kind: title_text(members, &["type"]).unwrap_or_else(|| DEFAULT_LESSON_TYPE.to_owned()),
        pointer,
    }
}

fn is_given(members: &Map<String, Value>, name: &str) -> bool {
    members.get(name).is_some_and(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use edge::body::JsonBody;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn faults(payload: Value) -> Vec<String> {
        let body = JsonBody::of(json!({ "payload": payload }));
        match body.read_fields(|fields| fields.required("payload", judged(check))) {
            Ok(()) => Vec::new(),
            Err(edge::problem::Problem::Invalid(details)) => details.into_iter().map(|detail| detail.path).collect(),
            Err(other) => panic!("{other}"),
        }
    }

    fn level(payload: &Value) -> SourceLevel {
        assert_eq!(faults(payload.clone()), Vec::<String>::new());
        source_level(payload).unwrap()
    }

    fn title(payload: &Value) -> String {
        source_title(&level(payload))
    }

    #[test]
    fn one_of_the_three_variants_is_required() {
        for wrong in [json!({}), json!({ "level": null }), json!({ "title": "x", "language": "en" })] {
            assert_eq!(faults(wrong), ["payload"]);
        }
        assert_eq!(faults(json!([])), ["payload"]);
    }

    #[test]
    fn a_level_without_lessons_is_refused() {
        assert_eq!(faults(json!({ "level": {} })), ["payload.level.lessons"]);
        assert_eq!(faults(json!({ "level": { "lessons": [] } })), ["payload.level.lessons"]);
        assert_eq!(faults(json!({ "lessons": [] })), ["payload.lessons"]);
        assert_eq!(faults(json!({ "lessons": "x" })), ["payload.lessons"]);
        assert_eq!(faults(json!({ "level": "x" })), ["payload.level"]);
    }

    #[test]
    fn a_level_has_at_most_1000_lessons() {
        assert_eq!(faults(json!({ "lessons": vec!["x"; 1000] })), Vec::<String>::new());
        assert_eq!(faults(json!({ "lessons": vec!["x"; 1001] })), ["payload.lessons"]);
    }

    #[test]
    fn categories_need_one_level_with_lessons() {
        for empty in [json!([]), json!([{ "levels": [] }]), json!([{ "levels": [{ "lessons": [] }, {}] }])] {
            assert_eq!(faults(json!({ "categories": empty })), ["payload.categories"]);
        }
        assert_eq!(faults(json!({ "categories": [{ "title": "A" }] })), ["payload.categories[0].levels"]);
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let payload = json!({
            "language": 5,
            "category": "",
            "level": { "title": 1, "lessons": ["ok", 3, { "title": [], "type": {} }] },
        });
        assert_eq!(
            faults(payload),
            [
                "payload.language",
                "payload.category",
                "payload.level.title",
                "payload.level.lessons[1]",
                "payload.level.lessons[2].type",
                "payload.level.lessons[2].title",
            ]
        );
    }

    #[test]
    fn the_first_level_with_a_lesson_is_expanded() {
        let payload = json!({ "categories": [
            { "title": "A", "levels": [{ "title": "empty", "lessons": [] }] },
            { "title": "B", "levels": [{ "lessons": [] }, { "title": "second", "lessons": ["x"] }, { "title": "third", "lessons": ["y"] }] },
        ] });
        assert_eq!(title(&payload), "B, second");
        assert_eq!(level(&payload).lessons[0].pointer, "/categories/1/levels/1/lessons/0");
    }

    #[test]
    fn the_level_wins_over_categories_and_these_over_lessons() {
        let all = json!({
            "level": { "title": "L", "lessons": ["a"] },
            "categories": [{ "title": "C", "levels": [{ "title": "CL", "lessons": ["b"] }] }],
            "lessons": ["c"],
            "title": "T",
        });
        assert_eq!(title(&all), "Imported content, L");
        let mut two = all.clone();
        two.as_object_mut().unwrap().remove("level");
        assert_eq!(title(&two), "C, CL");
    }

    #[test]
    fn titles_are_read_from_title_then_name_then_id() {
        let with = |category: Value| json!({ "category": category, "lessons": ["x"], "title": "T" });
        assert_eq!(title(&with(json!("Plain"))), "Plain, T");
        assert_eq!(title(&with(json!({ "id": "i", "name": "n", "title": "t" }))), "t, T");
        assert_eq!(title(&with(json!({ "id": "i", "name": "n" }))), "n, T");
        assert_eq!(title(&with(json!({ "id": 7 }))), "7, T");
        assert_eq!(title(&with(json!({}))), "Imported content, T");
        assert_eq!(title(&with(json!(" "))), "Imported content, T");
        assert_eq!(title(&json!({ "lessons": ["x"] })), "Imported content");
        assert_eq!(title(&json!({ "level": { "id": "i", "name": "n", "lessons": ["x"] } })), "Imported content, n");
        assert_eq!(title(&json!({ "level": { "id": "i", "lessons": ["x"] } })), "Imported content");
    }

    #[test]
    fn only_the_top_level_language_is_read() {
        let payload = json!({ "locale": "fr", "level": { "language": "de", "lessons": ["x"] } });
        assert_eq!(level(&payload).language, "en");
        assert_eq!(level(&json!({ "language": "es", "lessons": ["x"] })).language, "es");
    }

    #[test]
    fn a_lesson_gives_its_first_six_other_fields_in_key_order() {
        let lesson = json!({
            "z": 1, "id": "x", "a": 2, "title": "T", "y/~": 3, "type": "lab", "b": 4, "name": "N", "x": 5, "c": 6, "seventh": 7,
        });
        let level = level(&json!({ "lessons": [lesson, "text"] }));
        let names: Vec<_> = level.lessons[0].fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["z", "a", "y/~", "b", "x", "c"]);
        assert_eq!(level.lessons[0].fields[2].pointer, "/lessons/0/y~1~0");
        assert_eq!((level.lessons[0].title.as_deref(), level.lessons[0].kind.as_str()), (Some("T"), "lab"));
        assert_eq!((level.lessons[1].kind.as_str(), level.lessons[1].fields.len()), ("content", 1));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let name = prop_oneof![
                Just("level"),
                Just("lessons"),
                Just("categories"),
                Just("levels"),
                Just("title"),
                Just("id"),
                Just("x"),
            ];
            let members = proptest::collection::vec((name, inner.clone()), 0..4);
            prop_oneof![
                proptest::collection::vec(inner, 0..4).prop_map(Value::from),
                members.prop_map(|members| members
                    .into_iter()
                    .map(|(k, v)| (k.to_owned(), v))
                    .collect::<Map<_, _>>()
                    .into()),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_payload_that_passes_has_a_level_with_a_lesson(payload in any_json()) {
            if faults(payload.clone()).is_empty() {
                let level = source_level(&payload).unwrap();
                prop_assert!(!level.lessons.is_empty());
                for lesson in &level.lessons {
                    prop_assert!(payload.pointer(&lesson.pointer).is_some());
                    prop_assert!(lesson.fields.iter().all(|field| payload.pointer(&field.pointer) == Some(&field.value)));
                }
            }
        }
    }
}
