//! Words that can be compared: stems, numbers in one form, meanings, and how much each word tells.

use frostem::{Algorithm, Stemmer};
use language::normal::stable_hash;
use language::profile::{self, Profile};
use language::script::{is_hiragana, is_unspaced};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use super::lexicon;
use super::senses::{self, Sense};

/// Longest word that is looked at, in characters; what is longer is cut.
const MAX_WORD: usize = 40;
/// What a word tells: little words, numbers, pairs of characters. Other words tell more the longer they are, which stands in
/// for a table of how frequent they are.
const LITTLE: f64 = 0.12;
const NUMBER: f64 = 1.3;
const CHARACTERS: f64 = 0.8;
/// Above it a word counts as content.
const CONTENT: f64 = 0.3;

/// A word with what makes it comparable.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// Where it stands, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Without case, accents, and what is written onto it: the form that spelling is compared by.
    pub(super) folded: String,
    /// Words of one stem, and numbers of one value, have the same.
    pub(super) id: u64,
    /// The meanings of the lexicon that it may have.
    pub(super) meanings: &'static [u16],
    /// How much it tells, from 0.12 to 1.3.
    pub(super) weight: f64,
    pub(super) is_number: bool,
    /// What it says of other words.
    pub(super) sense: Option<Sense>,
}

impl Word {
    /// Whether it says something by itself.
    pub(super) fn is_content(&self) -> bool {
        self.weight > CONTENT
    }

