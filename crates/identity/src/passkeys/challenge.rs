//! `POST /auth/passkeys/challenge`: a challenge to sign in with.

use axum::extract::{Request, State};
use edge::answer::Answer;
use edge::problem::{ContentErrorBody, Problem};

use super::{PasskeyChallenge, challenge_of};
use crate::Identity;
use crate::forms::refuse_foreign;

/// What a ceremony for a sign-in is sealed for.
pub(super) const PURPOSE: &str = "sign-in";

/// Gives a challenge to sign in with a passkey. It names nobody: the authenticator knows whose passkeys it has.
#[utoipa::path(
    post, path = "/auth/passkeys/challenge", tag = "Passkeys", operation_id = "beginPasskeyLogin", security(()),
    responses(
        (status = 200, description = "For `navigator.credentials.get`", body = PasskeyChallenge),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 409, description = "The service's address has no domain name", body = ContentErrorBody),
    )
)]
pub async fn challenge(State(identity): State<Identity>, request: Request) -> Result<Answer, Problem> {
    refuse_foreign(&identity.door, request.headers())?;
    let party = identity.relying_party()?;
    let (mut options, state) = party.webauthn.start_discoverable_authentication().map_err(Problem::unexpected)?;
    // The person asked for it: no list of suggestions in a field of a form.
    options.mediation = None;
    let ceremony = party.ceremonies.seal(&identity.door.ambient, PURPOSE, state)?;
    Ok(Answer::ok(&challenge_of(&options, ceremony)?))
}
