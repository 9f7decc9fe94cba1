//! Modules as HTML pages: one file each that works offline, without scripts and without outside requests.
//!
//! The text was made safe by [`markup`]. The quiz is answered in the page: whether an answer is right is told by
//! style rules alone ([`write::page`]). What a page can't show (ids, metadata, the key's order, the addresses of
//! pictures that it must not load) is in a `meta` element as JSON, so that our own pages are read back whole.

mod quiz;
pub(crate) mod read;
mod safe;
pub(crate) mod write;

pub(crate) use safe::Pictures;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::QuizItem;

/// The name of the `meta` element that holds [`Data`].
const DATA: &str = "lectern-module";
/// Begins the module's text. No comment passes [`markup`], so these can't stand in the text itself.
const BEGIN: &str = "<!--lectern:content-->";
/// Ends the module's text.
const END: &str = "<!--/lectern:content-->";

/// Metadata that says nothing.
const NO_METADATA: &str = "{}";

/// A module without its text.
#[derive(Serialize, Deserialize)]
struct Data {
    title: String,
    #[serde(rename = "type", default, skip_serializing_if = "String::is_empty")]
    kind: String,
    description: String,
    language: String,
    quizzes: Vec<QuizItem>,
    /// The text with its pictures, where the page must not load them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    html: Option<String>,
    metadata: Box<RawValue>,
}
