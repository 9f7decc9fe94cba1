//! Sentences that give something its name: "Flattened sacs called thylakoids are stacked into grana."
//!
//! As with definitions, a name is found and never made. What can't be told apart from the words around it is no name.

use std::ops::Range;

use language::normal::positions;
use language::profile::Profile;
use language::script::{is_hiragana, is_unspaced, word_count};
use unicode_segmentation::UnicodeSegmentation;

/// Most words of a name, and most characters of one in a script without spaces.
const MOST_WORDS: usize = 3;
const MOST_CHARACTERS: usize = 8;
/// Fewest characters of a name.
const FEWEST_CHARACTERS: usize = 2;
/// Fewest words in front of a name: they say what is named.
const FEWEST_BEFORE: usize = 4;

/// A name in its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Naming {
    /// Where the name stands, in bytes.
    pub(crate) name: Range<usize>,
    /// The article in front of it, in lower case; empty where there is none.
    pub(crate) article: String,
}

/// Finds the name that a sentence gives. None where it gives several, or names the thing beside another name of it ("also called").
pub(crate) fn find(sentence: &str, profile: &Profile) -> Option<Naming> {
    let namings = language::find_teaching(profile.tag).map_or("", |teaching| teaching.cues.namings);
    let mut found =
        namings.split('|').filter(|naming| !naming.is_empty()).flat_map(|naming| match naming.split_once('…') {
            Some(around) => framed(sentence, around, profile),
            None => behind(sentence, naming, profile),
        });
    let naming = found.next()?;
    // Two ways to say it ("을 …이라고", "을 …라고") may find the same name.
    if found.any(|other| other.name.start != naming.name.start) {
        return None;
    }
    let before = word_count(&sentence[..naming.name.start]);
    let letters = sentence[naming.name.clone()].chars().count();
    (before >= FEWEST_BEFORE && letters >= FEWEST_CHARACTERS).then_some(naming)
}

/// The names behind some words.
fn behind(sentence: &str, words: &str, profile: &Profile) -> Vec<Naming> {
    let ends = positions(sentence, words).filter(|at| !names_again(&sentence[..*at])).map(|at| at + words.len());
    ends.filter_map(|end| match sentence[end..].trim_start().starts_with(is_unspaced) {
        true => unspaced(sentence, end),
        false => spaced(sentence, end, profile),
    })
    .collect()
}

/// The names between two words. The word behind tells the sound that a name ends with in some languages, so it is kept as the
/// article of others.
fn framed(sentence: &str, (front, back): (&str, &str), profile: &Profile) -> Vec<Naming> {
    let ends = sentence.match_indices(back).map(|(at, _)| at);
    ends.filter_map(|end| {
        let start = sentence[..end].rfind(front)? + front.len();
        let name = sentence[start..end].trim_matches([' ', '"', '“', '„', '”', '「', '」', '『', '』']);
        let start = start + sentence[start..end].find(name)?;
        let is_part = |word: &str| is_part(word, profile);
        let is_name = match name.contains(is_unspaced) {
            true => name.chars().all(|sign| sign.is_alphanumeric() && !is_hiragana(sign)) && fits_unspaced(name),
            false => name.split(' ').all(is_part) && name.split(' ').count() <= MOST_WORDS,
        };
        is_name.then(|| Naming { name: start..start + name.len(), article: back.trim().to_owned() })
    })
    .collect()
}

/// ", also called": one word between a comma and what introduces the name.
fn names_again(before: &str) -> bool {
    let clause = before.rsplit([',', '(', '，', '（', '،']).next().unwrap_or_default();
    clause.len() < before.len() && clause.split_whitespace().count() == 1
}

fn spaced(sentence: &str, from: usize, profile: &Profile) -> Option<Naming> {
    let mut words = sentence[from..].unicode_word_indices().map(|(at, word)| (from + at, word)).peekable();
    let joined = |gap: &str| gap.chars().all(|sign| sign == ' ' || sign == '-');
    let opened = |gap: &str| gap.chars().all(|sign| sign.is_whitespace() || "\"'“„«‘".contains(sign));
    let (mut start, mut first) = words.next()?;
    if !opened(&sentence[from..start]) {
        return None;
    }
    let mut article = String::new();
    if profile.is_article(&first.to_lowercase()) {
        article = first.to_lowercase();
        let behind = start + first.len();
        (start, first) = words.next()?;
        if !opened(&sentence[behind..start]) {
            return None;
        }
    }
    let is_part = |word: &str| is_part(word, profile);
    if !is_part(first) {
        return None;
    }
    let (mut end, mut count) = (start + first.len(), 1);
    while let Some((at, word)) = words.peek().copied()
        && joined(&sentence[end..at])
        && is_part(word)
    {
        (end, count) = (at + word.len(), count + 1);
        words.next();
    }
    // A name ends with its clause; a single word ends in front of a little one, too.
    let closed = !sentence[end..].starts_with([' ', '-']);
    let ends = closed || count == 1 && words.peek().is_some_and(|(at, _)| joined(&sentence[end..*at]));
    (ends && count <= MOST_WORDS).then_some(Naming { name: start..end, article })
}

