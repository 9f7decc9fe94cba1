//! `DELETE /auth/sessions/{sessionId}`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::{PresentedSession, list as sessions};
use http::StatusCode;

const NO_SESSION: Problem = Problem::NotFound("Session");

/// Ends one of the admin's own sessions; the present one too.
#[utoipa::path(
    delete, path = "/auth/sessions/{sessionId}", tag = "Sessions", operation_id = "endSession",
    security(("adminSession" = [])),
    responses(
        (status = 204, description = "Ended"),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site, or a second factor is missing",
            body = ContentErrorBody),
        (status = 404, description = "The admin has no such session", body = ContentErrorBody),
    )
)]
pub async fn end(
    State(door): State<Door>,
    session: PresentedSession,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "sessions.end", move |tx, admin| {
        let id = id.parse().map_err(|_| NO_SESSION)?;
        let has_ended = sessions::end(tx, admin.user_id, id)?;
        if has_ended { Ok(Answer::empty(StatusCode::NO_CONTENT)) } else { Err(NO_SESSION) }
    })
    .await
}
