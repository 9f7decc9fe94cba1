//! Does the work of a direct generation: one job, one resource, filled in one commit.
//!
//! Generating happens with no transaction open, and every write is fenced by the job's lease: a crash anywhere leaves a
//! resource that is not filled, and the next worker begins anew. A resource that is gone, or that somebody filled by
//! hand, ends the job quietly. When what it is generated from was changed meanwhile, it is made again from what stands.

use std::marker::PhantomData;
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
use super::generated::{Generated, Standing, draft, move_status, with_type};
use super::{Generation, LinkedWorkspaces};
use crate::links::Links;
use crate::modules::material;
use crate::resources::{Failure, Kind, Status};

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
        with_type!(self.kind, R => Run::<R>::of(self, context, claimed).run().await, module => Outcome::Done)
    }

    /// The job killed its worker again and again: it is not tried once more.
    async fn gave_up(&self, context: &Generation, claimed: &ClaimedJob) -> Outcome {
        with_type!(self.kind, R => Run::<R>::of(self, context, claimed).give_up().await, module => Outcome::Done)
    }
}

impl GenerateResource {
    /// The operator has cancelled the job.
    pub(crate) fn cancelled(&self, tx: &mut Tx<'_>, linked: LinkedWorkspaces) -> Result<(), StoreError> {
        with_type!(self.kind, R => self.fail::<R>(tx, linked, &CANCELLED.into()), module => Ok(()))
    }

    /// Fails the resource and tells it; nothing happens to one that is whole, failed or gone.
    fn fail<R: Generated>(
        &self,
        tx: &mut Tx<'_>,
        linked: LinkedWorkspaces,
        failure: &Failure,
    ) -> Result<(), StoreError> {
        let moves = ([Status::Queued, Status::Processing], Status::Failed);
        if move_status::<R>(tx, self.organization_id, &self.resource_id, moves, Some(failure))? {
            self.announce(tx, linked, Ending::Failed { resource_id: Some(&self.resource_id), failure })?;
        }
        Ok(())
    }

    fn made<'a, R: Generated>(&'a self, resource: &'a R, links: &'a Links) -> Ending<'a> {
        let (title, is_public) = (resource.standing().title, resource.is_public());
        Ending::Made { resource_id: &self.resource_id, title, is_public, links }
    }

    /// A direct generation is known by the resource that was asked for.
    fn announce(&self, tx: &mut Tx<'_>, linked: LinkedWorkspaces, ending: Ending<'_>) -> Result<(), StoreError> {
        let Self { organization_id: organization, kind, resource_id } = self;
        announce(tx, linked, &Ended { organization: *organization, kind: *kind, request_id: resource_id, ending })
    }

    /// The resource, where it still waits for its generation: `None` when it is gone, or whole, or given up.
    fn find_open<R: Generated>(&self, tx: &mut Tx<'_>) -> Result<Option<R>, StoreError> {
        let found = tx.find(R::SQL.find_by_id, &[&self.resource_id], R::from_row)?;
        let own = found.filter(|found| found.organization_id() == self.organization_id);
        Ok(own.filter(|found| matches!(found.standing().status, Status::Queued | Status::Processing)))
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

/// What was made of a request, and by whom.
type Made<R> = (<R as Generated>::Draft, Credit);

/// One run of a job.
struct Run<'a, R> {
    job: &'a GenerateResource,
    context: &'a Generation,
    claimed: &'a ClaimedJob,
    kind: PhantomData<R>,
}

impl<'a, R: Generated> Run<'a, R> {
    fn of(job: &'a GenerateResource, context: &'a Generation, claimed: &'a ClaimedJob) -> Self {
        Self { job, context, claimed, kind: PhantomData }
    }

    async fn run(&self) -> Outcome {
        self.conclude(self.generate().await).await
    }

    async fn give_up(&self) -> Outcome {
        self.conclude(self.abandon(WORKER_LOST.into()).await.map(|()| Outcome::Settled)).await
    }

    async fn generate(&self) -> Result<Outcome, Interruption> {
        for round in 0..=MOST_RESTARTS {
            let Some(open) = self.begin().await? else { break };
            let made = match self.make(&open).await? {
                Err(error) if error.retryable && attempts::may_try_again(self.claimed) => {
                    return Ok(attempts::try_again(&self.context.ambient, self.claimed, &error));
                }
                made => made.map_err(|error| failure_of(&error)),
            };
            let source = (round < MOST_RESTARTS).then(|| open.request(Vec::new()));
            if self.keep(source, made).await? == Written::Done {
                break;
            }
        }
        Ok(Outcome::Settled)
    }

