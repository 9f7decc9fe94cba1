//! Work that outlives the request that asked for it: rows with leases, claimed fairly between tenants.
//!
//! A job is enqueued in the transaction that makes it necessary. A worker claims it in a short
//! transaction, works with none open, and settles it in one that starts with [`Lease::hold`]: whoever
//! lost the lease meanwhile can't write the outcome. So handlers run at least once, and what they
//! write happens exactly once.
//!
//! A job is its payload: a type that implements [`Job`]. Only `payload.rs` turns it into the text of its row and back.
//!
//! The worker is in `worker.rs`, the order of claiming in `claim.rs`, fencing in `lease.rs`.

mod backlog;
mod claim;
mod health;
mod kind;
mod lease;
mod operator;
mod payload;
mod task;
mod worker;

use std::fmt::Display;
use std::time::Duration;

use kernel::id::JobId;
use kernel::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use backlog::{DueJobs, due_by_kind};
pub use claim::{Claimed, Cursor, claim};
pub use health::{Health, JobFailure, KindHealth, health};
pub use kind::{Handler, JobType};
pub(crate) use lease::HeldLeases;
pub use lease::{Lease, LeaseError, fail, finish, lapse_all, retry_at, retry_with};
pub use operator::{JobFilter, JobPage, JobPlace, JobState, JobSummary, cancel, list, page, requeue, withdraw};
pub use worker::{Worker, WorkerOptions};

use crate::{Queue, StoreError, Tx, sql};

/// A job, which is its payload: the members are what a run has to know, and a JSON object in the job's row.
///
/// A new member has a serde default, so that jobs that wait in the database can be read. Raise [`Job::VERSION`] with it
/// when an older program must not run the job without that member.
pub trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Its name in the database, such as `ExpandSource`.
    const KIND: &'static str;
    /// The latest version of its members. A worker that knows an earlier one leaves the job to others.
    const VERSION: u32 = 1;
    /// Among a tenant's due jobs the lowest comes first; use few different values.
    const PRIORITY: i64 = 0;
    /// The parts that a run works with.
    type Context: Send + Sync + 'static;

    /// Runs the job once. It may be dropped at any await, when the lease is lost or the process ends; a panic counts as a
    /// vanished worker. How often a job is tried is decided here.
    fn run(&self, context: &Self::Context, claimed: &ClaimedJob) -> impl Future<Output = Outcome> + Send;

    /// The job has taken its worker down too often and won't be run again: record that in the owner's rows, in the
    /// transaction that fails the job.
    fn gave_up(&self, _context: &Self::Context, claimed: &ClaimedJob) -> impl Future<Output = Outcome> + Send {
        let why = format!("its worker vanished {} times", claimed.lapses);
        std::future::ready(Outcome::Fail { why })
    }
}

/// Adds a job that is due now, in the caller's transaction, and wakes a worker after the commit. Queues are fair between
/// tenants: `tenant` is whose turn it takes.
///
/// # Errors
/// Any [`StoreError`].
pub fn enqueue<J: Job>(tx: &mut Tx<'_>, tenant: impl Display, job: &J) -> Result<JobId, StoreError> {
    let now = tx.now();
    enqueue_at(tx, tenant, job, now)
}

/// As [`enqueue`], for a job that is due at an instant.
///
/// # Errors
/// Any [`StoreError`].
pub fn enqueue_at<J: Job>(
    tx: &mut Tx<'_>,
    tenant: impl Display,
    job: &J,
    due_at: Timestamp,
) -> Result<JobId, StoreError> {
    let (id, now): (JobId, _) = (tx.ambient().id(), tx.now());
    let (tenant, payload) = (tenant.to_string(), payload::write(job)?);
    sql!(
        "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, created_at, updated_at)
         VALUES ({id}, {J::KIND}, {tenant}, {payload}, 'queued', {J::PRIORITY}, {due_at}, 0, 0, {now}, {now})"
    )
    .execute_later(tx)?;
    tx.wake(Queue::Jobs);
    Ok(id)
}

/// As [`enqueue`], for a job that the caller begins as soon as the transaction is committed: it is claimed for `span` from
/// the beginning, so nobody else takes it unless the lease lapses. Run it with [`Worker::run_claimed`].
///
/// # Errors
/// Any [`StoreError`].
pub fn enqueue_claimed<J: Job>(
    tx: &mut Tx<'_>,
    tenant: impl Display,
    job: &J,
    span: Duration,
) -> Result<ClaimedJob, StoreError> {
    let (id, now): (JobId, _) = (tx.ambient().id(), tx.now());
    let lease = Lease { job: id, token: uuid::Uuid::from_bytes(tx.ambient().random()).to_string(), span };
    let (kind, tenant, payload) = (J::KIND.to_owned(), tenant.to_string(), payload::write(job)?);
    let until = now.plus(span);
    sql!(
        "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, lease_token, lease_until,
            created_at, updated_at)
         VALUES ({id}, {kind}, {tenant}, {payload}, 'running', {J::PRIORITY}, {now}, 1, 0, {lease.token}, {until},
            {now}, {now})"
    )
    .execute_later(tx)?;
    Ok(ClaimedJob { id, kind, tenant, payload, attempt: 1, lapses: 0, lease })
}

/// A job that this worker may run now.
#[derive(Clone, Debug)]
pub struct ClaimedJob {
    /// The job.
    pub id: JobId,
    /// Its [`Job::KIND`].
    pub kind: String,
    /// Whose job it is.
    pub tenant: String,
    /// The text of the job.
    payload: String,
    /// Counts the claims of this job, this one included: 1 the first time.
    pub attempt: u32,
    /// How many earlier claims ended with a vanished or panicking worker.
    pub lapses: u32,
    /// The right to settle it.
    pub lease: Lease,
}

/// How a run of a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The run's last transaction has finished, retried or failed the job already.
    Settled,
    /// Nothing is left to do; the job's row is deleted.
    Done,
    /// Again at `at`.
    Retry {
        /// The next run is due then.
        at: Timestamp,
        /// For the operator.
        why: String,
    },
    /// Never again; the row stays for the operator.
    Fail {
        /// For the operator.
        why: String,
    },
}
