//! The figures of a folder of sources.

use std::collections::BTreeMap;

use engine::GenerationError;
use language::profile;
use language::sentences;
use serde::Serialize;

use crate::expand::{Expansion, time_of_long_level};
use crate::guess::{Guess, guesses};
use crate::items::Item;
use crate::keys::{Balance, balance};
use crate::leaks::{Leak, leaks, own_asked};
use crate::requests::{Requests, requests};
use crate::text::{copied, longest_run, plain, words};

/// Share of a question's words in one sentence of the source from which it counts as copied.
const COPIED: f64 = 0.8;

/// Everything that is measured.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Figures {
    pub(crate) sources: Vec<SourceFigures>,
    /// The processor's time for a level of 60 lessons, in milliseconds.
    pub(crate) long_level_cpu_ms: f64,
    pub(crate) kinds: BTreeMap<String, KindFigures>,
    /// How many candidates were dropped by kind and reason; `None` where the generator does not say.
    pub(crate) dropped: Option<BTreeMap<String, BTreeMap<String, usize>>>,
    pub(crate) keys: Balance,
    pub(crate) guesses: Vec<Guess>,
    pub(crate) leaks: Vec<Leak>,
    /// Own questions of the sources, those that `secrets.json` lists, and how many of them an item asks.
    pub(crate) own_questions: usize,
    pub(crate) own_asked: usize,
    pub(crate) requests: Requests,
}

/// What was made of one source.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceFigures {
    pub(crate) source: String,
    pub(crate) language: String,
    pub(crate) lessons: usize,
    pub(crate) words: usize,
    pub(crate) quiz_items: usize,
    pub(crate) module_items: usize,
    /// Share of the module's words that stand in runs of four or more of the source.
    pub(crate) module_copied: f64,
    /// Words of the video's scripts for each word of the source.
    pub(crate) spoken: f64,
    /// The video's seconds for each lesson.
    pub(crate) seconds_a_lesson: f64,
    /// The processor's time for all three drafts, in milliseconds.
    pub(crate) cpu_ms: f64,
    /// The drafts that were not made, with the code of the error.
    pub(crate) failures: Vec<(&'static str, &'static str)>,
}

/// What was made of one kind of item.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KindFigures {
    pub(crate) in_quizzes: usize,
    pub(crate) in_modules: usize,
    /// Mean share of a question's words that are a run of one sentence of the source.
    pub(crate) overlap: f64,
    /// Items with at least four fifths of their question in one sentence.
    pub(crate) copied: usize,
}

/// Measures.
pub(crate) fn measure(expansions: &[Expansion], items: &[Item]) -> Figures {
    let found = expansions.iter().flat_map(|expansion| leaks(expansion, items)).collect();
    Figures {
        sources: expansions.iter().map(|expansion| of_source(expansion, items)).collect(),
        long_level_cpu_ms: time_of_long_level(expansions).as_secs_f64() * 1_000.0,
        kinds: kinds(expansions, items),
        dropped: dropped(expansions),
        keys: balance(items),
        guesses: guesses(items),
        leaks: found,
        own_questions: expansions.iter().map(|expansion| expansion.source.secrets.own.len()).sum(),
        own_asked: expansions.iter().map(|expansion| own_asked(expansion, items)).sum(),
        requests: requests(expansions),
    }
}

fn of_source(expansion: &Expansion, items: &[Item]) -> SourceFigures {
    let source = &expansion.source;
    let written = words(&source.texts().join("\n"));
    let lessons = source.level.lessons.len();
    let module = drafted(&expansion.module, |module| plain(&module.content_html));
    let module = words(&module);
    let spoken = drafted(&expansion.video, |video| {
        video.scenes.iter().map(|scene| scene.script.as_str()).collect::<Vec<_>>().join("\n")
    });
    let seconds: f64 = expansion.video.iter().flat_map(|video| &video.scenes).map(|scene| scene.duration_seconds).sum();
    let made = |place: &str| {
        let prefix = format!("{}/{place}/", source.name);
        items.iter().filter(|item| item.id.starts_with(&prefix)).count()
    };
    SourceFigures {
        source: source.name.clone(),
        language: source.level.language.clone(),
        lessons,
        words: written.len(),
        quiz_items: made("quiz"),
        module_items: made("module"),
        module_copied: ratio(copied(&module, &written), module.len()),
        spoken: ratio(words(&spoken).len(), written.len()),
        seconds_a_lesson: seconds / lessons as f64,
        cpu_ms: expansion.cpu.as_secs_f64() * 1_000.0,
        failures: expansion.failures(),
    }
}

fn drafted<D>(draft: &Result<D, GenerationError>, text: impl Fn(&D) -> String) -> String {
    draft.as_ref().map(text).unwrap_or_default()
}

fn kinds(expansions: &[Expansion], items: &[Item]) -> BTreeMap<String, KindFigures> {
    let mut kinds: BTreeMap<String, KindFigures> = BTreeMap::new();
    for expansion in expansions {
        let source = &expansion.source;
        let profile = profile::of(&source.level.language);
        let lines = source.texts();
        let lines = lines.iter().flat_map(|text| text.lines());
        let source_sentences: Vec<Vec<String>> =
            lines.flat_map(|line| sentences::split(line, profile)).map(words).collect();
        for item in items.iter().filter(|item| item.source == source.name) {
            let asked = words(&item.question);
            let longest =
                source_sentences.iter().map(|sentence| longest_run(&asked, sentence)).max().unwrap_or_default();
            let share = ratio(longest, asked.len());
            let figures = kinds.entry(item.kind.clone()).or_default();
            figures.overlap += share;
            figures.copied += usize::from(share >= COPIED);
            let is_in_quiz = item.id.starts_with(&format!("{}/quiz/", source.name));
            *(if is_in_quiz { &mut figures.in_quizzes } else { &mut figures.in_modules }) += 1;
        }
    }
    for figures in kinds.values_mut() {
        figures.overlap /= (figures.in_quizzes + figures.in_modules) as f64;
    }
    kinds
}

fn dropped(expansions: &[Expansion]) -> Option<BTreeMap<String, BTreeMap<String, usize>>> {
    let mut kinds: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let reported: Vec<_> = expansions.iter().map(|expansion| expansion.dropped.as_ref()).collect::<Option<_>>()?;
    for dropped in reported.into_iter().flatten() {
        *kinds.entry(dropped.kind.clone()).or_default().entry(dropped.reason.clone()).or_default() += 1;
    }
    Some(kinds)
}

/// A part of a whole; 0 of nothing.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
