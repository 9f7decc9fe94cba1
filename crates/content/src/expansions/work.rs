//! Does the work of an expansion: one job, its outputs one after the other, each kept as soon as it is made.
//!
//! Generating happens with no transaction open. Every write is fenced by the job's lease, so a worker that was
//! taken for dead can't write over its successor. A crash anywhere leaves finished outputs finished; the
//! next worker makes the others. The output that ends last ends the job and tells it, in one commit.

mod draft;
mod settle;

use std::sync::Arc;
use std::time::Duration;

use engine::{BoxFuture, GenerationError, Generator, SourceLevel};
use kernel::ambient::Ambient;
use kernel::id::{ExpansionId, OrganizationId};
use serde::{Deserialize, Serialize};
use store::jobs::{ClaimedJob, Handler, LeaseError, Outcome};
use store::{Store, StoreError, Tx};
use tokio::sync::Semaphore;

use self::draft::Drafted;
use super::payload;
use super::rows::{self, Expansion, Output, Progress};
use crate::resources::Failure;

/// The kind of these jobs.
pub const KIND: &str = "ExpandSource";
/// Tries of a job before a passing failure is a failure.
const MOST_TRIES: u32 = 4;
/// The wait before the second try; each further one is three times as long.
const FIRST_RETRY_DELAY: Duration = Duration::from_secs(5);
/// The wait when the store did not take a result.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(2);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct JobPayload {
    version: u32,
    organization_id: OrganizationId,
    expansion_id: ExpansionId,
}

/// The payload of the job that expands an expansion.
pub(super) fn job_payload(organization_id: OrganizationId, expansion_id: ExpansionId) -> String {
    let payload = JobPayload { version: 1, organization_id, expansion_id };
    serde_json::to_string(&payload).expect("a job payload serializes")
}

/// The handler of these jobs.
pub struct ExpandSource {
    store: Store,
    ambient: Ambient,
    generator: Arc<dyn Generator>,
    mode: &'static str,
    /// Generating computes: more at once than there are processors only makes every job late.
    processors: Arc<Semaphore>,
}

/// Why an output fails when no generator said so: code and message.
#[derive(Clone, Copy)]
struct Reason(&'static str, &'static str);

const GENERATOR_CRASHED: Reason = Reason("generation_crashed", "The generator failed unexpectedly.");
const WORKER_LOST: Reason = Reason("generation_crashed", "The generator did not survive this source.");
const SOURCE_UNREADABLE: Reason = Reason("source_unreadable", "This version of the service can't read the source.");
const NOT_STORED: Reason = Reason("resource_not_stored", "What was generated could not be stored.");

impl From<Reason> for Failure {
    fn from(Reason(code, message): Reason) -> Self {
        Self { code: code.to_owned(), message: message.to_owned() }
    }
}

/// Why a run ended early.
#[derive(Debug)]
enum Interruption {
    /// Another worker has the job; there is nothing left to do here.
    LeaseLost,
    /// The store did not take it; what was committed before stays.
    Store(StoreError),
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

impl ExpandSource {
    /// `mode` names the generator in manifests: `builtin`, `model`.
    pub fn new(store: Store, ambient: Ambient, generator: Arc<dyn Generator>, mode: &'static str) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { store, ambient, generator, mode, processors: Arc::new(Semaphore::new(processors)) }
    }

    async fn expand(&self, job: &ClaimedJob) -> Result<Outcome, Interruption> {
        let Ok(order) = serde_json::from_str::<JobPayload>(&job.payload) else {
            return Ok(Outcome::Fail { why: "the job's payload can't be read".into() });
        };
        let Some((expansion, level)) = self.begin(job, &order).await? else { return Ok(Outcome::Settled) };
        let Some(level) = level.map(Arc::new) else {
            return self.fail_open_outputs(job, &order, &expansion, SOURCE_UNREADABLE).await;
        };
        // A worker that vanished tried nothing.
        let tries = job.attempt.saturating_sub(job.lapses);
        let mut deferred = None;
        for output in expansion.outputs.iter().filter(|output| !output.progress.has_ended()) {
            match self.draft(&expansion, output, &level).await {
                Ok(drafted) => self.keep(job, &order, output, drafted).await?,
                Err(error) if error.retryable && tries < MOST_TRIES => deferred = Some(error),
                Err(error) => self.settle(job, &order, output, Err(failure_of(&error))).await?,
            }
        }
        Ok(match deferred {
            None => Outcome::Settled,
            Some(error) => Outcome::Retry { at: self.ambient.now().plus(retry_delay(tries)), why: error.to_string() },
        })
    }

