//! Makes items of candidates so that neither the place of a key, nor its length, nor the rank of a number, nor one
//! verdict is right more often than another.

use std::collections::HashMap;

use language::normal::{mentions, normal};
use language::script::{is_unspaced, word_count};
use language::segments;

use crate::checks::is_sound;
use crate::drafts::{QuizItem, QuizItemKind};
use crate::phrases::Phrases;

use super::definitions::is_any_article;
use super::{Candidate, Form, Item, pick, score};

/// Most wrong options.
const MAX_WRONG: usize = 3;
/// Fewest words of an option that says something: fewer are a name, and one name may hold another.
const MIN_SAID: usize = 3;
/// Fewest wrong options.
pub(super) const MIN_WRONG: usize = 2;

/// How often keys stood where, so far.
#[derive(Default)]
pub(super) struct Balance {
    /// By the number of options and the key's place among them.
    places: HashMap<(usize, usize), usize>,
    /// By the number of options and how many of them are shorter.
    lengths: HashMap<(usize, usize), usize>,
    /// By the number of options and how many of them are smaller.
    ranks: HashMap<(usize, usize), usize>,
    verdicts: [usize; 2],
    /// Turns around which verdict is right where both were as often.
    turned: bool,
}

impl Balance {
    /// None so far; `turned` turns the first verdict around.
    pub(super) fn starting(turned: bool) -> Self {
        Self { turned, ..Self::default() }
    }

    /// An item of a candidate; none when it does not pass the gate.
    pub(super) fn finish(&mut self, candidate: &Candidate, phrases: &Phrases) -> Option<Item> {
        let kind = candidate.form.kind();
        let mut question = candidate.question.clone();
        let mut explanation = candidate.explanation.clone();
        let (options, keys) = match &candidate.form {
            Form::Given { options, keys, .. } => (self.given(options, keys, &question), keys.clone()),
            Form::Written { keys, .. } => (Vec::new(), keys.clone()),
            Form::Choice { key, wrong } => {
                let (key, wrong) = alike_in_ending(key, wrong);
                let (key, wrong) = alike_in_article(key, wrong);
                (self.choice(&key, &wrong, &question)?, vec![key])
            }
            Form::Number { key, below, above } => (self.number(key, below, above, &question)?, vec![key.clone()]),
            Form::Verdict { holds, fails } => {
                let (statement, right) = self.verdict(holds.as_ref(), fails)?;
                question = candidate.judging(&statement, phrases);
                let key = if right { phrases.answer_true } else { phrases.answer_false };
                explanation = format!("{key}{}{explanation}", phrases.sentence_end);
                (vec![phrases.answer_true.to_owned(), phrases.answer_false.to_owned()], vec![key.to_owned()])
            }
        };
        let item = QuizItem { question, kind, options, correct_answers: keys, explanation, score: score(kind) };
        if !is_sound(&item) {
            return None;
        }
        self.note(&candidate.form, &item, phrases);
        Some(Item { lesson: candidate.lesson, pointer: candidate.pointer.clone(), fact: candidate.fact.clone(), item })
    }

    fn note(&mut self, form: &Form, item: &QuizItem, phrases: &Phrases) {
        let count = item.options.len();
        let [key] = &item.correct_answers[..] else { return };
        let place = item.options.iter().position(|option| option == key).unwrap_or(0);
        match form {
            Form::Number { .. } => *self.ranks.entry((count, place)).or_default() += 1,
            Form::Verdict { .. } => self.verdicts[usize::from(key == phrases.answer_true)] += 1,
            Form::Given { kind: QuizItemKind::TrueFalse, .. } => {
                self.verdicts[usize::from(key == phrases.answer_true)] += 1;
            }
            Form::Choice { .. } | Form::Given { kind: QuizItemKind::Select, .. } => {
                let shorter = item.options.iter().filter(|option| length(option) < length(key)).count();
                *self.places.entry((count, place)).or_default() += 1;
                *self.lengths.entry((count, shorter)).or_default() += 1;
            }
            Form::Given { .. } | Form::Written { .. } => {}
        }
    }

