//! The operator's view of the queue: `lectern jobs list|retry|cancel`.

use kernel::id::JobId;
use kernel::time::Timestamp;

use super::JobType;
use crate::{Queue, Record, StoreError, Tx, Words, sql};

/// Where a job stands. A finished job has no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum JobState {
    /// Waits for its time or for a worker.
    Queued,
    /// A worker has its lease.
    Running,
    /// Won't run again by itself.
    Failed,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
#[record(table = "job")]
pub struct JobSummary {
    /// The job.
    pub id: JobId,
    /// Its [`super::Job::KIND`].
    pub kind: String,
    /// Whose job it is.
    pub tenant: String,
    /// What it is about, as JSON.
    pub payload: String,
    /// `queued`, `running` or `failed`.
    pub state: String,
    /// When it is or was due.
    pub run_at: Timestamp,
    /// How often it was claimed.
    pub attempt: u32,
    /// Why it was retried or failed last.
    pub last_error: Option<String>,
}

/// The first `limit` jobs in a state, those due first in front.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(tx: &mut Tx<'_>, state: JobState, limit: u32) -> Result<Vec<JobSummary>, StoreError> {
    sql!("SELECT {JobSummary::*} FROM job WHERE state = {state} ORDER BY run_at, id LIMIT {limit}")
        .query(tx, JobSummary::from_row)
}

/// Makes a failed or waiting job due now, with its count of lapses forgotten. False when there is none.
///
/// # Errors
/// Any [`StoreError`].
pub fn requeue(tx: &mut Tx<'_>, id: JobId) -> Result<bool, StoreError> {
    let now = tx.now();
    let changed = tx.execute(
        "UPDATE job SET state = 'queued', run_at = $2, lapses = 0, updated_at = $2 \
         WHERE id = $1 AND state IN ('failed', 'queued')",
        &[&id, &now],
    )?;
    tx.wake(Queue::Jobs);
    Ok(changed > 0)
}

/// Removes a job that waits, for its owner, who has no use for it any more. One that runs goes on, and finds that out itself.
///
/// # Errors
/// Any [`StoreError`].
pub fn withdraw(tx: &mut Tx<'_>, id: JobId) -> Result<(), StoreError> {
    tx.execute_later("DELETE FROM job WHERE id = $1 AND state = 'queued'", &[&id])
}

/// Removes a job that does not run at the moment, and tells its type, see [`JobType::new`], where that is one of `types` and
/// the payload can be read. False when there is none.
///
/// # Errors
/// Any [`StoreError`].
pub fn cancel(tx: &mut Tx<'_>, id: JobId, types: &[JobType]) -> Result<bool, StoreError> {
    let removed = tx.find(
        "DELETE FROM job WHERE id = $1 AND state IN ('failed', 'queued') RETURNING kind, payload",
        &[&id],
        |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)),
    )?;
    let Some((kind, payload)) = removed else { return Ok(false) };
    if let Some(known) = types.iter().find(|known| known.kind == kind) {
        known.cancel(tx, &payload)?;
    }
    Ok(true)
}
