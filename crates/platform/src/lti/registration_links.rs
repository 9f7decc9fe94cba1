//! Registration links: an administrator opens one in a learning platform, and the platform is registered without typing
//! (Dynamic Registration 1.0).
//!
//! A link registers one platform. Its token is the credential of whoever opens it, so only a digest of the token is stored.
//! [`connect`] runs a registration; the pages around it are in the crate `web`. A link must never stay taken when its taker
//! dies: the lease lapses.

pub mod connect;
pub mod create;
pub mod list;
pub(crate) mod platform_calls;
pub mod refusal;
pub mod revoke;

use std::time::Duration;

use kernel::id::{RegistrationId, RegistrationLinkId, WorkspaceId};
use kernel::json::JsonText;
use kernel::secret::sha256_hex;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Record, StoreError, Tx, sql};

use self::refusal::{Reason, Refusal};

/// How long one attempt may hold a link: longer than all calls to the platform together may take.
const LEASE: Duration = Duration::from_secs(60);

/// A link, as it is stored.
#[derive(Clone, Debug, Record)]
#[record(table = "lti_registration_link")]
struct RegistrationLink {
    id: RegistrationLinkId,
    workspace_id: WorkspaceId,
    name: Option<String>,
    metadata: Option<JsonText>,
    token_digest: String,
    expires_at: Timestamp,
    lease_token: Option<String>,
    leased_until: Option<Timestamp>,
    #[column(json)]
    failure: Option<Failure>,
    used_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    registration_id: Option<RegistrationId>,
    created_at: Timestamp,
}

/// Why the last attempt came to nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Failure {
    /// [`Reason::code`].
    reason: String,
    detail: Option<String>,
}

/// What has become of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LtiRegistrationLinkStatus)]
pub enum LinkStatus {
    /// It may be opened.
    Open,
    /// It registered a platform.
    Used,
    /// Nobody used it in time.
    Expired,
    /// It was taken back.
    Revoked,
}

impl RegistrationLink {
    /// The link with a token.
    fn find(tx: &mut Tx<'_>, token: &str) -> Result<Option<Self>, StoreError> {
        let digest = sha256_hex(token.as_bytes());
        sql!("SELECT {RegistrationLink::*} FROM lti_registration_link WHERE token_digest = {digest}")
            .find(tx, Self::from_row)
    }

    fn status(&self, now: Timestamp) -> LinkStatus {
        match (self.used_at, self.revoked_at) {
            (Some(_), _) => LinkStatus::Used,
            (None, Some(_)) => LinkStatus::Revoked,
            (None, None) if self.expires_at <= now => LinkStatus::Expired,
            (None, None) => LinkStatus::Open,
        }
    }

    fn is_taken(&self, now: Timestamp) -> bool {
        self.leased_until.is_some_and(|until| now < until)
    }

    /// Whether a platform may be registered with it now.
    fn check(&self, now: Timestamp) -> Result<(), Refusal> {
        match self.status(now) {
            LinkStatus::Open if self.is_taken(now) => Err(Reason::BusyLink.into()),
            LinkStatus::Open => Ok(()),
            LinkStatus::Used => Err(Reason::UsedLink.into()),
            LinkStatus::Expired => Err(Reason::ExpiredLink.into()),
            LinkStatus::Revoked => Err(Reason::RevokedLink.into()),
        }
    }
}

#[cfg(test)]
mod tests;
