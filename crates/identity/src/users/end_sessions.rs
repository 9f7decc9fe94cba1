//! `POST /auth/users/{userId}/end-sessions`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::{PresentedSession, list as sessions};
use serde::Serialize;

/// How many sessions have ended.
#[derive(Serialize, utoipa::ToSchema)]
pub struct EndedSessions {
    ended: u64,
}

/// Ends all sessions of a user, for operators; the present one too where the user is oneself.
#[utoipa::path(
    post, path = "/auth/users/{userId}/end-sessions", tag = "Users", operation_id = "endUserSessions",
    security(("adminSession" = [])),
    responses(
        (status = 200, description = "Ended", body = EndedSessions),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The session is no operator's", body = ContentErrorBody),
        (status = 404, description = "There is no such user", body = ContentErrorBody),
    )
)]
pub async fn end_sessions(
    State(door): State<Door>,
    session: PresentedSession,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "users.end_sessions", move |tx, admin| {
        super::require_operator(admin)?;
        let user = super::load_user(tx, &id)?;
        Ok(Answer::ok(&EndedSessions { ended: sessions::end_all(tx, user.id)? }))
    })
    .await
}
