//! What a generator is given when a resource is asked for directly: the caller's prompts, and the
//! classroom's own modules that may serve as material.
//!
//! Prompts are the customer's text as it came: a word, a sentence, pages, Markdown, HTML. Nothing
//! here is trusted or interpreted. Which modules are worth handing over is the work of
//! [`crate::relevance`]; how citations name these texts is said at [`crate::checks::Citable`].

use serde::{Deserialize, Serialize};

/// A test from its prompts (create test, section 4 of the content API).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRequest {
    /// What the test is about: a word, a sentence or pages of text.
    pub topic_prompt: String,
    /// What the learner should show, or whom the test is for. May be blank.
    pub target_prompt: String,
    /// `EASY`, `MEDIUM`, `HARD` or any other label; blank is `MEDIUM`.
    pub level: String,
    /// BCP 47 tag of the test. Blank: told from the prompts' own words, else `en`.
    pub language: String,
    /// Modules that it may ask about, the most relevant first.
    pub material: Vec<SourceModule>,
}

/// A deck of slides from an outline (create slide).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlideRequest {
    /// Plain text. May be blank.
    pub title: String,
    /// Plain text or Markdown. May be blank.
    pub description: String,
    /// A nested list, numbered lines, headings or prose.
    pub outline: String,
    /// As in [`TestRequest`].
    pub language: String,
    /// Modules that points of the outline may be filled from, the most relevant first.
    pub material: Vec<SourceModule>,
}

/// A course (create course with `generate`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourseRequest {
    /// Plain text. May be blank.
    pub title: String,
    /// What the course holds: a sentence, a list of topics or pages of text. May be blank.
    pub description: String,
    /// Any label. May be blank.
    pub level: String,
    /// As in [`TestRequest`].
    pub language: String,
    /// Modules that it is put together from, the most relevant first.
    pub material: Vec<SourceModule>,
}

/// A video (create video with `generate`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoRequest {
    /// Plain text. May be blank.
    pub title: String,
    /// What is to be told: a sentence, a list of topics or pages of text. May be blank.
    pub description: String,
    /// As in [`TestRequest`].
    pub language: String,
    /// Modules that it may tell of, the most relevant first.
    pub material: Vec<SourceModule>,
}

/// A module of the classroom, as material.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceModule {
    /// The resource's id; citations name it.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its content.
    pub html: String,
}
