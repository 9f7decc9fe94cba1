//! The interactive module: an outline, then its sections at once.

use super::desk::Desk;
use super::ground::Ground;
use super::outline::{self, Part, Product};
use super::page;
use super::section::{Section, Sectioning};
use crate::drafts::ModuleDraft;
use crate::generator::GenerationError;

/// Most sections, and about how much each is written from, in words.
const MOST_SECTIONS: usize = 24;
const WORDS: usize = 250;

pub(super) async fn draft(desk: &Desk<'_>, ground: &Ground) -> Result<ModuleDraft, GenerationError> {
    let most = (desk.sources.words() / WORDS + 2).min(MOST_SECTIONS);
    let outline = outline::plan(desk, ground, Product::Module, most).await?;
    let parts = outline::parts(desk.sources, &outline.parts, MOST_SECTIONS);
    let plan: Vec<String> = parts.iter().map(|part| part.heading.clone()).collect();
    let sections = write(desk, ground, &parts, &plan).await?;
    let headed = parts.iter().map(|part| part.heading.as_str()).zip(sections).collect();
    finished(desk, (&outline.title, &outline.description), headed)
}

/// Has sections written.
pub(super) async fn write(
    desk: &Desk<'_>,
    ground: &Ground,
    parts: &[Part],
    plan: &[String],
) -> Result<Vec<Section>, GenerationError> {
    let characters = desk.limits.part_characters;
    let sectioning: Vec<Sectioning<'_>> =
        parts.iter().map(|part| Sectioning::new((desk.sources, ground), part, plan, characters)).collect();
    desk.all(&sectioning).await
}

/// The module of its sections. One without a single question left has too little.
pub(super) fn finished(
    desk: &Desk<'_>,
    named: (&str, &str),
    sections: Vec<(&str, Section)>,
) -> Result<ModuleDraft, GenerationError> {
    let (draft, dropped) = page::module(desk.sources, named, sections);
    desk.note_dropped(dropped);
    if draft.quizzes.is_empty() {
        return Err(GenerationError::too_little("questions", 0, 1));
    }
    Ok(draft)
}