/// A word that a name may hold.
fn is_part(word: &str, profile: &Profile) -> bool {
    let lower = word.to_lowercase();
    !word.is_empty()
        && word.chars().all(|letter| is_letter(letter) || "'’-".contains(letter))
        && !profile.is_stop(&lower)
        && !profile.is_anaphoric(&lower)
}

/// Letters, and the marks that vowels are in some scripts.
fn is_letter(sign: char) -> bool {
    sign.is_alphabetic() || !sign.is_ascii() && !sign.is_whitespace() && !sign.is_numeric() && sign.len_utf8() == 3
}

fn fits_unspaced(name: &str) -> bool {
    name.chars().count() <= MOST_CHARACTERS
}

/// A name reaches to the end of its clause.
fn unspaced(sentence: &str, from: usize) -> Option<Naming> {
    let start = from + sentence[from..].find(|sign: char| !"「『“《 ".contains(sign))?;
    let rest = &sentence[start..];
    let end = start + rest.find(|sign: char| !sign.is_alphanumeric())?;
    fits_unspaced(&sentence[start..end]).then(|| Naming { name: start..end, article: String::new() })
}

#[cfg(test)]
mod tests {
    use language::profile;

    use super::*;

    fn name(language: &str, sentence: &str) -> Option<String> {
        find(sentence, profile::of(language)).map(|naming| sentence[naming.name].to_owned())
    }

    #[test]
    fn a_name_stands_behind_what_gives_it() {
        for (language, sentence, expected) in [
            ("en", "Inside a chloroplast, flattened sacs called thylakoids are stacked into grana.", "thylakoids"),
            ("en", "The DNA lies in a region of the cytoplasm called the nucleoid.", "nucleoid"),
            ("en", "The sudden loss of water is known as thermal shock.", "thermal shock"),
            ("de", "Die Lehre von den Lauten einer Sprache heißt Phonetik.", "Phonetik"),
            ("es", "La capa externa de la Tierra se llama corteza.", "corteza"),
            ("fr", "La couche externe de la Terre s'appelle la croûte.", "croûte"),
            ("it", "Lo strato esterno della Terra si chiama crosta.", "crosta"),
            ("pt", "A camada externa da Terra chama-se crosta.", "crosta"),
            ("nl", "De buitenste laag van de aarde heet aardkorst.", "aardkorst"),
            ("de", "Stoffe mit beiden Eigenschaften werden Ampholyte genannt.", "Ampholyte"),
            ("ja", "電流を流そうとするはたらきを電圧といい、単位はボルトです。", "電圧"),
            ("ko", "식물이 빛으로 양분을 만드는 과정을 광합성이라고 한다.", "광합성"),
            ("hi", "पौधों के भोजन बनाने की प्रक्रिया को प्रकाश संश्लेषण कहते हैं।", "प्रकाश संश्लेषण"),
            ("zh", "植物利用光能制造养分的过程叫做光合作用。", "光合作用"),
        ] {
            assert_eq!(name(language, sentence).as_deref(), Some(expected), "{language}: {sentence}");
        }
    }

    #[test]
    fn what_may_be_no_name_or_one_of_several_is_none() {
        for (language, sentence) in [
            ("en", "Cell division, also called mitosis, takes about an hour."),
            ("en", "The parts that build it are called in one after the other."),
            ("en", "The upper part is called crown and the lower part is called root."),
            ("en", "They are called words."),
            ("en", "In this city there is a river called Big Old Muddy Stone River."),
            ("de", "Der Stoff ist flüchtig, das heißt, er verdampft leicht."),
        ] {
            assert_eq!(name(language, sentence), None, "{sentence}");
        }
    }
}
