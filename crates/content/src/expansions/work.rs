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

use engine::{GenerationError, SourceLevel};
use events::{NewEvent, Surface};
use futures_util::FutureExt as _;
use futures_util::stream::{self, StreamExt as _};
use kernel::id::{ExpansionId, OrganizationId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::jobs::{ClaimedJob, Job, Outcome};
use store::{StoreError, Tx};

use self::draft::Drafted;
use super::payload;
use super::rows::{self, Expansion, Output, Progress};
use crate::generation::attempts::{self, CANCELLED, Interruption, NOT_STORED, Reason, WORKER_LOST, failure_of};
use crate::generation::bench::{self, Bench};
use crate::generation::{Generation, LinkedWorkspaces};
use crate::resources::Failure;

/// The event of a queued job: for the record, no endpoint can subscribe to it.
const QUEUED: &str = "content.queued";

const SOURCE_UNREADABLE: Reason = Reason("source_unreadable", "This version of the service can't read the source.");

/// Does the work of one expansion.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpandSource {
    organization_id: OrganizationId,
    expansion_id: ExpansionId,
}

impl Job for ExpandSource {
    const KIND: &'static str = "ExpandSource";
    type Context = Generation;

    async fn run(&self, context: &Generation, claimed: &ClaimedJob) -> Outcome {
        let run = Run { job: *self, context, claimed };
        run.conclude(run.expand().await).await
    }

    /// The job killed its worker again and again: what it did not make, it never will.
    async fn gave_up(&self, context: &Generation, claimed: &ClaimedJob) -> Outcome {
        let run = Run { job: *self, context, claimed };
        run.conclude(run.give_up().await).await
    }
}

impl ExpandSource {
    /// The operator has cancelled the job.
    pub(crate) fn cancelled(&self, tx: &mut Tx<'_>, linked: LinkedWorkspaces) -> Result<(), StoreError> {
        abandon::abandon(tx, linked, self.organization_id, self.expansion_id, &CANCELLED.into())
    }
}

/// Queues the work of an expansion that the caller's transaction stores with the status `queued`, and notes that.
pub(super) fn enqueue(
    tx: &mut Tx<'_>,
    organization_id: OrganizationId,
    expansion_id: ExpansionId,
) -> Result<(), StoreError> {
    store::jobs::enqueue(tx, organization_id, &ExpandSource { organization_id, expansion_id })?;
    let now = tx.now();
    let event = NewEvent {
        id: tx.ambient().id(),
        surface: Surface::Content,
        owner_id: organization_id.to_string(),
        event_type: QUEUED,
        subject_id: expansion_id.to_string(),
        body: json!({ "jobId": expansion_id, "createdAt": now }).to_string(),
    };
    events::note(tx, &event)
}

/// One run of a job.
struct Run<'a> {
    job: ExpandSource,
    context: &'a Generation,
    claimed: &'a ClaimedJob,
}

