//! `GET /auth/users/{userId}`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;

use super::UserDetail;

/// One user with organizations, second factors and the number of sessions, for operators.
#[utoipa::path(
    get, path = "/auth/users/{userId}", tag = "Users", operation_id = "getUser", security(("adminSession" = [])),
    responses(
        (status = 200, description = "The user", body = UserDetail),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The session is no operator's", body = ContentErrorBody),
        (status = 404, description = "There is no such user", body = ContentErrorBody),
    )
)]
pub async fn get(
    State(door): State<Door>,
    session: PresentedSession,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    door.read_by_admin(session, "users.get", move |tx, admin| {
        super::require_operator(admin)?;
        let user = super::load_user(tx, &id)?;
        Ok(Answer::ok(&UserDetail::load(tx, user.id)?))
    })
    .await
}
