//! Registers a webhook endpoint.

use std::collections::HashSet;

use kernel::ambient::Ambient;
use kernel::id::EndpointId;
use kernel::secret::{Sealer, SecretString};
use store::{StoreError, Tx, sql};

use super::{Endpoint, EndpointStatus, SignatureVersion, secrets};
use crate::Surface;

/// How many endpoints an owner may have: each event is sent to all of them.
pub const MAX_ENDPOINTS_PER_OWNER: u32 = 100;

/// What an owner asks for.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The surface whose events it wants.
    pub surface: Surface,
    /// The organization or workspace.
    pub owner_id: String,
    /// The receiver's URL, checked already.
    pub url: String,
    /// The events by name; one that is named twice counts once.
    pub events: Vec<String>,
    /// The owner's own secret, which [`super::check_secret`] approved; otherwise one is made.
    pub secret: Option<SecretString>,
    /// What keys the signature header.
    pub signature_version: SignatureVersion,
}

/// An endpoint to be made, its secret sealed already.
#[derive(Clone, Debug)]
pub struct NewEndpoint {
    id: EndpointId,
    /// Its secret is taken out.
    registration: Registration,
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
    /// Prepares an endpoint, and gives its secret to be shown once.
    pub fn new(ambient: &Ambient, sealer: &Sealer, mut registration: Registration) -> (Self, SecretString) {
        let id: EndpointId = ambient.id();
        let (sealed_secret, secret) = secrets::seal(ambient, sealer, id, registration.secret.take());
        let mut named = HashSet::new();
        registration.events.retain(|event| named.insert(event.clone()));
        (Self { id, registration, sealed_secret }, secret)
    }

    pub(crate) fn surface(&self) -> Surface {
        self.registration.surface
    }
}

/// Makes the endpoint.
///
/// # Errors
/// [`CreateEndpointError::TooMany`], or the store's.
pub fn create(tx: &mut Tx<'_>, new: &NewEndpoint) -> Result<Endpoint, CreateEndpointError> {
    let NewEndpoint { id, registration, sealed_secret } = new;
    let Registration { surface, owner_id, url, events, signature_version, .. } = registration;
    // Two that create at once for one owner must not count the same: both change the same rows, and the
    // store runs the later one again.
    tx.execute_later(
        "UPDATE webhook_endpoint SET updated_at = updated_at WHERE owner_id = $1 AND surface = $2",
        &[owner_id, surface],
    )?;
    let counted = tx.find(
        "SELECT count(*) FROM webhook_endpoint WHERE owner_id = $1 AND surface = $2",
        &[owner_id, surface],
        |row| row.get::<u32>(0),
    )?;
    if counted.unwrap_or(0) >= MAX_ENDPOINTS_PER_OWNER {
        return Err(CreateEndpointError::TooMany);
    }
    let (now, status) = (tx.now(), EndpointStatus::Active);
    sql!(
        "INSERT INTO webhook_endpoint
             (id, surface, owner_id, url, sealed_secret, signature_version, status, created_at, updated_at)
         VALUES ({id}, {surface}, {owner_id}, {url}, {sealed_secret}, {signature_version},
             {status}, {now}, {now})"
    )
    .execute_later(tx)?;
    for (position, event) in (0_u32..).zip(events) {
        tx.execute_later(
            "INSERT INTO webhook_subscription (endpoint_id, event_type, position) VALUES ($1, $2, $3)",
            &[id, event, &position],
        )?;
    }
    Ok(Endpoint {
        id: *id,
        surface: *surface,
        owner_id: owner_id.clone(),
        url: url.clone(),
        events: events.clone(),
        status,
        signature_version: *signature_version,
        created_at: now,
        updated_at: now,
    })
}
