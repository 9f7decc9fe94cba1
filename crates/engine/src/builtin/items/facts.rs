//! Questions about labelled values. The wrong options stand behind the same label in other places.

use language::fill;
use language::normal::normal;

use crate::drafts::{OmissionReason, QuizItemKind};
use crate::reading::blocks::{Body, Fact};
use crate::reading::is_address;
use crate::text::numbers;

use super::tables::{form_of, is_name};
use super::{Candidate, Evidence, MAX_ENTRIES, MAX_LABEL, Rank, Workshop, fits};

/// Most questions about one list of facts.
const MOST: usize = 3;
/// Most lessons that values are looked for in.
const MAX_LESSONS: usize = 12;
/// How much of its lesson a fact is about.
const WEIGHT: f64 = 0.5;

impl Workshop<'_> {
    pub(super) fn about_facts(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let mut heading: Option<&str> = None;
        for block in self.lesson(lesson).reading.blocks.iter().take(MAX_ENTRIES) {
            match &block.body {
                Body::Heading { text, .. } => heading = Some(text),
                Body::Facts(facts) if block.teaches() => {
                    let of = heading.filter(|heading| is_name(heading)).unwrap_or(&self.lesson(lesson).short);
                    // A lesson's own field says how the source is kept: its code, its kind, its place.
                    let usable = facts.iter().filter(|fact| {
                        let told = !fact.technical && !fact.pointer.is_root();
                        told && is_name(&fact.label) && self.is_worded(lesson, &fact.label)
                    });
                    found.extend(usable.take(MOST).filter_map(|fact| self.fact(lesson, of, fact)));
                }
                _ => {}
            }
        }
    }

    fn fact(&self, lesson: usize, of: &str, fact: &Fact) -> Option<Candidate> {
        // Figures of examples are nothing to learn by heart.
        let figure = numbers::quantity(&fact.value).is_some_and(|quantity| !quantity.is_year());
        if figure || !fits(&fact.value, MAX_LABEL) || is_address(&fact.value) {
            return None;
        }
        let wrong: Vec<String> = self.values_elsewhere(lesson, fact).collect();
        if wrong.len() < 2 {
            self.tally.note(QuizItemKind::Select, OmissionReason::FewRivals);
            return None;
        }
        let question = fill(self.phrases().cell_of, &[("column", &fact.label), ("row", of)]);
        let quote = format!("{of} – {}: {}", fact.label, fact.value);
        let tested = format!("cell {} {}", normal(of), normal(&fact.label));
        let evidence = Evidence { lesson, pointer: &fact.pointer, quote: &quote, fact: tested, weight: WEIGHT };
        Some(self.candidate(evidence, Rank::Ordered, question, form_of(&fact.value, wrong)))
    }

    /// What stands behind the same label in other places.
    fn values_elsewhere<'s>(&'s self, lesson: usize, fact: &'s Fact) -> impl Iterator<Item = String> + 's {
        let lessons = &self.material.lessons;
        let order = (0..lessons.len().min(MAX_LESSONS)).map(move |at| &lessons[(lesson + at) % lessons.len()]);
        order.flat_map(|lesson| lesson.reading.blocks.iter().take(MAX_ENTRIES)).flat_map(move |block| {
            let facts = if let Body::Facts(facts) = &block.body { &facts[..] } else { &[] };
            facts
                .iter()
                .filter(move |other| {
                    other.label == fact.label && other.value != fact.value && fits(&other.value, MAX_LABEL)
                })
                .map(|other| other.value.clone())
        })
    }
}
