//! Does the work of a direct generation: one job, one resource, filled in one commit.
//!
//! Generating happens with no transaction open, and every write is fenced by the job's lease: a crash anywhere leaves a
//! resource that is not filled, and the next worker begins anew. A resource that is gone, or that somebody filled by
//! hand, ends the job quietly. When what it is generated from was changed meanwhile, it is made again from what stands.

use std::sync::Arc;

use engine::{BoxFuture, GenerationError, SourceModule};
use kernel::ambient::Ambient;
use kernel::id::OrganizationId;
use store::jobs::{ClaimedJob, Handler, Outcome};
use store::{Store, StoreError, Tx};

use super::announce::{Ended, Ending, announce};
use super::attempts::{self, Interruption, NOT_STORED, WORKER_LOST, failure_of};
use super::bench::Bench;
use super::credit::Credit;
use super::fill::{Target, fill};
use super::made::{Made, make};
use super::request::{Open, find_open};
use super::{Drafter, JobPayload, KIND, material, status};
use crate::links::Links;
use crate::resources::{Failure, Kind};

/// How often a run begins anew because somebody edits the prompts; then what was made last is kept.
const MOST_RESTARTS: usize = 3;

/// The handler of these jobs.
pub struct GenerateResource {
    store: Store,
    ambient: Ambient,
    drafter: Drafter,
    links: Links,
}

/// What a job is about.
#[derive(Clone, Debug)]
struct Order {
    organization: OrganizationId,
    kind: Kind,
    id: String,
}

impl Order {
    fn read(payload: &str) -> Option<Self> {
        let JobPayload { organization_id, kind, resource_id, .. } = serde_json::from_str(payload).ok()?;
        let kind = Kind::ALL.into_iter().find(|known| known.word() == kind)?;
        Some(Self { organization: organization_id, kind, id: resource_id })
    }

    /// Fails the resource and tells it; nothing happens to one that is whole, failed or gone.
    fn fail(&self, tx: &mut Tx<'_>, failure: &Failure) -> Result<(), StoreError> {
        if status::fail(tx, self.kind, self.organization, &self.id, failure)? {
            self.announce(tx, Ending::Failed { resource_id: Some(&self.id), failure })?;
        }
        Ok(())
    }

    /// A direct generation is known by the resource that was asked for.
    fn announce(&self, tx: &mut Tx<'_>, ending: Ending<'_>) -> Result<(), StoreError> {
        let Self { organization, kind, id } = self;
        announce(tx, &Ended { organization: *organization, kind: *kind, request_id: id, ending })
    }
}

/// Fails what a cancelled job was about.
pub(crate) fn cancel(tx: &mut Tx<'_>, payload: &str, failure: &Failure) -> Result<(), StoreError> {
    let Some(order) = Order::read(payload) else { return Ok(()) };
    order.fail(tx, failure)
}

/// What became of an attempt to write the end of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// The job is done.
    Done,
    /// What it was made from does not stand any more.
    Outdated,
}

impl GenerateResource {
    /// A handler whose drafts come from `drafter`, and which tells where to look at them.
    pub fn new(store: Store, ambient: Ambient, drafter: Drafter, links: Links) -> Self {
        Self { store, ambient, drafter, links }
    }

    async fn generate(&self, job: &ClaimedJob) -> Result<Outcome, Interruption> {
        let Some(order) = Order::read(&job.payload) else { return Ok(attempts::unreadable()) };
        for round in 0..=MOST_RESTARTS {
            let Some(open) = self.begin(job, &order).await? else { break };
            let made = match self.make(job, &order, &open).await? {
                Err(error) if error.retryable && attempts::may_try_again(job) => {
                    return Ok(attempts::try_again(&self.ambient, job, &error));
                }
                made => made.map_err(|error| failure_of(&error)),
            };
            let source = (round < MOST_RESTARTS).then_some(open);
            if self.keep(job, &order, source, made).await? == Written::Done {
                break;
            }
        }
        Ok(Outcome::Settled)
    }

    /// Takes the job up: the resource is being processed from now on. `None` when there is nothing to do.
    async fn begin(&self, job: &ClaimedJob, order: &Order) -> Result<Option<Open>, Interruption> {
        let (lease, order) = (job.lease.clone(), order.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let open = find_open(tx, order.kind, order.organization, &order.id)?;
            match &open {
                None => store::jobs::finish(tx, &lease)?,
                Some(Open { is_processing: true, .. }) => {}
                Some(_) => status::process(tx, order.kind, order.organization, &order.id)?,
            }
            Ok::<_, Interruption>(open)
        };
        self.store.write("generation.begin", write).await
    }

