//! `POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries/{eventId}/redeliver`.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::views::WebhookDelivery;
use events::{Surface, deliveries};
use http::{HeaderMap, StatusCode};
use kernel::id::EventId;
use serde_json::json;

use super::{Named, refusal};
use crate::Content;

const ROUTE: &str =
    "POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries/{eventId}/redeliver";

/// Delivers an event once more that was delivered or given up, with all retries. The event keeps its id.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries/{eventId}/redeliver",
    tag = "Webhooks", operation_id = "redeliverWebhook", security(("adminSession" = [])),
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters"),
    ),
    responses(
        (status = 202, description = "The delivery; it is `pending`", body = WebhookDelivery),
        (status = 404, description = "There is no such endpoint or delivery", body = ContentErrorBody),
        (status = 409, description = "The delivery is still being made, the endpoint is disabled, or the idempotency key was \
            used for another request", body = ContentErrorBody),
    )
)]
pub async fn redeliver(
    State(content): State<Content>,
    session: PresentedSession,
    Params((organization, webhook, event)): Params<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = content.clone();
    content
        .door
        .write_by_admin(session, "webhooks.redeliver", move |tx, admin| {
            let Named { owner, id } = Named::load(tx, admin, &organization, &webhook)?;
            let event: EventId = event.parse().map_err(|_| Problem::NotFound("Delivery"))?;
            let key = idempotency_key.clone()?;
            let claimed = json!({ "id": id, "eventId": event });
            let claim = key.map(|key| Claim::new(owner.clone(), ROUTE, key, &claimed, Retention::Day));
            parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
                let queued = deliveries::redeliver(tx, Surface::Content, &owner, id, event).map_err(refusal)?;
                Ok((Answer::json(StatusCode::ACCEPTED, &WebhookDelivery::from(queued)), Kept::Same))
            })
        })
        .await
}
