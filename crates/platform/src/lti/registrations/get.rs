//! `GET /v1/platform/lti/registrations/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;

use super::Registration;
use crate::Platform;
use crate::callers::{self, Credential};

/// One registration.
#[utoipa::path(
    get, path = "/v1/platform/lti/registrations/{id}", tag = "LTI", operation_id = "getLtiRegistration",
    responses((status = 200, description = "The registration", body = Registration))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "lti_registrations.get", move |tx, caller| {
        Ok(Answer::ok(&Registration::load(tx, caller, &id)?))
    })
    .await
}