    /// Takes the job up: the expansion and its first open output are being processed from now on. There is no level
    /// when the source was accepted by another version of the program and this one can't read it.
    async fn begin(
        &self,
        job: &ClaimedJob,
        order: &JobPayload,
    ) -> Result<Option<(Expansion, Option<SourceLevel>)>, Interruption> {
        let (lease, organization, id) = (job.lease.clone(), order.organization_id, order.expansion_id);
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let expansion = rows::find(tx, organization, id)?.filter(|expansion| !expansion.progress.has_ended());
            let Some(expansion) = expansion else {
                store::jobs::finish(tx, &lease)?;
                return Ok(None);
            };
            rows::set_progress(tx, id, &Progress::Processing)?;
            settle::process_next(tx, &expansion.outputs)?;
            let payload = rows::payload(tx, id)?.unwrap_or_default();
            Ok::<_, Interruption>(Some((expansion, payload)))
        };
        let Some((expansion, payload)) = self.store.write("expansions.begin", write).await? else { return Ok(None) };
        let payload = serde_json::from_str::<serde_json::Value>(&payload).ok();
        Ok(Some((expansion, payload.as_ref().and_then(payload::source_level))))
    }

    /// Generates on a blocking thread: the built-in generator computes, and a panic there must stay there.
    async fn draft(
        &self,
        expansion: &Expansion,
        output: &Output,
        level: &Arc<SourceLevel>,
    ) -> Result<Drafted, GenerationError> {
        let (generator, kind, level) = (self.generator.clone(), output.kind, level.clone());
        let runtime = tokio::runtime::Handle::current();
        let processor = self.processors.clone().acquire_owned().await.expect("the semaphore is never closed");
        let generating = tokio::task::spawn_blocking(move || {
            // Held as long as the work goes on, whoever still waits for it.
            let _processor = processor;
            runtime.block_on(draft::generate(&*generator, kind, &level))
        });
        let generated = generating.await.unwrap_or_else(|panic| {
            tracing::error!(expansion = %expansion.id, output = kind.as_str(), %panic, "a generator crashed");
            let Reason(code, message) = GENERATOR_CRASHED;
            Err(GenerationError { code, message: message.to_owned(), retryable: false })
        })?;
        Ok(Drafted::new(generated, &self.ambient, expansion, self.mode))
    }

    /// Settles an output with what was made. What the store refuses fails the output: another try would end alike.
    async fn keep(
        &self,
        job: &ClaimedJob,
        order: &JobPayload,
        output: &Output,
        drafted: Drafted,
    ) -> Result<(), Interruption> {
        match self.settle(job, order, output, Ok(drafted)).await {
            Err(Interruption::Store(error)) if !matches!(error, StoreError::Unavailable) => {
                let (expansion, output_type) = (order.expansion_id, output.kind.as_str());
                tracing::error!(%expansion, output_type, %error, "a generated resource was not stored");
                self.settle(job, order, output, Err(NOT_STORED.into())).await
            }
            settled => settled,
        }
    }

    async fn settle(
        &self,
        job: &ClaimedJob,
        order: &JobPayload,
        output: &Output,
        made: Result<Drafted, Failure>,
    ) -> Result<(), Interruption> {
        let (lease, organization, expansion) = (job.lease.clone(), order.organization_id, order.expansion_id);
        let (ambient, output) = (self.ambient.clone(), output.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let has_ended = settle::output(tx, &ambient, organization, expansion, &output, &made)?;
            if has_ended {
                store::jobs::finish(tx, &lease)?;
            }
            Ok::<_, Interruption>(())
        };
        self.store.write("expansions.settle", write).await
    }

    async fn give_up(&self, job: &ClaimedJob) -> Result<Outcome, Interruption> {
        let Ok(order) = serde_json::from_str::<JobPayload>(&job.payload) else {
            return Ok(Outcome::Fail { why: "the job's payload can't be read".into() });
        };
        let Some((expansion, _)) = self.begin(job, &order).await? else { return Ok(Outcome::Settled) };
        self.fail_open_outputs(job, &order, &expansion, WORKER_LOST).await
    }

    async fn fail_open_outputs(
        &self,
        job: &ClaimedJob,
        order: &JobPayload,
        expansion: &Expansion,
        reason: Reason,
    ) -> Result<Outcome, Interruption> {
        for output in expansion.outputs.iter().filter(|output| !output.progress.has_ended()) {
            self.settle(job, order, output, Err(reason.into())).await?;
        }
        Ok(Outcome::Settled)
    }

    fn outcome(&self, run: Result<Outcome, Interruption>) -> Outcome {
        match run {
            Ok(outcome) => outcome,
            Err(Interruption::LeaseLost) => Outcome::Settled,
            Err(Interruption::Store(error)) => {
                Outcome::Retry { at: self.ambient.now().plus(STORE_RETRY_DELAY), why: error.to_string() }
            }
        }
    }
}

impl Handler for ExpandSource {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn run<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { self.outcome(self.expand(job).await) })
    }

    /// The job killed its worker again and again: what it did not make, it never will.
    fn gave_up<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { self.outcome(self.give_up(job).await) })
    }
}

fn failure_of(error: &GenerationError) -> Failure {
    Failure { code: error.code.to_owned(), message: error.message.clone() }
}

fn retry_delay(tries: u32) -> Duration {
    FIRST_RETRY_DELAY * 3_u32.pow(tries.saturating_sub(1).min(8))
}

#[cfg(test)]
mod tests;
