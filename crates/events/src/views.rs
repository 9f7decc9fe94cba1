//! The answer of both APIs that has a replaced secret. The surfaces decide who may see it, and at which address.

use kernel::id::EndpointId;
use kernel::secret::{ExposeSecret as _, SecretString};
use kernel::time::Timestamp;
use serde::Serialize;

use crate::endpoints::Rotated;

/// A secret that was just replaced.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RotatedWebhookSecret {
    /// The endpoint's id.
    id: EndpointId,
    /// The new secret; in this answer only.
    #[schema(example = "whsec_4Zcq1J0Yp2m8cYlY3nGd5o7W0cJ3m6aH")]
    secret: String,
    /// Until when the replaced secret goes on signing; null when it stopped at once.
    #[schema(required)]
    previous_secret_signs_until: Option<Timestamp>,
    /// When the new secret became the current one.
    updated_at: Timestamp,
}

impl RotatedWebhookSecret {
    /// The only answer that has the new secret.
    pub fn new(id: EndpointId, secret: &SecretString, rotated: Rotated) -> Self {
        Self {
            id,
            secret: secret.expose_secret().to_owned(),
            previous_secret_signs_until: rotated.former_signs_until,
            updated_at: rotated.rotated_at,
        }
    }
}
