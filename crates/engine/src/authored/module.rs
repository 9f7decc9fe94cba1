//! The interactive module: an outline, then its sections at once.

use std::collections::BTreeSet;

use kernel::model::ModelError;

use super::brief::Brief;
use super::desk::Desk;
use super::ground::Ground;
use super::items::Item;
use super::outline::{self, Part, Product};
use super::page;
use super::quiz::Asking;
use super::section::{KINDS, Section, Sectioning};
use super::sources::places;
use crate::drafts::ModuleDraft;
use crate::generator::GenerationError;

/// Most sections, and about how much each is written from, in words.
const MOST_SECTIONS: usize = 24;
const WORDS: usize = 250;

/// A module whose sections are there.
pub(super) struct Written<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    pub(super) sections: Vec<(&'a Part, Section)>,
}

pub(super) async fn draft(desk: &Desk<'_>, ground: &Ground) -> Result<ModuleDraft, GenerationError> {
    let most = (desk.sources.words() / WORDS + 2).min(MOST_SECTIONS);
    let outline = outline::plan(desk, ground, Product::Module, most).await?;
    let parts = outline::parts(desk.sources, &outline.parts, MOST_SECTIONS);
    let plan: Vec<String> = parts.iter().map(|part| part.heading.clone()).collect();
    let sections = parts.iter().zip(write(desk, ground, &parts, &plan).await?).collect();
    let mut written = [Written { title: &outline.title, description: &outline.description, sections }];
    ask_again(desk, ground, &mut written).await?;
    let [written] = written;
    Ok(desk.compute(|| finished(desk, written)))
}

/// Has sections written.
pub(super) async fn write(
    desk: &Desk<'_>,
    ground: &Ground,
    parts: &[Part],
    plan: &[String],
) -> Result<Vec<Section>, GenerationError> {
    let brief = |part| Brief::new((desk.sources, ground), part, plan, desk.limits.part_characters);
    let sectioning: Vec<Sectioning<'_>> = desk.compute(|| parts.iter().map(brief).map(Sectioning).collect());
    desk.all(&sectioning).await
}

/// Asks once for questions by themselves where the sections of a module have none that is sound. A module that has none
/// then is worth reading all the same: that a model asks badly here is no reason to give the whole up.
pub(super) async fn ask_again(
    desk: &Desk<'_>,
    ground: &Ground,
    modules: &mut [Written<'_>],
) -> Result<(), GenerationError> {
    let titles: Vec<String> = modules.iter().map(|module| module.title.to_owned()).collect();
    let bare: Vec<&mut Written<'_>> = modules.iter_mut().filter(|module| !module.asks()).collect();
    let wholes: Vec<Part> = bare.iter().map(|module| module.whole()).collect();
    let brief = |whole| Brief::new((desk.sources, ground), whole, &titles, desk.limits.part_characters);
    let asking = wholes.iter().map(|whole| Asking::for_module(brief(whole), &KINDS));
    let asking: Vec<Asking<'_>> = desk.compute(|| asking.collect());
    for (module, asked) in bare.into_iter().zip(desk.each(&asking).await) {
        match asked {
            Ok(questions) => questions.items.into_iter().for_each(|item| module.take(item)),
            Err(error) if is_of_the_answer(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The module of its sections.
pub(super) fn finished(desk: &Desk<'_>, module: Written<'_>) -> ModuleDraft {
    if !module.asks() {
        desk.note_without_questions(module.title);
    }
    let headed = module.sections.into_iter().map(|(part, section)| (part.heading.as_str(), section)).collect();
    let (draft, dropped) = page::module(desk.sources, (module.title, module.description), headed);
    desk.note_dropped(dropped);
    draft
}

impl Written<'_> {
    fn asks(&self) -> bool {
        self.sections.iter().any(|(_, section)| !section.items.is_empty())
    }

    /// All of it as one part.
    fn whole(&self) -> Part {
        let all: BTreeSet<usize> = self.sections.iter().flat_map(|(part, _)| part.excerpts.iter().copied()).collect();
        Part { heading: self.title.to_owned(), excerpts: all.into_iter().collect() }
    }

    /// Puts a question into the section that is about the same excerpt.
    fn take(&mut self, item: Item) {
        let about: Vec<usize> = places(&item.excerpts).collect();
        let own = |(part, _): &(&Part, Section)| part.excerpts.iter().any(|at| about.contains(at));
        let at = self.sections.iter().position(own).unwrap_or_default();
        if let Some((_, section)) = self.sections.get_mut(at) {
            section.items.push(item);
        }
    }
}

/// Whether a failure is about what a model made of one prompt. Any other concerns all that is still to be asked for.
fn is_of_the_answer(error: &GenerationError) -> bool {
    use ModelError::{CutOff, Declined, TooLong, Unreadable};
    matches!(ModelError::of_code(error.code), Some(Unreadable | CutOff | Declined | TooLong))
}
