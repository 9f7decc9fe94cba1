//! A text as words that can be compared: stems, meanings, numbers, and how much each word tells.

use std::collections::HashMap;

use frostem::{Algorithm, Stemmer};
use language::profile::{self, Profile};
use language::script::{is_han, is_hiragana, is_kana, is_unspaced};
use unicode_segmentation::UnicodeSegmentation;

use super::ideas;
use super::lexicon;

/// Longest word that is looked at, in characters; what is longer is cut.
const MAX_WORD: usize = 40;
/// What a word tells: little words, common words, numbers. Other words tell more the longer they are,
/// which stands in for a table of how frequent they are.
const LITTLE: f64 = 0.12;
const COMMON: f64 = 0.55;
const NUMBER: f64 = 1.3;
/// Above it a word counts as content.
const CONTENT: f64 = 0.3;

/// A word with what makes it comparable.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// Where it stands, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) lower: String,
    /// Its stem, or a number in one form: what is equal means the same.
    pub(super) key: String,
    /// The meanings of the lexicon that it may have.
    pub(super) meanings: &'static [u16],
    pub(super) weight: f64,
    pub(super) number: bool,
    pub(super) negation: bool,
}

impl Word {
    /// Whether it says something by itself.
    pub(super) fn is_content(&self) -> bool {
        self.weight > CONTENT
    }
}

/// The language that texts are read in.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    pub(super) profile: &'static Profile,
    stemmer: Option<Algorithm>,
}

impl Reader {
    /// For a BCP 47 tag; an unknown language is read without stems and little words.
    pub(super) fn new(tag: &str) -> Self {
        let profile = profile::of(tag);
        let stemmer = match profile.tag {
            "en" => Some(Algorithm::English),
            "de" => Some(Algorithm::German),
            "es" => Some(Algorithm::Spanish),
            "fr" => Some(Algorithm::French),
            "pt" => Some(Algorithm::Portuguese),
            "it" => Some(Algorithm::Italian),
            "nl" => Some(Algorithm::Dutch),
            "pl" => Some(Algorithm::Polish),
            "ru" => Some(Algorithm::Russian),
            "uk" => Some(Algorithm::Ukrainian),
            "tr" => Some(Algorithm::Turkish),
            "ar" => Some(Algorithm::Arabic),
            "hi" => Some(Algorithm::Hindi),
            _ => None,
        };
        Self { profile, stemmer }
    }

    pub(super) fn tag(&self) -> &'static str {
        self.profile.tag
    }

    /// The words of a text in their order.
    pub(super) fn words(&self, text: &str) -> Vec<Word> {
        self.words_by(text, |start, part| self.word(start, part))
    }

    /// The same for one of many texts: a word that is known from another isn't taken apart again.
    pub(super) fn words_beside(&self, text: &str, known: &mut HashMap<String, Word>) -> Vec<Word> {
        self.words_by(text, |start, part| {
            if let Some(word) = known.get(part) {
                return Word { start, end: start + part.len(), ..word.clone() };
            }
            let word = self.word(start, part);
            known.insert(part.to_owned(), word.clone());
            word
        })
    }

    fn words_by(&self, text: &str, mut word: impl FnMut(usize, &str) -> Word) -> Vec<Word> {
        let mut words = Vec::with_capacity(text.len() / 6);
        for (start, part) in text.unicode_word_indices() {
            if part.starts_with(is_unspaced) {
                self.push_unspaced(&mut words, start, part);
            } else {
                words.push(word(start, part));
            }
        }
        pair_unspaced(&mut words);
        words
    }

    fn word(&self, start: usize, part: &str) -> Word {
        let lower: String = part
            .chars()
            .take(MAX_WORD)
            .flat_map(char::to_lowercase)
            .map(|character| if character == '’' { '\'' } else { character })
            .collect();
        let end = start + part.len();
        if let Some(key) = number(&lower) {
            let meanings = lexicon::meanings(self.tag(), &key);
            return Word { start, end, lower, key, meanings, weight: NUMBER, number: true, negation: false };
        }
        let negation = lexicon::negates(self.tag(), &lower);
        let bare = without_clitic(&lower, self.tag());
        let key = self.stem(bare);
        let meanings = lexicon::meanings(self.tag(), &key);
        let linking = ideas::links(self.tag(), &lower, false);
        let weight = if negation || linking || self.profile.is_stop(&lower) || self.profile.is_stop(bare) {
            LITTLE
        } else if self.profile.is_topicless(bare) {
            COMMON
        } else {
            0.75 + 0.045 * bare.chars().count().min(12) as f64
        };
        Word { start, end, lower, key, meanings, weight, number: false, negation }
    }

    /// A word's stem; `word` in lower case.
    pub(super) fn stem(&self, word: &str) -> String {
        self.stemmer.map_or_else(|| word.to_owned(), |algorithm| Stemmer::new(algorithm).stem(word).into_owned())
    }

    fn push_unspaced(&self, words: &mut Vec<Word>, start: usize, part: &str) {
        let mut at = start;
        for character in part.chars() {
            let end = at + character.len_utf8();
            let key = character.to_string();
            let negation = lexicon::negates(self.tag(), &key);
            let weight = if is_hiragana(character) || negation { LITTLE } else { 0.8 };
            words.push(Word {
                start: at,
                end,
                lower: key.clone(),
                key,
                meanings: &[],
                weight,
                number: false,
                negation,
            });
            at = end;
        }
    }
}

