//! `DELETE /v1/platform/webhooks/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use http::StatusCode;

use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

/// Deletes a webhook endpoint; what was not delivered to it yet never will be.
#[utoipa::path(
    delete, path = "/v1/platform/webhooks/{id}", tag = "Webhooks", operation_id = "deletePlatformWebhook",
    params(NamedInQuery),
    responses((status = 204, description = "Deleted; no body"))
)]
pub async fn delete(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "platform_webhooks.delete", move |tx, caller| {
        super::load(tx, caller, named.optional()?, &id)?.delete(tx)?;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    })
    .await
}
