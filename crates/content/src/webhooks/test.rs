//! `POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/test`: a delivery that only tries an endpoint out.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::deliveries::Delivery;
use serde_json::json;

use crate::Content;

/// Sends the event `webhook.test` to this endpoint alone, signed, guarded, retried and logged like every other.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/webhooks/{webhookId}/test", tag = "Webhooks",
    operation_id = "testWebhook", security(("adminSession" = [])),
    params(Repeatable),
    responses(
        (status = 202, description = "The delivery; it is `pending`, and the log tells what became of it",
            body = Delivery),
        (status = 404, description = "There is no such endpoint", body = ContentErrorBody),
        (status = 409, description = "The endpoint is disabled, or the idempotency key was used for another request",
            body = ContentErrorBody),
    )
)]
pub async fn test(
    State(content): State<Content>,
    session: PresentedSession,
    Params((organization, webhook)): Params<(String, String)>,
    repeatable: Repeatable,
) -> Result<Answer, Problem> {
    let parts = content.clone();
    let door = &content.door;
    door.write_by_admin(session, "webhooks.test", move |tx, admin| {
        let endpoint = super::load(tx, admin, &organization, &webhook)?;
        let claim = repeatable.key()?.claim(endpoint.owner_id.clone(), || json!({ "id": endpoint.id }));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| endpoint.send_test(tx))
    })
    .await
}
