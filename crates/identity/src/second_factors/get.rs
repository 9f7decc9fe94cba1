//! `GET /auth/totp`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::problem::{ContentErrorBody, Problem};
use edge::second_factors;
use edge::sessions::PresentedSession;
use serde::Serialize;

/// The admin's authenticator app.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactorStatus {
    /// Whether sign-in asks for its codes.
    is_enabled: bool,
    /// Recovery codes that were not used.
    recovery_codes_left: i64,
}

/// Says whether the admin has an authenticator app.
#[utoipa::path(
    get, path = "/auth/totp", tag = "Second factor", operation_id = "getTotp", security(("adminSession" = [])),
    responses(
        (status = 200, description = "How it stands", body = FactorStatus),
        (status = 401, description = "There is no session", body = ContentErrorBody),
    )
)]
pub async fn get(State(door): State<Door>, session: PresentedSession) -> Result<Answer, Problem> {
    door.read_by_incomplete_session(session, "second_factors.get", |tx, signed_in| {
        let user = signed_in.admin.user_id;
        Ok(Answer::ok(&FactorStatus {
            is_enabled: second_factors::has_app(tx, user)?,
            recovery_codes_left: second_factors::count_recovery_codes(tx, user)?,
        }))
    })
    .await
}
