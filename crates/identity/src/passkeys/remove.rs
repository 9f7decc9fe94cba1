//! `DELETE /auth/passkeys/{passkeyId}`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::second_factors::passkeys;
use edge::sessions::{PresentedSession, list as sessions};
use http::StatusCode;

use crate::Identity;
use crate::second_factors::{self, FactorRemoval};

const NO_PASSKEY: Problem = Problem::NotFound("Passkey");

/// Removes a passkey. A session alone does not suffice: it may be a borrowed browser. The other sessions of the admin end, and the
/// present one counts as opened without a second factor. The recovery codes go with the last second factor.
#[utoipa::path(
    delete, path = "/auth/passkeys/{passkeyId}", tag = "Passkeys", operation_id = "removePasskey",
    security(("adminSession" = [])), request_body = FactorRemoval,
    responses(
        (status = 204, description = "Removed"),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, or password or code is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site, or a second factor is missing",
            body = ContentErrorBody),
        (status = 404, description = "The admin has no such passkey", body = ContentErrorBody),
        (status = 409, description = "A code was sent, and the admin has no authenticator app", body = ContentErrorBody),
        (status = 429, description = "Too many wrong codes", body = ContentErrorBody),
    )
)]
pub async fn remove(
    State(identity): State<Identity>,
    session: PresentedSession,
    Params(id): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let user = second_factors::admit(&identity, &session).await?;
    let proven = second_factors::judge_removal(&identity, user, body).await;
    let proof = second_factors::note_fault(&identity, user, proven)?;
    let (door, present) = (identity.door.clone(), session.clone());
    let removed = identity.door.write_by_admin(session, "passkeys.remove", move |tx, admin| {
        let id = id.parse().map_err(|_| NO_PASSKEY)?;
        if let Some(proof) = &proof {
            door.second_factors.check(tx, admin.user_id, proof)?;
        }
        if !passkeys::remove(tx, admin.user_id, id)? {
            return Err(NO_PASSKEY);
        }
        sessions::forget_second_factor(tx, admin.user_id, &present)?;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    });
    second_factors::note(&identity, user, removed.await)
}
