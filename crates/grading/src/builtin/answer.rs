//! A learner's answer made ready for comparison: its clauses, its words, what stands where.

use std::collections::HashSet;

use language::normal;

use super::alignment::Index;
use super::features::Contents;
use super::ideas;
use super::stance::{Stance, stance};
use super::tokens::{Reader, Word};

/// Longest clause, in words; what nobody parted is parted here, so that a clause stays cheap to look at.
const MAX_CLAUSE: usize = 60;
/// Marks in front of a clause's first word that are kept with it, in bytes.
const MAX_LEAD: usize = 8;

/// A stretch of an answer that states something.
pub(super) struct Clause {
    /// As the learner wrote it.
    pub(super) text: String,
    /// Its words among the answer's.
    pub(super) words: std::ops::Range<usize>,
    /// Whether a word of it denies.
    pub(super) denies: bool,
    /// Its sentence reports it and calls it wrong.
    pub(super) is_rejected: bool,
}

/// An answer without what is no answer.
pub(super) struct Answer {
    pub(super) clauses: Vec<Clause>,
    pub(super) words: Vec<Word>,
    pub(super) index: Index,
    pub(super) contents: Contents,
    /// How many of its words ask.
    pub(super) asked: usize,
    /// What stands behind the last word that is judged, where the answer is too long for its task.
    pub(super) unread_from: Option<String>,
    clause_of: Vec<usize>,
}

impl Answer {
    /// Reads an answer, of its words so many; what is said twice counts once.
    pub(super) fn read(text: &str, reader: &Reader, most_words: usize) -> Self {
        let mut seen = HashSet::new();
        let mut clauses: Vec<Clause> = Vec::new();
        let mut words: Vec<Word> = Vec::new();
        let mut clause_of = Vec::new();
        let (mut asked, mut unread_from) = (0, None);
        let sentences =
            ideas::sentences(text, reader).map(|sentence| (stance(sentence, &reader.words(sentence)), sentence));
        let read = sentences.flat_map(|(stance, sentence)| {
            ideas::clauses_of(sentence, reader).into_iter().map(move |clause| (stance, clause))
        });
        'clauses: for (stance, clause) in read {
            if !seen.insert(normal::normal(clause)) {
                continue;
            }
            for part in reader.words(clause).chunks(MAX_CLAUSE) {
                let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
                if words.len() >= most_words {
                    unread_from = Some(clause[first.start..].to_owned());
                    break 'clauses;
                }
                let whole = part.len() < MAX_CLAUSE && first.start < MAX_LEAD;
                let text = if whole { clause } else { &clause[first.start..last.end] };
                let start = words.len();
                words.extend_from_slice(part);
                asked += if stance == Stance::Asks { part.len() } else { 0 };
                clause_of.resize(words.len(), clauses.len());
                clauses.push(Clause {
                    text: text.to_owned(),
                    words: start..words.len(),
                    denies: denies(part),
                    is_rejected: stance == Stance::Rejects,
                });
            }
        }
        let index = Index::new(words.iter());
        let contents = Contents::of(&words);
        Self { clauses, words, index, contents, asked, unread_from, clause_of }
    }

    /// The clause that a word stands in.
    pub(super) fn clause_of(&self, word: usize) -> usize {
        self.clause_of[word]
    }
}

/// Whether words deny what they state: "not", "never", but neither "not only" nor a bare "no" in front.
pub(super) fn denies(words: &[Word]) -> bool {
    let only = ["only", "just", "nur", "solo", "sólo", "seulement", "apenas", "alleen", "tylko", "только", "тільки"];
    words.iter().enumerate().any(|(at, word)| {
        let opens = at == 0 && matches!(word.lower.as_str(), "no" | "não" | "nein" | "non" | "нет");
        let bounded = words.get(at + 1).is_some_and(|next| only.contains(&next.lower.as_str()));
        word.negation && !bounded && !(opens && words.len() > 1)
    })
}
