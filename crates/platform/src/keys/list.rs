//! `GET /v1/platform/api-keys` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::keys;
use edge::problem::Problem;

use super::PlatformKey;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::credentials::PlatformKeys;
use crate::named::NamedInQuery;

/// Lists a workspace's keys, newest first, without anything secret.
#[utoipa::path(
    get, path = "/v1/platform/api-keys", tag = "API keys", operation_id = "listPlatformKeys",
    security(("operatorSession" = []), ("platformKey" = [])),
    params(
        ("organizationId" = Option<String>, Query, description = "The workspace; this or `workspaceId` is required"),
        ("workspaceId" = Option<String>, Query, description = "The workspace; this or `organizationId` is required"),
    ),
    responses((status = 200, description = "The keys, newest first", body = Vec<PlatformKey>))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "platform_keys.list", move |tx, caller| {
        let workspace = caller.workspace(tx, Some(named.required()?))?;
        let now = tx.now();
        let listed = keys::list::<PlatformKeys>(tx, &workspace.to_string())?.into_iter();
        Ok(Answer::ok(&listed.map(|key| PlatformKey::of(key, now)).collect::<Vec<_>>()))
    })
    .await
}
