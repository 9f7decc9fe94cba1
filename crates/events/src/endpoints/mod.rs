//! Webhook endpoints: where an owner wants to be told, of what, and the secret that signs it.
//!
//! The URL was checked by the caller (`net::OutboundClient::check_url`), the event names by the surface.
//! The secret is shown once, stored sealed, and never listed.

mod create;
mod delete;
mod list;
mod resealing;
mod rotate;
mod sealed;
pub(crate) mod secrets;
mod signature;

use kernel::id::EndpointId;
use kernel::time::Timestamp;

pub use create::{CreateEndpointError, MAX_ENDPOINTS_PER_OWNER, NewEndpoint, Registration, create};
pub use delete::delete;
pub use list::list;
pub use resealing::reseal;
pub use rotate::{DEFAULT_OVERLAP, LONGEST_OVERLAP, RotateSecretError, Rotated, Rotation, rotate_secret};
pub(crate) use sealed::ClaimedEndpoint;
pub use sealed::{SealedSecret, newest_secrets};
pub use secrets::{LONGEST_SECRET, MOST_FORMER_SECRETS, UnfitSecret, check_secret};
pub use signature::SignatureVersion;
use store::{Record, StoreError, Tx};

use crate::Surface;

/// An endpoint as its owner may see it.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
#[record(table = "webhook_endpoint")]
pub struct Endpoint {
    /// Its id.
    pub id: EndpointId,
    /// The surface whose events it gets.
    pub surface: Surface,
    /// The organization or workspace it belongs to.
    pub owner_id: String,
    /// The receiver's URL, as it was given.
    pub url: String,
    /// The subscribed events, in the order in which they were given.
    #[column(skip)]
    pub events: Vec<String>,
    /// Whether it is told anything.
    pub status: EndpointStatus,
    /// What keys the signature header of its deliveries.
    pub signature_version: SignatureVersion,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its status or its secret changed last.
    pub updated_at: Timestamp,
}

/// Whose endpoint it is; `None` when the surface has none of this id.
///
/// # Errors
/// Any [`StoreError`].
pub fn find_owner(tx: &mut Tx<'_>, surface: Surface, id: EndpointId) -> Result<Option<String>, StoreError> {
    tx.find("SELECT owner_id FROM webhook_endpoint WHERE id = $1 AND surface = $2", &[&id, &surface], |row| row.get(0))
}

/// How an owner's endpoint is; `None` when it has none of this id.
///
/// # Errors
/// Any [`StoreError`].
pub fn find_status(
    tx: &mut Tx<'_>,
    surface: Surface,
    owner_id: &str,
    id: EndpointId,
) -> Result<Option<EndpointStatus>, StoreError> {
    tx.find(
        "SELECT status FROM webhook_endpoint WHERE id = $1 AND owner_id = $2 AND surface = $3",
        &[&id, &owner_id, &surface],
        |row| row.get(0),
    )
}

/// Tells an endpoint nothing more.
pub(crate) fn disable(tx: &mut Tx<'_>, id: EndpointId, now: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE webhook_endpoint SET status = 'DISABLED', updated_at = $1 WHERE id = $2";
    tx.execute_later(sql, &[&now, &id])
}

/// Whether an endpoint is told anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, store::Words)]
pub enum EndpointStatus {
    /// It gets its events.
    #[word("ACTIVE")]
    Active,
    /// The receiver answered 410: it gets nothing more.
    #[word("DISABLED")]
    Disabled,
}