    /// Takes the job up: the resource is being processed from now on. `None` when there is nothing to do.
    async fn begin(&self) -> Result<Option<R>, Interruption> {
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let open = job.find_open::<R>(tx)?;
            if open.is_some() {
                let moves = ([Status::Queued; 2], Status::Processing);
                move_status::<R>(tx, job.organization_id, &job.resource_id, moves, None)?;
            } else {
                store::jobs::finish(tx, &lease)?;
            }
            Ok::<_, Interruption>(open)
        };
        self.context.store.write("generation.begin", write).await
    }

    /// Generates. The outer result is about the store, the inner one about the generator.
    async fn make(&self, open: &R) -> Result<Result<Made<R>, GenerationError>, Interruption> {
        let Generation { store, drafter, .. } = self.context;
        let (claimed, kind) = (self.claimed, self.job.kind.word());
        let about = format!("{kind} {}", self.job.resource_id);
        let material = match self.material(open, &about).await? {
            Ok(material) => material,
            Err(error) => return Ok(Err(error)),
        };
        let request = Arc::new(open.request(material));
        let bench = match drafter.keeps_parts() {
            true => Bench::open(store, claimed, kind).await?,
            false => Bench::bare(store, claimed, kind),
        };
        let is_last_try = !attempts::may_try_again(self.claimed);
        let made = drafter
            .draft(&about, &bench, is_last_try, move |generator, bench| {
                let request = request.clone();
                Box::pin(async move { draft::<R>(generator, &request, bench).await })
            })
            .await;
        bench.interruption().map_or(Ok(made), Err)
    }

    /// The modules of the resource's own classroom that have to do with its topic.
    async fn material(
        &self,
        open: &R,
        about: &str,
    ) -> Result<Result<Vec<SourceModule>, GenerationError>, Interruption> {
        let Generation { store, drafter, .. } = self.context;
        let (organization, classroom) = (self.job.organization_id, open.standing().classroom);
        let read = move |tx: &mut Tx<'_>| material::newest(tx, organization, classroom);
        let newest = store.read::<_, StoreError, _>("generation.titles", read).await?;
        if newest.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let Standing { topic, language, .. } = open.standing();
        let language = language.to_owned();
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
    async fn keep(&self, source: Option<R::Request>, made: Result<Made<R>, Failure>) -> Result<Written, Interruption> {
        match self.settle(source, made).await {
            Err(refused) if refused.is_refusal() => {
                let (kind, id) = (self.job.kind.word(), &self.job.resource_id);
                tracing::error!(kind, id, ?refused, "a generated resource was not stored");
                self.settle(None, Err(NOT_STORED.into())).await
            }
            settled => settled,
        }
    }

    /// Fills the resource or fails it, and ends the job. With `source`, what it was made from: unless the row asks for
    /// something else by now.
    async fn settle(
        &self,
        source: Option<R::Request>,
        made: Result<Made<R>, Failure>,
    ) -> Result<Written, Interruption> {
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let (links, linked) = (self.context.links.clone(), self.context.linked_workspaces);
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            if let Some(mut resource) = job.find_open::<R>(tx)? {
                if source.as_ref().is_some_and(|source| *source != resource.request(Vec::new())) {
                    return Ok(Written::Outdated);
                }
                let failure = match &made {
                    Ok((draft, credit)) => resource.fill(tx, draft, credit)?,
                    Err(failure) => Some(failure.clone()),
                };
                match failure {
                    Some(failure) => job.fail::<R>(tx, linked, &failure)?,
                    None => job.announce(tx, linked, job.made(&resource, &links))?,
                }
            }
            store::jobs::finish(tx, &lease)?;
            Ok::<_, Interruption>(Written::Done)
        };
        self.context.store.write("generation.settle", write).await
    }

    /// Fails the resource without reading it, and ends the job.
    async fn abandon(&self, failure: Failure) -> Result<(), Interruption> {
        let (lease, job, linked) = (self.claimed.lease.clone(), self.job.clone(), self.context.linked_workspaces);
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            job.fail::<R>(tx, linked, &failure)?;
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
