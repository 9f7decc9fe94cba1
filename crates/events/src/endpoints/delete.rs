//! Deletes a webhook endpoint, and with it its deliveries and their attempts.

use kernel::id::EndpointId;
use store::{StoreError, Tx};

use crate::Surface;

/// Deletes the owner's endpoint; false when it has none of this id. A request that is under way is not
/// called back; its outcome finds no row and is dropped.
///
/// # Errors
/// Any [`StoreError`].
pub fn delete(tx: &mut Tx<'_>, surface: Surface, owner_id: &str, id: EndpointId) -> Result<bool, StoreError> {
    let deleted = tx.execute(
        "DELETE FROM webhook_endpoint WHERE id = $1 AND owner_id = $2 AND surface = $3",
        &[&id, &owner_id, &surface],
    )?;
    Ok(deleted > 0)
}
