//! The log of an endpoint's deliveries, as both APIs show it to its owner: states and attempts, never an answer's body.
//!
//! The log reaches back a bounded number of deliveries, so that a page costs the same however long an endpoint has
//! been told things.

use kernel::id::{EndpointId, EventId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Group as _, Record, Row, StoreError, Tx, sql};
use utoipa::ToSchema;

/// How many deliveries of an endpoint the log shows, the newest.
pub const LOG_DEPTH: u32 = 10_000;

/// The state of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, store::Words)]
#[serde(rename_all = "lowercase")]
#[schema(as = DeliveryStatus)]
pub enum DeliveryState {
    /// It waits for an attempt, or one is under way.
    Pending,
    /// The receiver has it.
    Delivered,
    /// It was given up.
    Failed,
}

/// What became of telling an endpoint an event.
#[derive(Clone, Debug, PartialEq, Eq, Record, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookDelivery)]
pub struct Delivery {
    /// The event's id, which its body has too and the headers as `webhook-id`.
    pub event_id: EventId,
    /// The event's name; `webhook.test` for a delivery that only tries the endpoint.
    #[serde(rename = "event")]
    #[schema(example = "webhook.test")]
    pub event_type: String,
    /// What it happened to.
    pub subject_id: String,
    /// `pending`, `delivered` or `failed`.
    #[serde(rename = "status")]
    pub state: DeliveryState,
    /// When the event happened.
    pub created_at: Timestamp,
    /// When the next attempt is due; null while one is under way, and when the delivery has ended.
    #[schema(required)]
    pub next_attempt_at: Option<Timestamp>,
    /// When the delivery ended.
    #[schema(required)]
    pub finished_at: Option<Timestamp>,
    /// The attempts so far, the first in front.
    #[column(skip)]
    pub attempts: Vec<Attempt>,
}

/// One request to the receiver.
// A number is missing where the process died before it could record.
#[derive(Clone, Debug, PartialEq, Eq, Record, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookAttempt)]
pub struct Attempt {
    /// From 1; redeliveries go on counting.
    #[schema(example = 1)]
    pub number: u32,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    #[schema(example = 84)]
    pub duration_ms: u64,
    /// What the receiver answered; null when it didn't.
    #[schema(example = 200, required)]
    pub status_code: Option<u16>,
    /// Why it failed, in a word such as `status`, `redirect`, `gone`, `timeout`, `connect` or `refused`.
    #[schema(required)]
    pub error: Option<String>,
}

/// Which deliveries of an endpoint are asked for.
#[derive(Clone, Copy, Debug)]
pub struct LogQuery {
    /// Only those in this state.
    pub state: Option<DeliveryState>,
    /// So many are passed over.
    pub offset: u64,
    /// At most so many.
    pub limit: u64,
}

/// How many deliveries of an endpoint the log has, at most [`LOG_DEPTH`].
///
/// # Errors
/// Any [`StoreError`].
pub fn count(tx: &mut Tx<'_>, endpoint: EndpointId, state: Option<DeliveryState>) -> Result<u64, StoreError> {
    let counted = tx.find(
        "SELECT count(*) FROM (
             SELECT state FROM delivery WHERE endpoint_id = $1 ORDER BY event_id DESC LIMIT $2
         ) newest WHERE CAST($3 AS TEXT) IS NULL OR state = $3",
        &[&endpoint, &LOG_DEPTH, &state.map(DeliveryState::as_str)],
        |row| row.get::<u32>(0),
    )?;
    Ok(counted.unwrap_or(0).into())
}

/// A delivery and one of its attempts, as [`of_attempt`] reads them.
const OF_ATTEMPT: &str = "d.event_id, e.type, e.subject_id, d.state, d.created_at,
    CASE WHEN d.state = 'pending' AND d.lease_token IS NULL THEN d.next_attempt_at END, d.finished_at,
    a.attempt, a.started_at, a.duration_ms, a.status_code, a.error";

/// The deliveries of an endpoint, those of the newest events in front.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(tx: &mut Tx<'_>, endpoint: EndpointId, query: LogQuery) -> Result<Vec<Delivery>, StoreError> {
    let rows = sql!(
        "WITH newest AS (
             SELECT * FROM delivery WHERE endpoint_id = {endpoint} ORDER BY event_id DESC LIMIT {LOG_DEPTH}
         ), page AS (
             SELECT * FROM newest WHERE CAST({query.state} AS TEXT) IS NULL OR state = {query.state}
             ORDER BY event_id DESC LIMIT {query.limit} OFFSET {query.offset}
         )
         SELECT {const OF_ATTEMPT}
         FROM page d JOIN event e ON e.id = d.event_id
         LEFT JOIN delivery_attempt a ON a.endpoint_id = d.endpoint_id AND a.event_id = d.event_id
         ORDER BY d.event_id DESC, a.attempt"
    )
    .query(tx, of_attempt)?;
    Ok(grouped(rows))
}

/// One delivery; `None` when the event was never to be told to the endpoint.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(tx: &mut Tx<'_>, endpoint: EndpointId, event: EventId) -> Result<Option<Delivery>, StoreError> {
    let rows = sql!(
        "SELECT {const OF_ATTEMPT}
         FROM delivery d JOIN event e ON e.id = d.event_id
         LEFT JOIN delivery_attempt a ON a.endpoint_id = d.endpoint_id AND a.event_id = d.event_id
         WHERE d.endpoint_id = {endpoint} AND d.event_id = {event}
         ORDER BY a.attempt"
    )
    .query(tx, of_attempt)?;
    Ok(grouped(rows).pop())
}

/// The delivery without its attempts, and the attempt where there is one.
fn of_attempt(row: &Row<'_>) -> Result<(Delivery, Option<Attempt>), StoreError> {
    Ok((Delivery::read_at(row, 0)?, Option::read_at(row, Delivery::COUNT)?))
}

fn grouped(rows: Vec<(Delivery, Option<Attempt>)>) -> Vec<Delivery> {
    let mut deliveries: Vec<Delivery> = Vec::new();
    for (delivery, attempt) in rows {
        if deliveries.last().is_none_or(|last| last.event_id != delivery.event_id) {
            deliveries.push(delivery);
        }
        if let Some(last) = deliveries.last_mut() {
            last.attempts.extend(attempt);
        }
    }
    deliveries
}
