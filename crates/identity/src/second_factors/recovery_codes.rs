//! `POST /auth/totp/recovery-codes`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::{Method, PresentedSession, SignedIn};
use store::Tx;

use super::{FRESH, FactorProof, RecoveryCodes};
use crate::Identity;

/// Gives the admin new recovery codes; the earlier ones stop counting. An admin who signed in with a passkey in the last ten minutes
/// needs no code.
#[utoipa::path(
    post, path = "/auth/totp/recovery-codes", tag = "Second factor", operation_id = "renewRecoveryCodes",
    security(("adminSession" = [])), request_body = FactorProof,
    responses(
        (status = 200, description = "The codes, which are shown this once", body = RecoveryCodes),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, or the code is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site, or the passkey was shown too long ago",
            body = ContentErrorBody),
        (status = 409, description = "The admin has no second factor", body = ContentErrorBody),
        (status = 429, description = "Too many wrong codes", body = ContentErrorBody),
    )
)]
pub async fn renew(
    State(identity): State<Identity>,
    session: PresentedSession,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let user = super::admit(&identity, &session).await?;
    let proof = super::note_fault(&identity, user, body.read::<FactorProof>())?.given();
    let door = identity.door.clone();
    let renewed = identity.door.write_by_session(session, "second_factors.renew", move |tx, signed_in| {
        match &proof {
            Some(proof) => door.second_factors.check(tx, user, proof)?,
            None => check_passkey(tx, signed_in)?,
        }
        let recovery_codes = door.second_factors.renew_recovery_codes(tx, &door.ambient, user)?;
        Ok(Answer::ok(&RecoveryCodes { recovery_codes }))
    });
    super::note(&identity, user, renewed.await)
}

/// Checks that the session was opened by a passkey a moment ago.
fn check_passkey(tx: &Tx<'_>, signed_in: &SignedIn) -> Result<(), Problem> {
    if signed_in.method != Method::Passkey {
        return Err(Problem::field("code", "is required"));
    }
    if tx.now() >= signed_in.opened_at.plus(FRESH) {
        return Err(Problem::Forbidden("Sign in by your passkey again first, or send a code."));
    }
    Ok(())
}
