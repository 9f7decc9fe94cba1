//! `GET /auth/sessions`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use edge::sessions::PresentedSession;
use edge::sessions::list::{self as sessions, ListedSession};

/// Lists the admin's own sessions, the newest first, at most 100.
#[utoipa::path(
    get, path = "/auth/sessions", tag = "Sessions", operation_id = "listSessions", security(("adminSession" = [])),
    responses(
        (status = 200, description = "The sessions", body = Vec<ListedSession>),
        (status = 400, description = "The query has parameters", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "A second factor is missing", body = ContentErrorBody),
    )
)]
pub async fn list(State(door): State<Door>, session: PresentedSession, query: Query) -> Result<Answer, Problem> {
    let present = session.clone();
    door.read_by_admin(session, "sessions.list", move |tx, admin| {
        query.read_none()?;
        Ok(Answer::ok(&sessions::of(tx, admin.user_id, &present)?))
    })
    .await
}
