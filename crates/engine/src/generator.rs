//! The trait that every generator stands behind, the workbench it is given, and the error it may answer with.
//!
//! The caller stores what went wrong in the job, so an error's message must be fit for the customer:
//! it never holds source text or an inner error.

use std::time::Duration;

use async_trait::async_trait;
use kernel::model::ModelError;

use crate::drafts::{CourseDraft, ModuleDraft, QuizDraft, SlideDraft, VideoDraft};
use crate::part::{PartDraft, PartRequest};
use crate::request::{CourseRequest, SlideRequest, TestRequest, VideoRequest};
use crate::source::SourceLevel;

pub use futures_util::future::BoxFuture;

/// Makes drafts: from a level of a course, or from what a caller asks for directly (the methods that
/// begin with `requested_`). Implementations are deterministic or say that they are not.
#[async_trait]
pub trait Generator: Send + Sync {
    /// Drafts the interactive module.
    async fn module(&self, source: &SourceLevel, bench: &dyn Workbench) -> Result<ModuleDraft, GenerationError>;

    /// Drafts the summary video.
    async fn video(&self, source: &SourceLevel, bench: &dyn Workbench) -> Result<VideoDraft, GenerationError>;

    /// Drafts the quiz.
    async fn quiz(&self, source: &SourceLevel, bench: &dyn Workbench) -> Result<QuizDraft, GenerationError>;

    /// Drafts a test from its prompts.
    async fn requested_test(&self, request: &TestRequest, bench: &dyn Workbench) -> Result<QuizDraft, GenerationError>;

    /// Drafts a deck of slides from an outline.
    async fn requested_slide(
        &self,
        request: &SlideRequest,
        bench: &dyn Workbench,
    ) -> Result<SlideDraft, GenerationError>;

    /// Drafts a course with its modules.
    async fn requested_course(
        &self,
        request: &CourseRequest,
        bench: &dyn Workbench,
    ) -> Result<CourseDraft, GenerationError>;

    /// Drafts a video.
    async fn requested_video(
        &self,
        request: &VideoRequest,
        bench: &dyn Workbench,
    ) -> Result<VideoDraft, GenerationError>;

    /// Drafts another version of one part of a resource. It never repeats what the request says is there.
    ///
    /// # Errors
    /// `nothing_else` where the material gives no other part, and those of any other draft.
    async fn part(&self, request: &PartRequest, bench: &dyn Workbench) -> Result<PartDraft, GenerationError>;
}

/// Where a generator works on one draft: whom it works for, and a place for the parts that are done.
///
/// A generator that makes a draft in one go needs none of it.
#[async_trait]
pub trait Workbench: Send + Sync {
    /// Whose work it is, where too many ask a model at once: an organization's id.
    fn tenant(&self) -> &str;

    /// What an earlier try of the same draft kept by this name.
    fn kept(&self, part: &str) -> Option<String>;

    /// Keeps a part, so that no later try has to make it again. The name is at most 200 characters.
    ///
    /// # Errors
    /// [`Interrupted`] when the work must not go on.
    async fn keep(&self, part: &str, made: &str) -> Result<(), Interrupted>;

    /// Takes down what readers of the draft should know of how it was made. The same remark may come again.
    fn remark(&self, remark: Remark);

    /// Does what computes, in the middle of a draft that mostly waits, and comes back when it is done. Where others wait for
    /// the same thread, they go on elsewhere.
    fn compute(&self, work: &mut dyn FnMut()) {
        work();
    }
}

/// What `work` makes, where the bench has it done: see [`Workbench::compute`].
///
/// # Panics
/// Where `work` does, or the bench does not do it.
pub fn compute<T>(bench: &dyn Workbench, work: impl FnOnce() -> T) -> T {
    let (mut work, mut made) = (Some(work), None);
    bench.compute(&mut || made = work.take().map(|work| work()));
    made.expect("a bench does the work that it is given")
}

/// What readers of a draft should know of how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// There was more material than could be read: these places of it were left out.
    LeftOut(Vec<String>),
    /// The request names a topic and says nothing of it, and there was no material: what the draft says of the topic is
    /// the model's own knowledge.
    OwnKnowledge,
    /// Neither the request nor the material says anything of these topics of it: learners are asked about them instead.
    WithoutMaterial(Vec<String>),
    /// So many items or sentences were dropped, because they were wrong or stood nowhere in the material.
    Dropped(usize),
    /// The modules of these titles have no questions: none that the model asked was sound.
    WithoutQuestions(Vec<String>),
}

/// The work on a draft must not go on: somebody else has it, or what is done can't be kept. Its owner knows why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the work was interrupted")]
pub struct Interrupted;

/// A workbench that keeps nothing.
#[derive(Debug, Clone, Default)]
pub struct BareBench {
    /// Whose work it is.
    pub tenant: String,
}

#[async_trait]
impl Workbench for BareBench {
    fn tenant(&self) -> &str {
        &self.tenant
    }

    fn kept(&self, _: &str) -> Option<String> {
        None
    }

    async fn keep(&self, _: &str, _: &str) -> Result<(), Interrupted> {
        Ok(())
    }

    fn remark(&self, _: Remark) {}
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
    /// How long to wait before that, where that is known.
    pub retry_after: Option<Duration>,
}

impl GenerationError {
    /// One that trying again won't help.
    #[must_use]
    pub fn lasting(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retryable: false, retry_after: None }
    }

    /// The level holds nothing to teach from.
    #[must_use]
    pub fn source_empty() -> Self {
        Self::lasting("source_empty", "The source level has no lesson with any text to teach from.")
    }

    /// Neither the prompts nor the material hold anything to write from.
    #[must_use]
    pub fn request_empty() -> Self {
        Self::lasting("source_empty", "The request has no text to write from.")
    }

    /// The material gives no other part than those that are there. `what` names the kind of part.
    #[must_use]
    pub fn nothing_else(what: &str) -> Self {
        Self::lasting("nothing_else", format!("The source gives no other {what}."))
    }

    /// See [`Interrupted`].
    #[must_use]
    pub fn interrupted() -> Self {
        Self { retryable: true, ..Self::lasting("interrupted", "The generation was interrupted.") }
    }

    /// Too little is left of a draft once what is wrong was dropped.
    #[must_use]
    pub fn too_little(what: &str, left: usize, needed: usize) -> Self {
        let message = format!("Of the generated {what} only {left} can be used, and it takes {needed}.");
        Self::lasting("draft_invalid", message)
    }

    /// The draft did not pass the gate of [`crate::checks`].
    #[must_use]
    pub fn draft_invalid(defects: &[crate::checks::Defect]) -> Self {
        let first = defects.first().map_or_else(String::new, ToString::to_string);
        Self::lasting("draft_invalid", format!("The generated draft has {} defects. First: {first}", defects.len()))
    }
}

impl From<ModelError> for GenerationError {
    fn from(error: ModelError) -> Self {
        let (retryable, retry_after) = (error.is_passing(), error.retry_after());
        Self { retryable, retry_after, ..Self::lasting(error.code(), error.to_string()) }
    }
}

impl From<Interrupted> for GenerationError {
    fn from(_: Interrupted) -> Self {
        Self::interrupted()
    }
}
