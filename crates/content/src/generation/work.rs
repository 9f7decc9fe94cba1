//! Does the work of a direct generation: one job, one resource, filled in one commit.
//!
//! Generating happens with no transaction open, and every write is fenced by the job's lease: a crash anywhere leaves a
//! resource that is not filled, and the next worker begins anew. A resource that is gone, or that somebody filled by
//! hand, ends the job quietly. When what it is generated from was changed meanwhile, it is made again from what stands.

use std::sync::Arc;

use engine::{GenerationError, SourceModule};
use kernel::id::OrganizationId;
use serde::{Deserialize, Serialize};
use store::jobs::{ClaimedJob, Job, Outcome};
use store::{StoreError, Tx};

use super::announce::{Ended, Ending, announce};
use super::attempts::{self, CANCELLED, Interruption, NOT_STORED, WORKER_LOST, failure_of};
use super::bench::Bench;
use super::credit::Credit;
use super::fill::{Target, fill};
use super::made::{Made, make};
use super::request::{Open, find_open};
use super::{Generation, material, status};
use crate::resources::{Failure, Kind};

/// How often a run begins anew because somebody edits the prompts; then what was made last is kept.
const MOST_RESTARTS: usize = 3;

/// Generates one resource.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GenerateResource {
    pub(super) organization_id: OrganizationId,
    pub(super) kind: Kind,
    pub(super) resource_id: String,
}

impl Job for GenerateResource {
    const KIND: &'static str = "GenerateResource";
    type Context = Generation;

    async fn run(&self, context: &Generation, claimed: &ClaimedJob) -> Outcome {
        let run = Run { job: self, context, claimed };
        run.conclude(run.generate().await).await
    }

    /// The job killed its worker again and again: it is not tried once more.
    async fn gave_up(&self, context: &Generation, claimed: &ClaimedJob) -> Outcome {
        let run = Run { job: self, context, claimed };
        run.conclude(run.abandon(WORKER_LOST.into()).await.map(|()| Outcome::Settled)).await
    }

    fn cancelled(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        self.fail(tx, &CANCELLED.into())
    }
}

impl GenerateResource {
    /// Fails the resource and tells it; nothing happens to one that is whole, failed or gone.
    fn fail(&self, tx: &mut Tx<'_>, failure: &Failure) -> Result<(), StoreError> {
        if status::fail(tx, self.kind, self.organization_id, &self.resource_id, failure)? {
            self.announce(tx, Ending::Failed { resource_id: Some(&self.resource_id), failure })?;
        }
        Ok(())
    }

    /// A direct generation is known by the resource that was asked for.
    fn announce(&self, tx: &mut Tx<'_>, ending: Ending<'_>) -> Result<(), StoreError> {
        let Self { organization_id: organization, kind, resource_id } = self;
        announce(tx, &Ended { organization: *organization, kind: *kind, request_id: resource_id, ending })
    }

    /// The resource, where it still waits for its generation.
    fn find_open(&self, tx: &mut Tx<'_>) -> Result<Option<Open>, StoreError> {
        find_open(tx, self.kind, self.organization_id, &self.resource_id)
    }
}

/// What became of an attempt to write the end of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// The job is done.
    Done,
    /// What it was made from does not stand any more.
    Outdated,
}

/// One run of a job.
struct Run<'a> {
    job: &'a GenerateResource,
    context: &'a Generation,
    claimed: &'a ClaimedJob,
}

