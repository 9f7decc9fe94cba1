//! `POST /auth/passkeys/enroll`: a challenge for a new passkey.

use axum::extract::State;
use edge::admins;
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, text};
use edge::problem::{ContentErrorBody, Problem};
use edge::second_factors::passkeys::{self, MOST_PASSKEYS};
use edge::second_factors::{self as factors, Status};
use edge::sessions::{Method, PresentedSession, SignedIn};
use kernel::id::UserId;
use kernel::secret::SecretString;
use serde_json::json;
use store::Tx;
use webauthn_rs::prelude::Passkey;

use super::{PasskeyChallenge, challenge_of};
use crate::{Identity, second_factors};

/// Who adds a passkey.
#[derive(Body)]
pub struct PasskeyEnrollment {
    /// The admin's password, where the account has one.
    #[field(text(1..=1024).format("password").map(SecretString::from), example = "correct horse battery staple")]
    password: Option<SecretString>,
}

/// Gives the admin a challenge for a new passkey. The passkey counts once `POST /auth/passkeys` has the authenticator's answer.
///
/// An account without a password needs a sign-in through its identity provider within the last ten minutes instead.
#[utoipa::path(
    post, path = "/auth/passkeys/enroll", tag = "Passkeys", operation_id = "enrollPasskey",
    security(("adminSession" = [])), request_body = PasskeyEnrollment,
    responses(
        (status = 200, description = "For `navigator.credentials.create`", body = PasskeyChallenge),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, the password is wrong, or the session waits for its second factor",
            body = ContentErrorBody),
        (status = 403, description = "The request comes from another site, or the sign-in through a provider is not fresh",
            body = ContentErrorBody),
        (status = 409, description = "The admin has 20 passkeys, or the service's address has no domain name",
            body = ContentErrorBody),
        (status = 429, description = "Too many wrong passwords or codes", body = ContentErrorBody),
    )
)]
pub async fn enroll(
    State(identity): State<Identity>,
    session: PresentedSession,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let user = second_factors::admit(&identity, &session).await?;
    let begun = begin(&identity, session, user, body).await;
    let begun = second_factors::note_fault(&identity, user, begun)?;
    // A right password alone clears no count of wrong codes.
    identity.second_factor_throttle.take_back(&user.to_string());
    Ok(Answer::ok(&begun))
}

async fn begin(
    identity: &Identity,
    session: PresentedSession,
    user: UserId,
    body: JsonBody,
) -> Result<PasskeyChallenge, Problem> {
    let PasskeyEnrollment { password } = body.read()?;
    let presence = second_factors::judge_presence(identity, user, password).await?;
    let find = move |tx: &mut Tx<'_>, signed_in: &SignedIn| {
        presence.check(tx, signed_in)?;
        refuse_waiting(tx, signed_in)?;
        let known = passkeys::list(tx, user)?;
        if known.len() >= MOST_PASSKEYS {
            return Err(Problem::Conflict("You have 20 passkeys already. Remove one first."));
        }
        let email = admins::find_user(tx, user)?.map_or_else(String::new, |user| user.email);
        Ok((email, known))
    };
    let (email, known) = identity.door.read_by_incomplete_session(session, "passkeys.enroll", find).await?;
    let known = known.iter().filter_map(|stored| serde_json::from_str::<Passkey>(&stored.credential).ok());
    let known = known.map(|passkey| passkey.cred_id().clone()).collect();
    let party = identity.relying_party()?;
    let begun = party.webauthn.start_passkey_registration(user.uuid(), &email, &email, Some(known));
    let (options, state) = begun.map_err(Problem::unexpected)?;
    let ceremony = party.ceremonies.seal(&identity.door.ambient, &purpose(user), state)?;
    let mut challenge = challenge_of(&options, ceremony)?;
    // A sign-in names nobody: the authenticator has to know whose passkey it is.
    let selection = &mut challenge.public_key["authenticatorSelection"];
    (selection["residentKey"], selection["requireResidentKey"]) = (json!("required"), json!(true));
    Ok(challenge)
}

/// A session that waits for a second factor may set up the first one, but add none to those that it has not shown.
pub(super) fn refuse_waiting(tx: &mut Tx<'_>, signed_in: &SignedIn) -> Result<(), Problem> {
    let waits = signed_in.method == Method::Pending;
    if waits && factors::status(tx, signed_in.admin.user_id)? == Status::Confirmed {
        return Err(Problem::SecondFactorRequired);
    }
    Ok(())
}

/// What a ceremony for a new passkey is sealed for.
pub(super) fn purpose(user: UserId) -> String {
    format!("registration {user}")
}
