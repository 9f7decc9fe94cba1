//! `POST /v1/platform/workspaces/{id}/activate` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;

use super::{Status, Workspace, path_param};
use crate::Platform;
use crate::callers::{self, Credential};

/// Activates a suspended workspace: its keys work again. Once more changes nothing.
#[utoipa::path(
    post, path = "/v1/platform/workspaces/{id}/activate", tag = "Workspaces", operation_id = "activateWorkspace",
    responses((status = 200, description = "The workspace as it is now", body = Workspace))
)]
pub async fn activate(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "workspaces.activate", move |tx, caller| {
        caller.manages_the_service()?;
        let workspace = Workspace::load(tx, path_param(&id)?)?;
        Ok(Answer::ok(&workspace.turn(tx, Status::Active)?))
    })
    .await
}
