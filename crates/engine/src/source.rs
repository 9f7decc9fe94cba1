//! What a generator is given: one level of a customer's course, already cut to what the contract
//! lets it read (title, type and at most six other fields a lesson).
//!
//! These types hold the customer's data as it came. Nothing here is trusted or interpreted; that is
//! the work of [`crate::reading`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The category title of a payload that names none. It is a name for lists of expansions: no draft
/// may speak it, since it is English whatever the language.
pub const DEFAULT_CATEGORY_TITLE: &str = "Imported content";

/// The level that an expansion works on, in source order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceLevel {
    /// BCP 47 tag of the generated content, as the payload gave it (`en`, `zh-Hant`).
    pub language: String,
    /// Title of the category that the level stands in.
    pub category_title: String,
    /// Title of the level, where it has one.
    pub level_title: Option<String>,
    /// The lessons, in array order.
    pub lessons: Vec<SourceLesson>,
}

/// One lesson: an object with fields, or a string (one field with an empty name).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceLesson {
    /// JSON pointer of the lesson in the payload, e.g. `/level/lessons/0`.
    pub pointer: String,
    /// Its `title`, or `name` when there is no title.
    pub title: Option<String>,
    /// Its `type`: any label; it hints at the lesson's nature but never decides alone.
    pub kind: String,
    /// Up to six other fields, in key order.
    pub fields: Vec<SourceField>,
}

/// A field of a lesson, of any JSON shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceField {
    /// JSON pointer of the value in the payload.
    pub pointer: String,
    /// The key; empty for a lesson that is a plain string.
    pub name: String,
    /// The value as it came.
    pub value: Value,
}

impl SourceLevel {
    /// The level's title, or the category's where the level has none. May be blank.
    #[must_use]
    pub fn title(&self) -> &str {
        self.level_title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(&self.category_title)
    }
}
