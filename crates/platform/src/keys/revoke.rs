//! `POST /v1/platform/api-keys/{id}/revoke` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::keys;
use edge::params::Params;
use edge::problem::Problem;

use super::{PlatformKey, changeable};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::credentials::PlatformKeys;

/// Stops a key at once and for good. Revoking it again changes nothing and answers alike.
#[utoipa::path(
    post, path = "/v1/platform/api-keys/{id}/revoke", tag = "API keys", operation_id = "revokePlatformKey",
    security(("operatorSession" = []), ("platformKey" = [])), params(("id" = String, Path)),
    responses((status = 200, description = "The key as it is now", body = PlatformKey))
)]
pub async fn revoke(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "platform_keys.revoke", move |tx, caller| {
        let key = changeable(tx, caller, &id)?;
        let revoked = keys::revoke::<PlatformKeys>(tx, &key.owner_id, key.id)?;
        Ok(Answer::ok(&PlatformKey::of(revoked, tx.now())))
    })
    .await
}
