//! `PATCH /auth/users/{userId}`.

use axum::extract::State;
use edge::admins::{self, users};
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;

use super::UserDetail;

/// What to change about a user.
#[derive(Body)]
#[body(changes)]
pub struct UpdateUserRequest {
    /// Whether the user operates the whole service.
    is_operator: Option<bool>,
}

/// Says whether a user operates the service. It holds from the user's next request on. Nobody takes the right from themselves,
/// so one operator always remains.
#[utoipa::path(
    patch, path = "/auth/users/{userId}", tag = "Users", operation_id = "updateUser", security(("adminSession" = [])),
    request_body = UpdateUserRequest,
    responses(
        (status = 200, description = "The user as it is now", body = UserDetail),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The session is no operator's", body = ContentErrorBody),
        (status = 404, description = "There is no such user", body = ContentErrorBody),
        (status = 409, description = "Operators can't take the right from themselves", body = ContentErrorBody),
    )
)]
pub async fn update(
    State(door): State<Door>,
    session: PresentedSession,
    Params(id): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "users.update", move |tx, admin| {
        super::require_operator(admin)?;
        let request: UpdateUserRequest = body.read()?;
        let user = super::load_user(tx, &id)?;
        match request.is_operator {
            Some(true) => admins::make_operator(tx, user.id)?,
            Some(false) if user.id == admin.user_id => {
                let message = "You can't take the right to operate the service from yourself. Ask another operator.";
                return Err(Problem::Conflict(message));
            }
            Some(false) => {
                users::lock(tx, admin.user_id)?;
                admins::unmake_operator(tx, user.id)?;
            }
            None => {}
        }
        Ok(Answer::ok(&UserDetail::load(tx, user.id)?))
    })
    .await
}