    /// The source's own options, with the key where it stood least often: authors have favourite places. Numbers in order and
    /// options that speak of others keep theirs.
    fn given(&self, options: &[String], keys: &[String], seed: &str) -> Vec<String> {
        let [key] = keys else { return options.to_vec() };
        if options.len() <= MIN_WRONG
            || is_in_order(options)
            || options.iter().any(|option| speaks_of_others(option, options.len()))
        {
            return options.to_vec();
        }
        let mut moved: Vec<String> = options.iter().filter(|option| *option != key).cloned().collect();
        let place = by_use(&self.places, options.len(), seed).next().unwrap_or(0).min(moved.len());
        moved.insert(place, key.clone());
        moved
    }

    /// The key among wrong options that differ to a reader: of two of which one says all that the other says, the second is left out.
    fn choice(&self, key: &str, wrong: &[String], seed: &str) -> Option<Vec<String>> {
        let mut seen = vec![normal(key)];
        let mut distinct: Vec<&String> = Vec::new();
        for option in wrong {
            let form = normal(option);
            let holds = |all: &str, part: &str| word_count(part) >= MIN_SAID && mentions(all, part);
            let is_said = || seen.iter().any(|other| *other == form || holds(other, &form) || holds(&form, other));
            let alike = alike_in_length(key, option) && !(is_abbreviation(key) && is_written_out(option));
            if !form.is_empty() && !is_said() && alike {
                seen.push(form);
                distinct.push(option);
            }
        }
        if distinct.len() < MIN_WRONG {
            return None;
        }
        let count = distinct.len().min(MAX_WRONG);
        let (shorter, others): (Vec<&String>, Vec<&String>) =
            distinct.iter().copied().partition(|option| length(option) < length(key));
        let chosen = by_use(&self.lengths, count + 1, seed)
            .find(|rank| *rank <= shorter.len() && count - rank <= others.len())
            .map(|rank| shorter[..rank].iter().chain(&others[..count - rank]).copied().collect::<Vec<_>>());
        let mut options: Vec<String> =
            chosen.unwrap_or_else(|| distinct[..count].to_vec()).into_iter().cloned().collect();
        if open_alike(&options, key) {
            return None;
        }
        options.sort_by_key(|option| language::normal::stable_hash(&format!("{seed} {option}")));
        let place = by_use(&self.places, count + 1, seed).next().unwrap_or(0);
        options.insert(place, key.to_owned());
        Some(options)
    }

    /// Numbers in order, with the key at a rank that was used least.
    fn number(&self, key: &str, below: &[String], above: &[String], seed: &str) -> Option<Vec<String>> {
        let count = (below.len() + above.len()).min(MAX_WRONG);
        // The key would be the middle one of three numbers most of the time.
        if count < MAX_WRONG {
            return None;
        }
        let rank =
            by_use(&self.ranks, count + 1, seed).find(|rank| *rank <= below.len() && count - rank <= above.len())?;
        let mut options: Vec<String> = below[..rank].iter().rev().cloned().collect();
        options.push(key.to_owned());
        options.extend(above[..count - rank].iter().cloned());
        Some(options)
    }

    /// The statement to judge: a true one and a false one by turns, as far as there are both.
    fn verdict(&self, holds: Option<&String>, fails: &[String]) -> Option<(String, bool)> {
        let seed = holds.or(fails.first())?;
        let [wrong, right] = self.verdicts;
        let prefers_true = if right == wrong { (pick(seed, 2) == 0) != self.turned } else { right < wrong };
        let fallen = || fails.get(pick(seed, fails.len())).map(|statement| (statement.clone(), false));
        let held = || holds.map(|statement| (statement.clone(), true));
        if prefers_true { held().or_else(fallen) } else { fallen().or_else(held) }
    }

    /// How often each verdict was right: false, true.
    pub(super) fn verdicts(&self) -> [usize; 2] {
        self.verdicts
    }
}

/// The numbers 0..count, those that were used least first; among equals the seed decides.
fn by_use(used: &HashMap<(usize, usize), usize>, count: usize, seed: &str) -> impl Iterator<Item = usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|at| {
        (used.get(&(count, *at)).copied().unwrap_or(0), language::normal::stable_hash(&format!("{at} {seed}")))
    });
    order.into_iter()
}

