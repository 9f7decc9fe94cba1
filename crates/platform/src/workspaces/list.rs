//! `GET /v1/platform/workspaces` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::problem::Problem;
use kernel::id::{OrganizationId, WorkspaceId};
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::Number;
use store::{StoreError, Tx};

use super::{BillingMode, Status, Workspace};
use crate::Platform;
use crate::callers::{self, Caller, Credential};

/// A workspace in a list: without what the payment processor calls it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedWorkspace {
    #[schema(value_type = String, format = Uuid)]
    id: WorkspaceId,
    name: String,
    slug: String,
    email: Option<String>,
    email_verified: bool,
    status: Status,
    #[schema(value_type = f64)]
    credit_balance: Number,
    #[schema(value_type = f64)]
    free_credit_balance: Number,
    rate_limit_per_minute: u32,
    plan_code: Option<String>,
    billing_mode: BillingMode,
    #[schema(value_type = Option<String>, format = Uuid)]
    organization_id: Option<OrganizationId>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl From<Workspace> for ListedWorkspace {
    fn from(workspace: Workspace) -> Self {
        Self {
            id: workspace.id,
            name: workspace.name,
            slug: workspace.slug,
            email: workspace.email,
            email_verified: workspace.email_verified,
            status: workspace.status,
            credit_balance: workspace.credit_balance,
            free_credit_balance: workspace.free_credit_balance,
            rate_limit_per_minute: workspace.rate_limit_per_minute,
            plan_code: workspace.plan_code,
            billing_mode: workspace.billing_mode,
            organization_id: workspace.organization_id,
            created_at: workspace.created_at,
            updated_at: workspace.updated_at,
        }
    }
}

/// Lists the workspaces that the caller can access, newest first: a key's own, or all of them.
#[utoipa::path(
    get, path = "/v1/platform/workspaces", tag = "Workspaces", operation_id = "listWorkspaces",
    security(("operatorSession" = []), ("platformKey" = [])),
    responses((status = 200, description = "The workspaces, newest first", body = Vec<ListedWorkspace>))
)]
pub async fn list(State(platform): State<Platform>, credential: Credential) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "workspaces.list", |tx, caller| {
        let listed: Vec<ListedWorkspace> = accessible(tx, caller)?.into_iter().map(Into::into).collect();
        Ok(Answer::ok(&listed))
    })
    .await
}

fn accessible(tx: &mut Tx<'_>, caller: &Caller) -> Result<Vec<Workspace>, Problem> {
    match caller {
        Caller::Key { workspace, is_service_admin: false, .. } => Ok(vec![Workspace::load(tx, *workspace)?]),
        Caller::Key { .. } | Caller::Operator(_) => Ok(all(tx)?),
    }
}

/// Every workspace, newest first.
pub fn all(tx: &mut Tx<'_>) -> Result<Vec<Workspace>, StoreError> {
    let mut workspaces = tx.query(
        "SELECT id, name, slug, email, email_verified_at, status, rate_limit_per_minute, plan_code, billing_mode,
                processor_customer_id, processor_subscription_id, processor_subscription_item_id_fast,
                processor_subscription_item_id_standard, processor_subscription_item_id_advanced, organization_id,
                created_at, updated_at
         FROM workspace ORDER BY created_at DESC, id DESC",
        &[],
        Workspace::from_row,
    )?;
    let balances = billing::ledger::balances(tx)?;
    for workspace in &mut workspaces {
        workspace.set_balance(&balances.get(&workspace.id).copied().unwrap_or_default());
    }
    Ok(workspaces)
}
