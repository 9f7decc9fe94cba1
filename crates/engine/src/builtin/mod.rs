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
pub(crate) mod part;
pub(crate) mod quiz;
mod requested;
pub(crate) mod speech;
mod video;

use async_trait::async_trait;

use crate::checks::{Defect, check_citations, check_module, check_quiz, check_video};
use crate::drafts::{CourseDraft, ModuleDraft, QuizDraft, SlideDraft, VideoDraft};
use crate::generator::{GenerationError, Generator, Workbench};
use crate::part::{PartDraft, PartRequest};
use crate::request::{CourseRequest, SlideRequest, TestRequest, VideoRequest};
use crate::source::SourceLevel;

use material::Material;
pub(crate) use requested::{items_wanted, label_of, language_of};
pub use speech::scene_seconds;

/// The built-in generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct Builtin;

#[async_trait]
impl Generator for Builtin {
    async fn module(&self, source: &SourceLevel, _: &dyn Workbench) -> Result<ModuleDraft, GenerationError> {
        module(source)
    }

    async fn video(&self, source: &SourceLevel, _: &dyn Workbench) -> Result<VideoDraft, GenerationError> {
        video(source)
    }

    async fn quiz(&self, source: &SourceLevel, _: &dyn Workbench) -> Result<QuizDraft, GenerationError> {
        quiz(source)
    }

    async fn requested_test(&self, request: &TestRequest, bench: &dyn Workbench) -> Result<QuizDraft, GenerationError> {
        Ok(requested::test(request)?.remarked(bench))
    }

    async fn requested_slide(
        &self,
        request: &SlideRequest,
        bench: &dyn Workbench,
    ) -> Result<SlideDraft, GenerationError> {
        Ok(requested::slide(request)?.remarked(bench))
    }

    async fn requested_course(
        &self,
        request: &CourseRequest,
        bench: &dyn Workbench,
    ) -> Result<CourseDraft, GenerationError> {
        Ok(requested::course(request)?.remarked(bench))
    }

    async fn requested_video(
        &self,
        request: &VideoRequest,
        bench: &dyn Workbench,
    ) -> Result<VideoDraft, GenerationError> {
        Ok(requested::video(request)?.remarked(bench))
    }

    async fn part(&self, request: &PartRequest, _: &dyn Workbench) -> Result<PartDraft, GenerationError> {
        part(request)
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

/// Drafts a test from its prompts.
///
/// # Errors
/// `source_empty` when neither the prompts nor the material hold a letter or digit; `draft_invalid`
/// when the draft fails the gate.
pub fn requested_test(request: &TestRequest) -> Result<QuizDraft, GenerationError> {
    requested::test(request).map(|made| made.draft)
}

/// Drafts a deck of slides from an outline.
///
/// # Errors
/// As [`requested_test`].
pub fn requested_slide(request: &SlideRequest) -> Result<SlideDraft, GenerationError> {
    requested::slide(request).map(|made| made.draft)
}

/// Drafts a course with its modules.
///
/// # Errors
/// As [`requested_test`].
pub fn requested_course(request: &CourseRequest) -> Result<CourseDraft, GenerationError> {
    requested::course(request).map(|made| made.draft)
}

/// Drafts a video.
///
/// # Errors
/// As [`requested_test`].
pub fn requested_video(request: &VideoRequest) -> Result<VideoDraft, GenerationError> {
    requested::video(request).map(|made| made.draft)
}

/// Drafts another version of one part. The instruction is not read; the draft says so where there is one.
///
/// # Errors
/// `nothing_else` when the material gives no other part; `draft_invalid` when the draft fails the gate.
pub fn part(request: &PartRequest) -> Result<PartDraft, GenerationError> {
    part::draft(request)
}

fn pass(draft: Result<(), Vec<Defect>>, citations: Result<(), Vec<Defect>>) -> Result<(), GenerationError> {
    draft.and(citations).map_err(|defects| GenerationError::draft_invalid(&defects))
}
