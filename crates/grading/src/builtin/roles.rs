//! Who does what to whom: the same words with exchanged roles are another statement.

use std::collections::HashSet;

use super::alignment::{FOUND, likeness};
use super::answer::Answer;
use super::ideas::Reference;
use super::lexicon;
use super::tokens::Word;

/// Longest statement whose order is looked at, in content words.
const MAX_CONTENT: usize = 9;
/// Words that turn the order round by themselves: "was eaten by".
const PASSIVE: [&str; 12] =
    ["by", "von", "durch", "por", "par", "da", "dal", "dalla", "door", "przez", "tarafından", "由"];
/// Stems of what is said of both sides alike.
const MUTUAL: [&str; 20] = [
    "connect",
    "equal",
    "same",
    "similar",
    "touch",
    "mix",
    "differ",
    "differenc",
    "separ",
    "togeth",
    "between",
    "verbund",
    "gleich",
    "zwisch",
    "igual",
    "entr",
    "mêm",
    "conect",
    "and",
    "plus",
];
/// Words that set a clause against the one before it.
const CONTRASTING: [&str; 10] =
    ["while", "whereas", "während", "wohingegen", "mientras", "tandis", "mentre", "enquanto", "terwijl", "podczas"];
/// Most words of a clause that are told apart by side.
const MAX_SIDES: usize = 48;
/// How well a word must agree with a side's to belong to it: one of several meanings is not enough.
const SURE: f64 = 0.7;

/// Whether a clause has an idea's first and last thing in the other order around what is said of them.
pub(super) fn are_exchanged(idea: &[Word], clause: &[Word]) -> bool {
    let content: Vec<&Word> = idea.iter().filter(|word| word.is_content()).collect();
    let (Some(first), Some(last)) = (content.first(), content.last()) else { return false };
    if !(3..=MAX_CONTENT).contains(&content.len()) || clause.len() > 4 * MAX_CONTENT {
        return false;
    }
    let passive = |words: &[Word]| words.iter().any(|word| PASSIVE.contains(&word.lower.as_str()));
    let mutual = |words: &[Word]| words.iter().any(|word| MUTUAL.contains(&word.key.as_str()));
    if passive(idea) != passive(clause) || mutual(idea) || likeness(first, last) >= FOUND {
        return false;
    }
    let place = |wanted: &Word| clause.iter().position(|word| word.is_content() && likeness(wanted, word) >= FOUND);
    let (Some(front), Some(back)) = (place(first), place(last)) else { return false };
    let middle = content[1..content.len() - 1].iter().any(|word| {
        let said = clause.iter().position(|other| {
            other.is_content() && (likeness(word, other) >= FOUND || lexicon::oppose(word.meanings, other.meanings))
        });
        said.is_some_and(|said| said > back && said < front)
    });
    back < front && middle
}

/// Whether an answer exchanges the two sides of a contrast: two clauses, each with words of both sides that the other
/// clause has not. Who merely names both sides in a clause compares them.
pub(super) fn exchanged(reference: &Reference, answer: &Answer) -> bool {
    reference.ideas.windows(2).any(|pair| {
        let (one, other) = (own(&pair[0].words, &pair[1].words), own(&pair[1].words, &pair[0].words));
        if one.is_empty() || other.is_empty() || !contrast(&pair[0].words, &pair[1].words) {
            return false;
        }
        let clauses = answer.clauses.iter().map(|clause| &answer.words[clause.words.clone()]);
        let sided: Vec<HashSet<(&str, bool)>> = clauses.map(|words| sided(words, &one, &other)).collect();
        sided.windows(2).any(|pair| mixes(&pair[0], &pair[1]) && mixes(&pair[1], &pair[0]))
    })
}

/// The words of a clause that belong to one side alone, each with whether it is the first one.
fn sided<'w>(words: &'w [Word], one: &[&Word], other: &[&Word]) -> HashSet<(&'w str, bool)> {
    let content = words.iter().filter(|word| word.is_content());
    let sided = content.filter_map(|word| side(word, one, other).map(|side| (word.key.as_str(), side)));
    sided.take(MAX_SIDES).collect()
}

/// Whether a clause has words of both sides besides those that the next one has too.
fn mixes(words: &HashSet<(&str, bool)>, next: &HashSet<(&str, bool)>) -> bool {
    let sides: HashSet<bool> = words.difference(next).map(|(_, side)| *side).collect();
    sides.len() == 2
}

/// Two clauses are a contrast when a word says so, or when words of theirs exclude each other.
fn contrast(one: &[Word], other: &[Word]) -> bool {
    let linked = other.first().is_some_and(|word| CONTRASTING.contains(&word.lower.as_str()));
    linked || one.iter().any(|left| other.iter().any(|right| lexicon::oppose(left.meanings, right.meanings)))
}

/// The content words that the other one lacks.
fn own<'w>(words: &'w [Word], other: &[Word]) -> Vec<&'w Word> {
    let there: HashSet<&str> = other.iter().map(|word| word.key.as_str()).collect();
    words.iter().filter(|word| word.is_content() && !there.contains(word.key.as_str())).take(24).collect()
}

/// Which side a word belongs to, where it belongs to one alone.
fn side(word: &Word, one: &[&Word], other: &[&Word]) -> Option<bool> {
    let fit = |words: &[&Word]| words.iter().map(|known| likeness(known, word)).fold(0.0, f64::max);
    let (left, right) = (fit(one), fit(other));
    match (left >= SURE, right >= SURE) {
        (true, false) if right < FOUND => Some(true),
        (false, true) if left < FOUND => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::tokens::Reader;

    fn swapped(tag: &str, idea: &str, clause: &str) -> bool {
        let reader = Reader::new(tag);
        are_exchanged(&reader.words(idea), &reader.words(clause))
    }

    #[test]
    fn exchanged_roles_are_seen() {
        for (tag, idea, clause) in [
            ("en", "The hawk eats the mouse.", "The mouse eats the hawk."),
            ("de", "Der Fuchs frisst den Hasen.", "Der Hase frisst den Fuchs."),
            ("es", "El zorro caza al conejo.", "El conejo caza al zorro."),
            ("fr", "Le renard chasse le lapin.", "Le lapin chasse le renard."),
        ] {
            assert!(swapped(tag, idea, clause), "{clause}");
            assert!(!swapped(tag, idea, idea), "{idea}");
        }
        assert!(!swapped("en", "The hawk eats the mouse.", "The mouse is eaten by the hawk."));
        assert!(!swapped("en", "Copper and tin mix to bronze.", "Tin and copper mix to bronze."));
    }

    #[test]
    fn a_contrast_with_exchanged_sides_is_seen() {
        let reader = Reader::new("en");
        let reference = Reference::read("RAM is volatile, while a hard disk keeps data permanently.", &reader);
        let wrong = Answer::read("A hard disk is volatile, while RAM keeps data permanently.", &reader, usize::MAX);
        let right = Answer::read("A hard disk keeps data permanently, while RAM is volatile.", &reader, usize::MAX);
        let compared =
            Answer::read("RAM is faster than a hard disk, a hard disk keeps what RAM loses.", &reader, usize::MAX);
        assert!(exchanged(&reference, &wrong));
        assert!(!exchanged(&reference, &right));
        assert!(!exchanged(&reference, &compared));
    }
}
