//! Statements that one word turns around: "has a higher boiling point", "has a lower boiling point".

use language::normal::{mentions, positions};
use language::profile::Profile;

/// Most commas of a sentence that is turned around.
const MOST_COMMAS: usize = 1;

/// The sentence with its one word of direction turned around. None where it has no such word or several: of two that are turned,
/// the statement may be true again, and what is only sometimes so may be so either way.
pub(crate) fn turned(sentence: &str, profile: &Profile) -> Option<String> {
    let cues = &language::find_teaching(profile.tag)?.cues;
    let lower = sentence.to_lowercase();
    // A formula, an example or another clause of a longer sentence would contradict the turned word.
    let clauses = sentence.matches([',', '，', '、', '،']).count();
    let is_long = clauses > MOST_COMMAS || sentence.contains(['=', '$', ';', '；', ':', '：', '(', '（']);
    if is_long || cues.possibilities.split('|').any(|word| mentions(&lower, word)) {
        return None;
    }
    let pairs = cues.opposites.split('|').filter_map(|pair| pair.split_once('='));
    let mut found = pairs
        .flat_map(|(one, other)| [(one, other), (other, one)])
        .flat_map(|(word, opposite)| positions(sentence, word).map(move |at| (at..at + word.len(), opposite)));
    let (place, opposite) = found.next()?;
    // Two opposites of one word ("smaller" of "larger" and of "bigger") are one place.
    if found.any(|(other, _)| other != place) {
        return None;
    }
    Some(format!("{}{opposite}{}", &sentence[..place.start], &sentence[place.end..]))
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
                "A hypotonic solution has a lower concentration.",
                "A hypotonic solution has a higher concentration.",
            ),
            ("de", "Der Druck steigt mit der Tiefe.", "Der Druck sinkt mit der Tiefe."),
            ("fr", "La pression augmente avec la profondeur.", "La pression diminue avec la profondeur."),
            ("zh", "水的密度大于冰。", "水的密度小于冰。"),
        ] {
            assert_eq!(turned(sentence, profile::of(language)).as_deref(), Some(expected));
        }
        let others = [
            "The larger the sample, the smaller the error.",
            "Water boils at 100 °C.",
            "A rate can be higher than before.",
        ];
        for sentence in others {
            assert_eq!(turned(sentence, profile::of("en")), None, "{sentence}");
        }
    }

    #[test]
    fn every_taught_language_has_opposites_that_differ() {
        for (tag, teaching) in language::taught() {
            let pairs: Vec<_> = teaching.cues.opposites.split('|').map(|pair| pair.split_once('=')).collect();
            assert!(pairs.len() >= 5, "{tag}");
            assert!(
                pairs.iter().all(|pair| pair.is_some_and(|(one, other)| one != other && !other.is_empty())),
                "{tag}"
            );
        }
    }
}
