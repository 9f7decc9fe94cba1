//! `POST /v1/content/organizations/{organizationId}/api-keys/{keyId}/rotate` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::keys;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::HeaderMap;
use serde_json::json;

use super::{CreatedKey, key_param};
use crate::ContentKeys;

const ROUTE: &str = "POST /v1/content/organizations/{organizationId}/api-keys/{keyId}/rotate";

/// Replaces an active key: the old one stops at once, the new one has the same name, rate limit and expiry.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/api-keys/{keyId}/rotate", tag = "API keys",
    operation_id = "rotateApiKey", security(("adminSession" = [])),
    params(
        ("organizationId" = String, Path),
        ("keyId" = String, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters"),
    ),
    responses(
        (status = 200, body = CreatedKey),
        (status = 401, description = "Not signed in", body = ContentErrorBody),
        (status = 403, description = "The admin cannot manage the organization", body = ContentErrorBody),
        (status = 404, description = "There is no such key", body = ContentErrorBody),
        (status = 409, description = "The key is revoked or expired", body = ContentErrorBody),
    )
)]
pub async fn rotate(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, key)): Params<(String, String)>,
    headers: HeaderMap,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let Door { ambient, idempotency, .. } = door.clone();
    door.write_by_admin(session, "keys.rotate", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        let id = key_param(&key)?;
        let claim = idempotency_key
            .clone()?
            .map(|key| Claim::new(owner.clone(), ROUTE, key, &json!({ "keyId": id }), Retention::Day));
        idempotency.once(tx, claim.as_ref(), |tx| {
            let minted = keys::rotate::<ContentKeys>(tx, &ambient, &owner, id)?;
            let kept = json!(CreatedKey::without_raw_key(&minted)).to_string();
            Ok((Answer::ok(&CreatedKey::of(&minted)), Kept::Instead(kept)))
        })
    })
    .await
}
