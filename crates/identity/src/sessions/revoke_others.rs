//! `POST /auth/sessions/revoke-others`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::{PresentedSession, list as sessions};
use serde::Serialize;

/// How many sessions have ended.
#[derive(Serialize, utoipa::ToSchema)]
pub struct RevokedSessions {
    /// The present one goes on.
    revoked: u64,
}

/// Ends all of the admin's sessions but the present one.
#[utoipa::path(
    post, path = "/auth/sessions/revoke-others", tag = "Sessions", operation_id = "revokeOtherSessions",
    security(("adminSession" = [])),
    responses(
        (status = 200, description = "Ended", body = RevokedSessions),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site, or a second factor is missing",
            body = ContentErrorBody),
    )
)]
pub async fn revoke_others(State(door): State<Door>, session: PresentedSession) -> Result<Answer, Problem> {
    let present = session.clone();
    door.write_by_admin(session, "sessions.revoke_others", move |tx, admin| {
        Ok(Answer::ok(&RevokedSessions { revoked: sessions::end_others(tx, admin.user_id, &present)? }))
    })
    .await
}
