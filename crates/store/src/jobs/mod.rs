//! Work that outlives the request that asked for it: rows with leases, claimed fairly between tenants.
//!
//! A job is enqueued in the transaction that makes it necessary. A worker claims it in a short
//! transaction, works with none open, and settles it in one that starts with [`Lease::hold`]: whoever
//! lost the lease meanwhile can't write the outcome. So handlers run at least once, and what they
//! write happens exactly once.
//!
//! The worker is in `worker.rs`, the order of claiming in `claim.rs`, fencing in `lease.rs`.

mod backlog;
mod claim;
mod lease;
mod operator;
mod task;
mod worker;

use std::time::Duration;

use futures_util::future::BoxFuture;
use kernel::id::JobId;
use kernel::time::Timestamp;

pub use backlog::{DueJobs, due_by_kind};
pub use claim::{Claimed, Cursor, claim};
pub(crate) use lease::HeldLeases;
pub use lease::{Lease, LeaseError, fail, finish, lapse_all, retry_at, retry_with};
pub use operator::{CancelledJob, JobState, JobSummary, cancel, list, requeue};
pub use worker::{Worker, WorkerOptions};

use crate::{Queue, StoreError, Tx};

/// A job to enqueue.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// Which handler runs it, such as `ExpandSource`.
    pub kind: &'static str,
    /// Whose turn it takes: queues are fair between tenants.
    pub tenant: String,
    /// What the handler needs to know, usually JSON with a version.
    pub payload: String,
    /// Not before this time.
    pub run_at: Timestamp,
    /// Among a tenant's due jobs the lowest comes first; use few different values.
    pub priority: i64,
}

/// Adds a job in the caller's transaction and wakes a worker after the commit.
///
/// # Errors
/// Any [`StoreError`].
pub fn enqueue(tx: &mut Tx<'_>, id: JobId, job: &NewJob) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, 'queued', $5, $6, 0, 0, $7, $7)",
        &[&id, &job.kind, &job.tenant, &job.payload, &job.priority, &job.run_at, &now],
    )?;
    if job.run_at <= now {
        tx.wake(Queue::Jobs);
    }
    Ok(())
}

/// Adds a job that the caller begins as soon as the transaction is committed: it is claimed from the beginning, so nobody
/// else takes it unless the lease lapses. Run it with [`Worker::run_claimed`].
///
/// # Errors
/// Any [`StoreError`].
pub fn enqueue_claimed(tx: &mut Tx<'_>, id: JobId, job: NewJob, span: Duration) -> Result<ClaimedJob, StoreError> {
    let now = tx.now();
    let lease = Lease { job: id, token: uuid::Uuid::from_bytes(tx.ambient().random()).to_string(), span };
    tx.execute_later(
        "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, lease_token, lease_until,
                          created_at, updated_at)
         VALUES ($1, $2, $3, $4, 'running', $5, $6, 1, 0, $7, $8, $6, $6)",
        &[&id, &job.kind, &job.tenant, &job.payload, &job.priority, &now, &lease.token, &now.plus(span)],
    )?;
    let NewJob { kind, tenant, payload, .. } = job;
    Ok(ClaimedJob { id, kind: kind.to_owned(), tenant, payload, attempt: 1, lapses: 0, lease })
}

/// A job that this worker may run now.
#[derive(Clone, Debug)]
pub struct ClaimedJob {
    /// The job.
    pub id: JobId,
    /// Which handler runs it.
    pub kind: String,
    /// Whose job it is.
    pub tenant: String,
    /// As enqueued.
    pub payload: String,
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
    /// The handler's last transaction has finished, retried or failed the job already.
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

/// Runs the jobs of one kind. How often a job is tried is the handler's decision.
pub trait Handler: Send + Sync {
    /// The kind of job that it runs.
    fn kind(&self) -> &'static str;

    /// Runs a job once. It may be dropped at any await, when the lease is lost or the process ends;
    /// a panic counts as a vanished worker.
    fn run<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome>;

    /// The job has taken its worker down too often and won't be run again: record that in the owner's
    /// rows, in the transaction that fails the job.
    fn gave_up<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        let why = format!("its worker vanished {} times", job.lapses);
        Box::pin(std::future::ready(Outcome::Fail { why }))
    }
}
