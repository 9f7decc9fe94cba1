//! The authenticator app (TOTP) of the signed-in admin, with recovery codes, and what it has in common with passkeys.
//!
//! Enrolling gives a secret, confirming it by a code turns it on. A session alone changes nothing about a second factor: it may be
//! somebody else's browser by now. Guesses are throttled for each admin, over all of these operations together.

pub mod confirm;
pub mod enroll;
pub mod get;
pub mod recovery_codes;
pub mod remove;
#[cfg(test)]
mod tests;
pub mod verify;

use std::time::Duration;

use edge::admins;
use edge::body::{Body, Check as _, JsonBody, text};
use edge::passwords::{self, NO_PASSWORD};
use edge::problem::Problem;
use edge::second_factors::Proof;
use edge::sessions::{PresentedSession, SignedIn};
use kernel::id::UserId;
use kernel::secret::SecretString;
use serde::Serialize;
use store::Tx;

use crate::Identity;

/// How long a sign-in counts as fresh: one through a provider lets an admin without a password set up a second factor, one by a passkey
/// renews recovery codes.
const FRESH: Duration = Duration::from_secs(600);

/// Codes for a lost app. Each counts once.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// They are shown this once.
    recovery_codes: Vec<String>,
}

/// What proves the second factor: one of the two.
#[derive(Body)]
pub struct FactorProof {
    /// The six digits that the app shows.
    #[field(text(6..=6), example = "123456")]
    code: Option<String>,
    /// One of the recovery codes.
    #[field(text(1..=64), example = "abcd-efgh-jkmn-pqrs")]
    recovery_code: Option<String>,
}

impl FactorProof {
    /// The one of the two that was sent.
    fn given(self) -> Option<Proof> {
        let code = self.code.map(Proof::Code);
        code.or_else(|| self.recovery_code.map(Proof::RecoveryCode))
    }

    fn proof(self) -> Result<Proof, Problem> {
        self.given().ok_or_else(|| Problem::field("code", "is required"))
    }
}

/// Whose session it is, while not too many of the admin's codes were wrong. The try counts as a wrong one from here on, until
/// [`note`] says otherwise: a client that goes away has guessed.
pub(crate) async fn admit(identity: &Identity, session: &PresentedSession) -> Result<UserId, Problem> {
    let find = identity.door.read_by_incomplete_session(session.clone(), "second_factors.admit", |_, signed_in| {
        Ok(signed_in.admin.user_id)
    });
    let user = find.await?;
    let begun = identity.second_factor_throttle.begin(&user.to_string(), identity.door.ambient.now());
    let message = "Too many wrong codes; try again later.";
    begun.map(|()| user).map_err(|retry_after| Problem::TooManyRequests { message, retry_after })
}

/// What an admin has shown beside the session before a second factor is set up.
#[derive(Clone, Copy)]
pub(crate) enum Presence {
    /// The password.
    Password,
    /// Nothing: only an account without a password may go on, right after its sign-in.
    Session,
}

/// Judges the password that came along with a new second factor, if one did.
///
/// # Errors
/// 401 for a wrong one, 429 where too many passwords wait to be judged.
pub(crate) async fn judge_presence(
    identity: &Identity,
    user: UserId,
    password: Option<SecretString>,
) -> Result<Presence, Problem> {
    match password {
        Some(password) => check_password(identity, user, password).await.map(|()| Presence::Password),
        None => Ok(Presence::Session),
    }
}

impl Presence {
    /// # Errors
    /// 400 where the account has a password, 403 where it has none and the sign-in is not fresh.
    pub(crate) fn check(self, tx: &mut Tx<'_>, signed_in: &SignedIn) -> Result<(), Problem> {
        let hash = admins::find_password_hash(tx, signed_in.admin.user_id)?;
        match self {
            Self::Password => Ok(()),
            Self::Session if hash.as_deref() != Some(NO_PASSWORD) => Err(Problem::field("password", "is required")),
            Self::Session if !signed_in.method.is_of_provider() || tx.now() >= signed_in.opened_at.plus(FRESH) => {
                Err(Problem::Forbidden("Sign in through the identity provider again first."))
            }
            Self::Session => Ok(()),
        }
    }
}

/// Who removes a factor: one of the three.
#[derive(Body)]
pub struct FactorRemoval {
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

/// Judges who removes a factor: a proof that is still to be judged, or `None` after a right password.
///
/// # Errors
/// 400 without any, 401 for a wrong password.
pub(crate) async fn judge_removal(identity: &Identity, user: UserId, body: JsonBody) -> Result<Option<Proof>, Problem> {
    let FactorRemoval { password, code, recovery_code } = body.read()?;
    let proof = code.map(Proof::Code).or_else(|| recovery_code.map(Proof::RecoveryCode));
    match (proof, password) {
        (Some(proof), _) => Ok(Some(proof)),
        (None, Some(password)) => check_password(identity, user, password).await.map(|()| None),
        (None, None) => Err(Problem::field("code", "is required, or the password")),
    }
}

async fn check_password(identity: &Identity, user: UserId, password: SecretString) -> Result<(), Problem> {
    let stored = identity.door.store.read("second_factors.password", move |tx| admins::find_password_hash(tx, user));
    let stored = stored.await.map_err(Problem::from)?;
    let judged = tokio::spawn(async move {
        let turn = passwords::turn().await.ok_or(Problem::TooManyRequests {
            message: "Too many sign-ins at once; try again shortly.",
            retry_after: crate::CROWD_RETRY_AFTER,
        })?;
        Ok::<_, Problem>(passwords::verify(&turn, password, stored).await)
    });
    let is_right: bool = judged.await.map_err(Problem::unexpected)??;
    if is_right { Ok(()) } else { Err(Problem::Unauthorized("The password is wrong.")) }
}

/// What is not judged yet, where it goes on; a fault that is no wrong code takes the try back.
pub(crate) fn note_fault<T>(identity: &Identity, user: UserId, so_far: Result<T, Problem>) -> Result<T, Problem> {
    match so_far {
        Ok(value) => Ok(value),
        fault => note(identity, user, fault),
    }
}

/// Forgets wrong codes after a right one, and a try that was not judged.
pub(crate) fn note<T>(identity: &Identity, user: UserId, judged: Result<T, Problem>) -> Result<T, Problem> {
    let throttle = &identity.second_factor_throttle;
    match &judged {
        Ok(_) => throttle.note_success(&user.to_string()),
        Err(Problem::Unauthorized(_)) => {}
        Err(_) => throttle.take_back(&user.to_string()),
    }
    judged
}
