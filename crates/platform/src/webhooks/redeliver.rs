//! `POST /v1/platform/webhooks/{id}/deliveries/{eventId}/redeliver`: beyond the document.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::Problem;
use events::deliveries::Delivery;
use events::owned::event_param;
use serde_json::json;

use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

/// Delivers an event once more that was delivered or given up, with all retries. The event keeps its id.
#[utoipa::path(
    post, path = "/v1/platform/webhooks/{id}/deliveries/{eventId}/redeliver", tag = "Webhooks",
    operation_id = "redeliverPlatformWebhook",
    params(NamedInQuery),
    responses(
        (status = 202, description = "The delivery; it is `pending`", body = Delivery),
        (status = 409, description = "The delivery is still being made, or the endpoint is disabled",
            body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn redeliver(
    State(platform): State<Platform>,
    credential: Credential,
    Params((id, event)): Params<(String, String)>,
    named: NamedInQuery,
    repeatable: Repeatable,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_webhooks.redeliver", move |tx, caller| {
        let (key, named) = Problem::both(repeatable.key(), named.optional())?;
        let endpoint = super::load(tx, caller, named, &id)?;
        let event = event_param(&event)?;
        let claimed = || json!({ "id": endpoint.id, "eventId": event });
        let claim = key.claim(caller.idempotency_scope(), claimed);
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| endpoint.redeliver(tx, event))
    })
    .await
}
