//! `POST /auth/password-reset`: asks for a mail with a link.
//!
//! Every address gets the same answer after the same work: whether it has an account is found out by the job.

use std::net::SocketAddr;

use axum::Extension;
use axum::extract::{ConnectInfo, Request, State};
use edge::admins::normalize_email;
use edge::answer::Answer;
use edge::body::{Body, Check as _, text};
use edge::problem::{ContentErrorBody, Problem};
use http::StatusCode;
use store::{Tx, jobs};

use super::send::SendPasswordReset;
use crate::Identity;
use crate::forms::Sent;

/// Whose password is forgotten.
#[derive(Body)]
pub struct PasswordResetRequest {
    /// The admin's e-mail address.
    #[field(text(1..=320).format("email").map(|email| normalize_email(&email)), example = "admin@example.com")]
    email: String,
}

/// Sends an admin a link to choose a new password with. The answer is the same for an address without an account.
#[utoipa::path(
    post, path = "/auth/password-reset", tag = "Passwords", operation_id = "requestPasswordReset", security(()),
    request_body = PasswordResetRequest,
    responses(
        (status = 202, description = "A mail is on its way, if the address has an account"),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 413, description = "The body is larger than 8 KiB", body = ContentErrorBody),
        (status = 429, description = "Too many requests for the address or from the network address", body = ContentErrorBody),
    )
)]
pub async fn request(
    State(identity): State<Identity>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    request: Request,
) -> Result<Answer, Problem> {
    let sent = Sent::of(&identity.door, request).await?;
    let PasswordResetRequest { email } = sent.body.read()?;
    let address = address.map(|Extension(ConnectInfo(address))| address.ip());
    let now = identity.door.ambient.now();
    if let Some(retry_after) = identity.reset_throttle.wait(&email, address, now) {
        return Err(Problem::TooManyRequests { message: "Too many requests for a new password.", retry_after });
    }
    identity.reset_throttle.note_failure(&email, address, now);
    let enqueue = move |tx: &mut Tx<'_>| {
        jobs::enqueue(tx, "password resets", &SendPasswordReset { email: email.clone() }).map(drop)
    };
    identity.door.store.write("password_resets.request", enqueue).await.map_err(Problem::from)?;
    Ok(Answer::empty(StatusCode::ACCEPTED))
}
