//! Answers to one question as sets of numbers, so that many of them are quickly held against each other.
//!
//! Every different word of them is looked at once, however many answers have it.

use std::collections::{HashMap, HashSet};

use super::super::alignment::Index;
use super::super::tokens::Word;

/// Words on either side of a denial that it may turn round.
const DENIED: usize = 3;
/// Stand for what is in front of the first word and behind the last.
const BEGINNING: u32 = u32::MAX - 1;
const END: u32 = u32::MAX;

/// The different words of all texts.
pub(super) struct Vocabulary<'t> {
    question: &'t Index,
    numbers: HashMap<String, u32>,
    known: Vec<Known>,
}

/// A word, and what the question has of it.
pub(super) struct Known {
    pub(super) word: Word,
    /// The question has it.
    pub(super) asked: bool,
    /// The question has it or a word like it.
    pub(super) near_asked: bool,
}

/// What is kept of a text.
pub(super) struct Sketch {
    /// Its words in their order.
    pub(super) sequence: Vec<u32>,
    /// Its different words.
    pub(super) words: Vec<u32>,
    /// Its content words at most two apart.
    pub(super) neighbours: Vec<u64>,
    /// A word of it denies.
    pub(super) denies: bool,
    /// Words at most two apart, in any order, its beginning and end among them.
    pairs: Vec<u64>,
    /// Different words that follow each other.
    successions: Vec<u64>,
    /// How many words of more than a letter follow themselves.
    doubled: usize,
    /// Its words with whether a denial is near.
    sided: Vec<u64>,
}

impl<'t> Vocabulary<'t> {
    pub(super) fn new(question: &'t Index) -> Self {
        Self { question, numbers: HashMap::new(), known: Vec::new() }
    }

    pub(super) fn known(&self) -> &[Known] {
        &self.known
    }

    pub(super) fn number(&mut self, word: &Word) -> u32 {
        if let Some(number) = self.numbers.get(&word.key) {
            return *number;
        }
        let number = u32::try_from(self.known.len()).unwrap_or(BEGINNING - 1);
        self.numbers.insert(word.key.clone(), number);
        let near_asked = self.question.best(word).is_some_and(|(_, fit)| fit >= 0.5);
        self.known.push(Known { word: word.clone(), asked: self.question.has(word), near_asked });
        number
    }

    pub(super) fn sketch(&mut self, words: &[Word]) -> Sketch {
        let sequence: Vec<u32> = words.iter().map(|word| self.number(word)).collect();
        let mut sided = Vec::with_capacity(words.len());
        for (at, number) in sequence.iter().enumerate() {
            let near = &words[at.saturating_sub(DENIED)..(at + DENIED + 1).min(words.len())];
            let denied = near.iter().any(|word| word.negation);
            sided.push(u64::from(*number) << 1 | u64::from(denied));
        }
        let following = sequence.iter().zip(sequence.iter().skip(1)).filter(|(one, next)| one != next);
        let successions = following.map(|(one, next)| u64::from(*one) << 32 | u64::from(*next)).collect();
        let is_doubled = |pair: &&[Word]| pair[0].key == pair[1].key && pair[0].key.chars().nth(1).is_some();
        let doubled = words.windows(2).filter(is_doubled).count();
        let framed: Vec<u32> = [BEGINNING].into_iter().chain(sequence.iter().copied()).chain([END]).collect();
        let content: Vec<u32> =
            sequence.iter().copied().filter(|number| self.known[*number as usize].word.is_content()).collect();
        Sketch {
            words: distinct(sequence.clone()),
            sequence,
            neighbours: distinct(apart(&content).collect()),
            denies: words.iter().any(|word| word.negation),
            pairs: distinct(apart(&framed).collect()),
            successions: distinct(successions),
            doubled,
            sided: distinct(sided),
        }
    }

    /// The parts of a sketch as directions; `counts` are over the texts that were graded.
    pub(super) fn directions(&self, sketch: &Sketch, counts: &Counts) -> Directions {
        let plain = |numbers: Vec<u32>| Direction::new(numbers.into_iter().map(|number| (u64::from(number), 1.0)));
        let says = |number: &u32| {
            let known = &self.known[*number as usize];
            known.word.is_content() && !known.asked
        };
        let told = |part: &u64| self.known[(*part >> 1) as usize].word.weight.max(0.3);
        Directions {
            words: plain(sketch.words.clone()),
            own: plain(sketch.words.iter().copied().filter(says).collect()),
            pairs: Direction::new(sketch.pairs.iter().map(|pair| (*pair, counts.rarity(&counts.pairs, *pair)))),
            sided: Direction::new(
                sketch.sided.iter().map(|part| (*part, told(part) * counts.rarity(&counts.sided, *part))),
            ),
        }
    }
}

impl Sketch {
    /// The share of its pairs that another text has, from 0 to 1.
    pub(super) fn share_of_pairs(&self, other: &Self) -> f64 {
        let shared = self.pairs.iter().filter(|pair| other.pairs.binary_search(pair).is_ok()).count();
        shared as f64 / self.pairs.len().max(1) as f64
    }

