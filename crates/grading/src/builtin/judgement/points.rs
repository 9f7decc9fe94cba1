//! What an answer does with each idea of a reference, as the learner is told.

use super::super::features::Comparison;
use super::super::reference::{Idea, Reference, statements};
use super::super::text::{Kind, Text};
use super::Task;

/// An idea is said from this recall on, and partly from that.
const SAID: f64 = 0.6;
const PARTLY: f64 = 0.3;
/// Most words that name what is missing in an idea.
const MOST_TERMS: usize = 4;
/// From this fit on a word is there.
const FITS: f64 = 0.5;
/// Sentences of the answer that are quoted, and their words.
const MOST_SENTENCES: usize = 200;
const MOST_SENTENCE_WORDS: usize = 500;

/// What an answer does with one idea, as the learner is told.
#[derive(Clone, Debug)]
pub(in crate::builtin) struct Point {
    pub(in crate::builtin) kind: PointKind,
    /// The sentence of the answer that speaks of it.
    pub(in crate::builtin) quote: Option<String>,
    /// What it is about, in words of the reference.
    pub(in crate::builtin) terms: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::builtin) enum PointKind {
    Said,
    Partly,
    /// Nearly the words of the idea, with another denial: it may say the contrary.
    Doubtful,
    Missing,
}

/// What the answer does with each idea of a reference.
pub(super) fn points(task: &Task<'_>, reference: &Reference, comparison: &Comparison) -> Vec<Point> {
    let sentences = task.sentences();
    let point = |(idea, recall): (&Idea, &f64)| {
        let overlap = |text: &Text| idea.text.content.iter().filter(|id| text.has(**id)).count();
        let nearest = sentences.iter().max_by_key(|(_, text)| overlap(text)).filter(|(_, text)| overlap(text) > 0);
        let is_denied = nearest.is_some_and(|(_, text)| text.denials != idea.text.denials);
        let kind = match *recall {
            recall if recall >= SAID && is_denied => PointKind::Doubtful,
            recall if recall >= SAID => PointKind::Said,
            recall if recall >= PARTLY && nearest.is_some() => PointKind::Partly,
            _ => PointKind::Missing,
        };
        let is_missing = |kind: &&Kind| {
            let fit = reference.text.place(kind.id).map_or(0.0, |place| comparison.fits[place]);
            kind.is_content && fit < FITS && !task.question.has(kind.id)
        };
        let word = |kind: &Kind| {
            let word = &idea.text.words[kind.first];
            idea.said[word.start..word.end].to_owned()
        };
        let mut lacking: Vec<&Kind> = idea.text.kinds.iter().filter(is_missing).collect();
        lacking.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        lacking.truncate(MOST_TERMS);
        lacking.sort_by_key(|kind| kind.first);
        Point {
            kind,
            quote: nearest.map(|(said, _)| (*said).to_owned()).filter(|_| kind != PointKind::Missing),
            terms: lacking.into_iter().map(word).collect(),
        }
    };
    reference.ideas.iter().zip(&comparison.covered).map(point).collect()
}

impl<'t> Task<'t> {
    fn sentences(&self) -> &[(&'t str, Text)] {
        let reader = self.intake.foreign().unwrap_or(self.reader());
        let sentence = |said: &'t str| (said, Text::read(said, reader, MOST_SENTENCE_WORDS));
        let all = || statements(&self.intake.text, self.reader().profile).take(MOST_SENTENCES);
        self.sentences.get_or_init(|| all().map(sentence).collect())
    }
}
