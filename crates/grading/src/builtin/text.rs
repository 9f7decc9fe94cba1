//! A text as what it is compared by: its words and their kinds, its letters, and what stands beside what.

use std::collections::{HashMap, HashSet};

use super::quantities::{self, Quantity};
use super::senses::Sense;
use super::spelling::Spelling;
use super::words::{Reader, Word};

/// Content words that stand so near each other are a pair.
const NEAR: usize = 2;

/// Three letters in a row, packed.
type Triple = u64;

/// A text, ready to be compared.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) words: Vec<Word>,
    /// The first word of each kind, in the order of the text, with its letters where they are compared.
    pub(super) kinds: Vec<Kind>,
    by_id: HashMap<u64, usize>,
    /// The kinds of the content words, in the order of the text.
    pub(super) content: Vec<u64>,
    /// How often three letters follow each other in the text, across words, and in all.
    pub(super) triples: HashMap<Triple, u32>,
    pub(super) triple_count: u32,
    /// Content words near each other, in either order.
    pub(super) pairs: HashSet<(u64, u64)>,
    /// Words that follow each other.
    pub(super) neighbours: HashSet<(u64, u64)>,
    pub(super) denials: usize,
    pub(super) quantities: Vec<Quantity>,
    /// The language that it was read in.
    pub(super) tag: &'static str,
}

/// A kind of word.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// Where its first word is among the text's.
    pub(super) first: usize,
    pub(super) id: u64,
    pub(super) weight: f64,
    pub(super) is_content: bool,
    pub(super) meanings: &'static [u16],
    /// Of more and less, which it says.
    pub(super) sense: Option<Sense>,
    pub(super) spelling: Option<Spelling>,
}

impl Text {
    /// Reads the beginning of a text, at most so many words.
    pub(super) fn read(text: &str, reader: &Reader, most_words: usize) -> Self {
        let words = reader.words(text, most_words);
        let quantities = quantities::read(text, &words);
        Self::of(words, quantities, reader.tag())
    }

    fn of(words: Vec<Word>, quantities: Vec<Quantity>, tag: &'static str) -> Self {
        let (mut kinds, mut by_id): (Vec<Kind>, HashMap<u64, usize>) = (Vec::new(), HashMap::new());
        for (first, word) in words.iter().enumerate() {
            by_id.entry(word.id).or_insert_with(|| {
                let is_spelled = word.is_content() && !word.is_number;
                kinds.push(Kind {
                    first,
                    id: word.id,
                    weight: word.weight,
                    is_content: word.is_content(),
                    meanings: word.meanings,
                    sense: word.sense.filter(|sense| matches!(sense, Sense::More | Sense::Less)),
                    spelling: is_spelled.then(|| Spelling::of(&word.folded)).flatten(),
                });
                kinds.len() - 1
            });
        }
        let content: Vec<u64> = words.iter().filter(|word| word.is_content()).map(|word| word.id).collect();
        let mut triples: HashMap<Triple, u32> = HashMap::new();
        let mut triple_count = 0;
        for triple in triples_of(&words) {
            *triples.entry(triple).or_default() += 1;
            triple_count += 1;
        }
        let near = (1..=NEAR).flat_map(|apart| content.iter().zip(content.iter().skip(apart)));
        let pairs = near.map(|(one, other)| (*one.min(other), *one.max(other))).collect();
        let neighbours = words.iter().zip(words.iter().skip(1)).map(|(one, next)| (one.id, next.id)).collect();
        let denials = words.iter().filter(|word| word.denies()).count();
        Self { words, kinds, by_id, content, triples, triple_count, pairs, neighbours, denials, quantities, tag }
    }

    pub(super) fn has(&self, id: u64) -> bool {
        self.by_id.contains_key(&id)
    }

    /// The place of a kind among [`Text::kinds`].
    pub(super) fn place(&self, id: u64) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// The kinds of four letters in a row, across words.
    pub(super) fn fours(&self) -> HashSet<u64> {
        let letters: Vec<char> = letters_of(&self.words).collect();
        letters
            .windows(4)
            .map(|four| four.iter().fold(0, |all: u64, letter| all.rotate_left(16) ^ packed(*letter)))
            .collect()
    }

    /// Whether two texts are the same words in the same order.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        self.words.iter().map(|word| word.id).eq(other.words.iter().map(|word| word.id))
    }
}

/// Three letters in a row of folded words with a space between them and at both ends.
fn triples_of(words: &[Word]) -> impl Iterator<Item = Triple> {
    let mut last = (None, None);
    letters_of(words).filter_map(move |letter| {
        let triple = match last {
            (Some(first), Some(second)) => Some(packed(first) << 42 | packed(second) << 21 | packed(letter)),
            _ => None,
        };
        last = (last.1, Some(letter));
        triple
    })
}

fn letters_of(words: &[Word]) -> impl Iterator<Item = char> {
    let ended = words.iter().flat_map(|word| std::iter::once(' ').chain(word.folded.chars()));
    ended.chain((!words.is_empty()).then_some(' '))
}

fn packed(letter: char) -> u64 {
    u64::from(u32::from(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_knows_its_words_letters_and_neighbours() {
        let text = Text::read("The moon orbits the Earth, not the Sun.", &Reader::new("en"), 100);
        assert_eq!((text.words.len(), text.kinds.len(), text.content.len(), text.denials), (8, 6, 4, 1));
        assert_eq!(text.triple_count as usize, " the moon orbits the earth not the sun ".chars().count() - 2);
        assert_eq!(text.neighbours.len(), 7);
        assert_eq!(text.pairs.len(), 5);
        assert!(text.says_the_same(&Text::read("the MOON orbits the earth not the sun", &Reader::new("en"), 100)));
        assert!(Text::read("", &Reader::new("en"), 100).triples.is_empty());
    }
}
