//! Secrets as they are stored: for who signs deliveries with them, and to tell whether a master key opens them.

use std::sync::Arc;

use kernel::id::EndpointId;
use kernel::secret::Sealer;
use store::{Record, StoreError, Tx, sql};

use super::SignatureVersion;
use crate::Surface;

/// Where a delivery goes, and the secrets that sign it, still sealed.
#[derive(Record)]
#[record(table = "webhook_endpoint")]
pub(crate) struct ClaimedEndpoint {
    pub(crate) id: EndpointId,
    pub(crate) owner_id: Arc<str>,
    pub(crate) surface: Surface,
    pub(crate) url: String,
    pub(crate) sealed_secret: String,
    /// As in the column.
    pub(crate) former_secrets: String,
    pub(crate) signature_version: SignatureVersion,
}

/// An endpoint's current secret as it is stored.
#[derive(Clone, Debug, Record)]
#[record(table = "webhook_endpoint")]
pub struct SealedSecret {
    /// The endpoint.
    #[column(name = "id")]
    pub endpoint: EndpointId,
    /// The surface whose events it gets.
    pub surface: Surface,
    /// The organization or workspace it belongs to.
    pub owner_id: String,
    #[column(name = "sealed_secret")]
    sealed: String,
}

impl SealedSecret {
    /// Whether this sealer made it.
    #[must_use]
    pub fn opens_with(&self, sealer: &Sealer) -> bool {
        sealer.open(&self.endpoint.to_string(), &self.sealed).is_ok()
    }
}

/// The secrets of all surfaces' endpoints that changed last, newest first, `limit` at most.
///
/// # Errors
/// Any [`StoreError`].
pub fn newest_secrets(tx: &mut Tx<'_>, limit: u32) -> Result<Vec<SealedSecret>, StoreError> {
    sql!("SELECT {SealedSecret::*} FROM webhook_endpoint ORDER BY updated_at DESC, id DESC LIMIT {limit}")
        .query(tx, SealedSecret::from_row)
}
