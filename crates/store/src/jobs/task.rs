//! One run of one job: the handler's future with the lease renewed beside it, then the outcome.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use super::lease::{LeaseError, crashed, fail, finish, retry_at};
use super::payload::PayloadError;
use super::worker::Shared;
use super::{ClaimedJob, Handler, Outcome};
use crate::{StoreError, Tx};

/// Tries to write an outcome while the database is not available; after that the lease lapses and the
/// job runs again.
const SETTLE_ATTEMPTS: u32 = 6;
/// The wait after the first of these; it doubles.
const SETTLE_WAIT: Duration = Duration::from_millis(200);
/// A job of an unknown kind or version is left for a newer process, this long and this often.
const UNKNOWN_WAIT: Duration = Duration::from_secs(30);
const UNKNOWN_ATTEMPTS: u32 = 20;

/// A claimed job on its way to an outcome.
pub(super) struct Task {
    shared: Arc<Shared>,
    job: ClaimedJob,
}

/// How the handler's future ended.
enum Ending {
    Outcome(Outcome),
    Panic,
    LeaseLost,
}

impl Task {
    pub(super) fn new(shared: Arc<Shared>, job: ClaimedJob) -> Self {
        Self { shared, job }
    }

    /// Runs the job and settles it. Never panics.
    pub(super) async fn run(self) {
        let ending = match self.shared.handlers.get(self.job.kind.as_str()) {
            Some(handler) => self.run_handler(handler).await,
            None => Ending::Outcome(self.leave(format!("this program has no handler for {}", self.job.kind))),
        };
        let (outcome, is_crash) = match ending {
            Ending::Outcome(outcome) => (outcome, false),
            Ending::Panic => (self.after_panic(), true),
            Ending::LeaseLost => {
                tracing::warn!(job = %self.job.id, kind = self.job.kind, "the lease was lost; the work is dropped");
                (Outcome::Settled, false)
            }
        };
        self.count(&outcome);
        self.settle(outcome, is_crash).await;
        self.shared.note_ended(self.job.id);
    }

    async fn run_handler(&self, handler: &Handler) -> Ending {
        let gives_up = self.job.lapses > self.shared.options.max_lapses;
        // Calling the handler is part of what may panic.
        let work = AssertUnwindSafe(async {
            match handler.run(&self.job, gives_up).await {
                Ok(outcome) => outcome,
                Err(error @ PayloadError::Unreadable) => Outcome::Fail { why: error.to_string() },
                Err(error @ PayloadError::Newer { .. }) => self.leave(error.to_string()),
            }
        });
        tokio::select! {
            ended = work.catch_unwind() => ended.map_or(Ending::Panic, Ending::Outcome),
            () = self.keep_lease() => Ending::LeaseLost,
        }
    }

    /// Renews the lease; ends when it is lost.
    async fn keep_lease(&self) {
        loop {
            tokio::time::sleep(self.shared.options.lease / 3).await;
            let lease = self.job.lease.clone();
            match self.shared.store.claim("jobs.renew", move |tx| lease.hold(tx)).await {
                Ok(()) => {}
                Err(LeaseError::Lost) => return,
                Err(LeaseError::Store(error)) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(job = %self.job.id, error, "can't renew a lease for the moment");
                }
            }
        }
    }

    /// Leaves the job to a newer process, which there is while versions are exchanged.
    fn leave(&self, why: String) -> Outcome {
        if self.job.attempt >= UNKNOWN_ATTEMPTS {
            return Outcome::Fail { why };
        }
        Outcome::Retry { at: self.shared.ambient.now().plus(UNKNOWN_WAIT), why }
    }

    /// Again after a second, doubled each time up to a minute; never again when giving up panicked too.
    fn after_panic(&self) -> Outcome {
        let why = "the handler panicked".to_owned();
        tracing::error!(job = %self.job.id, kind = self.job.kind, "the handler panicked");
        if self.job.lapses > self.shared.options.max_lapses {
            return Outcome::Fail { why };
        }
        let wait = Duration::from_secs(1 << self.job.lapses.min(6)).min(Duration::from_secs(60));
        Outcome::Retry { at: self.shared.ambient.now().plus(wait), why }
    }

    fn count(&self, outcome: &Outcome) {
        let outcome = match outcome {
            Outcome::Settled => "settled",
            Outcome::Done => "done",
            Outcome::Retry { .. } => "retry",
            Outcome::Fail { .. } => "fail",
        };
        metrics::counter!("lectern_jobs_total", "kind" => self.job.kind.clone(), "outcome" => outcome).increment(1);
    }

    async fn settle(&self, outcome: Outcome, is_crash: bool) {
        if outcome == Outcome::Settled {
            return;
        }
        let mut wait = SETTLE_WAIT;
        for _ in 0..SETTLE_ATTEMPTS {
            let (lease, outcome) = (self.job.lease.clone(), outcome.clone());
            let write = move |tx: &mut Tx<'_>| match &outcome {
                Outcome::Settled => Ok(()),
                Outcome::Done => finish(tx, &lease),
                Outcome::Retry { at, why } if is_crash => crashed(tx, &lease, *at, why),
                Outcome::Retry { at, why } => retry_at(tx, &lease, *at, why),
                Outcome::Fail { why } => fail(tx, &lease, why),
            };
            match self.shared.store.write("jobs.settle", write).await {
                Ok(()) => return,
                Err(LeaseError::Store(StoreError::Unavailable)) => {
                    tokio::time::sleep(wait).await;
                    wait *= 2;
                }
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    return tracing::error!(job = %self.job.id, error, "the outcome of a job was not recorded");
                }
            }
        }
        tracing::error!(job = %self.job.id, "the outcome of a job was not recorded: its lease will lapse");
    }
}
