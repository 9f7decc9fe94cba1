//! `DELETE /auth/users/{userId}/second-factor`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::second_factors;
use edge::sessions::{PresentedSession, list as sessions};
use http::StatusCode;

/// Removes the authenticator app, all passkeys and the recovery codes of a user who lost them, for operators. All sessions of the
/// user end, and the password alone signs in until a second factor is set up again. One's own second factor takes the password
/// or a code: a session alone does not suffice.
#[utoipa::path(
    delete, path = "/auth/users/{userId}/second-factor", tag = "Users", operation_id = "removeUserSecondFactor",
    security(("adminSession" = [])),
    responses(
        (status = 204, description = "Removed"),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The session is no operator's", body = ContentErrorBody),
        (status = 404, description = "There is no such user", body = ContentErrorBody),
        (status = 409, description = "The user is oneself, or has no second factor", body = ContentErrorBody),
    )
)]
pub async fn remove_second_factor(
    State(door): State<Door>,
    session: PresentedSession,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "users.remove_second_factor", move |tx, admin| {
        super::require_operator(admin)?;
        let user = super::load_user(tx, &id)?;
        if user.id == admin.user_id {
            return Err(Problem::Conflict("Remove your own second factor on your account's page, with your password."));
        }
        if second_factors::status(tx, user.id)? == second_factors::Status::Absent {
            return Err(Problem::Conflict("The user has no second factor."));
        }
        second_factors::remove_all(tx, user.id)?;
        sessions::end_all(tx, user.id)?;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    })
    .await
}
