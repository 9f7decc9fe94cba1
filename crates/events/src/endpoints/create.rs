//! Registers a webhook endpoint.

use kernel::ambient::Ambient;
use kernel::id::EndpointId;
use kernel::secret::{ExposeSecret, Sealer, SecretString};
use net::signing::EndpointSecret;
use store::{StoreError, Tx};

use super::{Endpoint, EndpointStatus};
use crate::Surface;

/// How many endpoints an owner may have: each event is sent to all of them.
pub const MAX_ENDPOINTS_PER_OWNER: u32 = 100;

/// An endpoint to be made, its secret sealed already. [`NewEndpoint::generate`] makes one.
#[derive(Clone, Debug)]
pub struct NewEndpoint {
    id: EndpointId,
    surface: Surface,
    owner_id: String,
    url: String,
    events: Vec<String>,
    sealed_secret: String,
}

/// Why an endpoint was not made.
#[derive(Debug, thiserror::Error)]
pub enum CreateEndpointError {
    /// The owner has [`MAX_ENDPOINTS_PER_OWNER`] already.
    #[error("an owner can have at most {MAX_ENDPOINTS_PER_OWNER} webhook endpoints")]
    TooMany,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl NewEndpoint {
    /// Prepares an endpoint with a new secret, and gives the secret to be shown once. An event that is
    /// named twice counts once.
    pub fn generate(
        ambient: &Ambient,
        sealer: &Sealer,
        surface: Surface,
        owner_id: String,
        url: String,
        events: &[String],
    ) -> (Self, SecretString) {
        let id: EndpointId = ambient.id();
        let secret = EndpointSecret::generate(ambient);
        let text = secret.text().expose_secret();
        let sealed_secret = sealer.seal(ambient, &id.to_string(), text.as_bytes());
        let mut distinct = Vec::with_capacity(events.len());
        for event in events {
            if !distinct.contains(event) {
                distinct.push(event.clone());
            }
        }
        (Self { id, surface, owner_id, url, events: distinct, sealed_secret }, secret.text().clone())
    }
}

/// Makes the endpoint.
///
/// # Errors
/// [`CreateEndpointError::TooMany`], or the store's.
pub fn create(tx: &mut Tx<'_>, new: &NewEndpoint) -> Result<Endpoint, CreateEndpointError> {
    // Two that create at once for one owner must not count the same: both change the same rows, and the
    // store runs the later one again.
    tx.execute_later(
        "UPDATE webhook_endpoint SET updated_at = updated_at WHERE owner_id = $1 AND surface = $2",
        &[&new.owner_id, &new.surface],
    )?;
    let counted = tx.find(
        "SELECT count(*) FROM webhook_endpoint WHERE owner_id = $1 AND surface = $2",
        &[&new.owner_id, &new.surface],
        |row| row.get::<u32>(0),
    )?;
    if counted.unwrap_or(0) >= MAX_ENDPOINTS_PER_OWNER {
        return Err(CreateEndpointError::TooMany);
    }
    let (now, status) = (tx.now(), EndpointStatus::Active);
    tx.execute_later(
        "INSERT INTO webhook_endpoint (id, surface, owner_id, url, sealed_secret, status, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
        &[&new.id, &new.surface, &new.owner_id, &new.url, &new.sealed_secret, &status.as_str(), &now],
    )?;
    for (position, event) in (0_u32..).zip(&new.events) {
        tx.execute_later(
            "INSERT INTO webhook_subscription (endpoint_id, event_type, position) VALUES ($1, $2, $3)",
            &[&new.id, event, &position],
        )?;
    }
    Ok(Endpoint {
        id: new.id,
        surface: new.surface,
        owner_id: new.owner_id.clone(),
        url: new.url.clone(),
        events: new.events.clone(),
        status,
        created_at: now,
        updated_at: now,
    })
}
