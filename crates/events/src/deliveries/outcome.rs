//! Writes what came of an attempt: its row and the delivery's new state, in one transaction.
//!
//! Every statement is fenced by the lease token: the outcome of a delivery that somebody else claimed in
//! the meantime, or whose endpoint was deleted, changes nothing.

use std::sync::Arc;

use kernel::id::{EndpointId, EventId};
use kernel::time::Timestamp;
use store::{StoreError, Tx, sql};

use crate::endpoints;

/// What came of one attempt.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) event_id: EventId,
    pub(super) endpoint_id: EndpointId,
    pub(super) token: Arc<str>,
    pub(super) attempt: u32,
    pub(super) started_at: Timestamp,
    pub(super) ended_at: Timestamp,
    pub(super) status_code: Option<u16>,
    pub(super) error: Option<&'static str>,
    pub(super) verdict: Verdict,
}

/// What becomes of the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The receiver has it.
    Delivered,
    /// It is tried again then.
    RetryAt(Timestamp),
    /// It was the last attempt.
    Failed,
    /// The receiver wants nothing more (410).
    Gone,
}

impl Outcome {
    pub(super) fn duration_ms(&self) -> i64 {
        i64::try_from(self.ended_at.duration_since(self.started_at).as_millis()).unwrap_or(i64::MAX)
    }
}

/// Records outcomes, each whole or not at all.
pub(super) fn record_outcomes(tx: &mut Tx<'_>, outcomes: &[Outcome]) -> Result<(), StoreError> {
    for outcome in outcomes {
        insert_attempt(tx, outcome)?;
        match outcome.verdict {
            Verdict::Delivered => finish(tx, outcome, "delivered")?,
            Verdict::Failed => finish(tx, outcome, "failed")?,
            Verdict::RetryAt(at) => retry(tx, outcome, at)?,
            Verdict::Gone => {
                if finish_counted(tx, outcome, "failed")? > 0 {
                    endpoints::disable(tx, outcome.endpoint_id, outcome.ended_at)?;
                    fail_all(tx, outcome.endpoint_id, outcome.ended_at)?;
                }
            }
        }
    }
    Ok(())
}

fn insert_attempt(tx: &mut Tx<'_>, outcome: &Outcome) -> Result<(), StoreError> {
    let Outcome { event_id, endpoint_id, token, attempt, started_at, status_code, error, .. } = outcome;
    sql!(
        "INSERT INTO delivery_attempt (event_id, endpoint_id, attempt, started_at, duration_ms, status_code, error)
         SELECT d.event_id, d.endpoint_id, CAST({attempt} AS BIGINT), CAST({started_at} AS BIGINT),
                CAST({outcome.duration_ms()} AS BIGINT), CAST({status_code} AS BIGINT), CAST({error} AS TEXT)
         FROM delivery d WHERE d.endpoint_id = {endpoint_id} AND d.event_id = {event_id} AND d.lease_token = {token}"
    )
    .execute_later(tx)
}

const FINISH: &str = "UPDATE delivery SET state = $4, lease_token = NULL, finished_at = $5
     WHERE endpoint_id = $1 AND event_id = $2 AND lease_token = $3";

fn finish(tx: &mut Tx<'_>, outcome: &Outcome, state: &str) -> Result<(), StoreError> {
    let Outcome { endpoint_id, event_id, token, ended_at, .. } = outcome;
    tx.execute_later(FINISH, &[endpoint_id, event_id, token, &state, ended_at])
}

fn finish_counted(tx: &mut Tx<'_>, outcome: &Outcome, state: &str) -> Result<u64, StoreError> {
    let Outcome { endpoint_id, event_id, token, ended_at, .. } = outcome;
    tx.execute(FINISH, &[endpoint_id, event_id, token, &state, ended_at])
}

fn retry(tx: &mut Tx<'_>, outcome: &Outcome, at: Timestamp) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE delivery SET lease_token = NULL, next_attempt_at = $4
         WHERE endpoint_id = $1 AND event_id = $2 AND lease_token = $3",
        &[&outcome.endpoint_id, &outcome.event_id, &outcome.token, &at],
    )
}

/// What is under way to the endpoint ends by itself; `claim.rs` fails what would be tried again.
fn fail_all(tx: &mut Tx<'_>, endpoint: EndpointId, now: Timestamp) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE delivery SET state = 'failed', finished_at = $1
         WHERE endpoint_id = $2 AND state = 'pending' AND lease_token IS NULL",
        &[&now, &endpoint],
    )
}
