//! `DELETE /auth/totp`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::problem::{ContentErrorBody, Problem};
use edge::second_factors;
use edge::sessions::{PresentedSession, list as sessions};
use http::StatusCode;

use super::FactorRemoval;
use crate::Identity;

/// Removes the authenticator app. A session alone does not suffice: it may be a borrowed browser. The other sessions of the admin
/// end, and the present one counts as opened without a second factor. The recovery codes go with the last second factor.
#[utoipa::path(
    delete, path = "/auth/totp", tag = "Second factor", operation_id = "removeTotp", security(("adminSession" = [])),
    request_body = FactorRemoval,
    responses(
        (status = 204, description = "Removed"),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, or password or code is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 409, description = "The admin has no authenticator app", body = ContentErrorBody),
        (status = 429, description = "Too many wrong codes", body = ContentErrorBody),
    )
)]
pub async fn remove(
    State(identity): State<Identity>,
    session: PresentedSession,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let user = super::admit(&identity, &session).await?;
    // A right password alone clears no count of wrong codes.
    let proof = super::note_fault(&identity, user, super::judge_removal(&identity, user, body).await)?;
    let (door, present) = (identity.door.clone(), session.clone());
    let removed = identity.door.write_by_admin(session, "second_factors.remove", move |tx, admin| {
        match &proof {
            Some(proof) => door.second_factors.check(tx, admin.user_id, proof)?,
            None if !second_factors::has_app(tx, admin.user_id)? => {
                return Err(Problem::Conflict("You have no authenticator app."));
            }
            None => {}
        }
        second_factors::remove_app(tx, admin.user_id)?;
        sessions::forget_second_factor(tx, admin.user_id, &present)?;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    });
    super::note(&identity, user, removed.await)
}
