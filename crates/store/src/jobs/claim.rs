//! Which jobs run next: each tenant with due work gets its turn, whatever the others have queued.
//!
//! The tenants are visited in a ring. The index `job_queue` is read by leaping from tenant to tenant
//! and, within a tenant, from priority to priority, so a tenant with 100,000 jobs costs as much as
//! one with a single job. Within a tenant the lowest priority comes first, then the earliest `run_at`.

use std::collections::HashSet;
use std::time::Duration;

use kernel::time::Timestamp;

use super::{ClaimedJob, Lease};
use crate::{Row, Store, StoreError, Tx, sql};

/// Tenants looked at in one statement: the least and the most.
const WINDOW: (usize, usize) = (8, 64);
/// Statements that look for tenants in one claim; a longer ring is continued by the next claim.
const SCANS: usize = 8;
/// Rounds of handing out what is left after each tenant got its share.
const ROUNDS: usize = 4;

/// Where in the ring of tenants a worker is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor(String);

/// What a claim found.
#[derive(Debug, Default)]
pub struct Claimed {
    /// The jobs, each with a lease.
    pub jobs: Vec<ClaimedJob>,
    /// When the next job or lapsed lease is due, as far as this claim has seen. Not later than now
    /// when due work was left.
    pub next_due: Option<Timestamp>,
}

/// Claims at most `limit` due jobs for `span` and moves the cursor on. Leases that have lapsed are
/// taken over first.
///
/// # Errors
/// Any [`StoreError`].
pub async fn claim(store: &Store, cursor: &mut Cursor, limit: usize, span: Duration) -> Result<Claimed, StoreError> {
    let start = cursor.clone();
    let (claimed, next) = store
        .claim("jobs.claim", move |tx| {
            let mut cursor = start.clone();
            let claimed = claim_in(tx, &mut cursor, limit, span)?;
            Ok::<_, StoreError>((claimed, cursor))
        })
        .await?;
    *cursor = next;
    Ok(claimed)
}

fn claim_in(tx: &mut Tx<'_>, cursor: &mut Cursor, limit: usize, span: Duration) -> Result<Claimed, StoreError> {
    let now = tx.now();
    let mut claimed = Claimed::default();
    let (queued, leased) = next_due(tx)?;
    claimed.next_due = queued.into_iter().chain(leased).min();
    if limit == 0 || claimed.next_due.is_none_or(|due| due > now) {
        return Ok(claimed);
    }
    let grant = Grant { now, token: uuid::Uuid::from_bytes(tx.ambient().random()).to_string(), span };
    if leased.is_some_and(|until| until <= now) {
        claimed.jobs = take_over(tx, &grant, limit)?;
    }
    for _ in 0..ROUNDS {
        let free = limit - claimed.jobs.len();
        if free == 0 {
            break;
        }
        let turns = next_turns(tx, cursor, free)?;
        if turns.is_empty() {
            break;
        }
        let share = (free / turns.len()).max(1);
        let jobs = claim_shares(tx, &grant, &turns, share)?;
        let is_exhausted = jobs.is_empty();
        claimed.jobs.extend(jobs);
        if is_exhausted {
            break;
        }
    }
    Ok(claimed)
}

/// When the first queued job is due and when the first lease lapses.
fn next_due(tx: &mut Tx<'_>) -> Result<(Option<Timestamp>, Option<Timestamp>), StoreError> {
    let times = tx.find(
        "SELECT (SELECT min(run_at) FROM job WHERE state = 'queued'), \
                (SELECT min(lease_until) FROM job WHERE state = 'running')",
        &[],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(times.unwrap_or_default())
}

/// What all jobs of one claim get.
struct Grant {
    now: Timestamp,
    token: String,
    span: Duration,
}

impl Grant {
    fn until(&self) -> Timestamp {
        self.now.plus(self.span)
    }

    fn job(&self, row: &Row<'_>) -> Result<ClaimedJob, StoreError> {
        let id = row.get(0)?;
        Ok(ClaimedJob {
            id,
            kind: row.get(1)?,
            tenant: row.get(2)?,
            payload: row.get(3)?,
            attempt: row.get(4)?,
            lapses: row.get(5)?,
            lease: Lease { job: id, token: self.token.clone(), span: self.span },
        })
    }
}

fn take_over(tx: &mut Tx<'_>, grant: &Grant, limit: usize) -> Result<Vec<ClaimedJob>, StoreError> {
    sql!(
        "WITH lapsed AS MATERIALIZED (
             SELECT id FROM job WHERE state = 'running' AND lease_until <= {grant.now}
             ORDER BY lease_until LIMIT {count(limit)} FOR UPDATE SKIP LOCKED)
         UPDATE job SET attempt = attempt + 1, lapses = lapses + 1,
                        lease_token = {grant.token}, lease_until = {grant.until()}, updated_at = {grant.now}
         FROM lapsed WHERE job.id = lapsed.id
         RETURNING job.id, kind, tenant, payload, attempt, lapses"
    )
    .query(tx, |row| grant.job(row))
}

