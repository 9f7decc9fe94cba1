//! Replaces the secret of an endpoint. The replaced one signs beside it for a while, so that a receiver can be
//! switched at any moment of that time without losing a delivery.

use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::id::EndpointId;
use kernel::secret::{Sealer, SecretString};
use kernel::time::Timestamp;
use store::{StoreError, Tx};

use super::secrets::{FormerSecret, MOST_FORMER_SECRETS, read_former, seal, write_former};
use crate::Surface;

/// How long a replaced secret goes on signing unless its owner says otherwise.
pub const DEFAULT_OVERLAP: Duration = Duration::from_secs(24 * 3600);
/// The longest overlap: a week.
pub const LONGEST_OVERLAP: Duration = Duration::from_secs(7 * 24 * 3600);

/// A secret to come, sealed already.
#[derive(Clone, Debug)]
pub struct Rotation {
    endpoint: EndpointId,
    sealed_secret: String,
    /// How long the replaced secrets sign; none means that every one of them stops at once.
    overlap: Duration,
}

/// What a rotation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotated {
    /// When the new secret became the current one.
    pub rotated_at: Timestamp,
    /// Until when the replaced one signs; `None` when it stopped at once.
    pub former_signs_until: Option<Timestamp>,
}

/// Why a secret was not replaced.
#[derive(Debug, thiserror::Error)]
pub enum RotateSecretError {
    /// The owner has no such endpoint.
    #[error("there is no such endpoint")]
    Unknown,
    /// As many replaced secrets as there may be sign already.
    #[error("at most {MOST_FORMER_SECRETS} replaced secrets can sign at once")]
    TooMany,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Rotation {
    /// Prepares a rotation to the owner's own secret, which [`super::check_secret`] approved, or to a new one;
    /// gives the secret to be shown once.
    pub fn new(
        ambient: &Ambient,
        sealer: &Sealer,
        endpoint: EndpointId,
        given: Option<SecretString>,
        overlap: Duration,
    ) -> (Self, SecretString) {
        let (sealed_secret, secret) = seal(ambient, sealer, endpoint, given);
        (Self { endpoint, sealed_secret, overlap: overlap.min(LONGEST_OVERLAP) }, secret)
    }
}

/// Makes the new secret the current one.
///
/// # Errors
/// As [`RotateSecretError`] says.
pub fn rotate_secret(
    tx: &mut Tx<'_>,
    surface: Surface,
    owner_id: &str,
    rotation: &Rotation,
) -> Result<Rotated, RotateSecretError> {
    let now = tx.now();
    let found = tx.find(
        "SELECT sealed_secret, former_secrets FROM webhook_endpoint WHERE id = $1 AND owner_id = $2 AND surface = $3",
        &[&rotation.endpoint, &owner_id, &surface],
        |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)),
    )?;
    let (current, former) = found.ok_or(RotateSecretError::Unknown)?;
    let former_signs_until = (!rotation.overlap.is_zero()).then(|| now.plus(rotation.overlap));
    let mut kept = Vec::new();
    if let Some(signs_until) = former_signs_until {
        kept.push(FormerSecret { signs_until, sealed: current });
        kept.extend(read_former(&former).into_iter().filter(|secret| secret.signs_until > now));
    }
    if kept.len() > MOST_FORMER_SECRETS {
        return Err(RotateSecretError::TooMany);
    }
    tx.execute_later(
        "UPDATE webhook_endpoint SET sealed_secret = $2, former_secrets = $3, updated_at = $4 WHERE id = $1",
        &[&rotation.endpoint, &rotation.sealed_secret, &write_former(&kept), &now],
    )?;
    Ok(Rotated { rotated_at: now, former_signs_until })
}
