//! `POST /v1/platform/webhooks/{id}/test`: beyond the document, a delivery that only tries an endpoint out.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::params::Params;
use edge::problem::Problem;
use events::views::WebhookDelivery;
use events::{Surface, deliveries};
use http::{HeaderMap, StatusCode};
use serde_json::json;

use super::{Named, refusal};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

const ROUTE: &str = "POST /v1/platform/webhooks/{id}/test";

/// Sends the event `webhook.test` to this endpoint alone, signed, guarded, retried and logged like every other.
#[utoipa::path(
    post, path = "/v1/platform/webhooks/{id}/test", tag = "Webhooks", operation_id = "testPlatformWebhook",
    params(
        ("organizationId" = Option<String>, Query, description = "The workspace, where it is not the key's own"),
        ("workspaceId" = Option<String>, Query, description = "The same as `organizationId`"),
    ),
    responses(
        (status = 202, description = "The delivery; it is `pending`, and the log tells what became of it",
            body = WebhookDelivery),
        (status = 409, description = "The endpoint is disabled", body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn test(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    named: NamedInQuery,
    headers: HeaderMap,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_webhooks.test", move |tx, caller| {
        let (key, named) = Problem::both(idempotency_key.clone(), named.optional())?;
        let named = Named::load(tx, caller, named, &id)?;
        let claim = key
            .map(|key| Claim::new(caller.idempotency_scope(), ROUTE, key, &json!({ "id": named.id }), Retention::Day));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let queued = deliveries::send_test(tx, Surface::Platform, &named.owner(), named.id);
            let queued = WebhookDelivery::from(queued.map_err(refusal)?);
            Ok((Answer::json(StatusCode::ACCEPTED, &queued), Kept::Same))
        })
    })
    .await
}
