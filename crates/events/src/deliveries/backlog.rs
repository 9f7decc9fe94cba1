//! How many deliveries wait and how many were given up: for gauges and operators, so it must stay cheap however many there
//! are.

use kernel::time::Timestamp;
use std::time::Duration;
use store::{StoreError, Tx};

/// The endpoints whose queues are looked at for the oldest due delivery.
const MOST_ENDPOINTS: u32 = 1_000;

/// What waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Deliveries that are due, wait for their next attempt, or are being attempted.
    pub pending: u32,
    /// Since when the oldest of them is due, if one is.
    pub oldest_due: Option<Timestamp>,
}

/// Counts what waits, `limit` deliveries at most. Each endpoint's queue is in order, so that the oldest of all is the
/// first of one of them.
///
/// # Errors
/// Any [`StoreError`].
pub fn backlog(tx: &mut Tx<'_>, limit: u32) -> Result<Backlog, StoreError> {
    let now = tx.now();
    let pending = tx.find(
        // The order makes the engines read the queue's own index and stop at the limit.
        "SELECT count(*) FROM (
             SELECT event_id FROM delivery WHERE state = 'pending'
             ORDER BY endpoint_id, next_attempt_at, event_id LIMIT $1
         ) AS waiting",
        &[&limit],
        |row| row.get::<u32>(0),
    )?;
    let oldest = tx.find(
        "WITH RECURSIVE scan (endpoint_id, place) AS (
             SELECT (SELECT d.endpoint_id FROM delivery d WHERE d.state = 'pending'
                     ORDER BY d.endpoint_id, d.next_attempt_at, d.event_id LIMIT 1), CAST(1 AS BIGINT)
             UNION ALL
             SELECT (SELECT d.endpoint_id FROM delivery d WHERE d.state = 'pending' AND d.endpoint_id > scan.endpoint_id
                     ORDER BY d.endpoint_id, d.next_attempt_at, d.event_id LIMIT 1), scan.place + 1
             FROM scan WHERE scan.endpoint_id IS NOT NULL AND scan.place < $1
         )
         SELECT min((SELECT d.next_attempt_at FROM delivery d
                     WHERE d.endpoint_id = scan.endpoint_id AND d.state = 'pending'
                     ORDER BY d.endpoint_id, d.next_attempt_at, d.event_id LIMIT 1))
         FROM scan WHERE scan.endpoint_id IS NOT NULL",
        &[&MOST_ENDPOINTS],
        |row| row.get::<Option<Timestamp>>(0),
    )?;
    let oldest_due = oldest.flatten().filter(|oldest| *oldest <= now);
    Ok(Backlog { pending: pending.unwrap_or(0), oldest_due })
}

/// Deliveries that were given up lately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecentFailures {
    /// Those of the last 24 hours, as far as they were counted.
    pub count: u32,
    /// When the last one of all was given up.
    pub last: Option<Timestamp>,
}

/// Counts the deliveries that were given up in the last 24 hours, `limit` at most.
///
/// # Errors
/// Any [`StoreError`].
pub fn recent_failures(tx: &mut Tx<'_>, limit: u32) -> Result<RecentFailures, StoreError> {
    let since = tx.now().minus(Duration::from_secs(24 * 3600));
    let count = tx.find(
        "SELECT count(*) FROM (
             SELECT event_id FROM delivery WHERE state = 'failed' AND finished_at > $1 ORDER BY finished_at DESC LIMIT $2
         ) AS counted",
        &[&since, &limit],
        |row| row.get::<u32>(0),
    )?;
    let last = tx.find(
        "SELECT finished_at FROM delivery WHERE state = 'failed' ORDER BY finished_at DESC LIMIT 1",
        &[],
        |row| row.get::<Option<Timestamp>>(0),
    )?;
    Ok(RecentFailures { count: count.unwrap_or(0), last: last.flatten() })
}
