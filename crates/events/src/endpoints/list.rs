//! Lists an owner's webhook endpoints.

use kernel::id::EndpointId;
use store::{Row, StoreError, Tx};

use super::Endpoint;
use crate::Surface;

/// All endpoints of an owner (at most [`super::MAX_ENDPOINTS_PER_OWNER`]), oldest first, without secrets.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(tx: &mut Tx<'_>, surface: Surface, owner_id: &str) -> Result<Vec<Endpoint>, StoreError> {
    let rows = tx.query(
        "SELECT e.id, e.url, e.status, e.created_at, e.updated_at, e.signature_version, s.event_type
         FROM webhook_endpoint e
         LEFT JOIN webhook_subscription s ON s.endpoint_id = e.id
         WHERE e.owner_id = $1 AND e.surface = $2
         ORDER BY e.created_at, e.id, s.position",
        &[&owner_id, &surface],
        |row| Ok((endpoint(row, surface, owner_id)?, row.get::<Option<String>>(6)?)),
    )?;
    let mut endpoints: Vec<Endpoint> = Vec::new();
    for (endpoint, event) in rows {
        if endpoints.last().is_none_or(|last| last.id != endpoint.id) {
            endpoints.push(endpoint);
        }
        if let Some(last) = endpoints.last_mut() {
            last.events.extend(event);
        }
    }
    Ok(endpoints)
}

fn endpoint(row: &Row<'_>, surface: Surface, owner_id: &str) -> Result<Endpoint, StoreError> {
    Ok(Endpoint {
        id: row.get::<EndpointId>(0)?,
        surface,
        owner_id: owner_id.to_owned(),
        url: row.get(1)?,
        events: Vec::new(),
        status: row.get(2)?,
        signature_version: row.get(5)?,
        created_at: row.get(3)?,
        updated_at: row.get(4)?,
    })
}
