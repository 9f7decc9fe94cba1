//! `DELETE /v1/platform/lti/registrations/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use serde::Serialize;

use super::Registration;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::sync;

/// It is done.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LtiRegistrationDeleted)]
pub struct Deleted {
    /// Always true.
    success: bool,
}

/// Deletes a registration, and ends its launches.
#[utoipa::path(
    delete, path = "/v1/platform/lti/registrations/{id}", tag = "LTI", operation_id = "deleteLtiRegistration",
    responses((status = 200, description = "Deleted", body = Deleted))
)]
pub async fn delete(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "lti_registrations.delete", move |tx, caller| {
        let registration = Registration::load(tx, caller, &id)?;
        sync::registration_ends(tx, registration.id)?;
        tx.execute("DELETE FROM lti_registration WHERE id = $1", &[&registration.id])?;
        Ok(Answer::ok(&Deleted { success: true }))
    })
    .await
}
