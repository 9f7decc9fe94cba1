//! `POST /auth/totp/enroll`.

use axum::extract::State;
use edge::admins;
use edge::answer::Answer;
use edge::door::Door;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use serde::Serialize;
use url::form_urlencoded;

/// The name of the service in apps.
const ISSUER: &str = "Lectern";

/// What an app needs.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Enrollment {
    /// The secret in Base32, to be typed.
    secret: String,
    /// The same as an address, to be shown as a QR code.
    otpauth_url: String,
}

/// Gives the admin a secret for an authenticator app. It counts once a code has confirmed it.
#[utoipa::path(
    post, path = "/auth/totp/enroll", tag = "Second factor", operation_id = "enrollTotp",
    security(("adminSession" = [])),
    responses(
        (status = 200, description = "The secret, which is shown this once", body = Enrollment),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 409, description = "The admin has an authenticator app", body = ContentErrorBody),
    )
)]
pub async fn enroll(State(door): State<Door>, session: PresentedSession) -> Result<Answer, Problem> {
    let parts = door.clone();
    door.write_by_incomplete_session(session, "second_factors.enroll", move |tx, signed_in| {
        let user = signed_in.admin.user_id;
        let email = admins::find_user(tx, user)?.map_or_else(String::new, |user| user.email);
        let secret = parts.second_factors.enroll(tx, &parts.ambient, user)?;
        let encode =
            |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
        let otpauth_url = format!(
            "otpauth://totp/{ISSUER}:{}?secret={secret}&issuer={ISSUER}&algorithm=SHA1&digits=6&period=30",
            encode(&email)
        );
        Ok(Answer::ok(&Enrollment { secret, otpauth_url }))
    })
    .await
}
