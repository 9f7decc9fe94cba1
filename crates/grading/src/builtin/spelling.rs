//! Whether two different words are one, written otherwise: as teachers read past slips, loans from other languages, endings and
//! compounds.

use std::collections::BTreeSet;

/// Shortest word that is compared by its letters, in characters; short words differ by little and mean something else.
const SHORTEST: usize = 4;
/// Shortest word that may be a part of another.
const SHORTEST_PART: usize = 5;
/// How well a word fits another of the same sound, one that differs by a slip, and one that it is a part of.
const SOUND: f64 = 0.9;
const SLIP: f64 = 0.85;
const PART: f64 = 0.7;
/// Least share of letter pairs that two forms of a word have in common; they fit by that share.
const FORM: f64 = 0.65;
/// Letters that stand for one sound in loans: "photo" is "foto".
const SOUNDS: [(&str, &str); 10] = [
    ("ph", "f"),
    ("th", "t"),
    ("ck", "k"),
    ("qu", "k"),
    ("ch", "k"),
    ("ae", "e"),
    ("oe", "e"),
    ("c", "k"),
    ("y", "i"),
    ("z", "s"),
];

/// A word's letters, made comparable.
#[derive(Clone, Debug)]
pub(super) struct Spelling {
    letters: usize,
    sound: Vec<char>,
    pairs: BTreeSet<(char, char)>,
}

impl Spelling {
    /// Of a folded word; `None` for one that is too short to be compared so.
    pub(super) fn of(folded: &str) -> Option<Self> {
        let letters = folded.chars().count();
        if letters < SHORTEST {
            return None;
        }
        let mut sound = folded.to_owned();
        for (letters, one) in SOUNDS {
            if sound.contains(letters) {
                sound = sound.replace(letters, one);
            }
        }
        let mut sound: Vec<char> = sound.chars().collect();
        sound.dedup();
        let ends = || std::iter::once('^').chain(sound.iter().copied()).chain(std::iter::once('$'));
        let pairs = ends().zip(ends().skip(1)).collect();
        Some(Self { letters, sound, pairs })
    }

    /// How well it fits another word, from 0 to 1.
    pub(super) fn fit(&self, other: &Self) -> f64 {
        let (one, two) = (&self.sound[..], &other.sound[..]);
        if one == two {
            return SOUND;
        }
        if one.len().min(two.len()) < SHORTEST {
            return 0.0;
        }
        let shares_beginning = one[0] == two[0] || one[0] == two[1] && one[1] == two[0];
        let may_slip = self.letters.min(other.letters) > SHORTEST || self.letters == other.letters;
        if shares_beginning && may_slip && is_one_slip(one, two) {
            return SLIP;
        }
        if one[0] == two[0] {
            let common = self.pairs.intersection(&other.pairs).count();
            let share = 2.0 * common as f64 / (self.pairs.len() + other.pairs.len()) as f64;
            if share >= FORM {
                return share;
            }
        }
        let (short, long) = if one.len() < two.len() { (one, two) } else { (two, one) };
        let is_part = short.len() >= SHORTEST_PART && short.len() < long.len();
        if is_part && (long.starts_with(short) || long.ends_with(short)) { PART } else { 0.0 }
    }
}

/// One letter more, less or other, or two neighbours exchanged.
fn is_one_slip(one: &[char], two: &[char]) -> bool {
    if one.len().abs_diff(two.len()) > 1 {
        return false;
    }
    let same = one.iter().zip(two).take_while(|(one, two)| one == two).count();
    match (&one[same..], &two[same..]) {
        ([_, rest @ ..], other) if rest == other => true,
        (other, [_, rest @ ..]) if rest == other => true,
        ([_, rest @ ..], [_, other @ ..]) if rest == other => true,
        ([a, b, rest @ ..], [c, d, other @ ..]) => a == d && b == c && rest == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(one: &str, other: &str) -> f64 {
        match (Spelling::of(one), Spelling::of(other)) {
            (Some(one), Some(other)) => one.fit(&other),
            _ => 0.0,
        }
    }

    #[test]
    fn slips_loans_endings_and_compounds_are_one_word() {
        for (one, other) in [
            ("photosynthesis", "fotosynthese"),
            ("evaporation", "evaportaion"),
            ("mitochondria", "mitocondria"),
            ("temperature", "temprature"),
            ("friction", "firction"),
            ("wasserdampf", "dampf"),
            ("oxygen", "oxigen"),
        ] {
            assert!(fit(one, other) >= 0.65, "{one} {other}: {}", fit(one, other));
            assert_eq!(fit(one, other), fit(other, one));
        }
    }

    #[test]
    fn words_that_mean_something_else_are_not() {
        for (one, other) in
            [("cat", "cut"), ("more", "less"), ("mitosis", "photosynthesis"), ("north", "south"), ("", "a")]
        {
            assert_eq!(fit(one, other), 0.0, "{one} {other}");
        }
    }
}
