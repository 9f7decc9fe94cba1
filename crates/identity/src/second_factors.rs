//! The second factor of the signed-in admin: an authenticator app (TOTP) with recovery codes.
//!
//! Enrolling gives a secret, confirming it by a code turns it on. Guesses are throttled for each admin, over all of these
//! operations together.

pub mod confirm;
pub mod enroll;
pub mod get;
pub mod recovery_codes;
pub mod remove;
#[cfg(test)]
mod tests;
pub mod verify;

use edge::body::{Body, text};
use edge::problem::Problem;
use edge::second_factors::Proof;
use edge::sessions::PresentedSession;
use kernel::id::UserId;
use serde::Serialize;

use crate::Identity;

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
    fn proof(self) -> Result<Proof, Problem> {
        let code = self.code.map(Proof::Code);
        code.or_else(|| self.recovery_code.map(Proof::RecoveryCode))
            .ok_or_else(|| Problem::field("code", "is required"))
    }
}

/// Whose session it is, while not too many of the admin's codes were wrong. The try counts as a wrong one from here on, until
/// [`note`] says otherwise: a client that goes away has guessed.
async fn admit(identity: &Identity, session: &PresentedSession) -> Result<UserId, Problem> {
    let find = identity.door.write_by_incomplete_session(session.clone(), "second_factors.admit", |_, signed_in| {
        Ok(signed_in.admin.user_id)
    });
    let user = find.await?;
    let begun = identity.second_factor_throttle.begin(&user.to_string(), identity.door.ambient.now());
    let message = "Too many wrong codes; try again later.";
    begun.map(|()| user).map_err(|retry_after| Problem::TooManyRequests { message, retry_after })
}

/// What is not judged yet, where it goes on; a fault that is no wrong code takes the try back.
fn note_fault<T>(identity: &Identity, user: UserId, so_far: Result<T, Problem>) -> Result<T, Problem> {
    match so_far {
        Ok(value) => Ok(value),
        fault => note(identity, user, fault),
    }
}

/// Forgets wrong codes after a right one, and a try that was not judged.
fn note<T>(identity: &Identity, user: UserId, judged: Result<T, Problem>) -> Result<T, Problem> {
    let throttle = &identity.second_factor_throttle;
    match &judged {
        Ok(_) => throttle.note_success(&user.to_string()),
        Err(Problem::Unauthorized(_)) => {}
        Err(_) => throttle.take_back(&user.to_string()),
    }
    judged
}
