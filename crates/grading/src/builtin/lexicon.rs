//! Synonyms in three languages, and words for numbers in all.
//!
//! `concepts.txt` holds general school vocabulary; it makes paraphrases and answers in
//! another language comparable and never decides alone.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::Reader;

const CONCEPTS: &str = include_str!("concepts.txt");
/// The columns of `concepts.txt`.
const COLUMNS: [&str; 3] = ["en", "es", "fr"];

struct Lexicon {
    /// Of each language, the meanings of a stem.
    meanings: HashMap<&'static str, HashMap<String, Vec<u16>>>,
    /// Of each language, the digits of its words for numbers.
    numbers: HashMap<&'static str, HashMap<&'static str, &'static str>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

/// The meanings of a stem or number.
pub(super) fn meanings(tag: &str, stem: &str) -> &'static [u16] {
    LEXICON.meanings.get(tag).and_then(|words| words.get(stem)).map_or(&[], Vec::as_slice)
}

/// The digits of a word for a number, from two on: "one" is an article or a pronoun as often. `word` in lower case.
pub(super) fn number(tag: &str, word: &str) -> Option<&'static str> {
    LEXICON.numbers.get(tag)?.get(word).copied().filter(|digits| !matches!(*digits, "0" | "1"))
}

impl Lexicon {
    fn read() -> Self {
        let mut meanings: HashMap<&'static str, HashMap<String, Vec<u16>>> = HashMap::new();
        let lines = CONCEPTS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        for (number, line) in (0_u16..).zip(lines) {
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
        let numbers = language::taught()
            .map(|(tag, teaching)| {
                let words = teaching.answers.numbers.split_whitespace();
                (tag, words.filter_map(|word| word.split_once('=')).collect())
            })
            .collect();
        Self { meanings, numbers }
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
    fn every_meaning_has_words_in_all_three_languages() {
        for line in CONCEPTS.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split(" / ").collect();
            assert!(columns.len() == 3 && columns.iter().all(|words| !words.trim().is_empty()), "{line}");
        }
    }
}