/// Numbers that grow or shrink from one option to the next.
fn is_in_order(options: &[String]) -> bool {
    let first = |option: &String| {
        option.split(|sign: char| !sign.is_ascii_digit() && sign != '.').find_map(|run| run.parse().ok())
    };
    let Some(numbers) = options.iter().map(first).collect::<Option<Vec<f64>>>() else { return false };
    numbers.is_sorted_by(|one, next| one < next) || numbers.is_sorted_by(|one, next| one > next)
}

/// "All of the above", "A and C".
fn speaks_of_others(option: &str, count: usize) -> bool {
    let lettered = option.split_whitespace().any(|word| match word.trim_matches(['.', ',', '(', ')']).as_bytes() {
        [letter @ b'A'..=b'Z'] => usize::from(letter - b'A') < count,
        _ => false,
    });
    let form = normal(option);
    let gathers =
        |words: &str| if words.starts_with(is_unspaced) { form.contains(words) } else { mentions(&form, words) };
    lettered || language::cues(|cues| cues.of_all_options).any(gathers)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Removes the articles from all options of a word list where each has one and no other option shares the key's: "die" would tell "die
/// Heizung" from "ein Schrank". A capital begins a title or a sentence.
fn alike_in_article(key: String, wrong: Vec<String>) -> (String, Vec<String>) {
    let parted = |option: &str| {
        // "o empregado / a empregada" has two.
        let (article, rest) = option.split_once(' ').filter(|(_, rest)| !rest.contains('/'))?;
        is_any_article(article).then(|| (article.to_owned(), rest.to_owned()))
    };
    let others: Option<Vec<(String, String)>> = wrong.iter().map(|option| parted(option)).collect();
    match (parted(&key), others) {
        (Some((own, bare)), Some(others)) if others.iter().all(|(article, _)| *article != own) => {
            (bare, others.into_iter().map(|(_, rest)| rest).collect())
        }
        _ => (key, wrong),
    }
}

/// The options of a choice without question marks, where not all of them have one: it would tell the key.
fn alike_in_ending(key: &str, wrong: &[String]) -> (String, Vec<String>) {
    const MARKS: [char; 3] = ['?', '？', '؟'];
    let options = || std::iter::once(key).chain(wrong.iter().map(String::as_str));
    let marked = options().filter(|option| option.ends_with(MARKS)).count();
    let bare = |option: &str| option.trim_start_matches('¿').trim_end_matches(MARKS).trim_end().to_owned();
    // "?" alone is a sign that is asked for.
    if marked == 0 || marked > wrong.len() || options().any(|option| bare(option).is_empty()) {
        return (key.to_owned(), wrong.to_vec());
    }
    (bare(key), wrong.iter().map(|option| bare(option)).collect())
}

/// Whether all wrong options begin with one word that says something, and the key does not: it would stand out.
fn open_alike(wrong: &[String], key: &str) -> bool {
    let opening = |option: &str| segments::words(option).first().map(|(_, word)| word.to_lowercase());
    let says_something = |word: &String| word.chars().nth(1).is_some() && !is_any_article(word);
    let mut openings = wrong.iter().map(|option| opening(option));
    let Some(first) = openings.next().flatten().filter(says_something) else { return false };
    openings.all(|other| other.as_ref() == Some(&first)) && opening(key) != Some(first)
}

/// "CPU": among words it would tell itself.
pub(super) fn is_abbreviation(option: &str) -> bool {
    option.chars().nth(1).is_some() && option.chars().all(char::is_uppercase)
}

/// Small letters in a row make a word: "Trade", and not "NaCl" or "mA".
fn is_written_out(option: &str) -> bool {
    option.split(|sign: char| !sign.is_lowercase()).any(|run| run.chars().nth(2).is_some())
}

/// A wrong option that is much longer or shorter than the key would tell it.
pub(super) fn alike_in_length(key: &str, option: &str) -> bool {
    let (key, option) = (length(key), length(option));
    let (longer, shorter) = (key.max(option), key.min(option));
    longer <= 12 || longer * 2 <= shorter * 5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn options_are_distinct_and_the_right_one_is_there() {
        let balance = Balance::default();
        let options = balance.choice("Mars", &texts(&["Mars ", "mars", "Venus", "Earth", "Venus."]), "seed").unwrap();
        assert_eq!(options.len(), 3);
        assert!(options.contains(&"Mars".to_owned()));
        assert_eq!(balance.choice("Mars", &texts(&["MARS", "Venus"]), "seed"), None);
        let said = ["it raises the rate", "it raises the rate at first", "it closes the pores"];
        let options = balance.choice("it melts the enzymes", &texts(&said), "seed").unwrap();
        assert!(options.len() == 3 && !options.contains(&said[1].to_owned()), "{options:?}");
    }

    #[test]
    fn places_lengths_ranks_and_verdicts_are_used_evenly() {
        let mut balance = Balance::default();
        let (mut places, mut ranks, mut shorter) = ([0; 4], [0; 4], [0; 4]);
        for at in 0..40 {
            let key = format!("{}{}", "k".repeat(20), at % 10);
            let wrong: Vec<String> = (0..6).map(|other| "w".repeat(18 + other)).collect();
            let options = balance.choice(&key, &wrong, &key).unwrap();
            let place = options.iter().position(|option| *option == key).unwrap();
            places[place] += 1;
            let rank = options.iter().filter(|option| length(option) < length(&key)).count();
            shorter[rank] += 1;
            *balance.places.entry((4, place)).or_default() += 1;
            *balance.lengths.entry((4, rank)).or_default() += 1;
            let numbers = balance.number("5", &texts(&["4", "3", "2"]), &texts(&["6", "7", "8"]), &key).unwrap();
            let rank = numbers.iter().position(|number| number == "5").unwrap();
            ranks[rank] += 1;
            *balance.ranks.entry((4, rank)).or_default() += 1;
            let right = balance.verdict(Some(&"a".to_owned()), &texts(&["b"])).unwrap().1;
            balance.verdicts[usize::from(right)] += 1;
        }
        assert_eq!((places, ranks, shorter), ([10; 4], [10; 4], [10; 4]));
        assert_eq!(balance.verdicts, [20, 20]);
    }

    #[test]
    fn a_key_of_the_source_moves_unless_its_options_have_an_order_or_speak_of_each_other() {
        let mut balance = Balance::default();
        let given = texts(&["Rome", "Paris", "Oslo"]);
        let mut places = [0; 3];
        for seed in 0..30 {
            let options = balance.given(&given, &texts(&["Paris"]), &seed.to_string());
            let place = options.iter().position(|option| option == "Paris").unwrap();
            let others: Vec<&String> = options.iter().filter(|option| *option != "Paris").collect();
            assert_eq!(others, ["Rome", "Oslo"]);
            places[place] += 1;
            *balance.places.entry((3, place)).or_default() += 1;
        }
        assert_eq!(places, [10; 3]);
        for kept in [["1 m", "2 m", "3 m"], ["Rome", "Paris", "All of the above"], ["Rome", "Paris", "A and B"]] {
            assert_eq!(balance.given(&texts(&kept), &texts(&[kept[1]]), "seed"), kept);
        }
        assert_eq!(balance.given(&given, &texts(&["Rome", "Oslo"]), "seed"), given, "several keys");
    }

    #[test]
    fn numbers_stand_in_order() {
        let balance = Balance::default();
        for seed in ["a", "b", "c", "d", "e"] {
            let options = balance.number("5", &texts(&["4", "3"]), &texts(&["6", "7"]), seed).unwrap();
            assert!(options.is_sorted() && options.len() == 4, "{options:?}");
        }
        assert_eq!(balance.number("5", &[], &texts(&["6"]), "a"), None);
    }

    #[test]
    fn a_key_is_not_the_only_option_that_begins_in_another_way() {
        let wrong = texts(&["การมัดเส้นด้าย", "การมัดผ้าที่ทอเสร็จแล้ว", "การพิมพ์เทียนร้อน"]);
        assert!(open_alike(&wrong, "ตะกอนสีน้ำเงินข้น") && !open_alike(&wrong, "การย้อมผ้า"));
        assert!(open_alike(&texts(&["cycle path", "cycle lane"]), "junction"));
        assert!(
            !open_alike(&texts(&["the stem", "the root"]), "a leaf") && !open_alike(&texts(&["stem", "root"]), "leaf")
        );
    }

    #[test]
    fn an_option_of_another_length_is_none() {
        assert!(!alike_in_length("a term of some words", "a"));
        assert!(alike_in_length("He", "Lithium"));
    }
}
