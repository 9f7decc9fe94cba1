//! Which words of one text another text has: the same, of the same meaning, or with another ending or
//! spelling. The cost is linear in the texts; what could make it more is bounded by the constants.

use std::collections::HashMap;

use super::lexicon;
use super::tokens::Word;

/// How well words agree that are not the same: by meaning, by their beginning, by spelling, one inside the other.
const MEANING: f64 = 0.85;
/// By one of several meanings: "revolution" is seldom an orbit.
const ONE_MEANING: f64 = 0.6;
const ENDING: f64 = 0.8;
const SPELLING: f64 = 0.75;
const INSIDE: f64 = 0.7;
/// From this on a word counts as found.
pub(super) const FOUND: f64 = 0.5;
/// Most words with the same first letters that a word is compared with.
const MAX_NEAR: usize = 24;
/// Characters at the end by which compounds are found.
const TAIL: usize = 4;

/// The different words of a text, made findable.
pub(super) struct Index {
    types: Vec<Type>,
    by_key: HashMap<String, usize>,
    by_meaning: HashMap<u16, Vec<usize>>,
    by_head: HashMap<(char, char), Vec<usize>>,
    by_tail: HashMap<String, Vec<usize>>,
}

/// A word of a text, however often it stands there.
pub(super) struct Type {
    pub(super) word: Word,
    /// The weight of its weightiest form.
    pub(super) weight: f64,
    /// Where it stands, counted in words.
    pub(super) places: Vec<usize>,
}

impl Index {
    pub(super) fn new<'w>(words: impl Iterator<Item = &'w Word>) -> Self {
        let mut index = Self {
            types: Vec::new(),
            by_key: HashMap::new(),
            by_meaning: HashMap::new(),
            by_head: HashMap::new(),
            by_tail: HashMap::new(),
        };
        for (place, word) in words.enumerate() {
            index.add(place, word);
        }
        index
    }

    fn add(&mut self, place: usize, word: &Word) {
        if let Some(at) = self.by_key.get(&word.key) {
            let known = &mut self.types[*at];
            known.weight = known.weight.max(word.weight);
            known.places.push(place);
            return;
        }
        let at = self.types.len();
        self.by_key.insert(word.key.clone(), at);
        for meaning in word.meanings {
            self.by_meaning.entry(*meaning).or_default().push(at);
        }
        if word.is_content() && !word.number {
            if let Some(head) = head(&word.key) {
                self.by_head.entry(head).or_default().push(at);
            }
            if let Some(tail) = tail(&word.key) {
                self.by_tail.entry(tail.to_owned()).or_default().push(at);
            }
        }
        self.types.push(Type { word: word.clone(), weight: word.weight, places: vec![place] });
    }

    pub(super) fn types(&self) -> &[Type] {
        &self.types
    }

    pub(super) fn has(&self, word: &Word) -> bool {
        self.by_key.contains_key(&word.key)
    }

    /// The word here that agrees best with another text's word, and how well, from 0 to 1.
    pub(super) fn best(&self, word: &Word) -> Option<(usize, f64)> {
        if let Some(at) = self.by_key.get(&word.key) {
            return Some((*at, 1.0));
        }
        if !word.is_content() {
            return None;
        }
        let shared = word.meanings.iter().filter_map(|meaning| self.by_meaning.get(meaning)).flatten();
        if let Some(at) = shared.copied().find(|at| self.types[*at].word.is_content()) {
            let other = &self.types[at].word;
            return Some((at, by_meaning(word.meanings, other.meanings)));
        }
        if word.number {
            return None;
        }
        let heads = head(&word.key).and_then(|head| self.by_head.get(&head)).into_iter().flatten().take(MAX_NEAR);
        let tails = tail(&word.key).and_then(|tail| self.by_tail.get(tail)).into_iter().flatten().take(MAX_NEAR);
        let fits = heads
            .map(|at| (*at, by_letters(&word.key, &self.types[*at].word.key)))
            .chain(tails.map(|at| (*at, by_compound(&word.key, &self.types[*at].word.key))));
        fits.filter(|(_, fit)| *fit > 0.0).max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)))
    }
}

/// How well two words of the same text kind agree.
pub(super) fn likeness(one: &Word, other: &Word) -> f64 {
    if one.key == other.key {
        return 1.0;
    }
    if lexicon::share(one.meanings, other.meanings) {
        return by_meaning(one.meanings, other.meanings);
    }
    if one.number || other.number || !one.is_content() || !other.is_content() {
        return 0.0;
    }
    by_letters(&one.key, &other.key).max(by_compound(&one.key, &other.key))
}

/// Share of a clause's content that other words say as well.
pub(super) fn said_by(words: &[Word], clause: &[Word]) -> f64 {
    let (mut all, mut said) = (0.0, 0.0);
    for word in clause.iter().filter(|word| word.is_content()) {
        all += word.weight;
        let known =
            words.iter().any(|other| likeness(word, other) >= FOUND || lexicon::oppose(word.meanings, other.meanings));
        said += if known { word.weight } else { 0.0 };
    }
    if all > 0.0 { said / all } else { 0.0 }
}

