//! `POST /v1/platform/api-keys` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody, label, list, one_of, timestamp};
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::keys::{self, NewKey};
use edge::problem::Problem;
use http::{HeaderMap, StatusCode};
use kernel::id::WorkspaceId;
use kernel::time::Timestamp;
use serde_json::json;

use super::{CreatedPlatformKey, KeyScope, SCOPES};
use crate::Platform;
use crate::callers::{self, Caller, Credential};
use crate::credentials::PlatformKeys;
use crate::named::named_workspace;

const ROUTE: &str = "POST /v1/platform/api-keys";
/// The workspace's limit is the one that counts.
const UNUSED_RATE_LIMIT_PER_MINUTE: u32 = 1;

/// What a new key is to be.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreatePlatformKeyRequest {
    /// 1 to 200 characters.
    #[schema(min_length = 1, max_length = 200, example = "production")]
    name: String,
    /// The workspace; this or `workspaceId` is required.
    #[schema(format = Uuid)]
    organization_id: Option<String>,
    /// The workspace; this or `organizationId` is required.
    #[schema(format = Uuid)]
    workspace_id: Option<String>,
    /// A time in the future after which the key stops authorizing.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// `platform:admin` lets the key manage the whole service; only an operator's session can give it.
    #[schema(value_type = Option<Vec<KeyScope>>, max_items = 10, example = json!([]))]
    scopes: Option<Vec<String>>,
}

struct Request {
    workspace: WorkspaceId,
    new: NewKey,
}

/// Makes a platform key. Its raw text is in this answer only.
#[utoipa::path(
    post, path = "/v1/platform/api-keys", tag = "API keys", operation_id = "createPlatformKey",
    security(("operatorSession" = []), ("platformKey" = [])), request_body = CreatePlatformKeyRequest,
    responses((status = 201, description = "Made; the raw key is shown this once", body = CreatedPlatformKey))
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_keys.create", move |tx, caller| {
        let now = tx.now();
        let (key, ()) = Problem::both(idempotency_key.clone(), judged(&body, now))?;
        // An expiry that has passed since does not stand in the way of a replay.
        let Request { workspace, new } = body.read(|fields| read(fields, Timestamp::from_millis(0)))?;
        let workspace = caller.workspace(tx, Some(workspace))?;
        if new.is_service_admin && !matches!(caller, Caller::Operator(_)) {
            return Err(Problem::Forbidden("Only an operator can make a key with the scope platform:admin."));
        }
        let claim = key.map(|key| {
            let request = body.value().cloned().unwrap_or_default();
            Claim::new(caller.idempotency_scope(), ROUTE, key, &request, Retention::Day)
        });
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            body.read(|fields| read(fields, now))?;
            let minted = keys::create::<PlatformKeys>(tx, &parts.door.ambient, &workspace.to_string(), &new)?;
            let answer = Answer::json(StatusCode::CREATED, &CreatedPlatformKey::of(&minted));
            Ok((answer, Kept::Instead(json!(CreatedPlatformKey::without_raw_key(&minted)).to_string())))
        })
    })
    .await
}

/// Whether the body is right but for the time that has passed; all of its faults when it isn't.
fn judged(body: &JsonBody, now: Timestamp) -> Result<(), Problem> {
    if body.read(|fields| read(fields, Timestamp::from_millis(0))).is_ok() {
        return Ok(());
    }
    body.read(|fields| read(fields, now)).map(|_| ())
}

fn read(fields: &mut Fields<'_>, now: Timestamp) -> Option<Request> {
    let name = fields.required("name", label(1..=200));
    let workspace = named_workspace(fields);
    let expires_at = fields.optional("expiresAt", |value, at| {
        timestamp(value, at).and_then(|end| if end > now { Some(end) } else { at.refuse("must be in the future") })
    });
    let scopes = fields.optional("scopes", list(0..=10, one_of(SCOPES)));
    let is_service_admin = scopes?.is_some_and(|scopes| !scopes.is_empty());
    Some(Request { workspace: workspace?, new: new_key(name?, expires_at?, is_service_admin) })
}

/// What a key of a workspace is made of.
pub fn new_key(name: String, expires_at: Option<Timestamp>, is_service_admin: bool) -> NewKey {
    NewKey { name, rate_limit_per_minute: UNUSED_RATE_LIMIT_PER_MINUTE, expires_at, is_service_admin }
}

#[cfg(test)]
mod tests;
