//! Counts what was not asked, and why.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::drafts::{Omission, OmissionReason, QuizItemKind};

#[derive(Default)]
pub(super) struct Tally(RefCell<BTreeMap<(QuizItemKind, OmissionReason), usize>>);

impl Tally {
    pub(super) fn note(&self, kind: QuizItemKind, reason: OmissionReason) {
        *self.0.borrow_mut().entry((kind, reason)).or_default() += 1;
    }

    pub(super) fn all(&self) -> Vec<Omission> {
        let counts = self.0.borrow();
        counts.iter().map(|((kind, reason), count)| Omission { kind: *kind, reason: *reason, count: *count }).collect()
    }
}
