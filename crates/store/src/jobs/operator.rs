//! The operator's view of the queue: `lectern jobs list|retry|cancel`, and the same operations of the API.

use kernel::id::JobId;
use kernel::time::Timestamp;
use serde_json::{Map, Value};

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
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed: of a failed one, when it failed.
    pub updated_at: Timestamp,
}

impl JobSummary {
    /// The ids in the payload, by name: what is to be cancelled has to be told from the rest. Its texts are a customer's.
    pub fn about(&self) -> Map<String, Value> {
        let payload = serde_json::from_str(&self.payload).unwrap_or_default();
        let Value::Object(members) = payload else { return Map::new() };
        members.into_iter().filter(|(name, value)| name.ends_with("Id") && value.is_string()).collect()
    }
}

/// Which jobs are listed.
#[derive(Clone, Debug)]
pub struct JobFilter {
    /// Only those in this state.
    pub state: JobState,
    /// Only those of this kind.
    pub kind: Option<String>,
    /// Only those of this tenant, or with this id in the payload.
    pub about: Option<String>,
}

/// A place in a list of jobs: behind the job that was due then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobPlace {
    /// When the job is due.
    pub run_at: Timestamp,
    /// The job.
    pub id: String,
}

/// A page of jobs.
#[derive(Debug, Default)]
pub struct JobPage {
    /// The jobs, those due first in front.
    pub jobs: Vec<JobSummary>,
    /// Behind which place the next page begins; `None` at the end.
    pub next: Option<JobPlace>,
}

/// The most jobs that a page passes over in search of those that its filter keeps.
const MOST_PASSED: u32 = 2_000;

/// The first `limit` jobs in a state, those due first in front.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(tx: &mut Tx<'_>, state: JobState, limit: u32) -> Result<Vec<JobSummary>, StoreError> {
    passed(tx, state, None, limit)
}

/// A page of jobs in a state, those due first in front. It may hold fewer than `limit`, or none, and have a next one.
///
/// # Errors
/// Any [`StoreError`].
pub fn page(tx: &mut Tx<'_>, filter: &JobFilter, from: Option<&JobPlace>, limit: u32) -> Result<JobPage, StoreError> {
    let is_everything = filter.kind.is_none() && filter.about.is_none();
    let looked_at = if is_everything { limit } else { MOST_PASSED.max(limit) };
    let found = passed(tx, filter.state, from, looked_at + 1)?;
    let mut page = JobPage::default();
    let (mut last, mut is_more) = (None, found.len() > looked_at as usize);
    for job in found.into_iter().take(looked_at as usize) {
        if page.jobs.len() == limit as usize {
            is_more = true;
            break;
        }
        last = Some(JobPlace { run_at: job.run_at, id: job.id.to_string() });
        if filter.keeps(&job) {
            page.jobs.push(job);
        }
    }
    page.next = last.filter(|_| is_more);
    Ok(page)
}

impl JobFilter {
    fn keeps(&self, job: &JobSummary) -> bool {
        let is_about = |id: &String| job.tenant == *id || job.about().values().any(|value| value == id.as_str());
        self.kind.as_ref().is_none_or(|kind| *kind == job.kind) && self.about.as_ref().is_none_or(is_about)
    }
}

/// The jobs behind a place. The state is part of the statement: an index of a state serves no other.
fn passed(
    tx: &mut Tx<'_>,
    state: JobState,
    from: Option<&JobPlace>,
    limit: u32,
) -> Result<Vec<JobSummary>, StoreError> {
    let first = JobPlace { run_at: Timestamp::from_millis(i64::MIN), id: String::new() };
    let from = from.unwrap_or(&first);
    macro_rules! passed {
        ($state:literal) => {
            sql!(
                "SELECT {JobSummary::*} FROM job WHERE state = " $state " AND (run_at, id) > ({from.run_at}, {from.id})
                 ORDER BY run_at, id LIMIT {limit}"
            )
            .query(tx, JobSummary::from_row)
        };
    }
    match state {
        JobState::Queued => passed!("'queued'"),
        JobState::Running => passed!("'running'"),
        JobState::Failed => passed!("'failed'"),
    }
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
