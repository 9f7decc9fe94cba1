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
use sections::Sections;

use crate::builtin::material::{Material, speakable};
use crate::checks::{check_citations, check_course, check_quiz, check_slide, check_video};
use crate::drafts::{CourseDraft, QuizDraft, SlideDraft, VideoDraft};
use crate::generator::{GenerationError, Remark, Workbench};
use crate::reading::inline::squeeze;
use crate::request::{CourseRequest, SlideRequest, SourceModule, TestRequest, VideoRequest};

pub(super) use deck::{Deck, Point, Slide};
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

/// Most sections of modules that a part is made from.
const MAX_SECTIONS: usize = 24;

/// The sections of modules that have to do with a topic; none where they hold no text.
pub(super) fn material_of(modules: &[SourceModule], topic: &str, language: &str) -> Option<Material> {
    let tongue = Tongue::of(language, &[topic]);
    let mut sections = Sections::read(modules, &[], &tongue);
    sections.keep_near(topic, MAX_SECTIONS);
    Material::assemble(&tongue.language, String::new(), String::new(), sections.readings)
}

/// A draft, and what of the request it could only ask about.
pub(super) struct Requested<D> {
    pub(super) draft: D,
    /// Topics of which neither the prompts nor the material say anything, as they are named in the draft.
    pub(super) untold: Vec<String>,
}

impl<D> Requested<D> {
    /// The draft; tells the bench what it lacks.
    pub(super) fn remarked(self, bench: &dyn Workbench) -> D {
        if !self.untold.is_empty() {
            bench.remark(Remark::WithoutMaterial(self.untold));
        }
        self.draft
    }
}

/// Drafts a test from its prompts.
///
/// # Errors
/// `source_empty` when neither the prompts nor the material hold a letter or digit; `draft_invalid`
/// when the draft fails the gate.
pub(super) fn test(request: &TestRequest) -> Result<Requested<QuizDraft>, GenerationError> {
    let made = test::draft(request)?;
    super::pass(check_quiz(&made.draft), check_citations(&made.draft.citations, request))?;
    Ok(made)
}

/// Drafts a deck of slides from an outline.
///
/// # Errors
/// As [`test`](fn@test).
pub(super) fn slide(request: &SlideRequest) -> Result<Requested<SlideDraft>, GenerationError> {
    let made = slide::draft(request)?;
    super::pass(check_slide(&made.draft), check_citations(&made.draft.citations, request))?;
    Ok(made)
}

/// Drafts a course with its modules.
///
/// # Errors
/// As [`test`](fn@test).
pub(super) fn course(request: &CourseRequest) -> Result<Requested<CourseDraft>, GenerationError> {
    let made = course::draft(request)?;
    super::pass(check_course(&made.draft), check_citations(made.draft.citations(), request))?;
    Ok(made)
}

/// Drafts a video.
///
/// # Errors
/// As [`test`](fn@test).
pub(super) fn video(request: &VideoRequest) -> Result<Requested<VideoDraft>, GenerationError> {
    let made = video::draft(request)?;
    super::pass(check_video(&made.draft), check_citations(&made.draft.citations, request))?;
    Ok(made)
}
