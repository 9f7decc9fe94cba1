//! Questions about lists that stand side by side under headings of one rank: what belongs where?

use language::fill;
use language::normal::{mentions, normal};
use language::script::word_count;
use language::sentences::is_closed;

use crate::drafts::{OmissionReason, QuizItemKind};
use crate::reading::blocks::{Body, Item as Entry};

use super::tables::is_name;
use super::{Candidate, Evidence, Form, MAX_ENTRIES, Rank, Workshop, pick};

/// Fewest entries of a list, and most words of an entry.
const MIN_OWN: usize = 2;
const MAX_WORDS: usize = 8;
/// Fewest entries of the other lists.
const MIN_OTHERS: usize = 3;
/// How much of its lesson an entry is about.
const WEIGHT: f64 = 0.5;

/// A list under its heading.
struct Group<'m> {
    level: u8,
    heading: &'m str,
    entries: Vec<&'m Entry>,
}

impl Workshop<'_> {
    pub(super) fn about_groups(&self, lesson: usize, found: &mut Vec<Candidate>) {
        for run in self.groups(lesson) {
            for at in 0..run.len() {
                found.extend(self.about_group(lesson, &run, at));
            }
        }
    }

    /// Runs of lists whose headings have one rank, with nothing between them.
    fn groups(&self, lesson: usize) -> Vec<Vec<Group<'_>>> {
        let mut runs: Vec<Vec<Group<'_>>> = vec![Vec::new()];
        let blocks: Vec<_> = self.lesson(lesson).reading.blocks.iter().take(MAX_ENTRIES).collect();
        for pair in blocks.windows(2) {
            if matches!(pair[1].body, Body::Heading { .. }) {
                continue;
            }
            let group = match (&pair[0].body, &pair[1].body) {
                (Body::Heading { level, text }, Body::List { steps: false, items }) if pair[1].teaches() => {
                    Group::of(*level, text, items)
                }
                _ => None,
            };
            match (group, runs.last_mut()) {
                (Some(group), Some(run)) if run.last().is_none_or(|last| last.level == group.level) => run.push(group),
                (Some(group), _) => runs.push(vec![group]),
                (None, _) => runs.push(Vec::new()),
            }
        }
        runs.retain(|run| run.len() >= 2);
        runs
    }

    fn about_group(&self, lesson: usize, run: &[Group<'_>], at: usize) -> Option<Candidate> {
        let group = &run[at];
        let elsewhere = |other: &&Group<'_>| !std::ptr::eq(*other, group);
        let others: Vec<&Entry> =
            run.iter().filter(elsewhere).flat_map(|other| other.entries.iter().copied()).collect();
        let form = |entry: &Entry| normal(&entry.text.text);
        let told = |entry: &Entry, list: &[&Entry]| {
            let own = form(entry);
            list.iter().any(|other| mentions(&form(other), &own) || mentions(&own, &form(other)))
        };
        let entry = group.entries[pick(group.heading, group.entries.len())];
        if others.len() < MIN_OTHERS || told(entry, &others) {
            self.tally.note(QuizItemKind::Select, OmissionReason::SeveralKeys);
            return None;
        }
        let question = fill(self.phrases().belongs_to, &[("heading", group.heading)]);
        let wrong = others.iter().filter(|other| !told(other, &group.entries)).map(|other| other.text.text.clone());
        let quote = format!("{}: {}", group.heading, entry.text.text);
        let fact = format!("entry {lesson} {}", normal(group.heading));
        let evidence = Evidence { lesson, pointer: &entry.pointer, quote: &quote, fact, weight: WEIGHT };
        let form = Form::Choice { key: entry.text.text.clone(), wrong: wrong.collect() };
        // A heading alone seldom says by what its list was put together.
        Some(self.candidate(evidence, Rank::Ordered, question, form))
    }
}

impl<'m> Group<'m> {
    /// A list of a few short entries, none of which is a sentence.
    fn of(level: u8, heading: &'m str, items: &'m [Entry]) -> Option<Self> {
        let short = |entry: &&Entry| {
            let text = &entry.text.text;
            entry.level == 0 && is_name(text) && word_count(text) <= MAX_WORDS && !is_closed(text)
        };
        let entries: Vec<&Entry> = items.iter().take(MAX_ENTRIES).filter(short).collect();
        let whole = entries.len() == items.len().min(MAX_ENTRIES) && entries.len() >= MIN_OWN;
        (whole && is_name(heading)).then_some(Self { level, heading, entries })
    }
}
