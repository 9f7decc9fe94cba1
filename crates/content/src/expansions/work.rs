//! Does the work of an expansion: one job, its outputs one after the other, or at once where a language model writes
//! them, each kept as soon as it is made.
//!
//! Generating happens with no transaction open. Every write is fenced by the job's lease, so a worker that was
//! taken for dead can't write over its successor. A crash anywhere leaves finished outputs finished; the
//! next worker makes the others. The output that ends last ends the job and tells it, in one commit.

mod abandon;
mod draft;
mod settle;

use std::sync::Arc;

use engine::{BoxFuture, GenerationError, SourceLevel};
use events::{NewEvent, Surface};
use futures_util::FutureExt as _;
use futures_util::stream::{self, StreamExt as _};
use kernel::ambient::Ambient;
use kernel::id::{ExpansionId, OrganizationId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::jobs::{ClaimedJob, Handler, NewJob, Outcome};
use store::{Store, StoreError, Tx};

use self::draft::Drafted;
use super::payload;
use super::rows::{self, Expansion, Output, Progress};
use crate::generation::Drafter;
use crate::generation::attempts::{self, Interruption, NOT_STORED, Reason, WORKER_LOST, failure_of};
use crate::generation::bench::{self, Bench};
use crate::links::Links;
use crate::resources::Failure;

/// The kind of these jobs.
pub const KIND: &str = "ExpandSource";
/// The event of a queued job: for the record, no endpoint can subscribe to it.
const QUEUED: &str = "content.queued";

const SOURCE_UNREADABLE: Reason = Reason("source_unreadable", "This version of the service can't read the source.");

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct JobPayload {
    version: u32,
    organization_id: OrganizationId,
    expansion_id: ExpansionId,
}

/// Queues the work of an expansion that the caller's transaction stores with the status `queued`, and notes that.
pub(super) fn enqueue(
    tx: &mut Tx<'_>,
    organization_id: OrganizationId,
    expansion_id: ExpansionId,
) -> Result<(), StoreError> {
    let (ambient, now) = (tx.ambient(), tx.now());
    let payload = JobPayload { version: 1, organization_id, expansion_id };
    let job = NewJob {
        kind: KIND,
        tenant: organization_id.to_string(),
        payload: serde_json::to_string(&payload).expect("a job payload serializes"),
        run_at: now,
        priority: 0,
    };
    store::jobs::enqueue(tx, ambient.id(), &job)?;
    let event = NewEvent {
        id: ambient.id(),
        surface: Surface::Content,
        owner_id: organization_id.to_string(),
        event_type: QUEUED,
        subject_id: expansion_id.to_string(),
        body: json!({ "jobId": expansion_id, "createdAt": now }).to_string(),
    };
    events::note(tx, &event)
}

/// Fails what a cancelled job was about, and tells it.
pub(crate) fn cancel(tx: &mut Tx<'_>, payload: &str, failure: &Failure) -> Result<(), StoreError> {
    let Ok(order) = serde_json::from_str::<JobPayload>(payload) else { return Ok(()) };
    abandon::abandon(tx, order.organization_id, order.expansion_id, failure)
}

/// The handler of these jobs.
pub struct ExpandSource {
    store: Store,
    ambient: Ambient,
    drafter: Drafter,
    links: Links,
}

impl ExpandSource {
    /// A handler whose drafts come from `drafter`, and which tells where to look at them.
    pub fn new(store: Store, ambient: Ambient, drafter: Drafter, links: Links) -> Self {
        Self { store, ambient, drafter, links }
    }

    async fn expand(&self, job: &ClaimedJob) -> Result<Outcome, Interruption> {
        let Ok(order) = serde_json::from_str::<JobPayload>(&job.payload) else { return Ok(attempts::unreadable()) };
        let Some((expansion, level)) = self.begin(job, &order).await? else { return Ok(Outcome::Settled) };
        let Some(level) = level.map(Arc::new) else {
            return self.fail_open_outputs(job, &order, &expansion, SOURCE_UNREADABLE).await;
        };
        let mut deferred: Option<GenerationError> = None;
        let mut drafts = Vec::with_capacity(expansion.outputs.len());
        for output in &expansion.outputs {
            if !output.progress.has_ended() {
                let drafting = self.draft(job, &expansion, output, &level);
                drafts.push(async move { (output, drafting.await) }.boxed());
            }
        }
        let mut drafts = stream::iter(drafts).buffer_unordered(self.drafter.drafts_at_once());
        while let Some((output, drafted)) = drafts.next().await {
            match drafted? {
                Ok(drafted) => self.keep(job, &order, output, drafted).await?,
                Err(error) if error.retryable && attempts::may_try_again(job) => {
                    // All of them are tried again together: when it is worth it for the last one.
                    deferred = deferred.into_iter().chain([error]).max_by_key(|error| error.retry_after);
                }
                Err(error) => self.settle(job, &order, output, Err(failure_of(&error))).await?,
            }
        }
        Ok(match deferred {
            None => Outcome::Settled,
            Some(error) => attempts::try_again(&self.ambient, job, &error),
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
            settle::process_next(tx, &expansion)?;
            let payload = rows::payload(tx, id)?.unwrap_or_default();
            Ok::<_, Interruption>(Some((expansion, payload)))
        };
        let Some((expansion, payload)) = self.store.write("expansions.begin", write).await? else { return Ok(None) };
        let payload = serde_json::from_str::<serde_json::Value>(&payload).ok();
        Ok(Some((expansion, payload.as_ref().and_then(payload::source_level))))
    }

    /// Generates. The outer result is about the store, the inner one about the generator.
    async fn draft(
        &self,
        job: &ClaimedJob,
        expansion: &Expansion,
        output: &Output,
        level: &Arc<SourceLevel>,
    ) -> Result<Result<Drafted, GenerationError>, Interruption> {
        let (kind, level) = (output.kind, level.clone());
        let about = format!("{} of the expansion {}", kind.as_str(), expansion.id);
        let bench = match self.drafter.keeps_parts() {
            true => Bench::open(&self.store, job, kind.as_str()).await?,
            false => Bench::bare(&self.store, job, kind.as_str()),
        };
        let is_last_try = !attempts::may_try_again(job);
        let generated = self
            .drafter
            .draft(&about, &bench, is_last_try, move |generator, bench| {
                let level = level.clone();
                Box::pin(async move { draft::generate(generator, kind, &level, bench).await })
            })
            .await;
        if let Some(interruption) = bench.interruption() {
            return Err(interruption);
        }
        Ok(generated.map(|(generated, credit)| Drafted::new(generated, &self.ambient, expansion, &credit)))
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
            Err(refused) if refused.is_refusal() => {
                let (expansion, output_type) = (order.expansion_id, output.kind.as_str());
                tracing::error!(%expansion, output_type, ?refused, "a generated resource was not stored");
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
        let (links, output, keeps_parts) = (self.links.clone(), output.clone(), self.drafter.keeps_parts());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let has_ended = settle::output(tx, &links, organization, expansion, &output, &made)?;
            if has_ended {
                store::jobs::finish(tx, &lease)?;
            } else if keeps_parts {
                bench::forget(tx, &lease, output.kind.as_str())?;
            }
            Ok::<_, Interruption>(())
        };
        self.store.write("expansions.settle", write).await
    }

    async fn give_up(&self, job: &ClaimedJob) -> Result<Outcome, Interruption> {
        let Ok(order) = serde_json::from_str::<JobPayload>(&job.payload) else { return Ok(attempts::unreadable()) };
        let Some((expansion, _)) = self.begin(job, &order).await? else { return Ok(Outcome::Settled) };
        self.fail_open_outputs(job, &order, &expansion, WORKER_LOST).await
    }

    /// Fails what has not ended, and tells it, without reading what may be damaged.
    async fn abandon(&self, job: &ClaimedJob, failure: Failure) -> Result<(), Interruption> {
        let Ok(order) = serde_json::from_str::<JobPayload>(&job.payload) else { return Ok(()) };
        let lease = job.lease.clone();
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            abandon::abandon(tx, order.organization_id, order.expansion_id, &failure)?;
            store::jobs::finish(tx, &lease)?;
            Ok::<_, Interruption>(())
        };
        self.store.write("expansions.abandon", write).await
    }

    async fn conclude(&self, job: &ClaimedJob, run: Result<Outcome, Interruption>) -> Outcome {
        attempts::conclude(&self.ambient, job, run, |failure| self.abandon(job, failure)).await
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
}

impl Handler for ExpandSource {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn run<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { self.conclude(job, self.expand(job).await).await })
    }

    /// The job killed its worker again and again: what it did not make, it never will.
    fn gave_up<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { self.conclude(job, self.give_up(job).await).await })
    }
}

#[cfg(test)]
mod tests;
