//! `POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries/{eventId}/redeliver`.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::deliveries::Delivery;
use events::owned::event_param;
use serde_json::json;

use crate::Content;

/// Delivers an event once more that was delivered or given up, with all retries. The event keeps its id.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries/{eventId}/redeliver",
    tag = "Webhooks", operation_id = "redeliverWebhook", security(("adminSession" = [])),
    params(Repeatable),
    responses(
        (status = 202, description = "The delivery; it is `pending`", body = Delivery),
        (status = 404, description = "There is no such endpoint or delivery", body = ContentErrorBody),
        (status = 409, description = "The delivery is still being made, the endpoint is disabled, or the idempotency key was \
            used for another request", body = ContentErrorBody),
    )
)]
pub async fn redeliver(
    State(content): State<Content>,
    session: PresentedSession,
    Params((organization, webhook, event)): Params<(String, String, String)>,
    repeatable: Repeatable,
) -> Result<Answer, Problem> {
    let parts = content.clone();
    let door = &content.door;
    door.write_by_admin(session, "webhooks.redeliver", move |tx, admin| {
        let endpoint = super::load(tx, admin, &organization, &webhook)?;
        let event = event_param(&event)?;
        let claimed = || json!({ "id": endpoint.id, "eventId": event });
        let claim = repeatable.key()?.claim(endpoint.owner_id.clone(), claimed);
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| endpoint.redeliver(tx, event))
    })
    .await
}
