//! `POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/rotate-secret`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::OptionalJsonBody;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::requests::RotateWebhookSecretRequest;
use events::views::RotatedWebhookSecret;
use serde_json::json;

use crate::Content;

/// Replaces an endpoint's secret. The replaced one goes on signing for a while.
///
/// Within the overlap `Webhook-Signature` carries a signature by each secret, separated by spaces.
/// `X-Content-Integration-Signature` has room for one: it is by the newest secret at a delivery's first attempt, and by a
/// replaced one at the retries, in turn. So a receiver that knows only the replaced secret refuses the first attempt and
/// accepts the second, and no delivery is lost whenever it is switched. Without retries left to the turns, as where the
/// operator configured fewer, have the receiver accept both secrets first.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/webhooks/{webhookId}/rotate-secret", tag = "Webhooks",
    operation_id = "rotateWebhookSecret", security(("adminSession" = [])), request_body = Option<RotateWebhookSecretRequest>,
    params(Repeatable),
    responses(
        (status = 200, description = "Replaced; the new secret is shown this once", body = RotatedWebhookSecret),
        (status = 404, description = "There is no such endpoint", body = ContentErrorBody),
        (status = 409, description = "Three replaced secrets sign already, or the idempotency key was used for another \
            request", body = ContentErrorBody),
    )
)]
pub async fn rotate_secret(
    State(content): State<Content>,
    session: PresentedSession,
    Params((organization, webhook)): Params<(String, String)>,
    repeatable: Repeatable,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Answer, Problem> {
    let parts = content.clone();
    let door = &content.door;
    door.write_by_admin(session, "webhooks.rotate_secret", move |tx, admin| {
        let endpoint = super::load(tx, admin, &organization, &webhook)?;
        let (key, request) = Problem::both(repeatable.key(), body.read::<RotateWebhookSecretRequest>())?;
        let claimed = || json!({ "id": endpoint.id, "body": body.value().ok() });
        let claim = key.claim(endpoint.owner_id.clone(), claimed);
        parts
            .door
            .idempotency
            .once(tx, claim.as_ref(), |tx| endpoint.rotate_secret(tx, &parts.webhook_secrets, request))
    })
    .await
}