    /// Whether it says that something is not so.
    pub(super) fn denies(&self) -> bool {
        self.sense == Some(Sense::Denial)
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

    /// The first words of a text in their order, at most so many.
    pub(super) fn words(&self, text: &str, most: usize) -> Vec<Word> {
        let mut words = Vec::with_capacity((text.len() / 6).min(most));
        for (start, part) in text.unicode_word_indices() {
            if words.len() >= most {
                break;
            }
            if part.contains(is_unspaced) {
                self.push_unspaced(&mut words, start, part);
            } else {
                let (number, unit) = part.split_at(digits_before_letters(part));
                words.extend((!number.is_empty()).then(|| self.word(start, number)));
                words.push(self.word(start + number.len(), unit));
            }
        }
        words.truncate(most);
        senses::mark_unspaced(self.tag(), text, &mut words);
        pair_unspaced(&mut words);
        words
    }

    fn word(&self, start: usize, part: &str) -> Word {
        let lower: String = part
            .chars()
            .take(MAX_WORD)
            .flat_map(char::to_lowercase)
            .map(|sign| if sign == '’' { '\'' } else { sign })
            .collect();
        let end = start + part.len();
        if let Some(value) = number(&lower).or_else(|| lexicon::number(self.tag(), &lower).map(str::to_owned)) {
            let (id, meanings) = (stable_hash(&value), lexicon::meanings(self.tag(), &value));
            return Word { start, end, folded: value, id, meanings, weight: NUMBER, is_number: true, sense: None };
        }
        let bare = without_clitic(&lower, self.tag());
        let folded = fold(bare, self.tag());
        let stem = self.stem(&folded);
        let is_little = |word: &str| self.profile.is_stop(word);
        let sense = match senses::of(self.tag(), &folded) {
            None if self.tag() == "fr" && lower.starts_with("n'") => Some(Sense::Denial),
            sense => sense,
        };
        let weight = if sense == Some(Sense::Denial) || is_little(&lower) || is_little(bare) {
            LITTLE
        } else {
            0.75 + 0.045 * folded.chars().count().min(12) as f64
        };
        let (id, meanings) = (stable_hash(&stem), lexicon::meanings(self.tag(), &stem));
        Word { start, end, folded, id, meanings, weight, is_number: false, sense }
    }

    /// The stem of a word as it is written.
    pub(super) fn stem_of(&self, word: &str) -> String {
        self.stem(&fold(&word.to_lowercase(), self.tag()))
    }

    fn stem(&self, folded: &str) -> String {
        self.stemmer.map_or_else(|| folded.to_owned(), |algorithm| Stemmer::new(algorithm).stem(folded).into_owned())
    }

    fn push_unspaced(&self, words: &mut Vec<Word>, start: usize, part: &str) {
        for (offset, character) in part.char_indices() {
            let folded = character.to_string();
            words.push(Word {
                start: start + offset,
                end: start + offset + character.len_utf8(),
                id: stable_hash(&folded),
                weight: if is_hiragana(character) { LITTLE } else { CHARACTERS },
                folded,
                meanings: &[],
                is_number: false,
                sense: None,
            });
        }
    }
}

/// Writing without spaces is read in pairs: each character says something with its neighbour.
fn pair_unspaced(words: &mut [Word]) {
    let is_single = |word: &Word| word.folded.starts_with(is_unspaced) && word.folded.chars().nth(1).is_none();
    for at in 0..words.len() {
        let [word, next, ..] = &mut words[at..] else { return };
        if is_single(word) && is_single(next) && word.end == next.start {
            word.folded.push_str(&next.folded);
            word.id = stable_hash(&word.folded);
            // "ない" is as little as each of its signs; a sign that says something does so with any neighbour.
            word.weight = if word.denies() { LITTLE } else { word.weight.max(next.weight) };
        }
    }
}

/// A lower-cased word without accents, ligatures and other variants of letters; German umlauts as the two letters that
/// keyboards without them write.
pub(super) fn fold(word: &str, tag: &str) -> String {
    // Signs that combine are letters of their own there.
    if matches!(tag, "hi" | "th") {
        return word.nfkc().collect();
    }
    let mut plain = String::with_capacity(word.len());
    for letter in word.nfkc() {
        match letter {
            'ä' if tag == "de" => plain.push_str("ae"),
            'ö' if tag == "de" => plain.push_str("oe"),
            'ü' if tag == "de" => plain.push_str("ue"),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'ı' => plain.push('i'),
            letter => plain.push(letter),
        }
    }
    if plain.is_ascii() { plain } else { plain.nfd().filter(|sign| !is_combining_mark(*sign)).nfc().collect() }
}

/// How many bytes of a word are a number that a unit is written onto, as in "5km".
fn digits_before_letters(word: &str) -> usize {
    let end = word.find(|sign: char| !sign.is_ascii_digit() && !matches!(sign, '.' | ',')).unwrap_or(0);
    if word[end..].chars().all(char::is_alphabetic) { end } else { 0 }
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
    let trimmed = if plain.contains('.') { plain.trim_end_matches('0').trim_end_matches('.') } else { &plain };
    Some(trimmed.to_owned())
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

    fn ids(tag: &str, text: &str) -> Vec<u64> {
        Reader::new(tag).words(text, 100).into_iter().map(|word| word.id).collect()
    }

    #[test]
    fn numbers_have_one_form_in_every_language() {
        let folded = |tag: &str, text: &str| {
            Reader::new(tag).words(text, 100).into_iter().map(|word| word.folded).collect::<Vec<_>>()
        };
        assert_eq!(folded("en", "23.50 1,000 7"), ["23.5", "1000", "7"]);
        assert_eq!(folded("de", "23,5 zwölf"), ["23.5", "12"]);
        assert_eq!(folded("en", "one seven"), ["one", "7"]);
    }

    #[test]
    fn words_are_compared_by_their_stems_and_without_accents() {
        for (tag, one, other) in [
            ("en", "tilted", "tilts"),
            ("fr", "l'axe", "axes"),
            ("fr", "énergie", "energie"),
            ("de", "Wärme", "Waerme"),
            ("de", "Straße", "Strasse"),
            ("es", "rápida", "rapido"),
            ("uk", "Київ", "київ"),
        ] {
            assert_eq!(ids(tag, one), ids(tag, other), "{one} {other}");
        }
        assert_ne!(ids("en", "plant"), ids("en", "planet"));
    }

    #[test]
    fn writing_without_spaces_is_read_in_pairs() {
        let words = Reader::new("zh").words("光合作用", 100);
        assert_eq!(words.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>(), ["光合", "合作", "作用", "用"]);
        assert!(Reader::new("zh").words("不是", 100)[0].denies());
    }
}
