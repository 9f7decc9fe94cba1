//! What words mean beside themselves: meanings that several words share, in three languages, meanings that exclude
//! each other, and the words that deny.
//!
//! `concepts.txt` and `opposites.txt` hold general school vocabulary; they make paraphrases and answers in
//! another language comparable and never decide alone.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::words::Reader;

const CONCEPTS: &str = include_str!("concepts.txt");
const OPPOSITES: &str = include_str!("opposites.txt");
/// The columns of `concepts.txt`.
const COLUMNS: [&str; 3] = ["en", "es", "fr"];

struct Lexicon {
    opposites: HashSet<(u16, u16)>,
    /// Of each language, the meanings of a stem.
    meanings: HashMap<&'static str, HashMap<String, Vec<u16>>>,
    denials: HashMap<&'static str, HashSet<&'static str>>,
    /// Of each language, the digits of its words for numbers.
    numbers: HashMap<&'static str, HashMap<&'static str, &'static str>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

/// The meanings of a stem or number.
pub(super) fn meanings(tag: &str, stem: &str) -> &'static [u16] {
    LEXICON.meanings.get(tag).and_then(|words| words.get(stem)).map_or(&[], Vec::as_slice)
}

/// Whether two words exclude each other.
pub(super) fn oppose(one: &[u16], other: &[u16]) -> bool {
    one.iter().any(|left| other.iter().any(|right| LEXICON.opposites.contains(&(*left, *right))))
}

/// Whether a word denies; `word` in lower case.
pub(super) fn negates(tag: &str, word: &str) -> bool {
    LEXICON.denials.get(tag).is_some_and(|words| words.contains(word))
        || tag == "fr" && (word.starts_with("n'") || word.starts_with("n’"))
}

/// The digits of a word for a number, from two on: "one" is an article or a pronoun as often. `word` in lower case.
pub(super) fn number(tag: &str, word: &str) -> Option<&'static str> {
    LEXICON.numbers.get(tag)?.get(word).copied().filter(|digits| !matches!(*digits, "0" | "1"))
}

impl Lexicon {
    fn read() -> Self {
        let mut meanings: HashMap<&'static str, HashMap<String, Vec<u16>>> = HashMap::new();
        let mut named: HashMap<&str, u16> = HashMap::new();
        let lines = CONCEPTS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        for (number, line) in (0_u16..).zip(lines) {
            if let Some(name) = line.split_whitespace().next() {
                named.entry(name).or_insert(number);
            }
            for (tag, words) in COLUMNS.into_iter().zip(line.split(" / ")) {
                let reader = Reader::new(tag);
                let known = meanings.entry(tag).or_default();
                for word in words.split_whitespace() {
                    let of = known.entry(reader.stem_of(word)).or_default();
                    if !of.contains(&number) {
                        of.push(number);
                    }
                }
            }
        }
        let mut opposites = HashSet::new();
        for line in OPPOSITES.lines().filter(|line| !line.starts_with('#')) {
            let mut pair = line.split_whitespace().filter_map(|name| named.get(name).copied());
            if let (Some(one), Some(other)) = (pair.next(), pair.next()) {
                opposites.extend([(one, other), (other, one)]);
            }
        }
        let denials = language::taught()
            .map(|(tag, teaching)| (tag, teaching.answers.negations.split_whitespace().collect()))
            .collect();
        let numbers = language::taught()
            .map(|(tag, teaching)| {
                let words = teaching.answers.numbers.split_whitespace();
                (tag, words.filter_map(|word| word.split_once('=')).collect())
            })
            .collect();
        Self { opposites, meanings, denials, numbers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tag: &str, word: &str) -> &'static [u16] {
        meanings(tag, &Reader::new(tag).stem_of(word))
    }

    fn share(one: &[u16], other: &[u16]) -> bool {
        one.iter().any(|meaning| other.contains(meaning))
    }

    #[test]
    fn words_share_meanings_within_and_across_languages() {
        assert!(share(of("en", "leans"), of("en", "tilted")));
        assert!(share(of("en", "plants"), of("es", "planta")));
        assert!(share(of("es", "plantas"), of("fr", "plante")));
        assert!(!share(of("en", "plant"), of("en", "planet")));
    }

    #[test]
    fn meanings_exclude_each_other_in_every_language() {
        assert!(oppose(of("en", "hot"), of("en", "cold")));
        assert!(oppose(of("fr", "plus"), of("fr", "moins")));
        assert!(!oppose(of("en", "hot"), of("en", "warm")));
    }

    #[test]
    fn every_opposite_names_a_meaning() {
        let heads: HashSet<&str> = CONCEPTS.lines().filter_map(|line| line.split_whitespace().next()).collect();
        for line in OPPOSITES.lines().filter(|line| !line.starts_with('#')) {
            assert!(line.split(' ').all(|name| heads.contains(name)), "{line}");
        }
    }

    #[test]
    fn every_meaning_has_words_in_all_three_languages() {
        for line in CONCEPTS.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split(" / ").collect();
            assert!(columns.len() == 3 && columns.iter().all(|words| !words.trim().is_empty()), "{line}");
        }
    }
}
