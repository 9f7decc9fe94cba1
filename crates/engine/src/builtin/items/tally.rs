//! Counts what was not asked, and why.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

use crate::drafts::{Omission, OmissionReason, QuizItemKind};

#[derive(Default)]
pub(super) struct Tally {
    counts: RefCell<BTreeMap<(QuizItemKind, OmissionReason), usize>>,
    /// The questions that could not be made items, which the module and the quiz may both try.
    questions: RefCell<HashSet<(QuizItemKind, String)>>,
}

impl Tally {
    pub(super) fn note(&self, kind: QuizItemKind, reason: OmissionReason) {
        *self.counts.borrow_mut().entry((kind, reason)).or_default() += 1;
    }

    /// Notes a question, once.
    pub(super) fn note_question(&self, kind: QuizItemKind, reason: OmissionReason, question: &str) {
        if self.questions.borrow_mut().insert((kind, question.to_owned())) {
            self.note(kind, reason);
        }
    }

    pub(super) fn all(&self) -> Vec<Omission> {
        let counts = self.counts.borrow();
        counts.iter().map(|((kind, reason), count)| Omission { kind: *kind, reason: *reason, count: *count }).collect()
    }
}