    /// Generates. The outer result is about the store, the inner one about the generator.
    async fn make(
        &self,
        job: &ClaimedJob,
        order: &Order,
        open: &Open,
    ) -> Result<Result<(Made, Credit), GenerationError>, Interruption> {
        let about = format!("{} {}", order.kind.word(), order.id);
        let material = match self.material(order, open, &about).await? {
            Ok(material) => material,
            Err(error) => return Ok(Err(error)),
        };
        let request = open.request.clone().with_material(material);
        let request = Arc::new(request);
        let bench = match self.drafter.keeps_parts() {
            true => Bench::open(&self.store, job, order.kind.word()).await?,
            false => Bench::bare(&self.store, job, order.kind.word()),
        };
        let is_last_try = !attempts::may_try_again(job);
        let made = self
            .drafter
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
        order: &Order,
        open: &Open,
        about: &str,
    ) -> Result<Result<Vec<SourceModule>, GenerationError>, Interruption> {
        let (organization, classroom) = (order.organization, open.classroom);
        let read = move |tx: &mut Tx<'_>| material::newest(tx, organization, classroom);
        let newest = self.store.read::<_, StoreError, _>("generation.titles", read).await?;
        if newest.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let (topic, language) = (open.request.topic(), open.request.language().to_owned());
        let select = {
            let (topic, language) = (topic.clone(), language.clone());
            move || Ok(material::promising(&topic, &language, &newest))
        };
        let promising = match self.drafter.compute(about, select).await {
            Ok(promising) => promising,
            Err(error) => return Ok(Err(error)),
        };
        let read = move |tx: &mut Tx<'_>| material::read(tx, organization, classroom, &promising);
        let modules = self.store.read::<_, StoreError, _>("generation.material", read).await?;
        Ok(self.drafter.compute(about, move || Ok(material::choose(&topic, &language, &modules))).await)
    }

    /// Ends the generation. What the store refuses fails the resource: another try would end alike.
    async fn keep(
        &self,
        job: &ClaimedJob,
        order: &Order,
        source: Option<Open>,
        made: Result<(Made, Credit), Failure>,
    ) -> Result<Written, Interruption> {
        match self.settle(job, order, source, made).await {
            Err(refused) if refused.is_refusal() => {
                tracing::error!(
                    kind = order.kind.word(),
                    id = order.id,
                    ?refused,
                    "a generated resource was not stored"
                );
                self.settle(job, order, None, Err(NOT_STORED.into())).await
            }
            settled => settled,
        }
    }

    /// Fills the resource or fails it, and ends the job. With `source`, the row that it was made from: unless that row
    /// asks for something else by now.
    async fn settle(
        &self,
        job: &ClaimedJob,
        order: &Order,
        source: Option<Open>,
        made: Result<(Made, Credit), Failure>,
    ) -> Result<Written, Interruption> {
        let (lease, order) = (job.lease.clone(), order.clone());
        let links = self.links.clone();
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let Order { organization, kind, id } = &order;
            if let Some(open) = find_open(tx, *kind, *organization, id)? {
                if source.as_ref().is_some_and(|source| source.request != open.request) {
                    return Ok(Written::Outdated);
                }
                let failure = match &made {
                    Ok((made, credit)) => {
                        fill(tx, &Target { organization: *organization, id, open: &open, credit }, made)?
                    }
                    Err(failure) => Some(failure.clone()),
                };
                match failure {
                    Some(failure) => order.fail(tx, &failure)?,
                    None => order.announce(tx, Ending::Made { resource_id: id, links: &links })?,
                }
            }
            store::jobs::finish(tx, &lease)?;
            Ok::<_, Interruption>(Written::Done)
        };
        self.store.write("generation.settle", write).await
    }

    /// Fails the resource without reading it, and ends the job.
    async fn abandon(&self, job: &ClaimedJob, failure: Failure) -> Result<(), Interruption> {
        let Some(order) = Order::read(&job.payload) else { return Ok(()) };
        let lease = job.lease.clone();
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            order.fail(tx, &failure)?;
            store::jobs::finish(tx, &lease)?;
            Ok::<_, Interruption>(())
        };
        self.store.write("generation.abandon", write).await
    }

    async fn give_up(&self, job: &ClaimedJob) -> Result<Outcome, Interruption> {
        if Order::read(&job.payload).is_none() {
            return Ok(attempts::unreadable());
        }
        self.abandon(job, WORKER_LOST.into()).await?;
        Ok(Outcome::Settled)
    }

    async fn conclude(&self, job: &ClaimedJob, run: Result<Outcome, Interruption>) -> Outcome {
        attempts::conclude(&self.ambient, job, run, |failure| self.abandon(job, failure)).await
    }
}

impl Handler for GenerateResource {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn run<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { self.conclude(job, self.generate(job).await).await })
    }

    /// The job killed its worker again and again: it is not tried once more.
    fn gave_up<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { self.conclude(job, self.give_up(job).await).await })
    }
}

#[cfg(test)]
mod tests;
