//! `POST /v1/platform/webhooks/{id}/rotate-secret`: beyond the document, which has no way to replace a secret.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::OptionalJsonBody;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::params::Params;
use edge::problem::Problem;
use events::Surface;
use events::endpoints::{self, RotateSecretError, Rotation};
use events::requests::RotateWebhookSecretRequest;
use events::views::RotatedWebhookSecret;
use http::HeaderMap;
use serde_json::json;

use super::{NOT_FOUND, Named};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

const ROUTE: &str = "POST /v1/platform/webhooks/{id}/rotate-secret";

/// Replaces an endpoint's secret. The replaced one goes on signing for a while.
///
/// Within the overlap `Webhook-Signature` carries a signature by each secret, separated by spaces. `X-Platform-Signature`
/// has room for one: it is by the newest secret at a delivery's first attempt, and by a replaced one at the retries, in
/// turn. So a receiver that knows only the replaced secret refuses the first attempt and accepts the second, and no
/// delivery is lost whenever it is switched. Without retries left to the turns, as where the operator configured fewer,
/// have the receiver accept both secrets first.
#[utoipa::path(
    post, path = "/v1/platform/webhooks/{id}/rotate-secret", tag = "Webhooks", operation_id = "rotatePlatformWebhookSecret",
    request_body = Option<RotateWebhookSecretRequest>,
    params(
        ("organizationId" = Option<String>, Query, description = "The workspace, where it is not the key's own"),
        ("workspaceId" = Option<String>, Query, description = "The same as `organizationId`"),
    ),
    responses(
        (status = 200, description = "Replaced; the new secret is shown this once", body = RotatedWebhookSecret),
        (status = 409, description = "Three replaced secrets sign already, or the idempotency key was used for another \
            request", body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn rotate_secret(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    named: NamedInQuery,
    headers: HeaderMap,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_webhooks.rotate_secret", move |tx, caller| {
        let (key, request) = Problem::both(idempotency_key.clone(), body.read::<RotateWebhookSecretRequest>())?;
        let named = Named::load(tx, caller, named.optional()?, &id)?;
        let claim = key.map(|key| {
            let claimed = json!({ "id": named.id, "body": body.value().cloned().unwrap_or_default() });
            Claim::new(caller.idempotency_scope(), ROUTE, key, &claimed, Retention::Day)
        });
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let (ambient, sealer) = (&parts.door.ambient, &parts.webhook_secrets);
            let (rotation, secret) = Rotation::new(ambient, sealer, named.id, request.secret, request.overlap);
            let rotated =
                endpoints::rotate_secret(tx, Surface::Platform, &named.owner(), &rotation).map_err(refusal)?;
            Ok((Answer::ok(&RotatedWebhookSecret::new(named.id, &secret, rotated)), Kept::Sealed))
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
