//! Questions about what comes in an order: steps and events.

use language::fill;
use language::normal::normal;
use language::script::word_count;

use crate::reading::blocks::{Block, Body, Event, Item as Step};
use crate::reading::inline::Passage;
use crate::reading::names::{Role, has_role, names_steps};
use crate::text::numbers;

use super::definitions::first_sentence;
use super::tables::form_of;
use super::{
    Candidate, Evidence, Form, MAX_ENTRIES, MAX_LABEL, MAX_OPTION, Rank, Workshop, fits, pick, rotated, trimmed,
};

/// Fewest steps that an order can be asked of.
const MIN_STEPS: usize = 5;
/// A step that is done so soon behind the one that is asked for could as well come before it.
const SOON: usize = 2;
/// Fewest later steps that stand against it.
const FEWEST_RIVALS: usize = 2;
/// Fewest words of an event that says what it is about.
const MIN_EVENT: usize = 4;
/// Longest step that is asked for, in characters.
const MAX_STEP: usize = 120;
/// How much of its lesson a step is about, and an event.
const STEP: f64 = 0.6;
const EVENT: f64 = 0.8;

impl Workshop<'_> {
    pub(super) fn about_sequences(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let mut heading: Option<&str> = None;
        for block in self.lesson(lesson).reading.blocks.iter().take(MAX_ENTRIES) {
            match &block.body {
                Body::Heading { text, .. } | Body::Paragraph(Passage { text, .. }) => heading = Some(text),
                Body::List { steps: true, items } if block.teaches() && is_procedure(block, heading) => {
                    self.steps(lesson, items, found);
                }
                Body::Timeline(events) if block.teaches() => self.events(lesson, events, found),
                _ => {}
            }
        }
    }

    fn steps(&self, lesson: usize, steps: &[Step], found: &mut Vec<Candidate>) {
        let steps: Vec<&Step> = steps.iter().filter(|step| step.level == 0).take(MAX_ENTRIES).collect();
        let texts: Vec<&str> = steps.iter().map(|step| step.text.text.as_str()).collect();
        let long = texts.iter().any(|text| !fits(text, MAX_STEP) || !text.chars().any(char::is_alphabetic));
        if texts.len() < MIN_STEPS || long || self.lesson(lesson).calculates() || !self.lesson(lesson).named {
            return;
        }
        let askable = texts.len().saturating_sub(1 + SOON + FEWEST_RIVALS);
        let mut asked: Vec<usize> = rotated(askable, texts[0]).step_by(3).take(2).collect();
        asked.sort_unstable();
        for at in asked {
            let (step, next) = (texts[at], texts[at + 1]);
            let title = &self.lesson(lesson).short;
            let question = fill(self.phrases().next_step, &[("title", title), ("step", trimmed(step))]);
            // Steps that can only come before are no rivals.
            let later = rotated(texts.len(), &question).filter(|other| *other > at + 1 + SOON);
            let wrong: Vec<String> = later.map(|other| texts[other].to_owned()).collect();
            if wrong.len() < FEWEST_RIVALS {
                continue;
            }
            let quote = format!("{}. {step} {}. {next}", at + 1, at + 2);
            let fact = format!("step {lesson} {at}");
            let evidence = Evidence { lesson, pointer: &steps[at + 1].pointer, quote: &quote, fact, weight: STEP };
            let form = Form::Choice { key: next.to_owned(), wrong };
            found.push(self.candidate(evidence, Rank::Sound, question, form));
        }
    }

    fn events(&self, lesson: usize, events: &[Event], found: &mut Vec<Candidate>) {
        let told = |event: &&Event| {
            fits(&event.when, MAX_LABEL)
                && fits(&event.what, MAX_OPTION)
                && word_count(&event.what) >= MIN_EVENT
                && [&event.when, &event.what].iter().all(|text| text.chars().any(char::is_alphanumeric))
        };
        let events: Vec<&Event> = events.iter().take(MAX_ENTRIES).filter(told).collect();
        if events.len() < 3 {
            return;
        }
        found.extend(self.first_event(lesson, &events));
        for at in rotated(events.len(), &events[0].what).step_by(2).take(3) {
            let event = events[at];
            // The sentence behind the first may tell another event.
            let what = first_sentence(&event.what, self.lesson(lesson).profile);
            let what = if word_count(&what) >= MIN_EVENT { &what } else { &event.what };
            let question = fill(self.phrases().when_event, &[("event", trimmed(what))]);
            // Years stand against years, and days against days.
            let wrong = rotated(events.len(), &question)
                .map(|other| &events[other].when)
                .filter(|when| {
                    scale(when) == scale(&event.when) && !overlap(when, &event.when) && !is_beside(when, &event.when)
                })
                .cloned()
                .collect();
            let quote = format!("{}: {}", event.when, event.what);
            let fact = format!("when {}", normal(&event.what));
            let evidence = Evidence { lesson, pointer: &event.pointer, quote: &quote, fact, weight: EVENT };
            found.push(self.candidate(evidence, Rank::Sound, question, form_of(&event.when, wrong)));
        }
    }

    /// Among events whose years are known and differ: which came first?
    fn first_event(&self, lesson: usize, events: &[&Event]) -> Option<Candidate> {
        let mut dated: Vec<(i64, &Event)> =
            events.iter().filter_map(|event| Some((year(&event.when)?, *event))).collect();
        if dated.len() < events.len() || !self.lesson(lesson).named {
            return None;
        }
        dated.sort_by_key(|(year, _)| *year);
        dated.dedup_by_key(|(year, _)| *year);
        if dated.len() < 3 {
            return None;
        }
        let start = pick(&dated[0].1.what, dated.len().saturating_sub(3).max(1));
        let chosen = &dated[start..dated.len().min(start + 4)];
        let first = chosen[0].1;
        // A date within the text would tell.
        if chosen.iter().any(|(_, event)| year(&event.what).is_some()) {
            return None;
        }
        let question = fill(self.phrases().first_event, &[("title", &self.lesson(lesson).short)]);
        let quote = format!("{}: {}", first.when, first.what);
        let fact = format!("when {}", normal(&first.what));
        let evidence = Evidence { lesson, pointer: &first.pointer, quote: &quote, fact, weight: EVENT };
        // A second sentence, about the consequences, would tell one event from the others.
        let told = |event: &Event| first_sentence(&event.what, self.lesson(lesson).profile);
        let wrong = chosen[1..].iter().map(|(_, event)| told(event)).collect();
        Some(self.candidate(evidence, Rank::Sound, question, Form::Choice { key: told(first), wrong }))
    }
}

