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
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
    )
)]
pub async fn logout(State(door): State<Door>, session: PresentedSession) -> Result<Response, Problem> {
    let token_hash = session.token_hash.clone();
    door.write_by_incomplete_session(session, "sessions.close", move |tx, _| Ok(close(tx, &token_hash)?)).await?;
    let mut response = Answer::empty(StatusCode::NO_CONTENT).into_response();
    response.headers_mut().insert(SET_COOKIE, set_cookie("", 0, door.own_origin.is_secure()));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::sessions::SESSION_LIFE;
    use crate::testing::{EMAIL, Edge, PASSWORD};

    #[both_stores]
    async fn signing_out_ends_the_session_on_the_server_and_takes_the_cookie_back(test: TestStore) {
        let edge = Edge::new(test).await;
        let (one, other) = (edge.sign_in(EMAIL, PASSWORD).await.cookie(), edge.sign_in(EMAIL, PASSWORD).await.cookie());
        let reply = edge.sign_out(&one).await;
        assert_eq!((reply.status, reply.body.as_str()), (StatusCode::NO_CONTENT, ""));
        assert_eq!(reply.header("set-cookie"), "jwt=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
        assert_eq!(edge.sessions().await, 1, "the other session goes on");
        assert_eq!(edge.sign_out(&one).await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(edge.sign_out(&other).await.status, StatusCode::NO_CONTENT);
    }

    #[both_stores]
    async fn a_session_ends_by_itself_after_12_hours(test: TestStore) {
        let edge = Edge::new(test).await;
        let cookie = edge.sign_in(EMAIL, PASSWORD).await.cookie();
        edge.test.clock.advance(SESSION_LIFE - Duration::from_millis(1));
        let kept = edge.sign_in(EMAIL, PASSWORD).await.cookie();
        edge.test.clock.advance(Duration::from_millis(1));
        assert_eq!(edge.sign_out(&cookie).await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(edge.test.store.write("sweep", crate::sessions::sweep).await.unwrap(), 1);
        assert_eq!(edge.sign_out(&kept).await.status, StatusCode::NO_CONTENT);
    }

    #[both_stores]
    async fn forged_and_foreign_cookies_sign_nobody_out(test: TestStore) {
        let edge = Edge::new(test).await;
        let cookie = edge.sign_in(EMAIL, PASSWORD).await.cookie();
        for wrong in ["jwt=", "jwt=x", "session=1", &cookie.to_uppercase(), &format!("{cookie}x")] {
            assert_eq!(edge.sign_out(wrong).await.status, StatusCode::UNAUTHORIZED, "{wrong}");
        }
        assert_eq!(edge.sessions().await, 1);
    }
}
