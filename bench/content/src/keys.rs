//! The balance of keys: truth values, positions, ranks of numbers and lengths.

use std::collections::BTreeMap;

use language::teaching;
use serde::Serialize;

use crate::items::Item;
use crate::text;

/// How keys are spread.
#[derive(Debug, Default, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Balance {
    /// True-or-false items whose key is true.
    pub(crate) is_true: usize,
    /// True-or-false items whose key is false.
    pub(crate) is_false: usize,
    /// By the number of options: how often the key is the first, the second, …
    pub(crate) positions: BTreeMap<usize, Vec<usize>>,
    /// By the number of options, where all are different numbers: how often the key is the smallest, the second, …
    pub(crate) ranks: BTreeMap<usize, Vec<usize>>,
    pub(crate) longest: Share,
    pub(crate) shortest: Share,
}

/// How often the key is the option that stands out by itself.
#[derive(Debug, Default, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Share {
    /// Choices with one option that stands out.
    pub(crate) items: usize,
    /// Those where it is the key.
    pub(crate) keys: usize,
    /// How many keys chance would make of it.
    pub(crate) expected: f64,
}

/// The balance over items.
pub(crate) fn balance(items: &[Item]) -> Balance {
    let mut balance = Balance::default();
    for item in items {
        match (item.kind.as_str(), key(item)) {
            ("true-false", Some(key)) if is_truth(item, key) => balance.is_true += 1,
            ("true-false", Some(_)) => balance.is_false += 1,
            ("select", Some(key)) => count(&mut balance, &item.options, key),
            _ => {}
        }
    }
    balance
}

fn count(balance: &mut Balance, options: &[String], key: usize) {
    let of = options.len();
    balance.positions.entry(of).or_insert_with(|| vec![0; of])[key] += 1;
    if let Some(numbers) = numbers(options) {
        let rank = numbers.iter().filter(|number| **number < numbers[key]).count();
        balance.ranks.entry(of).or_insert_with(|| vec![0; of])[rank] += 1;
    }
    let lengths: Vec<usize> = options.iter().map(|option| option.chars().count()).collect();
    let extremes = [(&mut balance.longest, lengths.iter().max()), (&mut balance.shortest, lengths.iter().min())];
    for (share, extreme) in extremes {
        let mut standing_out = (0..of).filter(|at| Some(&lengths[*at]) == extreme);
        if let (Some(at), None) = (standing_out.next(), standing_out.next()) {
            share.items += 1;
            share.keys += usize::from(at == key);
            share.expected += 1.0 / of as f64;
        }
    }
}

/// The only key's place among the options; `None` where there are several keys or no options.
pub(crate) fn key(item: &Item) -> Option<usize> {
    let [key] = item.keys.as_slice() else { return None };
    item.options.iter().position(|option| option == key)
}

/// Whether this option of a true-or-false item says "true" in the item's language; else the first option does.
pub(crate) fn is_truth(item: &Item, option: usize) -> bool {
    let drafts = &teaching(&item.language).drafts;
    if item.options[option] == drafts.answer_false {
        false
    } else {
        option == 0 || item.options[option] == drafts.answer_true
    }
}

/// The options as numbers, where all of them are and no two are the same.
pub(crate) fn numbers(options: &[String]) -> Option<Vec<f64>> {
    let numbers: Vec<f64> = options.iter().map(|option| text::number(option)).collect::<Option<_>>()?;
    let is_repeated = |at: usize| numbers[..at].iter().any(|other| (other - numbers[at]).abs() < f64::EPSILON);
    (!(0..numbers.len()).any(is_repeated)).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(options: &[&str], key: &str) -> Item {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        Item { kind: "select".to_owned(), options, keys: vec![key.to_owned()], ..Item::default() }
    }

    #[test]
    fn positions_ranks_and_lengths_are_counted() {
        let balance = balance(&[choice(&["30", "7", "100"], "7"), choice(&["short", "much longer"], "much longer")]);
        assert_eq!(balance.positions, BTreeMap::from([(2, vec![0, 1]), (3, vec![0, 1, 0])]));
        assert_eq!(balance.ranks, BTreeMap::from([(3, vec![1, 0, 0])]));
        assert_eq!((balance.longest.items, balance.longest.keys), (2, 1));
        assert_eq!((balance.shortest.items, balance.shortest.keys), (2, 1));
    }

    #[test]
    fn truth_is_read_in_the_language_of_the_item() {
        let verdict = |key: &str| Item {
            kind: "true-false".to_owned(),
            language: "de".to_owned(),
            ..choice(&["Falsch", "Richtig"], key)
        };
        let balance = balance(&[verdict("Richtig"), verdict("Falsch"), verdict("Falsch")]);
        assert_eq!((balance.is_true, balance.is_false), (1, 2));
    }
}
