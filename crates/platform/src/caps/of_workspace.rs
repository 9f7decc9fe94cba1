//! `GET` and `PUT /v1/platform/workspaces/{id}/caps`.

use axum::extract::State;
use billing::caps::{self, Subject};
use billing::ledger;
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::door::Access;
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use serde::Serialize;
use serde_json::Number;
use store::Tx;

use super::{SetSpendingCaps, SpendingCaps, dollars};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::workspaces::{Workspace, path_param};

/// The caps of a workspace.
#[derive(Body)]
pub struct SetWorkspaceCapsRequest {
    #[field(flatten)]
    caps: SetSpendingCaps,
    /// The balance below which the workspace is warned; 0 for never. Absent or null for the usual one: USD 5, where credits
    /// were ever bought.
    #[field(dollars(), example = 5)]
    low_balance_usd: Option<MicroUsd>,
}

/// The caps of a workspace, what was spent, and the balance that it is warned at.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceCaps {
    #[serde(flatten)]
    caps: SpendingCaps,
    /// The balance below which the workspace is warned; null for the usual one.
    #[schema(value_type = Option<f64>, required, example = 5)]
    low_balance_usd: Option<Number>,
}

impl WorkspaceCaps {
    fn load(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<Self, Problem> {
        let caps = SpendingCaps::load(tx, Subject::Workspace(workspace))?;
        let low = ledger::find_balance(tx, workspace)?.and_then(|balance| balance.low);
        Ok(Self { caps, low_balance_usd: low.map(MicroUsd::to_usd_number) })
    }
}

/// What a workspace may spend, and what it has spent.
#[utoipa::path(
    get, path = "/v1/platform/workspaces/{id}/caps", tag = "Workspaces", operation_id = "getWorkspaceCaps",
    responses((status = 200, description = "The caps and what was spent", body = WorkspaceCaps))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "workspace_caps.get", move |tx, caller| {
        caller.manages_the_service()?;
        let workspace = Workspace::load(tx, path_param(&id)?)?.id;
        Ok(Answer::ok(&WorkspaceCaps::load(tx, workspace)?))
    })
    .await
}

/// Sets all caps of a workspace; what is absent is none. They count what was spent in the current day and month.
#[utoipa::path(
    put, path = "/v1/platform/workspaces/{id}/caps", tag = "Workspaces", operation_id = "setWorkspaceCaps",
    request_body = SetWorkspaceCapsRequest,
    responses((status = 200, description = "The caps and what was spent", body = WorkspaceCaps))
)]
pub async fn set(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    callers::act(Access::Claim, &platform.door, credential, "workspace_caps.set", move |tx, caller| {
        caller.manages_the_service()?;
        let request: SetWorkspaceCapsRequest = body.read()?;
        let limits = request.caps.limits()?;
        let workspace = Workspace::load(tx, path_param(&id)?)?.id;
        caps::set(tx, workspace, Subject::Workspace(workspace), &limits)?;
        ledger::set_low(tx, workspace, request.low_balance_usd)?;
        Ok(Answer::ok(&WorkspaceCaps::load(tx, workspace)?))
    })
    .await
}
