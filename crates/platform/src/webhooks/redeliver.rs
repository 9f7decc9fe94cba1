//! `POST /v1/platform/webhooks/{id}/deliveries/{eventId}/redeliver`: beyond the document.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::params::Params;
use edge::problem::Problem;
use events::views::WebhookDelivery;
use events::{Surface, deliveries};
use http::{HeaderMap, StatusCode};
use kernel::id::EventId;
use serde_json::json;

use super::{Named, refusal};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

const ROUTE: &str = "POST /v1/platform/webhooks/{id}/deliveries/{eventId}/redeliver";

/// Delivers an event once more that was delivered or given up, with all retries. The event keeps its id.
#[utoipa::path(
    post, path = "/v1/platform/webhooks/{id}/deliveries/{eventId}/redeliver", tag = "Webhooks",
    operation_id = "redeliverPlatformWebhook",
    params(
        ("organizationId" = Option<String>, Query, description = "The workspace, where it is not the key's own"),
        ("workspaceId" = Option<String>, Query, description = "The same as `organizationId`"),
    ),
    responses(
        (status = 202, description = "The delivery; it is `pending`", body = WebhookDelivery),
        (status = 409, description = "The delivery is still being made, or the endpoint is disabled",
            body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn redeliver(
    State(platform): State<Platform>,
    credential: Credential,
    Params((id, event)): Params<(String, String)>,
    named: NamedInQuery,
    headers: HeaderMap,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_webhooks.redeliver", move |tx, caller| {
        let (key, named) = Problem::both(idempotency_key.clone(), named.optional())?;
        let named = Named::load(tx, caller, named, &id)?;
        let event: EventId = event.parse().map_err(|_| Problem::NotFound("Delivery"))?;
        let claim = key.map(|key| {
            let claimed = json!({ "id": named.id, "eventId": event });
            Claim::new(caller.idempotency_scope(), ROUTE, key, &claimed, Retention::Day)
        });
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let queued = deliveries::redeliver(tx, Surface::Platform, &named.owner(), named.id, event);
            let queued = WebhookDelivery::from(queued.map_err(refusal)?);
            Ok((Answer::json(StatusCode::ACCEPTED, &queued), Kept::Same))
        })
    })
    .await
}
