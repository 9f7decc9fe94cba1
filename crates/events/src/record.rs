//! Writes an event in the transaction that makes it true, and one delivery for each endpoint that wants it.
//!
//! Nothing is sent here; the commit wakes `crate::Deliverer`.

use kernel::id::EventId;
use serde_json::{Map, Value};
use store::{StoreError, Tx, sql};

use crate::{Surface, deliveries};

/// Something that happened, as the receivers will read it.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// The id by which receivers see duplicates.
    pub id: EventId,
    /// Whose webhooks are told.
    pub surface: Surface,
    /// The organization or workspace whose webhooks are told.
    pub owner_id: String,
    /// The event's name, such as `content.completed`.
    pub event_type: &'static str,
    /// What it happened to.
    pub subject_id: String,
    /// The exact text that is signed and sent.
    pub body: String,
}

/// Records the event and queues its deliveries to the owner's active endpoints that subscribed to it.
///
/// # Errors
/// Any [`StoreError`]; `Unique` when the event is recorded already.
pub fn record(tx: &mut Tx<'_>, event: &NewEvent) -> Result<(), StoreError> {
    note(tx, event)?;
    deliveries::queue(tx, event)
}

/// Records an event that nobody can subscribe to: a fact for the record.
///
/// # Errors
/// As [`record`].
pub fn note(tx: &mut Tx<'_>, event: &NewEvent) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "INSERT INTO event (id, surface, owner_id, type, subject_id, body, created_at)
         VALUES ({event.id}, {event.surface}, {event.owner_id}, {event.event_type}, {event.subject_id}, {event.body}, {now})"
    )
    .execute_later(tx)
}

/// Makes fields of the bodies of these subjects' events null, where they have them, and so in every delivery that is still
/// to be made or is made again. What was sent is sent.
///
/// # Errors
/// Any [`StoreError`].
pub fn forget_fields(tx: &mut Tx<'_>, subject_ids: &[String], fields: &[&str]) -> Result<(), StoreError> {
    let told = tx.query_each(
        subject_ids,
        |subject| sql!("SELECT id, body FROM event WHERE subject_id = {*subject}"),
        |row| Ok((row.get::<EventId>(0)?, row.get::<String>(1)?)),
    )?;
    for (id, body) in told {
        let damaged = |error: serde_json::Error| StoreError::Unexpected(Box::new(error));
        let mut body: Map<String, Value> = serde_json::from_str(&body).map_err(damaged)?;
        for field in fields {
            body.entry(*field).and_modify(|value| *value = Value::Null);
        }
        tx.execute_later("UPDATE event SET body = $2 WHERE id = $1", &[&id, &Value::Object(body).to_string()])?;
    }
    Ok(())
}
