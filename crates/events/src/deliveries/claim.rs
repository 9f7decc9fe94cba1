//! Takes due deliveries off the queue for a while.
//!
//! One short transaction: a loose index scan over the endpoints with pending work (its cost follows
//! their number, not the length of their backlogs), then one statement per due endpoint, each for as many
//! deliveries as the endpoint, its owner and the process may have under way. The lease's end is written to
//! `next_attempt_at`, so that a lapsed lease is due again by itself. The attempt number is counted here:
//! what was sent by a process that died has used its number up.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kernel::id::{EndpointId, EventId};
use kernel::slots::Slots;
use kernel::time::Timestamp;
use store::{Group as _, Queue, Record, StoreError, Tx, sql};

use super::scan::{Candidate, Scanned, Walk, scan};
use crate::endpoints::ClaimedEndpoint;
use crate::endpoints::EndpointStatus;

/// What a claim starts from. The transaction may run twice, so nothing of it changes.
pub(super) struct ClaimRequest {
    /// The endpoints to look at.
    pub(super) walk: Walk,
    /// Unique to this claim; whoever holds it may record the outcomes.
    pub(super) token: Arc<str>,
    pub(super) lease: Duration,
    pub(super) slots: Slots<EndpointId>,
    /// Beyond this attempt number a delivery has failed.
    pub(super) last_attempt: u32,
}

/// What a claim found.
pub(super) struct Claimed {
    pub(super) deliveries: Vec<ClaimedDelivery>,
    /// What the next claim should look at.
    pub(super) next: Walk,
    /// The endpoints were not all looked at: go on at once.
    pub(super) has_more: bool,
    /// There may be more due that has to wait for a slot.
    pub(super) is_held_back: bool,
    /// When something that is not due yet will be.
    pub(super) next_due: Option<Timestamp>,
}

/// A delivery that is ours until the lease ends.
pub(super) struct ClaimedDelivery {
    pub(super) event_id: EventId,
    pub(super) event_type: String,
    pub(super) body: String,
    /// Its number in the log, from 1.
    pub(super) attempt: u32,
    /// The same since the delivery was asked for last: the schedule's number, from 1.
    pub(super) turn: u32,
    pub(super) endpoint: Arc<ClaimedEndpoint>,
    pub(super) token: Arc<str>,
}

pub(super) fn claim(tx: &mut Tx<'_>, request: &ClaimRequest) -> Result<Claimed, StoreError> {
    let now = tx.now();
    let Scanned { candidates, rest, next_due } = scan(tx, request.walk, now)?;
    let (due, disabled): (Vec<_>, Vec<_>) = candidates
        .into_iter()
        .filter(|candidate| candidate.first_due.is_some_and(|due| due <= now))
        .partition(|candidate| candidate.status == EndpointStatus::Active);
    for candidate in &disabled {
        fail_due_of_disabled(tx, candidate.endpoint.id, now)?;
    }
    let wanting: Vec<_> = due.iter().map(|one| (one.endpoint.id, one.endpoint.owner_id.clone())).collect();
    let shares = request.slots.shares(&wanting);
    let granted: Vec<_> = due.iter().zip(shares.iter().copied()).filter(|(_, share)| *share > 0).collect();
    let deliveries = lease(tx, request, &granted)?;
    let mut counts: HashMap<EndpointId, usize> = HashMap::new();
    for delivery in &deliveries {
        *counts.entry(delivery.endpoint.id).or_default() += 1;
    }
    // An endpoint that gave as much as was asked for may have more.
    let gave_all = |(one, share): (&Candidate, &usize)| counts.get(&one.endpoint.id).copied().unwrap_or(0) >= *share;
    let is_held_back = due.iter().zip(&shares).any(gave_all);
    // When there was not enough for everybody, the next walk starts behind the last who got something.
    let is_scarce = request.slots.is_exhausted_by(deliveries.len());
    let home = if is_scarce { granted.last().map(|(one, _)| one.endpoint.id).or(request.walk.home) } else { None };
    Ok(Claimed { deliveries, next: rest.unwrap_or(Walk::from(home)), has_more: rest.is_some(), is_held_back, next_due })
}

