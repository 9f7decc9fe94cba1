//! How many deliveries wait: for gauges, so it must stay cheap however many there are.

use kernel::time::Timestamp;
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
