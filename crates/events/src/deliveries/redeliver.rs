//! Asks for a delivery once more, and for a delivery that only tries an endpoint out.
//!
//! Both are rows like any other: the same claims, the same guarded client, the same record of every attempt.

use kernel::id::{EndpointId, EventId};
use kernel::time::Timestamp;
use serde_json::json;
use store::{Queue, StoreError, Tx};

use super::log::{self, Delivery, DeliveryState};
use crate::endpoints::{EndpointStatus, find_status};
use crate::record::{NewEvent, note};
use crate::{Surface, platform};

/// The event by which an owner tries an endpoint out. Nobody can subscribe to it.
pub const TEST_EVENT: &str = "webhook.test";

/// Why nothing was queued.
#[derive(Debug, thiserror::Error)]
pub enum RedeliverError {
    /// The owner has no such endpoint.
    #[error("there is no such endpoint")]
    UnknownEndpoint,
    /// The event was never to be told to the endpoint.
    #[error("there is no such delivery")]
    UnknownDelivery,
    /// The receiver answered 410 once: it is told nothing more.
    #[error("the endpoint is disabled")]
    Disabled,
    /// It has not ended yet.
    #[error("the delivery is still being made")]
    Pending,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Queues a delivery that has ended, well or badly, with a fresh schedule. The event keeps its id, and the attempts
/// go on counting.
///
/// # Errors
/// As [`RedeliverError`] says.
pub fn redeliver(
    tx: &mut Tx<'_>,
    surface: Surface,
    owner_id: &str,
    endpoint: EndpointId,
    event: EventId,
) -> Result<Delivery, RedeliverError> {
    check_active(tx, surface, owner_id, endpoint)?;
    let mut delivery = log::find(tx, endpoint, event)?.ok_or(RedeliverError::UnknownDelivery)?;
    if requeue(tx, endpoint, event)? == 0 {
        return Err(RedeliverError::Pending);
    }
    (delivery.state, delivery.next_attempt_at, delivery.finished_at) = (DeliveryState::Pending, Some(tx.now()), None);
    Ok(delivery)
}

/// Makes an ended delivery due now; how many that were.
pub(super) fn requeue(tx: &mut Tx<'_>, endpoint: EndpointId, event: EventId) -> Result<u64, StoreError> {
    let now = tx.now();
    tx.wake(Queue::Deliveries);
    tx.execute(
        "UPDATE delivery
         SET state = 'pending', attempts_before = attempts, next_attempt_at = $3, lease_token = NULL, finished_at = NULL
         WHERE endpoint_id = $1 AND event_id = $2 AND state IN ('delivered', 'failed')",
        &[&endpoint, &event, &now],
    )
}

/// Queues a [`TEST_EVENT`] to this endpoint alone, whatever it subscribed to.
///
/// # Errors
/// As [`RedeliverError`] says.
pub fn send_test(
    tx: &mut Tx<'_>,
    surface: Surface,
    owner_id: &str,
    endpoint: EndpointId,
) -> Result<Delivery, RedeliverError> {
    check_active(tx, surface, owner_id, endpoint)?;
    let (now, id): (_, EventId) = (tx.now(), tx.ambient().id());
    let event = NewEvent {
        id,
        surface,
        owner_id: owner_id.to_owned(),
        event_type: TEST_EVENT,
        subject_id: endpoint.to_string(),
        body: test_body(surface, id, now, endpoint),
    };
    note(tx, &event)?;
    tx.execute_later(
        "INSERT INTO delivery (event_id, endpoint_id, owner_id, state, attempts, next_attempt_at, created_at)
         VALUES ($1, $2, $3, 'pending', 0, $4, $4)",
        &[&id, &endpoint, &owner_id, &now],
    )?;
    tx.wake(Queue::Deliveries);
    Ok(Delivery {
        event_id: id,
        event_type: TEST_EVENT.to_owned(),
        subject_id: endpoint.to_string(),
        state: DeliveryState::Pending,
        created_at: now,
        next_attempt_at: Some(now),
        finished_at: None,
        attempts: Vec::new(),
    })
}

/// The text of a test, in the form that the surface's other events have.
fn test_body(surface: Surface, id: EventId, created_at: Timestamp, endpoint: EndpointId) -> String {
    match surface {
        Surface::Content => {
            let data = json!({ "webhookId": endpoint });
            json!({ "id": id, "type": TEST_EVENT, "createdAt": created_at, "data": data }).to_string()
        }
        Surface::Platform => {
            let fields = [("webhookId".to_owned(), json!(endpoint))];
            platform::body(TEST_EVENT, id, created_at, fields.into_iter().collect())
        }
    }
}

fn check_active(tx: &mut Tx<'_>, surface: Surface, owner_id: &str, endpoint: EndpointId) -> Result<(), RedeliverError> {
    match find_status(tx, surface, owner_id, endpoint)? {
        None => Err(RedeliverError::UnknownEndpoint),
        Some(EndpointStatus::Disabled) => Err(RedeliverError::Disabled),
        Some(EndpointStatus::Active) => Ok(()),
    }
}
