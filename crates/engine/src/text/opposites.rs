//! Statements that one word turns around: "has a higher boiling point", "has a lower boiling point".

use language::Teaching;
use language::normal::{mentions, positions};
use language::profile::Profile;

/// Most commas of a sentence that is turned around.
const MOST_COMMAS: usize = 1;

/// The sentence with its one word of direction turned around. None where it has no such word or several, denies something, or says it of
/// what only may be so: turned, such a statement may be true again.
pub(crate) fn turned(sentence: &str, profile: &Profile) -> Option<String> {
    let teaching = language::find_teaching(profile.tag)?;
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() || says_more(sentence) || is_open(&lower, teaching) {
        return None;
    }
    let mut found =
        pairs(teaching.cues.opposites).chain(pairs(teaching.cues.comparatives)).flat_map(|(word, opposite)| {
            positions(&lower, word).map(move |at| (at..at + word.len(), opposite)).collect::<Vec<_>>()
        });
    let (place, opposite) = found.next()?;
    // Two opposites of one word ("smaller" of "larger" and of "bigger") are one place.
    if found.any(|(other, _)| other != place) {
        return None;
    }
    // Letters that change their length with their case move the places.
    let word = sentence.get(place.clone())?;
    let (before, behind) = (&sentence[..place.start], &sentence[place.end..]);
    let (is_begun_with, needs_other_article) =
        (word != &lower[place], has_other_article(before, word, opposite, profile));
    // "Greater than zero": what is smaller than that may be impossible.
    if compares_with_a_number(behind, teaching, profile) {
        return None;
    }
    let is_alone = pairs(teaching.cues.comparatives).any(|(comparative, _)| comparative == word)
        && !teaching.answers.than.split(' ').any(|than| mentions(behind, than));
    (!is_begun_with && !needs_other_article && !is_alone).then(|| format!("{before}{opposite}{behind}"))
}

/// Whether a number in words follows the word that compares.
fn compares_with_a_number(behind: &str, teaching: &Teaching, profile: &Profile) -> bool {
    let behind = behind.to_lowercase();
    let mut words = behind.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    let than = |word: &str| teaching.answers.than.split(' ').any(|than| than == word);
    let is_number = |word: &str| {
        let mut numbers = teaching.answers.numbers.split(' ').filter_map(|entry| entry.split_once('='));
        numbers.any(|(number, _)| number == word) && !profile.is_article(word)
    };
    words.any(than) && words.next().is_some_and(is_number)
}

/// Each word with its opposite, both ways.
fn pairs(listed: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let pairs = listed.split('|').filter_map(|pair| pair.split_once('='));
    pairs.flat_map(|(one, other)| [(one, other), (other, one)])
}

/// Whether a number, a formula, an example or another clause of the sentence could contradict a turned word.
fn says_more(sentence: &str) -> bool {
    let clauses = sentence.matches([',', '，', '、', '،']).count();
    clauses > MOST_COMMAS
        || sentence.contains(['=', '$', ';', '；', ':', '：', '(', '（'])
        || sentence.contains(char::is_numeric)
}

/// Whether a sentence, in lower case, denies something or says that it may be so.
fn is_open(sentence: &str, teaching: &Teaching) -> bool {
    let mut words = sentence.split(|sign: char| sign.is_whitespace() || ",.،。".contains(sign));
    words.any(|word| teaching.answers.denies(word))
        || teaching.cues.possibilities.split('|').any(|word| mentions(sentence, word))
}

/// "An increase" is "a decrease" turned around: the article in front would tell which one the source has.
fn has_other_article(before: &str, word: &str, opposite: &str, profile: &Profile) -> bool {
    let opens_with_vowel = |word: &str| word.starts_with(['a', 'e', 'i', 'o', 'u']);
    let article = before.split_whitespace().next_back().is_some_and(|word| profile.is_article(&word.to_lowercase()));
    article && opens_with_vowel(word) != opens_with_vowel(opposite)
}

#[cfg(test)]
mod tests {
    use language::profile;

    use super::*;

    #[test]
    fn one_word_is_turned_around() {
        for (language, sentence, expected) in [
            (
                "en",
                "A hypotonic solution has a lower concentration than the cell.",
                "A hypotonic solution has a higher concentration than the cell.",
            ),
            ("en", "Fever increases the heart rate.", "Fever decreases the heart rate."),
            ("de", "Ein Katalysator erhöht die Reaktionsrate.", "Ein Katalysator verringert die Reaktionsrate."),
            (
                "de",
                "Die Dichte von Wasser ist größer als die von Eis.",
                "Die Dichte von Wasser ist kleiner als die von Eis.",
            ),
            ("fr", "La pression augmente avec la profondeur.", "La pression diminue avec la profondeur."),
            ("zh", "水的密度大于冰。", "水的密度小于冰。"),
            ("th", "น้ำมีความหนาแน่นมากกว่าน้ำแข็ง", "น้ำมีความหนาแน่นน้อยกว่าน้ำแข็ง"),
        ] {
            assert_eq!(turned(sentence, profile::of(language)).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_may_be_true_again_is_not_turned() {
        for sentence in [
            "The larger the sample, the smaller the error.",
            "Larger samples have smaller errors than others.",
            "The result is terminated when size is greater than zero.",
            "Water boils at 100 °C.",
            "A rate can be higher than before.",
            "Freezing does not increase the mass of water.",
            "Stronger magnets attract iron.",
            "A stronger magnet attracts more iron.",
            "Sales increased from 20 to 30 units.",
            "A warm summer leads to an increase in sales.",
            "Freezing doesn’t increase the mass of water.",
            "İ increases—ẞ grows as well here.",
        ] {
            assert_eq!(turned(sentence, profile::of("en")), None, "{sentence}");
        }
    }

    #[test]
    fn every_taught_language_has_opposites_that_differ() {
        for (tag, teaching) in language::taught() {
            let listed = [teaching.cues.opposites, teaching.cues.comparatives];
            let words = listed.iter().flat_map(|listed| listed.split('|')).filter(|pair| !pair.is_empty());
            let pairs: Vec<_> = words.map(|pair| pair.split_once('=')).collect();
            assert!(pairs.len() >= 5, "{tag}");
            assert!(
                pairs.iter().all(|pair| pair.is_some_and(|(one, other)| one != other && !other.is_empty())),
                "{tag}"
            );
            assert!(teaching.cues.comparatives.is_empty() || !teaching.answers.than.is_empty(), "{tag}");
        }
    }
}
