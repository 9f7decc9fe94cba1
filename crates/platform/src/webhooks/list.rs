//! `GET /v1/platform/webhooks` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::problem::Problem;
use events::{Surface, endpoints};

use super::PlatformWebhook;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

/// Lists a workspace's webhook endpoints, oldest first, without their secrets.
#[utoipa::path(
    get, path = "/v1/platform/webhooks", tag = "Webhooks", operation_id = "listPlatformWebhooks",
    params(NamedInQuery),
    responses((status = 200, description = "The endpoints, oldest first", body = Vec<PlatformWebhook>))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "platform_webhooks.list", move |tx, caller| {
        let workspace = caller.workspace(tx, named.alone()?)?;
        let listed = endpoints::list(tx, Surface::Platform, &workspace.to_string())?;
        Ok(Answer::ok(&listed.into_iter().map(PlatformWebhook::from).collect::<Vec<_>>()))
    })
    .await
}
