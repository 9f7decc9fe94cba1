//! The operator's view of the queue: `lectern deliveries list|retry`.

use kernel::id::{EndpointId, EventId};
use kernel::time::Timestamp;
use store::{Group as _, Record, StoreError, Tx, sql};

use super::log::DeliveryState;
use super::redeliver::requeue;
use crate::Surface;
use crate::endpoints::EndpointStatus;

/// A delivery at a glance.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
pub struct DeliverySummary {
    /// Where it goes.
    pub endpoint_id: EndpointId,
    /// What it tells.
    pub event_id: EventId,
    /// The event's name.
    pub event_type: String,
    /// Whose endpoint it is.
    pub surface: Surface,
    /// The organization or workspace.
    pub owner_id: String,
    /// The receiver.
    pub url: String,
    /// How it stands.
    pub state: DeliveryState,
    /// How often it was tried.
    pub attempts: u32,
    /// When the next attempt is due, of what is pending.
    pub next_attempt_at: Option<Timestamp>,
    /// What the last recorded attempt was answered with.
    pub last_status_code: Option<u16>,
    /// Why it failed.
    pub last_error: Option<String>,
}

/// Why the operator can't have a delivery made once more.
#[derive(Debug, thiserror::Error)]
pub enum RetryError {
    /// There is no such delivery.
    #[error("there is no such delivery")]
    Unknown,
    /// It has not ended yet.
    #[error("the delivery is still being made")]
    Pending,
    /// The receiver answered 410 once: it is told nothing more.
    #[error("the endpoint is disabled: its receiver answered 410")]
    Disabled,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The columns of [`DeliverySummary`], of the deliveries that are `listed`.
const SUMMARIES: &str = "
    SELECT d.endpoint_id, d.event_id, v.type, e.surface, e.owner_id, e.url, d.state, d.attempts,
           CASE WHEN d.state = 'pending' THEN d.next_attempt_at END, a.status_code, a.error
    FROM listed d JOIN event v ON v.id = d.event_id JOIN webhook_endpoint e ON e.id = d.endpoint_id
    LEFT JOIN delivery_attempt a ON a.endpoint_id = d.endpoint_id AND a.event_id = d.event_id
         AND a.attempt = (SELECT max(b.attempt) FROM delivery_attempt b
                          WHERE b.endpoint_id = d.endpoint_id AND b.event_id = d.event_id)";

/// The first `limit` deliveries that failed, the latest failure in front.
///
/// # Errors
/// Any [`StoreError`].
pub fn list_failed(tx: &mut Tx<'_>, limit: u32) -> Result<Vec<DeliverySummary>, StoreError> {
    sql!(
        "WITH listed AS (
             SELECT * FROM delivery WHERE state = 'failed'
             ORDER BY finished_at DESC, endpoint_id DESC, event_id DESC LIMIT {limit}
         )
         {const SUMMARIES} ORDER BY d.finished_at DESC, d.endpoint_id DESC, d.event_id DESC"
    )
    .query(tx, |row| DeliverySummary::read_at(row, 0))
}

/// The first `limit` deliveries that are being made, those due first in front.
///
/// # Errors
/// Any [`StoreError`].
pub fn list_pending(tx: &mut Tx<'_>, limit: u32) -> Result<Vec<DeliverySummary>, StoreError> {
    sql!(
        "WITH listed AS (
             SELECT * FROM delivery WHERE state = 'pending' ORDER BY next_attempt_at, endpoint_id, event_id LIMIT {limit}
         )
         {const SUMMARIES} ORDER BY d.next_attempt_at, d.endpoint_id, d.event_id"
    )
    .query(tx, |row| DeliverySummary::read_at(row, 0))
}

/// Queues an ended delivery with a fresh schedule, whoever owns it.
///
/// # Errors
/// As [`RetryError`] says.
pub fn retry(tx: &mut Tx<'_>, endpoint: EndpointId, event: EventId) -> Result<(), RetryError> {
    let status = tx.find(
        "SELECT e.status FROM delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
         WHERE d.endpoint_id = $1 AND d.event_id = $2",
        &[&endpoint, &event],
        |row| row.get::<EndpointStatus>(0),
    )?;
    match status {
        None => Err(RetryError::Unknown),
        Some(EndpointStatus::Disabled) => Err(RetryError::Disabled),
        Some(EndpointStatus::Active) if requeue(tx, endpoint, event)? == 0 => Err(RetryError::Pending),
        Some(EndpointStatus::Active) => Ok(()),
    }
}
