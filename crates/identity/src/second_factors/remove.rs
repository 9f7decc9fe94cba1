//! `DELETE /auth/totp`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, text};
use edge::problem::{ContentErrorBody, Problem};
use edge::second_factors::{self, Proof};
use edge::sessions::{PresentedSession, list as sessions};
use http::StatusCode;
use kernel::secret::SecretString;

use crate::Identity;

/// Who removes it: one of the three.
#[derive(Body)]
pub struct TotpRemoval {
    /// The admin's password.
    #[field(text(1..=1024).format("password").map(SecretString::from), example = "correct horse battery staple")]
    password: Option<SecretString>,
    /// The six digits that the app shows.
    #[field(text(6..=6), example = "123456")]
    code: Option<String>,
    /// One of the recovery codes.
    #[field(text(1..=64), example = "abcd-efgh-jkmn-pqrs")]
    recovery_code: Option<String>,
}

/// Removes the second factor with its recovery codes. A session alone does not suffice: it may be a borrowed browser. The other
/// sessions of the admin end, and the present one counts as opened without the factor.
#[utoipa::path(
    delete, path = "/auth/totp", tag = "Second factor", operation_id = "removeTotp", security(("adminSession" = [])),
    request_body = TotpRemoval,
    responses(
        (status = 204, description = "Removed"),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, or password or code is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 409, description = "The admin has no second factor", body = ContentErrorBody),
        (status = 429, description = "Too many wrong codes", body = ContentErrorBody),
    )
)]
pub async fn remove(
    State(identity): State<Identity>,
    session: PresentedSession,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let user = super::admit(&identity, &session).await?;
    let removal: TotpRemoval = super::note_fault(&identity, user, body.read())?;
    let proof = removal.code.map(Proof::Code).or_else(|| removal.recovery_code.map(Proof::RecoveryCode));
    let proof = match (proof, removal.password) {
        (Some(proof), _) => Some(proof),
        (None, Some(password)) => {
            // A right password alone clears no count of wrong codes.
            super::note_fault(&identity, user, super::check_password(&identity, user, password).await).map(|()| None)?
        }
        (None, None) => {
            let missing = Err(Problem::field("code", "is required, or the password"));
            return super::note_fault(&identity, user, missing);
        }
    };
    let (door, present) = (identity.door.clone(), session.clone());
    let removed = identity.door.write_by_admin(session, "second_factors.remove", move |tx, admin| {
        match &proof {
            Some(proof) => door.second_factors.check(tx, admin.user_id, proof)?,
            None if second_factors::status(tx, admin.user_id)? == second_factors::Status::Absent => {
                return Err(Problem::Conflict("You have no second factor."));
            }
            None => {}
        }
        second_factors::remove(tx, admin.user_id)?;
        sessions::forget_second_factor(tx, admin.user_id, &present)?;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    });
    super::note(&identity, user, removed.await)
}