impl Run<'_> {
    async fn expand(&self) -> Result<Outcome, Interruption> {
        let Some((expansion, level)) = self.begin().await? else { return Ok(Outcome::Settled) };
        let Some(level) = level.map(Arc::new) else {
            return self.fail_open_outputs(&expansion, SOURCE_UNREADABLE).await;
        };
        let mut deferred: Option<GenerationError> = None;
        let mut drafts = Vec::with_capacity(expansion.outputs.len());
        for output in &expansion.outputs {
            if !output.progress.has_ended() {
                let drafting = self.draft(&expansion, output, &level);
                drafts.push(async move { (output, drafting.await) }.boxed());
            }
        }
        let mut drafts = stream::iter(drafts).buffer_unordered(self.context.drafter.drafts_at_once());
        while let Some((output, drafted)) = drafts.next().await {
            match drafted? {
                Ok(drafted) => self.keep(output, drafted).await?,
                Err(error) if error.retryable && attempts::may_try_again(self.claimed) => {
                    // All of them are tried again together: when it is worth it for the last one.
                    deferred = deferred.into_iter().chain([error]).max_by_key(|error| error.retry_after);
                }
                Err(error) => self.settle(output, Err(failure_of(&error))).await?,
            }
        }
        Ok(match deferred {
            None => Outcome::Settled,
            Some(error) => attempts::try_again(&self.context.ambient, self.claimed, &error),
        })
    }

    /// Takes the job up: the expansion and its first open output are being processed from now on. There is no level
    /// when the source was accepted by another version of the program and this one can't read it.
    async fn begin(&self) -> Result<Option<(Expansion, Option<SourceLevel>)>, Interruption> {
        let (lease, ExpandSource { organization_id, expansion_id: id }) = (self.claimed.lease.clone(), self.job);
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let expansion = rows::find(tx, organization_id, id)?.filter(|expansion| !expansion.progress.has_ended());
            let Some(expansion) = expansion else {
                store::jobs::finish(tx, &lease)?;
                return Ok(None);
            };
            rows::set_progress(tx, id, &Progress::Processing)?;
            settle::process_next(tx, &expansion)?;
            let payload = rows::payload(tx, id)?.unwrap_or_default();
            Ok::<_, Interruption>(Some((expansion, payload)))
        };
        let Some((expansion, payload)) = self.context.store.write("expansions.begin", write).await? else {
            return Ok(None);
        };
        let payload = serde_json::from_str::<serde_json::Value>(&payload).ok();
        Ok(Some((expansion, payload.as_ref().and_then(payload::source_level))))
    }

    /// Generates. The outer result is about the store, the inner one about the generator.
    async fn draft(
        &self,
        expansion: &Expansion,
        output: &Output,
        level: &Arc<SourceLevel>,
    ) -> Result<Result<Drafted, GenerationError>, Interruption> {
        let Generation { store, ambient, drafter, .. } = self.context;
        let (kind, level) = (output.kind, level.clone());
        let about = format!("{} of the expansion {}", kind.as_str(), expansion.id);
        let bench = match drafter.keeps_parts() {
            true => Bench::open(store, self.claimed, kind.as_str()).await?,
            false => Bench::bare(store, self.claimed, kind.as_str()),
        };
        let is_last_try = !attempts::may_try_again(self.claimed);
        let generated = drafter
            .draft(&about, &bench, is_last_try, move |generator, bench| {
                let level = level.clone();
                Box::pin(async move { draft::generate(generator, kind, &level, bench).await })
            })
            .await;
        if let Some(interruption) = bench.interruption() {
            return Err(interruption);
        }
        Ok(generated.map(|(generated, credit)| Drafted::new(generated, ambient, expansion, &credit)))
    }

    /// Settles an output with what was made. What the store refuses fails the output: another try would end alike.
    async fn keep(&self, output: &Output, drafted: Drafted) -> Result<(), Interruption> {
        match self.settle(output, Ok(drafted)).await {
            Err(refused) if refused.is_refusal() => {
                let (expansion, output_type) = (self.job.expansion_id, output.kind.as_str());
                tracing::error!(%expansion, output_type, ?refused, "a generated resource was not stored");
                self.settle(output, Err(NOT_STORED.into())).await
            }
            settled => settled,
        }
    }

    async fn settle(&self, output: &Output, made: Result<Drafted, Failure>) -> Result<(), Interruption> {
        let (lease, ExpandSource { organization_id, expansion_id }) = (self.claimed.lease.clone(), self.job);
        let (context, output) = (self.context.clone(), output.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let has_ended = settle::output(tx, &context, organization_id, expansion_id, &output, &made)?;
            if has_ended {
                store::jobs::finish(tx, &lease)?;
            } else if context.drafter.keeps_parts() {
                bench::forget(tx, &lease, output.kind.as_str())?;
            }
            Ok::<_, Interruption>(())
        };
        self.context.store.write("expansions.settle", write).await
    }

    async fn give_up(&self) -> Result<Outcome, Interruption> {
        let Some((expansion, _)) = self.begin().await? else { return Ok(Outcome::Settled) };
        self.fail_open_outputs(&expansion, WORKER_LOST).await
    }

    /// Fails what has not ended, and tells it, without reading what may be damaged.
    async fn abandon(&self, failure: Failure) -> Result<(), Interruption> {
        let (lease, ExpandSource { organization_id, expansion_id }) = (self.claimed.lease.clone(), self.job);
        let linked = self.context.linked_workspaces;
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            abandon::abandon(tx, linked, organization_id, expansion_id, &failure)?;
            store::jobs::finish(tx, &lease)?;
            Ok::<_, Interruption>(())
        };
        self.context.store.write("expansions.abandon", write).await
    }

    async fn conclude(&self, run: Result<Outcome, Interruption>) -> Outcome {
        attempts::conclude(&self.context.ambient, self.claimed, run, |failure| self.abandon(failure)).await
    }

    async fn fail_open_outputs(&self, expansion: &Expansion, reason: Reason) -> Result<Outcome, Interruption> {
        for output in expansion.outputs.iter().filter(|output| !output.progress.has_ended()) {
            self.settle(output, Err(reason.into())).await?;
        }
        Ok(Outcome::Settled)
    }
}

#[cfg(test)]
mod tests;
