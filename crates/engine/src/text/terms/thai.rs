//! Thai terms: words of the dictionary, and a few of them in a row.
//!
//! The dictionary knows few foreign words and divides them anywhere. A piece of one has the same letter beside it wherever it stands,
//! by which it is told from a word.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use language::profile::Profile;
use language::script::is_thai;
use language::segments;

use super::{Seen, note as note_piece};

/// Characters of a term, and most words of one.
const LENGTH: RangeInclusive<usize> = 3..=24;
const MOST_WORDS: usize = 4;

/// The signs before and behind a piece, over all its places.
#[derive(Default)]
pub(super) struct Neighbours {
    before: Side,
    behind: Side,
}

/// The signs on one side of a piece.
#[derive(Default)]
enum Side {
    #[default]
    Unseen,
    /// One Thai sign, wherever it stands.
    Always(char),
    /// Different signs, or an end.
    Varied,
}

impl Side {
    fn see(&mut self, sign: Option<char>) {
        let sign = sign.filter(|sign| is_thai(*sign));
        *self = match (&self, sign) {
            (Self::Unseen, Some(sign)) => Self::Always(sign),
            (Self::Always(known), Some(sign)) if *known == sign => return,
            _ => Self::Varied,
        };
    }
}

impl Neighbours {
    /// Whether a piece goes on in the same way wherever it stands.
    fn go_on(&self) -> bool {
        matches!(self.before, Side::Always(_)) || matches!(self.behind, Side::Always(_))
    }
}

/// Notes the words of a sentence that may be terms, and those in a row that may be one.
pub(super) fn note(seen: &mut HashMap<String, Seen>, sentence: &str, profile: &Profile) {
    let words = segments::words(sentence);
    let is_topical = |word: &str| word.chars().all(is_thai) && !profile.is_topicless(word);
    for first in 0..words.len() {
        let start = words[first].0;
        let mut end = start;
        for (count, (at, word)) in words[first..].iter().take(MOST_WORDS).enumerate() {
            if *at != end || !is_topical(word) {
                break;
            }
            end += word.len();
            let piece = &sentence[start..end];
            if LENGTH.contains(&piece.chars().count()) {
                let entry = note_piece(seen, piece.to_owned(), piece, count + 1);
                entry.neighbours.before.see(sentence[..start].chars().next_back());
                entry.neighbours.behind.see(sentence[end..].chars().next());
            }
        }
    }
}

/// Drops the pieces of words, and the words that only ever stand inside a longer term.
pub(super) fn drop_parts(seen: &mut HashMap<String, Seen>) {
    let goes_on = |seen: &Seen| seen.count > 1 && seen.neighbours.go_on();
    seen.retain(|_, seen| seen.marked || !goes_on(seen));
}