/// A tenant that has due work, and the priority of what comes first.
struct Turn {
    tenant: String,
    priority: i64,
}

/// The next tenants of the ring that have due work, at most `wanted`. The cursor stops at the last.
fn next_turns(tx: &mut Tx<'_>, cursor: &mut Cursor, wanted: usize) -> Result<Vec<Turn>, StoreError> {
    let now = tx.now();
    let window = (wanted * 2).clamp(WINDOW.0, WINDOW.1);
    let mut turns = Vec::new();
    let mut seen = HashSet::new();
    let mut has_wrapped = false;
    for _ in 0..SCANS {
        let tenants = tx.query(RING, &[&cursor.0, &count(window), &now], |row| {
            Ok((row.get::<String>(0)?, row.get::<Option<i64>>(1)?))
        })?;
        let is_last = tenants.len() < window;
        for (tenant, priority) in tenants {
            if !seen.insert(tenant.clone()) {
                return Ok(turns);
            }
            cursor.0.clone_from(&tenant);
            turns.extend(priority.map(|priority| Turn { tenant, priority }));
            if turns.len() == wanted {
                return Ok(turns);
            }
        }
        if is_last {
            cursor.0.clear();
            if std::mem::replace(&mut has_wrapped, true) {
                return Ok(turns);
            }
        }
    }
    Ok(turns)
}

/// The `$2` tenants after `$1` that have queued jobs, each with the lowest priority that has a job
/// due at `$3`. Each step is a look at one end of a range of the index.
const RING: &str = "
    WITH RECURSIVE
    ring (tenant, position) AS (
        SELECT min(tenant), 1 FROM job WHERE state = 'queued' AND tenant > $1
        UNION ALL
        SELECT (SELECT min(job.tenant) FROM job WHERE job.state = 'queued' AND job.tenant > ring.tenant),
               ring.position + 1
        FROM ring WHERE ring.tenant IS NOT NULL AND ring.position < $2
    ),
    level (tenant, position, priority) AS (
        SELECT ring.tenant, ring.position,
               (SELECT min(job.priority) FROM job WHERE job.state = 'queued' AND job.tenant = ring.tenant)
        FROM ring WHERE ring.tenant IS NOT NULL
        UNION ALL
        SELECT level.tenant, level.position,
               (SELECT min(job.priority) FROM job
                WHERE job.state = 'queued' AND job.tenant = level.tenant AND job.priority > level.priority)
        FROM level WHERE level.priority IS NOT NULL
    )
    SELECT level.tenant,
           min(CASE WHEN (SELECT min(job.run_at) FROM job
                          WHERE job.state = 'queued' AND job.tenant = level.tenant
                            AND job.priority = level.priority) <= $3
                    THEN level.priority END)
    FROM level WHERE level.priority IS NOT NULL
    GROUP BY level.position, level.tenant
    ORDER BY level.position";

/// Claims up to `share` jobs of each turn.
fn claim_shares(tx: &mut Tx<'_>, grant: &Grant, turns: &[Turn], share: usize) -> Result<Vec<ClaimedJob>, StoreError> {
    let (share, until) = (count(share), grant.until());
    tx.query_each(
        turns,
        |turn| {
            sql!(
                "WITH due AS MATERIALIZED (
                     SELECT id FROM job
                     WHERE state = 'queued' AND tenant = {turn.tenant} AND priority = {turn.priority}
                       AND run_at <= {grant.now}
                     ORDER BY run_at, id LIMIT {share} FOR UPDATE SKIP LOCKED)
                 UPDATE job SET state = 'running', attempt = attempt + 1,
                                lease_token = {grant.token}, lease_until = {until}, updated_at = {grant.now}
                 FROM due WHERE job.id = due.id
                 RETURNING job.id, kind, tenant, payload, attempt, lapses"
            )
        },
        |row| grant.job(row),
    )
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
