//! `POST /v1/platform/api-keys/{id}/rotate` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::keys;
use edge::params::Params;
use edge::problem::Problem;
use http::HeaderMap;
use serde_json::json;

use super::{CreatedPlatformKey, changeable};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::credentials::PlatformKeys;

const ROUTE: &str = "POST /v1/platform/api-keys/{id}/rotate";

/// Replaces an active key: the old one stops at once, the new one has the same name, scopes and expiry.
#[utoipa::path(
    post, path = "/v1/platform/api-keys/{id}/rotate", tag = "API keys", operation_id = "rotatePlatformKey",
    security(("operatorSession" = []), ("platformKey" = [])), params(("id" = String, Path)),
    responses((status = 200, description = "Replaced; the new raw key is shown this once", body = CreatedPlatformKey))
)]
pub async fn rotate(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    headers: HeaderMap,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_keys.rotate", move |tx, caller| {
        let key = changeable(tx, caller, &id)?;
        let claim = idempotency_key.clone()?.map(|idempotency_key| {
            let request = json!({ "keyId": key.id });
            Claim::new(caller.idempotency_scope(), ROUTE, idempotency_key, &request, Retention::Day)
        });
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let minted = keys::rotate::<PlatformKeys>(tx, &parts.door.ambient, &key.owner_id, key.id)?;
            let kept = json!(CreatedPlatformKey::without_raw_key(&minted)).to_string();
            Ok((Answer::ok(&CreatedPlatformKey::of(&minted)), Kept::Instead(kept)))
        })
    })
    .await
}