impl Run<'_> {
    async fn generate(&self) -> Result<Outcome, Interruption> {
        for round in 0..=MOST_RESTARTS {
            let Some(open) = self.begin().await? else { break };
            let made = match self.make(&open).await? {
                Err(error) if error.retryable && attempts::may_try_again(self.claimed) => {
                    return Ok(attempts::try_again(&self.context.ambient, self.claimed, &error));
                }
                made => made.map_err(|error| failure_of(&error)),
            };
            let source = (round < MOST_RESTARTS).then_some(open);
            if self.keep(source, made).await? == Written::Done {
                break;
            }
        }
        Ok(Outcome::Settled)
    }

    /// Takes the job up: the resource is being processed from now on. `None` when there is nothing to do.
    async fn begin(&self) -> Result<Option<Open>, Interruption> {
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let open = job.find_open(tx)?;
            match &open {
                None => store::jobs::finish(tx, &lease)?,
                Some(Open { is_processing: true, .. }) => {}
                Some(_) => status::process(tx, job.kind, job.organization_id, &job.resource_id)?,
            }
            Ok::<_, Interruption>(open)
        };
        self.context.store.write("generation.begin", write).await
    }

    /// Generates. The outer result is about the store, the inner one about the generator.
    async fn make(&self, open: &Open) -> Result<Result<(Made, Credit), GenerationError>, Interruption> {
        let Generation { store, drafter, .. } = self.context;
        let (claimed, kind) = (self.claimed, self.job.kind.word());
        let about = format!("{kind} {}", self.job.resource_id);
        let material = match self.material(open, &about).await? {
            Ok(material) => material,
            Err(error) => return Ok(Err(error)),
        };
        let request = open.request.clone().with_material(material);
        let request = Arc::new(request);
        let bench = match drafter.keeps_parts() {
            true => Bench::open(store, claimed, kind).await?,
            false => Bench::bare(store, claimed, kind),
        };
        let is_last_try = !attempts::may_try_again(self.claimed);
        let made = drafter
            .draft(&about, &bench, is_last_try, move |generator, bench| {
                let request = request.clone();
                Box::pin(async move { make(generator, &request, bench).await })
            })
            .await;
        bench.interruption().map_or(Ok(made), Err)
    }

    /// The modules of the resource's own classroom that have to do with its topic.
    async fn material(
        &self,
        open: &Open,
        about: &str,
    ) -> Result<Result<Vec<SourceModule>, GenerationError>, Interruption> {
        let Generation { store, drafter, .. } = self.context;
        let (organization, classroom) = (self.job.organization_id, open.classroom);
        let read = move |tx: &mut Tx<'_>| material::newest(tx, organization, classroom);
        let newest = store.read::<_, StoreError, _>("generation.titles", read).await?;
        if newest.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let (topic, language) = (open.request.topic(), open.request.language().to_owned());
        let select = {
            let (topic, language) = (topic.clone(), language.clone());
            move || Ok(material::promising(&topic, &language, &newest))
        };
        let promising = match drafter.compute(about, select).await {
            Ok(promising) => promising,
            Err(error) => return Ok(Err(error)),
        };
        let read = move |tx: &mut Tx<'_>| material::read(tx, organization, classroom, &promising);
        let modules = store.read::<_, StoreError, _>("generation.material", read).await?;
        Ok(drafter.compute(about, move || Ok(material::choose(&topic, &language, &modules))).await)
    }

    /// Ends the generation. What the store refuses fails the resource: another try would end alike.
    async fn keep(&self, source: Option<Open>, made: Result<(Made, Credit), Failure>) -> Result<Written, Interruption> {
        match self.settle(source, made).await {
            Err(refused) if refused.is_refusal() => {
                let (kind, id) = (self.job.kind.word(), &self.job.resource_id);
                tracing::error!(kind, id, ?refused, "a generated resource was not stored");
                self.settle(None, Err(NOT_STORED.into())).await
            }
            settled => settled,
        }
    }

    /// Fills the resource or fails it, and ends the job. With `source`, the row that it was made from: unless that row
    /// asks for something else by now.
    async fn settle(
        &self,
        source: Option<Open>,
        made: Result<(Made, Credit), Failure>,
    ) -> Result<Written, Interruption> {
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let links = self.context.links.clone();
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let (organization, id) = (job.organization_id, job.resource_id.as_str());
            if let Some(open) = job.find_open(tx)? {
                if source.as_ref().is_some_and(|source| source.request != open.request) {
                    return Ok(Written::Outdated);
                }
                let failure = match &made {
                    Ok((made, credit)) => fill(tx, &Target { organization, id, open: &open, credit }, made)?,
                    Err(failure) => Some(failure.clone()),
                };
                match failure {
                    Some(failure) => job.fail(tx, &failure)?,
                    None => job.announce(tx, Ending::Made { resource_id: id, links: &links })?,
                }
            }
            store::jobs::finish(tx, &lease)?;
            Ok::<_, Interruption>(Written::Done)
        };
        self.context.store.write("generation.settle", write).await
    }

    /// Fails the resource without reading it, and ends the job.
    async fn abandon(&self, failure: Failure) -> Result<(), Interruption> {
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            job.fail(tx, &failure)?;
            store::jobs::finish(tx, &lease)?;
            Ok::<_, Interruption>(())
        };
        self.context.store.write("generation.abandon", write).await
    }

    async fn conclude(&self, run: Result<Outcome, Interruption>) -> Outcome {
        attempts::conclude(&self.context.ambient, self.claimed, run, |failure| self.abandon(failure)).await
    }
}

#[cfg(test)]
mod tests;
