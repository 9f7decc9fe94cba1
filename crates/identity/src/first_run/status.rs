//! `GET /auth/setup`.

use axum::extract::State;
use edge::admins;
use edge::answer::Answer;
use edge::problem::{ContentErrorBody, Problem};
use serde::Serialize;
use store::StoreError;

use crate::Identity;

/// Whether the first administrator is still to be made.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetupStatus {
    is_open: bool,
}

/// Says whether the installation waits for its first administrator.
#[utoipa::path(
    get, path = "/auth/setup", tag = "First run", operation_id = "getSetup", security(()),
    responses(
        (status = 200, description = "How it stands", body = SetupStatus),
        (status = 429, description = "Large responses to this client are still being read", body = ContentErrorBody),
    )
)]
pub async fn status(State(identity): State<Identity>) -> Result<Answer, Problem> {
    Ok(Answer::ok(&SetupStatus { is_open: is_open(&identity).await? }))
}

pub(super) async fn is_open(identity: &Identity) -> Result<bool, Problem> {
    if identity.installer.is_none() {
        return Ok(false);
    }
    let is_anybody = identity.door.store.read("first_run.status", admins::is_anybody).await;
    Ok(!is_anybody.map_err(|error: StoreError| Problem::from(error))?)
}
