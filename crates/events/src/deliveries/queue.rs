//! Queues the deliveries of an event.

use store::{Queue, StoreError, Tx};

use crate::NewEvent;

/// Queues an event for the owner's active endpoints that subscribed to it.
pub(crate) fn queue(tx: &mut Tx<'_>, event: &NewEvent) -> Result<(), StoreError> {
    let now = tx.now();
    tx.enqueue_later(
        Queue::Deliveries,
        "INSERT INTO delivery (event_id, endpoint_id, owner_id, state, attempts, next_attempt_at, created_at)
         SELECT CAST($1 AS TEXT), e.id, e.owner_id, 'pending', 0, CAST($2 AS BIGINT), CAST($2 AS BIGINT)
         FROM webhook_endpoint e
         JOIN webhook_subscription s ON s.endpoint_id = e.id AND s.event_type = $3
         WHERE e.owner_id = $4 AND e.surface = $5 AND e.status = 'ACTIVE'",
        &[&event.id, &now, &event.event_type, &event.owner_id, &event.surface],
    )
}