/// Whether the source calls a list steps: by the name of the member, or by what stands before it. A list with numbers may
/// also be of rules, parts or cases.
fn is_procedure(block: &Block, before: Option<&str>) -> bool {
    let named = block.pointer.keys().any(|key| has_role(&key, Role::Steps) || has_role(&key, Role::Step));
    let announced = |text: &str| {
        let text = text.lines().last().unwrap_or_default();
        names_steps(text)
    };
    named || before.is_some_and(announced)
}

/// How a date is written: its digits as zeros, its words by their number.
fn scale(when: &str) -> String {
    let shape = when.chars().map(|character| if character.is_ascii_digit() { '0' } else { character });
    let shape: String = shape.collect();
    let words = |word: &str| {
        if word.contains('0') { word.trim_start_matches('0').to_owned() + "0" } else { "w".to_owned() }
    };
    shape.split_whitespace().map(words).collect::<Vec<_>>().join(" ")
}

/// A span that holds the other date: "1914–1918" and "1916".
fn overlap(one: &str, other: &str) -> bool {
    let span = |when: &str| {
        let years: Vec<i64> =
            numbers::digits(when).filter_map(|run| run.parse().ok()).filter(|year| *year > 31).collect();
        Some((*years.iter().min()?, *years.iter().max()?))
    };
    match (span(one), span(other)) {
        (Some((from, to)), Some((first, last))) => from <= last && first <= to && one != other,
        _ => false,
    }
}

/// One of two years that follow each other: to tell them apart splits hairs.
fn is_beside(one: &str, other: &str) -> bool {
    let only_year = |when: &str| year(when).filter(|_| when.chars().all(|sign| sign.is_ascii_digit()));
    only_year(one).zip(only_year(other)).is_some_and(|(one, other)| one.abs_diff(other) == 1)
}

/// The year that a date names: its four digits, or a number that stands alone. BC counts down.
fn year(when: &str) -> Option<i64> {
    let digits: Vec<&str> = numbers::digits(when).collect();
    let found = match digits[..] {
        [only] if only.len() <= 4 => only,
        _ => digits.iter().find(|run| run.len() == 4)?,
    };
    let year: i64 = found.parse().ok()?;
    let lower = when.to_lowercase();
    let before = language::cues(|cues| cues.before_christ).any(|mark| lower.contains(mark));
    Some(if before { -year } else { year })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_read_and_spans_overlap() {
        assert_eq!(year("3 May 1808"), Some(1808));
        assert_eq!(year("44 BC"), Some(-44));
        assert_eq!(year("long ago"), None);
        assert!(overlap("1914–1918", "1916") && !overlap("1914", "1918") && !overlap("1914", "1914"));
        assert_eq!(scale("1914"), scale("1492"));
        assert_ne!(scale("1914"), scale("3 May 1808"));
        assert_eq!(scale("3 May 1808"), scale("12 June 1815"));
        assert_ne!(scale("18th century"), scale("1492"));
        assert!(is_beside("1825", "1826") && !is_beside("1825", "1827") && !is_beside("3 May 1825", "4 May 1826"));
    }
}
