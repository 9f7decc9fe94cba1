//! Lists an owner's webhook endpoints.

use store::{Group as _, Record as _, StoreError, Tx, sql};

use super::Endpoint;
use crate::Surface;

/// All endpoints of an owner (at most [`super::MAX_ENDPOINTS_PER_OWNER`]), oldest first, without secrets.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(tx: &mut Tx<'_>, surface: Surface, owner_id: &str) -> Result<Vec<Endpoint>, StoreError> {
    let rows = sql!(
        "SELECT {Endpoint::*}, event_type
         FROM webhook_endpoint LEFT JOIN webhook_subscription ON endpoint_id = id
         WHERE owner_id = {owner_id} AND surface = {surface}
         ORDER BY created_at, id, position"
    )
    .query(tx, |row| Ok((Endpoint::from_row(row)?, row.get::<Option<String>>(Endpoint::COUNT)?)))?;
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