/// Lets every lease lapse at once: for a process that knows that the holders are gone, such as the only one
/// of an embedded database when it starts.
///
/// # Errors
/// Any [`StoreError`].
pub fn lapse_all(tx: &mut Tx<'_>) -> Result<u64, StoreError> {
    let now = tx.now();
    tx.wake(Queue::Deliveries);
    tx.execute(
        "UPDATE delivery SET next_attempt_at = $1
         WHERE state = 'pending' AND lease_token IS NOT NULL AND next_attempt_at > $1",
        &[&now],
    )
}

/// What became due of an endpoint that answered 410 in the meantime.
fn fail_due_of_disabled(tx: &mut Tx<'_>, endpoint: EndpointId, now: Timestamp) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE delivery SET state = 'failed', lease_token = NULL, finished_at = $1
         WHERE endpoint_id = $2 AND state = 'pending' AND next_attempt_at <= $1",
        &[&now, &endpoint],
    )
}

/// A row that [`lease`] reads.
#[derive(Record)]
struct LeasedRow {
    endpoint_id: EndpointId,
    event_id: EventId,
    event_type: String,
    body: String,
    attempt: u32,
    turn: u32,
}

fn lease(
    tx: &mut Tx<'_>,
    request: &ClaimRequest,
    granted: &[(&Candidate, usize)],
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    let now = tx.now();
    let (lease_end, token) = (now.plus(request.lease), &*request.token);
    let limits: Vec<i64> = granted.iter().map(|(_, share)| i64::try_from(*share).unwrap_or(i64::MAX)).collect();
    // The materialized part keeps PostgreSQL from locking more rows than it updates.
    let endpoints: HashMap<_, _> = granted.iter().map(|(one, _)| (one.endpoint.id, one.endpoint.clone())).collect();
    let rows = tx.query_each(
        granted.iter().zip(&limits),
        |((candidate, _), limit)| {
            sql!(
                "WITH due AS MATERIALIZED (
                 SELECT d.endpoint_id, d.event_id FROM delivery d
                 WHERE d.endpoint_id = {candidate.endpoint.id} AND d.state = 'pending' AND d.next_attempt_at <= {now}
                 ORDER BY d.next_attempt_at, d.event_id LIMIT {*limit}
                 FOR UPDATE SKIP LOCKED
             )
             UPDATE delivery SET attempts = attempts + 1, lease_token = {token}, next_attempt_at = {lease_end}
             WHERE (endpoint_id, event_id) IN (SELECT due.endpoint_id, due.event_id FROM due)
             RETURNING endpoint_id, event_id, (SELECT e.type FROM event e WHERE e.id = event_id),
                       (SELECT e.body FROM event e WHERE e.id = event_id), attempts, attempts - attempts_before"
            )
        },
        |row| {
            let LeasedRow { endpoint_id, event_id, event_type, body, attempt, turn } = LeasedRow::read_at(row, 0)?;
            let endpoint = endpoints.get(&endpoint_id).expect("only rows of granted endpoints are updated").clone();
            Ok(ClaimedDelivery { event_id, event_type, body, attempt, turn, endpoint, token: request.token.clone() })
        },
    )?;
    let (sendable, exhausted): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|delivery| delivery.turn <= request.last_attempt);
    fail_exhausted(tx, &exhausted)?;
    Ok(sendable)
}

/// What every process that sent it died of.
fn fail_exhausted(tx: &mut Tx<'_>, exhausted: &[ClaimedDelivery]) -> Result<(), StoreError> {
    let now = tx.now();
    exhausted.iter().try_for_each(|delivery| {
        tracing::warn!(event_id = %delivery.event_id, endpoint_id = %delivery.endpoint.id, "webhook delivery given up");
        tx.execute_later(
            "UPDATE delivery SET state = 'failed', lease_token = NULL, finished_at = $1
             WHERE endpoint_id = $2 AND event_id = $3",
            &[&now, &delivery.endpoint.id, &delivery.event_id],
        )
    })
}
