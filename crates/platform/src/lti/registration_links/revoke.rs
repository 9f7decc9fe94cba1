//! `DELETE /v1/platform/lti/registration-links/{id}`: beyond the document, takes a link back.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::RegistrationLinkId;
use serde::Serialize;
use store::{Record as _, sql};

use super::{LinkStatus, RegistrationLink};
use crate::Platform;
use crate::callers::{self, Credential};

const NOT_FOUND: Problem = Problem::NotFound("LTI registration link");

/// It is done.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LtiRegistrationLinkRevoked)]
pub struct Revoked {
    /// Always true.
    success: bool,
}

/// Revokes a registration link. It stays in the list; one that was revoked or has expired stays as it is.
///
/// A registration that is under way with the link comes to nothing.
#[utoipa::path(
    delete, path = "/v1/platform/lti/registration-links/{id}", tag = "LTI", operation_id = "revokeLtiRegistrationLink",
    responses(
        (status = 200, description = "The link registers nothing from now on", body = Revoked),
        (status = 409, description = "The link was used: delete the registration that came of it",
            body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn revoke(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "lti_registration_links.revoke", move |tx, caller| {
        let (id, now): (RegistrationLinkId, _) = (id.parse().map_err(|_| NOT_FOUND)?, tx.now());
        let found = sql!("SELECT {RegistrationLink::*} FROM lti_registration_link WHERE id = {id}")
            .find(tx, RegistrationLink::from_row)?;
        let link = found.filter(|link| caller.sees(link.workspace_id)).ok_or(NOT_FOUND)?;
        match link.status(now) {
            LinkStatus::Used => return Err(Problem::Conflict("The link was used. Delete the registration instead.")),
            LinkStatus::Expired | LinkStatus::Revoked => {}
            LinkStatus::Open => sql!(
                "UPDATE lti_registration_link SET revoked_at = {now}, lease_token = NULL, leased_until = NULL
                 WHERE id = {id} AND used_at IS NULL"
            )
            .execute_later(tx)?,
        }
        Ok(Answer::ok(&Revoked { success: true }))
    })
    .await
}