/// How well two words agree that share a meaning.
fn by_meaning(one: &[u16], other: &[u16]) -> f64 {
    if one.len().max(other.len()) > 1 { ONE_MEANING } else { MEANING }
}

fn head(key: &str) -> Option<(char, char)> {
    let mut letters = key.chars();
    Some((letters.next()?, letters.next()?))
}

fn tail(key: &str) -> Option<&str> {
    key.char_indices().rev().nth(TAIL - 1).map(|(at, _)| &key[at..])
}

/// Words that begin alike: another ending, a longer word, or a slip of the pen.
fn by_letters(one: &str, other: &str) -> f64 {
    let (first, second) = (one.chars().count(), other.chars().count());
    let (longer, shorter) = (first.max(second), first.min(second));
    if shorter < 4 {
        return 0.0;
    }
    let shared = one.chars().zip(other.chars()).take_while(|(left, right)| left == right).count();
    if shared == shorter && longer - shorter <= 4 {
        return ENDING;
    }
    if shared >= 5 && shared * 10 >= longer * 7 {
        return SPELLING;
    }
    if longer - shorter <= 2 && spelled_alike(one, other, shorter) { SPELLING } else { 0.0 }
}

/// At most one slip in a short word and two in a long one.
fn spelled_alike(one: &str, other: &str, shorter: usize) -> bool {
    let allowed = match shorter {
        0..=5 => 0,
        6..=7 => 1,
        _ => 2,
    };
    allowed > 0 && letters_apart(one, other) <= 2 * allowed && is_within(one, other, allowed)
}

/// How many letters only one of two words has, at least: words with other letters need no closer look.
fn letters_apart(one: &str, other: &str) -> usize {
    let has = |word: &str| word.chars().fold(0_u64, |letters, letter| letters | 1 << (u32::from(letter) % 64));
    (has(one) ^ has(other)).count_ones() as usize
}

/// Whether so many insertions, omissions, replacements and exchanges of neighbours make one word the other (optimal string
/// alignment). Of the table only what lies near its diagonal is filled in, and no further than it can succeed.
fn is_within(one: &str, other: &str, allowed: usize) -> bool {
    const FAR: usize = usize::MAX / 2;
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before = vec![FAR; other.len() + 1];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    let mut row = before.clone();
    for at in 1..=one.len() {
        let near = at.saturating_sub(allowed).max(1)..=(at + allowed).min(other.len());
        row.fill(FAR);
        row[0] = if at <= allowed { at } else { FAR };
        for to in near {
            let is_other = usize::from(one[at - 1] != other[to - 1]);
            row[to] = (last[to - 1] + is_other).min(last[to] + 1).min(row[to - 1] + 1);
            if at > 1 && to > 1 && one[at - 1] == other[to - 2] && one[at - 2] == other[to - 1] {
                row[to] = row[to].min(before[to - 2] + 1);
            }
        }
        if row.iter().min().is_none_or(|least| *least > allowed) {
            return false;
        }
        (before, last, row) = (last, row, before);
    }
    last[other.len()] <= allowed
}

/// One word ends with the other: "Erdachse", "Achse".
fn by_compound(one: &str, other: &str) -> f64 {
    let shorter = one.chars().count().min(other.chars().count());
    if shorter >= 5 && (one.ends_with(other) || other.ends_with(one)) { INSIDE } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::tokens::Reader;

    fn fit(tag: &str, one: &str, other: &str) -> f64 {
        let reader = Reader::new(tag);
        let words = reader.words(other);
        Index::new(words.iter()).best(&reader.words(one)[0]).map_or(0.0, |(_, fit)| fit)
    }

    #[test]
    fn near_words_are_those_of_a_small_distance() {
        let words =
            ["abcdefgh", "abcdefg", "bacdefgh", "abcdefhg", "abdcefhg", "xbcdefgy", "hgfedcba", "abcdefghij", "", "ab"];
        for one in words {
            for other in words {
                for allowed in 1..=2 {
                    let is_near = strsim::osa_distance(one, other) <= allowed;
                    assert_eq!(is_within(one, other, allowed), is_near, "{one} {other} {allowed}");
                }
            }
        }
    }

    #[test]
    fn slips_of_the_pen_are_the_same_word() {
        assert!(fit("en", "hemisphere", "hemispher") > FOUND);
        assert!(fit("en", "sunlight", "sunligth") > FOUND);
        assert!(fit("de", "Fotosynthese", "Fotosyntese") > FOUND);
    }

    #[test]
    fn other_words_stay_other_words() {
        for (one, other) in [("plant", "planet"), ("cell", "call"), ("12", "21"), ("north", "south")] {
            assert!(fit("en", one, other) < FOUND, "{one} {other}");
        }
    }

    #[test]
    fn a_compound_holds_its_last_word() {
        assert!(fit("de", "Erdbeschleunigung", "Beschleunigung") > FOUND);
    }
}