    /// How far its words stand in the order of other texts: the share of them that follow each other there, less those that
    /// do so the other way round or follow themselves. A shuffled text has about as many of both.
    pub(super) fn order_among<'s>(&self, others: impl Iterator<Item = &'s Self>) -> f64 {
        let others: HashSet<u64> = others.flat_map(|other| &other.successions).copied().collect();
        let forwards = self.successions.iter().filter(|pair| others.contains(pair)).count();
        let backwards = self.successions.iter().filter(|pair| others.contains(&pair.rotate_left(32))).count();
        (forwards as f64 - (backwards + self.doubled) as f64) / self.sequence.len().max(1) as f64
    }
}

/// How many of the graded answers have a pair or a word.
pub(super) struct Counts {
    texts: f64,
    /// By number, in ascending order.
    pairs: Vec<(u64, f64)>,
    sided: Vec<(u64, f64)>,
}

impl Counts {
    pub(super) fn of(sketches: &[Sketch]) -> Self {
        let of = |parts: fn(&Sketch) -> &Vec<u64>| {
            let mut all: Vec<u64> = sketches.iter().flat_map(parts).copied().collect();
            all.sort_unstable();
            all.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as f64)).collect()
        };
        Self { texts: sketches.len() as f64, pairs: of(|sketch| &sketch.pairs), sided: of(|sketch| &sketch.sided) }
    }

    /// What few have tells more of those that have it.
    fn rarity(&self, counts: &[(u64, f64)], part: u64) -> f64 {
        let count = counts.binary_search_by_key(&part, |(part, _)| *part).map_or(1.0, |at| counts[at].1);
        (1.0 + (self.texts + 1.0) / count).ln()
    }
}

/// A text by what it is made of.
pub(super) struct Directions {
    pub(super) words: Direction,
    /// Content words that the question does not have.
    pub(super) own: Direction,
    pub(super) pairs: Direction,
    pub(super) sided: Direction,
}

/// A vector of length one, by its parts in ascending order; or of length zero.
pub(super) struct Direction(Vec<(u64, f64)>);

impl Direction {
    /// `parts` in ascending order.
    pub(super) fn new(parts: impl Iterator<Item = (u64, f64)>) -> Self {
        let mut parts: Vec<(u64, f64)> = parts.collect();
        let length = parts.iter().map(|(_, value)| value * value).sum::<f64>().sqrt();
        if length > 0.0 {
            parts.iter_mut().for_each(|(_, value)| *value /= length);
        }
        Self(parts)
    }

    /// How alike two are, from 0 to 1: the cosine of the angle between them.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let (mut at, mut beside, mut sum) = (0, 0, 0.0);
        while let (Some((left, value)), Some((right, other))) = (self.0.get(at), other.0.get(beside)) {
            sum += if left == right { value * other } else { 0.0 };
            at += usize::from(left <= right);
            beside += usize::from(right <= left);
        }
        sum
    }
}

/// What stands one or two apart, as one number with the lesser in front.
fn apart(numbers: &[u32]) -> impl Iterator<Item = u64> + '_ {
    let by = |steps: usize| numbers.iter().zip(numbers.iter().skip(steps));
    by(1).chain(by(2)).map(|(one, other)| u64::from(*one.min(other)) << 32 | u64::from(*one.max(other)))
}

fn distinct<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::tokens::Reader;

    fn likeness(one: &str, other: &str, of: impl Fn(&Directions) -> &Direction) -> f64 {
        let reader = Reader::new("en");
        let question = Index::new(reader.words("Why is the lamp on?").iter());
        let mut vocabulary = Vocabulary::new(&question);
        let sketches = [vocabulary.sketch(&reader.words(one)), vocabulary.sketch(&reader.words(other))];
        let counts = Counts::of(&sketches);
        let [one, other] = sketches.map(|sketch| vocabulary.directions(&sketch, &counts));
        of(&one).likeness(of(&other))
    }

    #[test]
    fn a_text_is_wholly_like_itself_and_not_like_one_without_its_words() {
        let text = "The battery pushes a current through the closed circuit";
        let parts: [fn(&Directions) -> &Direction; 4] =
            [|text| &text.words, |text| &text.own, |text| &text.pairs, |text| &text.sided];
        for part in parts {
            assert!((likeness(text, text, part) - 1.0).abs() < 1e-12);
            assert!(likeness(text, "Plants drink rain", part).abs() < f64::EPSILON);
            assert!(likeness(text, "", part).abs() < f64::EPSILON);
        }
    }

    #[test]
    fn a_denial_makes_the_same_words_less_alike() {
        let (one, other) = ("the terminals are connected", "the terminals are not connected");
        assert!(likeness(one, other, |text| &text.words) > 0.85);
        assert!(likeness(one, other, |text| &text.sided) < 0.2);
    }

    #[test]
    fn words_in_another_order_are_not_in_the_order_of_others() {
        let reader = Reader::new("en");
        let question = Index::new([].iter());
        let mut vocabulary = Vocabulary::new(&question);
        let mut sketch = |text: &str| vocabulary.sketch(&reader.words(text));
        let others = ["the lamp is on because the battery is full", "a full battery pushes the current to the lamp"];
        let others = others.map(&mut sketch);
        for (text, is_in_order) in [
            ("because the battery is full the lamp is on", true),
            ("battery the full is because on is lamp the", false),
            ("the the lamp lamp is is on on", false),
            ("", false),
        ] {
            assert_eq!(sketch(text).order_among(others.iter()) > 0.15, is_in_order, "{text}");
        }
    }

    #[test]
    fn what_the_question_has_is_nobodys_own() {
        assert!(likeness("The lamp is on", "The lamp is off", |text| &text.own).abs() < f64::EPSILON);
    }
}
