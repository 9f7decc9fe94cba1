//! The kinds of jobs with their types erased: one worker runs several, and the operator cancels any.

use std::sync::Arc;

use async_trait::async_trait;

use super::payload::{self, PayloadError};
use super::{ClaimedJob, Job, Outcome};
use crate::{StoreError, Tx};

/// Runs the jobs of one kind in a [`super::Worker`]: a type of job with its context.
pub struct Handler {
    pub(super) kind: &'static str,
    runner: Box<dyn Run>,
}

#[async_trait]
trait Run: Send + Sync {
    async fn run(&self, claimed: &ClaimedJob, gives_up: bool) -> Result<Outcome, PayloadError>;
}

struct Runner<J: Job>(J::Context);

#[async_trait]
impl<J: Job> Run for Runner<J> {
    async fn run(&self, claimed: &ClaimedJob, gives_up: bool) -> Result<Outcome, PayloadError> {
        let job: J = payload::read(&claimed.payload)?;
        Ok(if gives_up { job.gave_up(&self.0, claimed).await } else { job.run(&self.0, claimed).await })
    }
}

impl Handler {
    /// The handler of `J`.
    #[must_use]
    pub fn new<J: Job>(context: J::Context) -> Self {
        Self { kind: J::KIND, runner: Box::new(Runner::<J>(context)) }
    }

    pub(super) async fn run(&self, claimed: &ClaimedJob, gives_up: bool) -> Result<Outcome, PayloadError> {
        self.runner.run(claimed, gives_up).await
    }
}

/// A type of job that can be cancelled without what it needs to run.
#[derive(Clone)]
pub struct JobType {
    pub(super) kind: &'static str,
    cancel: Arc<Cancel>,
}

type Cancel = dyn Fn(&mut Tx<'_>, &str) -> Result<(), StoreError> + Send + Sync;

impl JobType {
    /// The type `J`. `cancelled` records in the owner's rows that the operator cancelled a job, in the transaction that
    /// removes the job.
    #[must_use]
    pub fn new<J: Job>(cancelled: impl Fn(&J, &mut Tx<'_>) -> Result<(), StoreError> + Send + Sync + 'static) -> Self {
        // A job that can't be read is about nothing that this program knows.
        let cancel = move |tx: &mut Tx<'_>, payload: &str| match payload::read::<J>(payload) {
            Ok(job) => cancelled(&job, tx),
            Err(_) => Ok(()),
        };
        Self { kind: J::KIND, cancel: Arc::new(cancel) }
    }

    /// Its [`Job::KIND`].
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    pub(super) fn cancel(&self, tx: &mut Tx<'_>, payload: &str) -> Result<(), StoreError> {
        (self.cancel)(tx, payload)
    }
}
