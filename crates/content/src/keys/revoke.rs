//! `POST /v1/content/organizations/{organizationId}/api-keys/{keyId}/revoke` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::keys;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;

use super::key_param;
use crate::ContentKeys;

/// Stops a key at once. Revoking it again changes nothing and answers alike.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/api-keys/{keyId}/revoke", tag = "API keys",
    operation_id = "revokeApiKey", security(("adminSession" = [])),
    params(("organizationId" = String, Path), ("keyId" = String, Path)),
    responses(
        (status = 200, description = "Revoked; no body"),
        (status = 401, description = "Not signed in", body = ContentErrorBody),
        (status = 403, description = "The admin cannot manage the organization", body = ContentErrorBody),
        (status = 404, description = "There is no such key", body = ContentErrorBody),
    )
)]
pub async fn revoke(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, key)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "keys.revoke", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        keys::revoke::<ContentKeys>(tx, &owner, key_param(&key)?)?;
        Ok(Answer::empty(StatusCode::OK))
    })
    .await
}
