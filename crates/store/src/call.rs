//! An operation on its way through an engine: the closure, its outcome and who waits for it.
//!
//! The engines see a [`Call`] only; what the closure returns stays behind it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::{StoreError, Tx, meter};

/// What an operation asks of its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// One snapshot, no changes.
    Read,
    /// All or nothing, as if alone.
    Write,
    /// All or nothing, each statement sees the newest rows: what a queue needs to claim from.
    Claim,
    /// The same with delayed durability: answered when all others see it, durable with whatever is durable next.
    DelayedClaim,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Claim => "claim",
            Self::DelayedClaim => "delayed_claim",
        }
    }
}

/// What to do with the transaction after the closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Commit it.
    Keep,
    /// Roll it back.
    Undo,
}

/// An operation that an engine can run, more than once if it must, and answer once.
pub(crate) trait Call: Send {
    fn name(&self) -> &'static str;
    fn kind(&self) -> Kind;
    fn submitted_at(&self) -> Instant;
    /// Nobody waits for the answer any more.
    fn is_abandoned(&self) -> bool;
    /// Runs the closure and keeps what it returned. Never panics.
    fn run(&mut self, tx: &mut Tx<'_>) -> Verdict;
    /// Hands out what the last run returned.
    fn answer(self: Box<Self>);
    /// Answers with an error of the store, whatever the closure returned.
    fn refuse(self: Box<Self>, error: StoreError);
}

/// The only implementation of [`Call`].
pub(crate) struct Operation<F, T, E> {
    name: &'static str,
    kind: Kind,
    submitted_at: Instant,
    closure: F,
    outcome: Option<Result<T, E>>,
    caller: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Operation<F, T, E> {
    pub(crate) fn new(name: &'static str, kind: Kind, closure: F, caller: oneshot::Sender<Result<T, E>>) -> Self {
        Self { name, kind, submitted_at: meter::now(), closure, outcome: None, caller }
    }
}

impl<F, T, E> Call for Operation<F, T, E>
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn submitted_at(&self) -> Instant {
        self.submitted_at
    }

    fn is_abandoned(&self) -> bool {
        self.caller.is_closed()
    }

    fn run(&mut self, tx: &mut Tx<'_>) -> Verdict {
        // The closure sees nothing but the transaction, which is rolled back: no state can be left torn.
        let outcome = match catch_unwind(AssertUnwindSafe(|| (self.closure)(tx))) {
            Ok(Ok(_)) if tx.has_failed() => Err(defect(self.name, "went on after a failed statement")),
            Ok(outcome) => outcome,
            Err(_panic) => Err(defect(self.name, "panicked")),
        };
        let verdict = match &outcome {
            Ok(_) => Verdict::Keep,
            Err(_) => Verdict::Undo,
        };
        self.outcome = Some(outcome);
        verdict
    }

    fn answer(self: Box<Self>) {
        if let Some(outcome) = self.outcome {
            // An error means that the caller has gone away.
            let _ = self.caller.send(outcome);
        }
    }

    fn refuse(self: Box<Self>, error: StoreError) {
        let _ = self.caller.send(Err(error.into()));
    }
}

fn defect<E: From<StoreError>>(name: &str, what: &str) -> E {
    StoreError::unexpected(format!("the transaction {name} {what}")).into()
}
