//! The field that holds the titles of a level's lessons, where its author calls it neither `title` nor `name`.
//!
//! Authors use the word of their language, or an abbreviation of it, so the values tell: the first field that every
//! lesson has, short, in words, and different in each.

use std::collections::HashSet;

use serde_json::Value;

use super::flat::flat_text;
use super::metadata::is_metadata;
use super::names::{Role, has_role};
use super::shapes::is_address;
use crate::source::{SourceField, SourceLevel};
use crate::text::numbers;

/// Longest title, in characters.
const LONGEST: usize = 100;
/// Fewest letters of one.
const FEWEST_LETTERS: usize = 2;

/// The name of the field; none where lessons are titled as the contract has it, or no field is such a one.
pub(super) fn field(source: &SourceLevel) -> Option<&str> {
    if source.lessons.iter().any(|lesson| lesson.title.is_some()) {
        return None;
    }
    let first = source.lessons.first()?;
    let several = source.lessons.len() > 1;
    let names = first.fields.iter().map(|field| field.name.as_str());
    let all_titled = |name: &&str| {
        let mut seen = HashSet::new();
        source.lessons.iter().all(|lesson| {
            let value = lesson.fields.iter().find(|field| field.name == *name);
            value.and_then(titled).is_some_and(|title| seen.insert(title))
        })
    };
    let mut fitting = names.filter(all_titled);
    let named = fitting.clone().find(|name| has_role(name, Role::Title));
    named.or_else(|| fitting.next().filter(|_| several))
}

/// The title that a field holds; none where its value is none.
pub(super) fn titled(field: &SourceField) -> Option<String> {
    let Value::String(text) = &field.value else { return None };
    let title = flat_text(text);
    let letters = title.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_code = !title.contains(char::is_whitespace) && title.contains(|digit: char| digit.is_numeric());
    let is_sentence = title.ends_with(['.', '。', '।']);
    let fits = letters >= FEWEST_LETTERS && title.chars().count() <= LONGEST && !text.trim().contains('\n');
    let is_title = fits && !is_code && !is_sentence && !is_address(&title) && numbers::quantity(&title).is_none();
    (is_title && !is_metadata(&field.name, &field.value, true)).then_some(title)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::SourceLesson;

    fn level(lessons: &[Value]) -> SourceLevel {
        let lesson = |(at, lesson): (usize, &Value)| {
            let pointer = format!("/lessons/{at}");
            let members = lesson.as_object().unwrap();
            let field = |(name, value): (&String, &Value)| SourceField {
                pointer: format!("{pointer}/{name}"),
                name: name.clone(),
                value: value.clone(),
            };
            let fields = members.iter().map(field).collect();
            SourceLesson { pointer: pointer.clone(), title: None, kind: String::new(), fields }
        };
        SourceLevel {
            language: "en".to_owned(),
            category_title: String::new(),
            level_title: None,
            lessons: lessons.iter().enumerate().map(lesson).collect(),
        }
    }

    #[test]
    fn titles_are_told_by_their_values() {
        let text = "Chalk is soft. It is made of tiny shells.";
        let found = level(&[
            json!({ "cod": "UF3-01", "art": "reading", "kop": "Chalk", "time": "20 min", "v": text }),
            json!({ "cod": "UF3-02", "art": "reading", "kop": "How clay forms", "time": "30 min", "v": text }),
        ]);
        assert_eq!(field(&found), Some("kop"));
        let found = level(&[json!({ "hint": "Look", "titel": "Chalk" }), json!({ "hint": "Hear", "titel": "Clay" })]);
        assert_eq!(field(&found), Some("titel"), "the word for a title comes first");
    }

    #[test]
    fn what_not_every_lesson_has_or_what_repeats_is_no_title() {
        assert_eq!(field(&level(&[json!({ "kop": "Chalk" }), json!({ "v": "Clay" })])), None);
        assert_eq!(field(&level(&[json!({ "art": "text" }), json!({ "art": "text" })])), None);
        assert_eq!(field(&level(&[json!({ "fact": "Chalk" })])), None, "one lesson is not enough to tell");
        assert_eq!(field(&level(&[json!({ "titre": "La craie" })])), Some("titre"));
        assert_eq!(field(&level(&[json!({ "v": "Chalk is soft." }), json!({ "v": "Clay is wet." })])), None);
    }
}
