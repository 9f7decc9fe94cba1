//! `POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/rotate-secret`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::OptionalJsonBody;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::Surface;
use events::endpoints::{self, RotateSecretError, Rotation};
use events::requests::RotateWebhookSecretRequest;
use events::views::RotatedWebhookSecret;
use http::HeaderMap;
use serde_json::json;

use super::{NOT_FOUND, Named};
use crate::Content;

const ROUTE: &str = "POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/rotate-secret";

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
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters"),
    ),
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
    headers: HeaderMap,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = content.clone();
    content
        .door
        .write_by_admin(session, "webhooks.rotate_secret", move |tx, admin| {
            let Named { owner, id } = Named::load(tx, admin, &organization, &webhook)?;
            let (key, request) = Problem::both(idempotency_key.clone(), body.read::<RotateWebhookSecretRequest>())?;
            let claimed = json!({ "id": id, "body": body.value().cloned().unwrap_or_default() });
            let claim = key.map(|key| Claim::new(owner.clone(), ROUTE, key, &claimed, Retention::Day));
            parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
                let (ambient, sealer) = (&parts.door.ambient, &parts.webhook_secrets);
                let (rotation, secret) = Rotation::new(ambient, sealer, id, request.secret, request.overlap);
                let rotated = endpoints::rotate_secret(tx, Surface::Content, &owner, &rotation).map_err(refusal)?;
                Ok((Answer::ok(&RotatedWebhookSecret::new(id, &secret, rotated)), Kept::Sealed))
            })
        })
        .await
}

fn refusal(error: RotateSecretError) -> Problem {
    match error {
        RotateSecretError::Unknown => NOT_FOUND,
        RotateSecretError::TooMany => Problem::Conflict(
            "Three replaced secrets sign already: wait for one to stop, or rotate with overlapSeconds 0.",
        ),
        RotateSecretError::Store(error) => error.into(),
    }
}
