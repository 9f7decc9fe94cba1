//! Drafts that are asked for directly: a test, a deck of slides, a course, a video.
//!
//! The way of a request: [`brief`] tells what its prompts are about, [`teaching`] what they state, [`topics`]
//! and [`parts`] make lessons of both, filled with the [`sections`] of the classroom's modules that have to
//! do with them. What follows is the same as for a level. Nothing is said of a topic that neither the prompts
//! nor the material say; where they say too little, learners are asked instead.

mod brief;
mod course;
mod deck;
mod difficulty;
mod parts;
mod sections;
mod slide;
mod teaching;
mod test;
mod topics;
mod video;

use brief::{Brief, Tongue};
use language::normal::shorten;

use crate::builtin::material::speakable;
use crate::checks::{check_citations, check_course, check_quiz, check_slide, check_video};
use crate::drafts::{CourseDraft, QuizDraft, SlideDraft, VideoDraft};
use crate::generator::GenerationError;
use crate::reading::inline::squeeze;
use crate::request::{CourseRequest, SlideRequest, TestRequest, VideoRequest};

pub(super) use difficulty::Difficulty;

/// The language of a request as it was asked for; where it is blank, the prompts' own words tell it, else it is English.
pub(crate) fn language_of(language: &str, prompts: &[&str]) -> String {
    Tongue::of(language, prompts).language
}

/// How many items a test is to have, and how many of them ask for more than a fact.
pub(crate) fn items_wanted(request: &TestRequest) -> (usize, usize) {
    let tongue = Tongue::of(&request.language, &[&request.topic_prompt, &request.target_prompt]);
    let difficulty = Difficulty::of(&request.level);
    let named = [&request.topic_prompt, &request.target_prompt]
        .into_iter()
        .find_map(|prompt| Brief::read(prompt, &tongue).items);
    let items = named.unwrap_or_else(|| difficulty.items());
    (items, difficulty.tasks(items).min(items))
}

/// A label of difficulty as drafts have it.
pub(crate) fn label_of(level: &str) -> String {
    let level = shorten(&squeeze(level), 20, 100);
    if speakable(&level) { level } else { "MEDIUM".to_owned() }
}

/// Drafts a test from its prompts.
///
/// # Errors
/// `source_empty` when neither the prompts nor the material hold a letter or digit; `draft_invalid`
/// when the draft fails the gate.
pub fn requested_test(request: &TestRequest) -> Result<QuizDraft, GenerationError> {
    let draft = test::draft(request)?;
    super::pass(check_quiz(&draft), check_citations(&draft.citations, request))?;
    Ok(draft)
}

/// Drafts a deck of slides from an outline.
///
/// # Errors
/// As [`requested_test`].
pub fn requested_slide(request: &SlideRequest) -> Result<SlideDraft, GenerationError> {
    let draft = slide::draft(request)?;
    super::pass(check_slide(&draft), check_citations(&draft.citations, request))?;
    Ok(draft)
}

/// Drafts a course with its modules.
///
/// # Errors
/// As [`requested_test`].
pub fn requested_course(request: &CourseRequest) -> Result<CourseDraft, GenerationError> {
    let draft = course::draft(request)?;
    super::pass(check_course(&draft), check_citations(draft.citations(), request))?;
    Ok(draft)
}

/// Drafts a video.
///
/// # Errors
/// As [`requested_test`].
pub fn requested_video(request: &VideoRequest) -> Result<VideoDraft, GenerationError> {
    let draft = video::draft(request)?;
    super::pass(check_video(&draft), check_citations(&draft.citations, request))?;
    Ok(draft)
}
