//! Requests by prompt in a classroom that holds the modules of all sources: is the right material found, is none used where
//! there is none, and does a deck repeat itself where a module has a copy?

use std::collections::HashSet;

use engine::{Candidate, SlideRequest, SourceModule, builtin, rank_modules};
use language::{profile, sentences};
use serde::Serialize;

use crate::expand::Expansion;
use crate::measure::ratio;
use crate::text::{plain, words};

/// Fewest words of a sentence that counts as repeated.
const TELLING: usize = 5;

/// The results of asking for the titles of the lessons.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Requests {
    /// Titles of lessons that were asked for.
    pub(crate) topics: usize,
    /// Those of which the own module is the most relevant one.
    pub(crate) own_first: usize,
    /// Other modules that are handed over for a topic, on average.
    pub(crate) others: f64,
    /// Topics for which nothing is handed over where the own module is not in the classroom.
    pub(crate) none_without_own: usize,
    /// Sentences on the slides of decks whose outline is the titles of a source's lessons.
    pub(crate) deck_sentences: usize,
    /// Those that stand on a slide before, though the classroom holds each module twice.
    pub(crate) deck_repeated: usize,
    /// Citations of these decks, without those of the outline itself.
    pub(crate) deck_citations: usize,
    /// Those that name the module of another source.
    pub(crate) deck_foreign: usize,
}

/// Asks for the lessons of every source.
pub(crate) fn requests(expansions: &[Expansion]) -> Requests {
    let module = |expansion: &Expansion| {
        let draft = expansion.module.as_ref().ok()?;
        let (id, title) = (expansion.source.name.clone(), draft.title.clone());
        Some(SourceModule { id, title, html: draft.content_html.clone() })
    };
    let classroom: Vec<SourceModule> = expansions.iter().filter_map(module).collect();
    let mut found = Requests::default();
    let mut others = 0;
    for Expansion { source, .. } in expansions {
        let titles: Vec<&str> = source.level.lessons.iter().filter_map(|lesson| lesson.title.as_deref()).collect();
        for topic in &titles {
            let ranked = ranked(topic, &source.level.language, &classroom);
            found.topics += 1;
            found.own_first += usize::from(ranked.first().is_some_and(|module| module.id == source.name));
            let foreign = ranked.iter().filter(|module| module.id != source.name).count();
            others += foreign;
            found.none_without_own += usize::from(foreign == 0);
        }
        deck(&titles.join("\n"), source.name.as_str(), &source.level.language, &classroom, &mut found);
    }
    found.others = ratio(others, found.topics);
    found
}

/// The modules that have to do with a topic, the most relevant first.
fn ranked<'c>(topic: &str, language: &str, classroom: &'c [SourceModule]) -> Vec<&'c SourceModule> {
    let candidates: Vec<Candidate<'_>> = classroom
        .iter()
        .map(|module| Candidate { title: &module.title, description: "", html: &module.html })
        .collect();
    rank_modules(topic, language, &candidates).into_iter().map(|found| &classroom[found.index]).collect()
}

fn deck(outline: &str, own: &str, language: &str, classroom: &[SourceModule], found: &mut Requests) {
    let material = ranked(outline, language, classroom);
    let copies =
        material.iter().map(|module| SourceModule { title: format!("{} 2", module.title), ..(*module).clone() });
    let material: Vec<SourceModule> = material.iter().map(|module| (*module).clone()).chain(copies).collect();
    let request = SlideRequest {
        outline: outline.to_owned(),
        language: language.to_owned(),
        material,
        ..SlideRequest::default()
    };
    let Ok(draft) = builtin::requested_slide(&request) else { return };
    let mut seen = HashSet::new();
    // An overview lists the headlines.
    let texts = draft.content_html.split("<h2>").map(|slide| slide.split_once("</h2>").map_or(slide, |(_, text)| text));
    let headlines: HashSet<&str> =
        draft.content_html.split("<h2>").skip(1).filter_map(|slide| slide.split("</h2>").next()).collect();
    let text = plain(&texts.collect::<Vec<_>>().join("\n"));
    for sentence in text.lines().flat_map(|line| sentences::split(line, profile::of(language))) {
        let words = words(sentence);
        if words.len() >= TELLING && !headlines.contains(sentence) {
            found.deck_sentences += 1;
            found.deck_repeated += usize::from(!seen.insert(words));
        }
    }
    for pointer in draft.citations.iter().flat_map(|citation| &citation.pointers) {
        let Some(cited) = pointer.strip_prefix("/material/") else { continue };
        found.deck_citations += 1;
        found.deck_foreign += usize::from(cited.split('/').next() != Some(own));
    }
}
