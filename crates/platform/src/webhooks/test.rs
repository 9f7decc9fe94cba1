//! `POST /v1/platform/webhooks/{id}/test`: beyond the document, a delivery that only tries an endpoint out.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::Problem;
use events::deliveries::Delivery;
use serde_json::json;

use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

/// Sends the event `webhook.test` to this endpoint alone, signed, guarded, retried and logged like every other.
#[utoipa::path(
    post, path = "/v1/platform/webhooks/{id}/test", tag = "Webhooks", operation_id = "testPlatformWebhook",
    params(NamedInQuery),
    responses(
        (status = 202, description = "The delivery; it is `pending`, and the log tells what became of it",
            body = Delivery),
        (status = 409, description = "The endpoint is disabled", body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn test(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    named: NamedInQuery,
    repeatable: Repeatable,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_webhooks.test", move |tx, caller| {
        let (key, named) = Problem::both(repeatable.key(), named.optional())?;
        let endpoint = super::load(tx, caller, named, &id)?;
        let claim = key.claim(caller.idempotency_scope(), || json!({ "id": endpoint.id }));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| endpoint.send_test(tx))
    })
    .await
}
