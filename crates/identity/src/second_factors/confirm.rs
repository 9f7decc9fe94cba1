//! `POST /auth/totp/confirm`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, text};
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::{PresentedSession, list as sessions};
use kernel::secret::SecretString;

use super::RecoveryCodes;
use crate::Identity;

/// The first code of a new secret.
#[derive(Body)]
pub struct TotpConfirmation {
    /// The six digits that the app shows.
    #[field(text(6..=6), example = "123456")]
    code: String,
    /// The admin's password, where the account has one.
    #[field(text(1..=1024).format("password").map(SecretString::from), example = "correct horse battery staple")]
    password: Option<SecretString>,
}

/// Turns the second factor on: sign-in asks for it from now on. The other sessions of the admin end.
///
/// An account without a password needs a sign-in through its identity provider within the last ten minutes instead.
#[utoipa::path(
    post, path = "/auth/totp/confirm", tag = "Second factor", operation_id = "confirmTotp",
    security(("adminSession" = [])), request_body = TotpConfirmation,
    responses(
        (status = 200, description = "It is on; the recovery codes are shown this once", body = RecoveryCodes),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, or code or password is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site, or the sign-in through a provider is not fresh",
            body = ContentErrorBody),
        (status = 409, description = "No secret waits to be confirmed", body = ContentErrorBody),
        (status = 429, description = "Too many wrong codes", body = ContentErrorBody),
    )
)]
pub async fn confirm(
    State(identity): State<Identity>,
    session: PresentedSession,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let user = super::admit(&identity, &session).await?;
    let TotpConfirmation { code, password } = super::note_fault(&identity, user, body.read())?;
    // A right password alone clears no count of wrong codes.
    let presence = super::note_fault(&identity, user, super::judge_presence(&identity, user, password).await)?;
    let (door, present) = (identity.door.clone(), session.clone());
    let confirmed =
        identity.door.write_by_incomplete_session(session, "second_factors.confirm", move |tx, signed_in| {
            let user = signed_in.admin.user_id;
            presence.check(tx, signed_in)?;
            let recovery_codes = door.second_factors.confirm(tx, &door.ambient, user, &code)?;
            sessions::end_others(tx, user, &present)?;
            sessions::complete(tx, &present, signed_in.method.with_second_factor())?;
            Ok(Answer::ok(&RecoveryCodes { recovery_codes }))
        });
    super::note(&identity, user, confirmed.await)
}
