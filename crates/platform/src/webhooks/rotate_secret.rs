//! `POST /v1/platform/webhooks/{id}/rotate-secret`: beyond the document, which has no way to replace a secret.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::OptionalJsonBody;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::Problem;
use events::requests::RotateWebhookSecretRequest;
use events::views::RotatedWebhookSecret;
use serde_json::json;

use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

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
    params(NamedInQuery),
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
    repeatable: Repeatable,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_webhooks.rotate_secret", move |tx, caller| {
        let (key, request) = Problem::both(repeatable.key(), body.read::<RotateWebhookSecretRequest>())?;
        let endpoint = super::load(tx, caller, named.optional()?, &id)?;
        let claimed = || json!({ "id": endpoint.id, "body": body.value().ok() });
        let claim = key.claim(caller.idempotency_scope(), claimed);
        parts
            .door
            .idempotency
            .once(tx, claim.as_ref(), |tx| endpoint.rotate_secret(tx, &parts.webhook_secrets, request))
    })
    .await
}
