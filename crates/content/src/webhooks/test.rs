//! `POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/test`: a delivery that only tries an endpoint out.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::views::WebhookDelivery;
use events::{Surface, deliveries};
use http::{HeaderMap, StatusCode};
use serde_json::json;

use super::{Named, refusal};
use crate::Content;

const ROUTE: &str = "POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/test";

/// Sends the event `webhook.test` to this endpoint alone, signed, guarded, retried and logged like every other.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/webhooks/{webhookId}/test", tag = "Webhooks",
    operation_id = "testWebhook", security(("adminSession" = [])),
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters"),
    ),
    responses(
        (status = 202, description = "The delivery; it is `pending`, and the log tells what became of it",
            body = WebhookDelivery),
        (status = 404, description = "There is no such endpoint", body = ContentErrorBody),
        (status = 409, description = "The endpoint is disabled, or the idempotency key was used for another request",
            body = ContentErrorBody),
    )
)]
pub async fn test(
    State(content): State<Content>,
    session: PresentedSession,
    Params((organization, webhook)): Params<(String, String)>,
    headers: HeaderMap,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = content.clone();
    content
        .door
        .write_by_admin(session, "webhooks.test", move |tx, admin| {
            let Named { owner, id } = Named::load(tx, admin, &organization, &webhook)?;
            let key = idempotency_key.clone()?;
            let claim = key.map(|key| Claim::new(owner.clone(), ROUTE, key, &json!({ "id": id }), Retention::Day));
            parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
                let queued = deliveries::send_test(tx, Surface::Content, &owner, id).map_err(refusal)?;
                Ok((Answer::json(StatusCode::ACCEPTED, &WebhookDelivery::from(queued)), Kept::Same))
            })
        })
        .await
}
