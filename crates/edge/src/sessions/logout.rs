//! `POST /auth/logout`: ends the session on the server and takes the cookie back.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::SET_COOKIE;

use super::login::set_cookie;
use super::{PresentedSession, close};
use crate::answer::Answer;
use crate::door::Door;
use crate::problem::{ContentErrorBody, Problem};

/// Signs an admin out.
#[utoipa::path(
    post, path = "/auth/logout", tag = "Admin session", security(("adminSession" = [])),
    responses(
        (status = 204, description = "Signed out; the cookie is taken back"),
        (status = 401, description = "There is no session", body = ContentErrorBody),
    )
)]
pub async fn logout(State(door): State<Door>, session: PresentedSession) -> Result<Response, Problem> {
    let token_hash = session.token_hash.clone();
    door.write_by_admin(session, "sessions.close", move |tx, _| Ok(close(tx, &token_hash)?)).await?;
    let mut response = Answer::empty(StatusCode::NO_CONTENT).into_response();
    response.headers_mut().insert(SET_COOKIE, set_cookie("", 0, door.own_origin.is_secure()));
    Ok(response)
}
