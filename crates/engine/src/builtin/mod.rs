//! The generator that needs nothing but the source: deterministic, offline, no model.
//!
//! Each draft is made from a [`material::Material`], of a level or of what [`requested`] finds in
//! prompts, and passes the gate before it is handed out. It teaches in the source's own words; the only
//! words of its own are the phrase tables'. The functions here are synchronous and CPU-bound: call them
//! from a blocking thread, or through the [`Generator`] trait where a few milliseconds matter to nobody.

pub(crate) mod items;
mod lesson;
mod material;
mod module;
pub(crate) mod page;
pub(crate) mod quiz;
mod requested;
pub(crate) mod speech;
mod video;

use futures_util::FutureExt;

use crate::checks::{Defect, check_citations, check_module, check_quiz, check_video};
use crate::drafts::{CourseDraft, ModuleDraft, QuizDraft, SlideDraft, VideoDraft};
use crate::generator::{BoxFuture, GenerationError, Generator, Workbench};
use crate::request::{CourseRequest, SlideRequest, TestRequest, VideoRequest};
use crate::source::SourceLevel;

use material::Material;
pub(crate) use requested::{items_wanted, label_of, language_of};
pub use requested::{requested_course, requested_slide, requested_test, requested_video};

/// The built-in generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct Builtin;

impl Generator for Builtin {
    fn module<'a>(
        &'a self,
        source: &'a SourceLevel,
        _: &'a dyn Workbench,
    ) -> BoxFuture<'a, Result<ModuleDraft, GenerationError>> {
        async move { module(source) }.boxed()
    }

    fn video<'a>(
        &'a self,
        source: &'a SourceLevel,
        _: &'a dyn Workbench,
    ) -> BoxFuture<'a, Result<VideoDraft, GenerationError>> {
        async move { video(source) }.boxed()
    }

    fn quiz<'a>(
        &'a self,
        source: &'a SourceLevel,
        _: &'a dyn Workbench,
    ) -> BoxFuture<'a, Result<QuizDraft, GenerationError>> {
        async move { quiz(source) }.boxed()
    }

    fn requested_test<'a>(
        &'a self,
        request: &'a TestRequest,
        _: &'a dyn Workbench,
    ) -> BoxFuture<'a, Result<QuizDraft, GenerationError>> {
        async move { requested_test(request) }.boxed()
    }

    fn requested_slide<'a>(
        &'a self,
        request: &'a SlideRequest,
        _: &'a dyn Workbench,
    ) -> BoxFuture<'a, Result<SlideDraft, GenerationError>> {
        async move { requested_slide(request) }.boxed()
    }

    fn requested_course<'a>(
        &'a self,
        request: &'a CourseRequest,
        _: &'a dyn Workbench,
    ) -> BoxFuture<'a, Result<CourseDraft, GenerationError>> {
        async move { requested_course(request) }.boxed()
    }

    fn requested_video<'a>(
        &'a self,
        request: &'a VideoRequest,
        _: &'a dyn Workbench,
    ) -> BoxFuture<'a, Result<VideoDraft, GenerationError>> {
        async move { requested_video(request) }.boxed()
    }
}

/// Drafts the interactive module.
///
/// # Errors
/// `source_empty` when there is nothing to teach from; `draft_invalid` when the draft fails the gate.
pub fn module(source: &SourceLevel) -> Result<ModuleDraft, GenerationError> {
    let draft = module::draft(&Material::prepare(source)?);
    pass(check_module(&draft), check_citations(&draft.citations, source))?;
    Ok(draft)
}

/// Drafts the summary video.
///
/// # Errors
/// As [`module`].
pub fn video(source: &SourceLevel) -> Result<VideoDraft, GenerationError> {
    let draft = video::draft(&Material::prepare(source)?);
    pass(check_video(&draft), check_citations(&draft.citations, source))?;
    Ok(draft)
}

/// Drafts the quiz.
///
/// # Errors
/// As [`module`].
pub fn quiz(source: &SourceLevel) -> Result<QuizDraft, GenerationError> {
    let draft = quiz::draft(&Material::prepare(source)?);
    pass(check_quiz(&draft), check_citations(&draft.citations, source))?;
    Ok(draft)
}

fn pass(draft: Result<(), Vec<Defect>>, citations: Result<(), Vec<Defect>>) -> Result<(), GenerationError> {
    draft.and(citations).map_err(|defects| GenerationError::draft_invalid(&defects))
}
