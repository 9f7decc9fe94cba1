//! `POST /auth/totp/confirm`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, text};
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::{Method, PresentedSession, list as sessions};

use super::RecoveryCodes;
use crate::Identity;

/// The first code of a new secret.
#[derive(Body)]
pub struct TotpConfirmation {
    /// The six digits that the app shows.
    #[field(text(6..=6), example = "123456")]
    code: String,
}

/// Turns the second factor on: sign-in asks for it from now on. The other sessions of the admin end.
#[utoipa::path(
    post, path = "/auth/totp/confirm", tag = "Second factor", operation_id = "confirmTotp",
    security(("adminSession" = [])), request_body = TotpConfirmation,
    responses(
        (status = 200, description = "It is on; the recovery codes are shown this once", body = RecoveryCodes),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, or the code is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
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
    let TotpConfirmation { code } = super::note_fault(&identity, user, body.read())?;
    let (door, present) = (identity.door.clone(), session.clone());
    let confirmed =
        identity.door.write_by_incomplete_session(session, "second_factors.confirm", move |tx, signed_in| {
            let user = signed_in.admin.user_id;
            let recovery_codes = door.second_factors.confirm(tx, &door.ambient, user, &code)?;
            sessions::end_others(tx, user, &present)?;
            sessions::complete(tx, &present, method_after(signed_in.method))?;
            Ok(Answer::ok(&RecoveryCodes { recovery_codes }))
        });
    super::note(&identity, user, confirmed.await)
}

/// A session of an identity provider stays one.
pub(super) const fn method_after(method: Method) -> Method {
    match method {
        Method::Oidc | Method::Pending => Method::Oidc,
        Method::Password | Method::Totp => Method::Totp,
    }
}
