//! A worker's right to a job, and its use: a write with a lease that was taken over has no effect.

use std::time::Duration;

use kernel::id::JobId;
use kernel::time::Timestamp;

use super::{Job, payload};
use crate::{Queue, StoreError, Tx, sql};

/// The right to settle one claimed job, until someone else claims it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    pub(super) job: JobId,
    pub(super) token: String,
    pub(super) span: Duration,
}

/// Why a job could not be settled.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// Another worker has the job, or it is gone: drop the work.
    #[error("the lease of the job was lost")]
    Lost,
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Jobs whose rows a transaction has locked with their lease, so that settling them can't fail.
#[derive(Debug, Default)]
pub(crate) struct HeldLeases(Vec<JobId>);

impl Lease {
    /// The job that it is for.
    #[must_use]
    pub fn job(&self) -> JobId {
        self.job
    }

    /// Makes sure that the job is still this worker's, keeps others away from it until the end of the
    /// transaction, and renews the lease. The first thing in every transaction of a handler.
    ///
    /// # Errors
    /// [`LeaseError::Lost`] when another worker has taken the job over.
    pub fn hold(&self, tx: &mut Tx<'_>) -> Result<(), LeaseError> {
        let now = tx.now();
        let renewed = tx.execute(
            "UPDATE job SET lease_until = $3, updated_at = $4 \
             WHERE id = $1 AND lease_token = $2 AND state = 'running'",
            &[&self.job, &self.token, &now.plus(self.span), &now],
        )?;
        if renewed == 0 {
            return Err(LeaseError::Lost);
        }
        tx.held.0.push(self.job);
        Ok(())
    }

    /// Holds the lease unless this transaction does already.
    fn ensure_held(&self, tx: &mut Tx<'_>) -> Result<(), LeaseError> {
        if tx.held.0.contains(&self.job) { Ok(()) } else { self.hold(tx) }
    }
}

/// The job is done: its row goes.
///
/// # Errors
/// [`LeaseError::Lost`] when another worker has taken the job over.
pub fn finish(tx: &mut Tx<'_>, lease: &Lease) -> Result<(), LeaseError> {
    lease.ensure_held(tx)?;
    tx.execute_later("DELETE FROM job WHERE id = $1 AND lease_token = $2", &[&lease.job, &lease.token])?;
    Ok(())
}

/// The job is to run again at `at`.
///
/// # Errors
/// [`LeaseError::Lost`] when another worker has taken the job over.
pub fn retry_at(tx: &mut Tx<'_>, lease: &Lease, at: Timestamp, why: &str) -> Result<(), LeaseError> {
    requeue(tx, lease, at, Some(why), 0)
}

/// As [`retry_at`], with the job as it is now: what the next run has to know of those before it.
///
/// # Errors
/// [`LeaseError::Lost`] when another worker has taken the job over.
pub fn retry_with<J: Job>(tx: &mut Tx<'_>, lease: &Lease, job: &J, at: Timestamp, why: &str) -> Result<(), LeaseError> {
    lease.ensure_held(tx)?;
    let payload = payload::write(job)?;
    tx.execute_later(
        "UPDATE job SET payload = $3 WHERE id = $1 AND lease_token = $2",
        &[&lease.job, &lease.token, &payload],
    )?;
    requeue(tx, lease, at, Some(why), 0)
}

/// The job is never to run again; its row stays for the operator.
///
/// # Errors
/// [`LeaseError::Lost`] when another worker has taken the job over.
pub fn fail(tx: &mut Tx<'_>, lease: &Lease, why: &str) -> Result<(), LeaseError> {
    lease.ensure_held(tx)?;
    let now = tx.now();
    tx.execute_later(
        "UPDATE job SET state = 'failed', lease_token = NULL, lease_until = NULL, last_error = $3, updated_at = $4 \
         WHERE id = $1 AND lease_token = $2",
        &[&lease.job, &lease.token, &why, &now],
    )?;
    Ok(())
}

/// Lets every lease lapse at once: for a process that knows that the holders are gone, such as the only one
/// of an embedded database when it starts. Should one live nevertheless, fencing keeps it harmless.
///
/// # Errors
/// Any [`StoreError`].
pub fn lapse_all(tx: &mut Tx<'_>) -> Result<u64, StoreError> {
    let now = tx.now();
    tx.wake(Queue::Jobs);
    tx.execute("UPDATE job SET lease_until = $1 WHERE state = 'running' AND lease_until > $1", &[&now])
}

/// The handler panicked: as [`retry_at`], and it counts as a lapse.
pub(super) fn crashed(tx: &mut Tx<'_>, lease: &Lease, at: Timestamp, why: &str) -> Result<(), LeaseError> {
    requeue(tx, lease, at, Some(why), 1)
}

/// The worker ends before the job: the next one may have it at once.
pub(super) fn release(tx: &mut Tx<'_>, lease: &Lease) -> Result<(), LeaseError> {
    let now = tx.now();
    requeue(tx, lease, now, None, 0)
}

fn requeue(tx: &mut Tx<'_>, lease: &Lease, at: Timestamp, why: Option<&str>, lapses: i64) -> Result<(), LeaseError> {
    lease.ensure_held(tx)?;
    let now = tx.now();
    sql!(
        "UPDATE job SET state = 'queued', run_at = {at}, lease_token = NULL, lease_until = NULL,
            last_error = COALESCE({why}, last_error), lapses = lapses + {lapses}, updated_at = {now}
         WHERE id = {lease.job} AND lease_token = {lease.token}"
    )
    .execute_later(tx)?;
    if at <= now {
        tx.wake(Queue::Jobs);
    }
    Ok(())
}
