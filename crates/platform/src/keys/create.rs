//! `POST /v1/platform/api-keys` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, label, list, one_of};
use edge::idempotency::{Kept, Repeatable};
use edge::keys::{self, NewKey, expires_later};
use edge::problem::Problem;
use http::StatusCode;
use kernel::id::WorkspaceId;
use kernel::time::Timestamp;
use serde_json::json;

use super::{CreatedPlatformKey, KeyScope, SCOPES};
use crate::Platform;
use crate::callers::{self, Caller, Credential};
use crate::credentials::PlatformKeys;
use crate::named::names_one;

/// The workspace's limit is the one that counts.
const UNUSED_RATE_LIMIT_PER_MINUTE: u32 = 1;

/// What a new key is to be.
#[derive(Body)]
#[body(context = Timestamp)]
pub struct CreatePlatformKeyRequest {
    /// 1 to 200 characters.
    #[field(label(1..=200), example = "production")]
    name: String,
    /// The workspace; this or `workspaceId` is required.
    organization_id: Option<WorkspaceId>,
    /// The workspace; this or `organizationId` is required.
    #[field(rule = names_one(organization_id, workspace_id))]
    workspace_id: Option<WorkspaceId>,
    /// A time in the future after which the key stops authorizing.
    #[field(rule = expires_later(expires_at, context))]
    expires_at: Option<Timestamp>,
    /// `platform:admin` lets the key manage the whole service; only an operator's session can give it.
    #[field(list(0..=10, one_of(SCOPES).shown_as::<KeyScope>()), default, example = json!([]))]
    scopes: Vec<()>,
}

/// Makes a platform key. Its raw text is in this answer only.
#[utoipa::path(
    post, path = "/v1/platform/api-keys", tag = "API keys", operation_id = "createPlatformKey",
    request_body = CreatePlatformKeyRequest,
    responses((status = 201, description = "Made; the raw key is shown this once", body = CreatedPlatformKey))
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_keys.create", move |tx, caller| {
        let now = tx.now();
        // An expiry that has passed since does not stand in the way of a replay.
        let read = body.read_in::<CreatePlatformKeyRequest>(&Timestamp::from_millis(0));
        let (key, request) = Problem::both(repeatable.key(), read.or_else(|_| body.read_in(&now)))?;
        let CreatePlatformKeyRequest { name, organization_id, workspace_id, expires_at, scopes } = request;
        let workspace = caller.workspace(tx, organization_id.or(workspace_id))?;
        let new = new_key(name, expires_at, !scopes.is_empty());
        if new.is_service_admin && !matches!(caller, Caller::Operator(..)) {
            return Err(Problem::Forbidden("Only an operator can make a key with the scope platform:admin."));
        }
        let claim = key.claim(caller.idempotency_scope(), || json!(body.value().ok()));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            body.read_in::<CreatePlatformKeyRequest>(&now)?;
            let minted = keys::create::<PlatformKeys>(tx, &parts.door.ambient, &workspace.to_string(), &new)?;
            let answer = Answer::json(StatusCode::CREATED, &CreatedPlatformKey::of(&minted));
            Ok((answer, Kept::Instead(json!(CreatedPlatformKey::without_raw_key(&minted)).to_string())))
        })
    })
    .await
}

/// What a key of a workspace is made of.
pub fn new_key(name: String, expires_at: Option<Timestamp>, is_service_admin: bool) -> NewKey {
    NewKey { name, rate_limit_per_minute: UNUSED_RATE_LIMIT_PER_MINUTE, expires_at, is_service_admin }
}

#[cfg(test)]
mod tests;
