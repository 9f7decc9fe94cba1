//! Counts what was not asked, and why.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use crate::drafts::QuizItemKind;

/// Why no item was made of something that could have been asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The question would hold its own answer.
    GivesAway,
    /// The source has too few other values of the same slot.
    FewRivals,
    /// Another value may be right as well.
    SeveralKeys,
    /// The sentence tells learners what to do, or speaks of the course.
    NoStatement,
    /// The number is vague, part of a range, or one of many.
    VagueNumber,
    /// The source's own question has no key that can be told for sure.
    UnknownKey,
    /// The finished item did not pass the gate.
    Unsound,
    /// Sound, and left out because there were enough.
    Enough,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::GivesAway => "the question holds its answer",
            Self::FewRivals => "too few other values of the same slot",
            Self::SeveralKeys => "another value may be right",
            Self::NoStatement => "no statement about the subject",
            Self::VagueNumber => "a vague number, a range, or many numbers",
            Self::UnknownKey => "no sure key in the source",
            Self::Unsound => "did not pass the gate",
            Self::Enough => "sound, but there were enough",
        })
    }
}

/// How many items of a kind were not made for a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// The kind that it would have been.
    pub kind: QuizItemKind,
    /// Why it was not made.
    pub reason: Reason,
    /// How often.
    pub count: usize,
}

#[derive(Default)]
pub(super) struct Tally(RefCell<BTreeMap<(QuizItemKind, Reason), usize>>);

impl Tally {
    pub(super) fn note(&self, kind: QuizItemKind, reason: Reason) {
        *self.0.borrow_mut().entry((kind, reason)).or_default() += 1;
    }

    pub(super) fn all(&self) -> Vec<Dropped> {
        let counts = self.0.borrow();
        counts.iter().map(|((kind, reason), count)| Dropped { kind: *kind, reason: *reason, count: *count }).collect()
    }
}
