//! How often a job of generation is tried, and how it comes to an end when it can't go on: alike for all kinds.
//!
//! No job of generation runs for ever: a passing failure of the generator and a row that can't be read or written
//! are tried a few times, then what the job is about is failed with a code. Only an absent database is waited for.

use std::time::Duration;

use engine::GenerationError;
use kernel::ambient::Ambient;
use store::StoreError;
use store::jobs::{ClaimedJob, LeaseError, Outcome};

use crate::resources::Failure;

/// Tries of a job before a passing failure is a failure.
const MOST_TRIES: u32 = 4;
/// The wait before the second try; each further one is three times as long.
const FIRST_RETRY_DELAY: Duration = Duration::from_secs(5);
/// The longest wait that a generator may ask for.
const LONGEST_RETRY_DELAY: Duration = Duration::from_secs(600);
/// The wait when the store did not take a result.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(2);

/// Why something was not generated when no generator said so: code and message.
#[derive(Clone, Copy)]
pub(crate) struct Reason(pub(crate) &'static str, pub(crate) &'static str);

/// The generator panicked.
pub(crate) const GENERATOR_CRASHED: Reason = Reason("generation_crashed", "The generator failed unexpectedly.");
/// The job took its workers down.
pub(crate) const WORKER_LOST: Reason = Reason("generation_crashed", "The generator did not survive this source.");
/// The store refused what was made.
pub(crate) const NOT_STORED: Reason = Reason("resource_not_stored", "What was generated could not be stored.");
/// The operator removed the job: its owner can have it tried again.
pub(crate) const CANCELLED: Reason = Reason("cancelled", "The operator of the service cancelled the generation.");
/// The store refused what the job reads or notes of itself.
const RECORDS_DAMAGED: Reason = Reason("records_damaged", "The stored records of this generation can't be used.");

impl From<Reason> for Failure {
    fn from(Reason(code, message): Reason) -> Self {
        Self { code: code.to_owned(), message: message.to_owned() }
    }
}

/// What a client reads of a generator's refusal.
pub(crate) fn failure_of(error: &GenerationError) -> Failure {
    Failure { code: error.code.to_owned(), message: error.message.clone() }
}

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum Interruption {
    /// Another worker has the job; there is nothing left to do here.
    LeaseLost,
    /// The store did not take it; what was committed before stays.
    Store(StoreError),
}

impl Interruption {
    /// Whether the store is there and refused: another try would most likely end alike.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::Store(error) if !matches!(error, StoreError::Unavailable))
    }
}

impl From<StoreError> for Interruption {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<LeaseError> for Interruption {
    fn from(error: LeaseError) -> Self {
        match error {
            LeaseError::Lost => Self::LeaseLost,
            LeaseError::Store(error) => Self::Store(error),
        }
    }
}

/// How often a job was tried, this time included. A worker that vanished tried nothing.
fn tries(job: &ClaimedJob) -> u32 {
    job.attempt.saturating_sub(job.lapses)
}

/// Whether a passing failure is worth another try.
pub(crate) fn may_try_again(job: &ClaimedJob) -> bool {
    tries(job) < MOST_TRIES
}

/// The next try of a job after a passing failure: later each time, and not before its generator says that it is worth it,
/// within reason.
pub(crate) fn try_again(ambient: &Ambient, job: &ClaimedJob, error: &GenerationError) -> Outcome {
    let asked_for = error.retry_after.unwrap_or_default().min(LONGEST_RETRY_DELAY);
    Outcome::Retry { at: ambient.now().plus(next_delay(job).max(asked_for)), why: error.to_string() }
}

fn next_delay(job: &ClaimedJob) -> Duration {
    FIRST_RETRY_DELAY * 3_u32.pow(tries(job).saturating_sub(1).min(8))
}

/// What follows from a run. `abandon` fails what the job is about for the reason that it is given, and ends the job; it
/// is asked when the tries are used up, and must get by with as little of the stored rows as possible.
pub(crate) async fn conclude<F: Future<Output = Result<(), Interruption>>>(
    ambient: &Ambient,
    job: &ClaimedJob,
    run: Result<Outcome, Interruption>,
    abandon: impl FnOnce(Failure) -> F,
) -> Outcome {
    let error = match run {
        Ok(outcome) => return outcome,
        Err(Interruption::LeaseLost) => return Outcome::Settled,
        Err(Interruption::Store(StoreError::Unavailable)) => return wait_for_store(ambient),
        Err(Interruption::Store(error)) => error,
    };
    tracing::error!(job = %job.id, kind = job.kind, error = &error as &dyn std::error::Error, "a job can't go on");
    if may_try_again(job) {
        return Outcome::Retry { at: ambient.now().plus(next_delay(job)), why: error.to_string() };
    }
    match abandon(RECORDS_DAMAGED.into()).await {
        Ok(()) | Err(Interruption::LeaseLost) => Outcome::Settled,
        Err(Interruption::Store(StoreError::Unavailable)) => wait_for_store(ambient),
        Err(Interruption::Store(error)) => Outcome::Fail { why: error.to_string() },
    }
}

fn wait_for_store(ambient: &Ambient) -> Outcome {
    Outcome::Retry { at: ambient.now().plus(STORE_RETRY_DELAY), why: StoreError::Unavailable.to_string() }
}
