//! Scripts that guess keys without reading the source. A fair quiz gives them no more than chance.

use std::collections::HashSet;

use serde::Serialize;

use crate::items::Item;
use crate::keys::{is_truth, key, numbers};
use crate::text::words;

/// How often a script was right.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Guess {
    /// What the script chooses.
    pub(crate) script: &'static str,
    /// Items that it can guess at.
    pub(crate) items: usize,
    /// Share of right guesses; options that the script cannot tell apart share one.
    pub(crate) right: f64,
    /// Share that chance would get right.
    pub(crate) chance: f64,
    /// The difference in percentage points.
    pub(crate) points: f64,
    /// The standard error of the difference, in percentage points: what few items say is uncertain.
    pub(crate) error: f64,
}

/// Tells which options a script would choose; none where it has nothing to go by.
type Script = fn(&Item) -> Vec<usize>;

const CHOICES: [(&str, Script); 11] = [
    ("the longest option", |item| most(item, |option| option.chars().count())),
    ("the shortest option", |item| most(item, |option| usize::MAX - option.chars().count())),
    ("the first option", |_| vec![0]),
    ("the second option", |_| vec![1]),
    ("the option before the last", |item| vec![item.options.len() - 2]),
    ("the last option", |item| vec![item.options.len() - 1]),
    ("the smallest number", |item| ranked(item, |_, rank| rank == 0)),
    ("the second smallest number", |item| ranked(item, |_, rank| rank == 1)),
    ("a middle number", |item| ranked(item, |of, rank| rank == (of - 1) / 2 || rank == of / 2)),
    ("the largest number", |item| ranked(item, |of, rank| rank == of - 1)),
    ("most words of the question", shared_words),
];

const VERDICTS: [(&str, Script); 4] = [
    ("always true", |item| truths(item, true)),
    ("always false", |item| truths(item, false)),
    ("true when there is no number", |item| truths(item, !item.question.contains(|sign: char| sign.is_numeric()))),
    ("true when the question is long", |item| truths(item, words(&item.question).len() >= 15)),
];

/// All scripts over all items with one key.
pub(crate) fn guesses(items: &[Item]) -> Vec<Guess> {
    let of_kind = |kind: &str| -> Vec<(&Item, usize)> {
        let found = items.iter().filter(|item| item.kind == kind && item.options.len() > 1);
        found.filter_map(|item| Some((item, key(item)?))).collect()
    };
    let (choices, verdicts) = (of_kind("select"), of_kind("true-false"));
    let chosen = CHOICES.iter().map(|(name, script)| guess(name, *script, &choices));
    let judged = VERDICTS.iter().map(|(name, script)| guess(name, *script, &verdicts));
    chosen.chain(judged).collect()
}

fn guess(script: &'static str, choose: Script, items: &[(&Item, usize)]) -> Guess {
    let (mut count, mut right, mut chance, mut variance) = (0, 0.0, 0.0, 0.0);
    for (item, key) in items {
        let chosen = choose(item);
        if chosen.is_empty() {
            continue;
        }
        let fair = 1.0 / item.options.len() as f64;
        count += 1;
        right += if chosen.contains(key) { 1.0 / chosen.len() as f64 } else { 0.0 };
        chance += fair;
        variance += fair * (1.0 - fair);
    }
    let of = f64::from(count.max(1));
    Guess {
        script,
        items: usize::try_from(count).unwrap_or_default(),
        right: right / of,
        chance: chance / of,
        points: 100.0 * (right - chance) / of,
        error: 100.0 * f64::sqrt(variance) / of,
    }
}

/// The options that have the most of something, unless all have the same.
fn most(item: &Item, measure: impl Fn(&String) -> usize) -> Vec<usize> {
    let measured: Vec<usize> = item.options.iter().map(measure).collect();
    let largest = measured.iter().max();
    let found: Vec<usize> = (0..measured.len()).filter(|at| Some(&measured[*at]) == largest).collect();
    if found.len() == measured.len() { Vec::new() } else { found }
}

fn shared_words(item: &Item) -> Vec<usize> {
    let asked: HashSet<String> = words(&item.question).into_iter().collect();
    most(item, |option| words(option).iter().filter(|word| asked.contains(*word)).count())
}

/// The numbers at wanted ranks, counted from the smallest; none where the options are no numbers, or only two.
fn ranked(item: &Item, is_wanted: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let Some(numbers) = numbers(&item.options).filter(|numbers| numbers.len() > 2) else { return Vec::new() };
    let rank = |at: usize| numbers.iter().filter(|other| **other < numbers[at]).count();
    (0..numbers.len()).filter(|at| is_wanted(numbers.len(), rank(*at))).collect()
}

fn truths(item: &Item, truth: bool) -> Vec<usize> {
    (0..item.options.len()).filter(|at| is_truth(item, *at) == truth).take(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: &str, options: &[&str], key: &str) -> Item {
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        Item {
            kind: kind.to_owned(),
            question: "Which?".to_owned(),
            options,
            keys: vec![key.to_owned()],
            ..Item::default()
        }
    }

    #[test]
    fn a_script_that_is_always_right_is_far_above_chance() {
        let items = [item("select", &["a", "bb", "ccc", "dddd"], "dddd"), item("select", &["a", "bb"], "bb")];
        let guesses = guesses(&items);
        let longest = guesses.iter().find(|guess| guess.script == "the longest option").unwrap();
        assert_eq!((longest.items, longest.right, longest.chance), (2, 1.0, 0.375));
        assert!((longest.points - 62.5).abs() < 1e-9);
    }

    #[test]
    fn a_script_without_anything_to_go_by_does_not_guess() {
        let guesses = guesses(&[item("select", &["one", "two"], "two")]);
        let of = |script| guesses.iter().find(|guess| guess.script == script).unwrap().items;
        assert_eq!((of("the longest option"), of("a middle number"), of("the last option")), (0, 0, 1));
    }
}