/// Ideographs and kana say something in twos: each becomes a pair with its neighbour.
fn pair_unspaced(words: &mut [Word]) {
    for at in 0..words.len() {
        let joins = |word: &Word| word.lower.starts_with(|first: char| is_han(first) || is_kana(first));
        if !joins(&words[at]) || words[at].lower.chars().nth(1).is_some() {
            continue;
        }
        let next = words.get(at + 1).filter(|next| joins(next) && next.start == words[at].end);
        if let Some(next) = next.map(|next| next.lower.clone()) {
            words[at].key.push_str(&next);
        }
    }
}

/// One form for a number: no thousands marks, a decimal point, no zeros that say nothing.
fn number(word: &str) -> Option<String> {
    if !word.starts_with(|first: char| first.is_ascii_digit()) || word.contains(char::is_alphabetic) {
        return None;
    }
    let marks = word.matches(['.', ',']).count();
    let Some(last) = word.rfind(['.', ',']) else { return Some(word.to_owned()) };
    let thousands = marks > 1 || word.len() - last == 4 && word.as_bytes()[last] == b',' && last <= 3;
    let plain: String = match thousands {
        true => word.chars().filter(char::is_ascii_digit).collect(),
        false => word.replace(',', "."),
    };
    Some(trimmed(&plain))
}

fn trimmed(number: &str) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').to_owned() } else { number.to_owned() }
}

/// The word without an article or pronoun that is written onto it.
fn without_clitic<'w>(word: &'w str, tag: &str) -> &'w str {
    if let Some((head, tail)) = word.split_once('\'') {
        let elided = matches!(tag, "fr" | "it" | "ca") && head.chars().count() <= 5 && !tail.is_empty();
        return if elided { tail } else { head };
    }
    if tag == "ar" {
        let bare = ["وال", "بال", "كال", "ال", "لل"].iter().find_map(|article| word.strip_prefix(article));
        return bare.filter(|bare| bare.chars().nth(1).is_some()).unwrap_or(word);
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(tag: &str, text: &str) -> Vec<String> {
        Reader::new(tag).words(text).into_iter().map(|word| word.key).collect()
    }

    #[test]
    fn numbers_have_one_form_in_every_language() {
        assert_eq!(keys("en", "23.50 1,000 7"), ["23.5", "1000", "7"]);
        assert_eq!(keys("de", "23,5"), ["23.5"]);
    }

    #[test]
    fn words_known_from_other_texts_are_the_same_words() {
        let (reader, mut known) = (Reader::new("en"), HashMap::new());
        for text in ["The lamps are not on, 1,000 lamps.", "are lamps on?", "光合作用 lamps"] {
            let (alone, beside) = (reader.words(text), reader.words_beside(text, &mut known));
            assert_eq!(format!("{alone:?}"), format!("{beside:?}"));
        }
    }

    #[test]
    fn words_are_compared_by_their_stems() {
        assert_eq!(keys("en", "tilted tilts")[0], keys("en", "tilt")[0]);
        assert_eq!(keys("fr", "l'axe")[0], keys("fr", "axes")[0]);
        assert_eq!(keys("zh", "光合作用")[0], "光合");
    }
}
