//! How each kind of job stands, for an operator: what is due, what waits, what runs and what failed.
//!
//! It costs the same however long the queue is: of each sort, a bounded number of rows is counted.

use std::collections::BTreeMap;

use kernel::id::JobId;
use kernel::time::Timestamp;

use super::due_by_kind;
use crate::{Record, StoreError, Tx, sql};

/// The jobs of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindHealth {
    /// Their [`super::Job::KIND`].
    pub kind: String,
    /// Due, and no worker has them.
    pub due: u32,
    /// Since when the oldest of these is due.
    pub oldest_due: Option<Timestamp>,
    /// Due later.
    pub later: u32,
    /// A worker has them.
    pub running: u32,
    /// They won't run again by themselves.
    pub failed: u32,
    /// The one that failed last, of those that are still there.
    pub last_failure: Option<JobFailure>,
}

/// A job that failed.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
#[record(table = "job")]
pub struct JobFailure {
    /// The job.
    pub id: JobId,
    /// When it failed.
    #[column(name = "updated_at")]
    pub at: Timestamp,
    /// Why.
    #[column(name = "last_error")]
    pub error: Option<String>,
}

/// How all jobs stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// By kind.
    pub kinds: Vec<KindHealth>,
    /// Whether no sort of jobs had more rows than were counted.
    pub is_complete: bool,
}

/// One of the figures of a kind.
type Figure = fn(&mut KindHealth) -> &mut u32;

const LATER: &str = "
    SELECT kind, count(*) FROM (
        SELECT kind FROM job WHERE state = 'queued' AND run_at > $1 ORDER BY run_at, id LIMIT $2
    ) AS counted GROUP BY kind";
/// An instant is compared although every running job is meant: both statements take the same parameters.
const RUNNING: &str = "
    SELECT kind, count(*) FROM (
        SELECT kind FROM job WHERE state = 'running' AND CAST($1 AS BIGINT) > 0 ORDER BY lease_until LIMIT $2
    ) AS counted GROUP BY kind";
/// Goes from kind to kind in the index, past however many jobs of each.
const FAILED_KINDS: &str = "
    WITH RECURSIVE failed (kind) AS (
        SELECT min(kind) FROM job WHERE state = 'failed'
        UNION ALL
        SELECT (SELECT min(job.kind) FROM job WHERE job.state = 'failed' AND job.kind > failed.kind) FROM failed
        WHERE failed.kind IS NOT NULL
    ) SELECT kind FROM failed WHERE kind IS NOT NULL";

/// How the jobs of each kind stand: of `kinds`, and of every other that is found. At most `limit` jobs of each sort are
/// counted, and of each kind as many that failed.
///
/// # Errors
/// Any [`StoreError`].
pub fn health(tx: &mut Tx<'_>, kinds: &[&str], limit: u32) -> Result<Health, StoreError> {
    let mut found: BTreeMap<String, KindHealth> = BTreeMap::new();
    let of = |kind: &str| (kind.to_owned(), KindHealth { kind: kind.to_owned(), ..KindHealth::default() });
    found.extend(kinds.iter().map(|kind| of(kind)));
    let mut is_complete = true;
    let due = due_by_kind(tx, limit)?;
    is_complete &= due.iter().map(|due| due.count).sum::<u32>() < limit;
    for due in due {
        let entry = found.entry(due.kind.clone()).or_insert_with(|| of(&due.kind).1);
        (entry.due, entry.oldest_due) = (due.count, Some(due.oldest));
    }
    let sorts: [(&str, Figure); 2] = [(LATER, |health| &mut health.later), (RUNNING, |health| &mut health.running)];
    let now = tx.now();
    for (statement, count_of) in sorts {
        let counts = tx.query(statement, &[&now, &limit], |row| Ok((row.get::<String>(0)?, row.get::<u32>(1)?)))?;
        is_complete &= counts.iter().map(|(_, count)| count).sum::<u32>() < limit;
        for (kind, count) in counts {
            *count_of(found.entry(kind.clone()).or_insert_with(|| of(&kind).1)) = count;
        }
    }
    for kind in tx.query(FAILED_KINDS, &[], |row| row.get::<String>(0))? {
        found.entry(kind.clone()).or_insert_with(|| of(&kind).1);
    }
    for health in found.values_mut() {
        health.failed = count_failed(tx, &health.kind, limit)?;
        is_complete &= health.failed < limit;
        health.last_failure = last_failure(tx, &health.kind)?;
    }
    Ok(Health { kinds: found.into_values().collect(), is_complete })
}

fn count_failed(tx: &mut Tx<'_>, kind: &str, limit: u32) -> Result<u32, StoreError> {
    let count = tx.find(
        "SELECT count(*) FROM (SELECT id FROM job WHERE state = 'failed' AND kind = $1 LIMIT $2) AS counted",
        &[&kind, &limit],
        |row| row.get(0),
    )?;
    Ok(count.unwrap_or(0))
}

fn last_failure(tx: &mut Tx<'_>, kind: &str) -> Result<Option<JobFailure>, StoreError> {
    sql!(
        "SELECT {JobFailure::*} FROM job WHERE state = 'failed' AND kind = {kind}
         ORDER BY updated_at DESC LIMIT 1"
    )
    .find(tx, JobFailure::from_row)
}
