//! The trait that every generator stands behind, and the error it may answer with.
//!
//! The caller stores what went wrong in the job, so an error's message must be fit for the customer:
//! it never holds source text or an inner error.

use crate::drafts::{CourseDraft, ModuleDraft, QuizDraft, SlideDraft, VideoDraft};
use crate::request::{CourseRequest, SlideRequest, TestRequest, VideoRequest};
use crate::source::SourceLevel;

pub use futures_util::future::BoxFuture;

/// Makes drafts: from a level of a course, or from what a caller asks for directly (the methods that
/// begin with `requested_`). Implementations are deterministic or say that they are not.
pub trait Generator: Send + Sync {
    /// Drafts the interactive module.
    fn module<'a>(&'a self, source: &'a SourceLevel) -> BoxFuture<'a, Result<ModuleDraft, GenerationError>>;

    /// Drafts the summary video.
    fn video<'a>(&'a self, source: &'a SourceLevel) -> BoxFuture<'a, Result<VideoDraft, GenerationError>>;

    /// Drafts the quiz.
    fn quiz<'a>(&'a self, source: &'a SourceLevel) -> BoxFuture<'a, Result<QuizDraft, GenerationError>>;

    /// Drafts a test from its prompts.
    fn requested_test<'a>(&'a self, request: &'a TestRequest) -> BoxFuture<'a, Result<QuizDraft, GenerationError>>;

    /// Drafts a deck of slides from an outline.
    fn requested_slide<'a>(&'a self, request: &'a SlideRequest) -> BoxFuture<'a, Result<SlideDraft, GenerationError>>;

    /// Drafts a course with its modules.
    fn requested_course<'a>(
        &'a self,
        request: &'a CourseRequest,
    ) -> BoxFuture<'a, Result<CourseDraft, GenerationError>>;

    /// Drafts a video.
    fn requested_video<'a>(&'a self, request: &'a VideoRequest) -> BoxFuture<'a, Result<VideoDraft, GenerationError>>;
}

/// Why there is no draft.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct GenerationError {
    /// A stable code for programs: `source_empty`, `draft_invalid`, …
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// Whether trying again may help.
    pub retryable: bool,
}

impl GenerationError {
    /// The level holds nothing to teach from.
    #[must_use]
    pub fn source_empty() -> Self {
        Self {
            code: "source_empty",
            message: "The source level has no lesson with any text to teach from.".to_owned(),
            retryable: false,
        }
    }

    /// Neither the prompts nor the material hold anything to write from.
    #[must_use]
    pub fn request_empty() -> Self {
        Self { code: "source_empty", message: "The request has no text to write from.".to_owned(), retryable: false }
    }

    /// The draft did not pass the gate of [`crate::checks`].
    #[must_use]
    pub fn draft_invalid(defects: &[crate::checks::Defect]) -> Self {
        let first = defects.first().map_or_else(String::new, ToString::to_string);
        Self {
            code: "draft_invalid",
            message: format!("The generated draft has {} defects. First: {first}", defects.len()),
            retryable: false,
        }
    }
}
