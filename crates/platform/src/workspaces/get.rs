//! `GET /v1/platform/workspaces/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;

use super::{NOT_FOUND, Workspace, path_param};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::credentials::UnverifiedKeys;

/// One workspace. A key sees its own, also before the e-mail address is verified.
#[utoipa::path(
    get, path = "/v1/platform/workspaces/{id}", tag = "Workspaces", operation_id = "getWorkspace",
    security(("operatorSession" = []), ("platformKey" = [])), params(("id" = String, Path)),
    responses((status = 200, description = "The workspace", body = Workspace))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential<UnverifiedKeys>,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "workspaces.get", move |tx, caller| {
        let id = path_param(&id)?;
        if !caller.sees(id) {
            return Err(NOT_FOUND);
        }
        Ok(Answer::ok(&Workspace::load(tx, id)?))
    })
    .await
}
