//! `GET /v1/platform/admin/stats/organizations` (platform-api section 4). An organization there is a workspace.

use axum::extract::State;
use billing::usage::statistics;
use edge::answer::Answer;
use edge::problem::Problem;
use edge::query::Query;
use kernel::id::WorkspaceId;
use serde::Serialize;
use serde_json::Number;

use super::query::scope;
use crate::Platform;
use crate::callers::{self, Credential};

/// The most that are listed (platform-api section 8).
const MOST: u32 = 50;

/// What a workspace has used, of all times.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationStatistics {
    /// The workspace.
    organization_id: WorkspaceId,
    /// Its name.
    organization_name: String,
    /// Its handle.
    organization_slug: String,
    /// Pieces of work.
    total_requests: i64,
    /// Credits of USD 0.01 that were taken from its balance.
    #[schema(value_type = f64)]
    total_credit_cost: Number,
    /// Their prices.
    #[schema(value_type = f64)]
    total_billable_amount_usd: Number,
    /// Their settled prices.
    #[schema(value_type = f64)]
    total_finalized_amount_usd: Number,
}

/// The workspaces that have used most, at most 50, most requests first.
#[utoipa::path(
    get, path = "/v1/platform/admin/stats/organizations", tag = "Statistics",
    operation_id = "getOrganizationStatistics",
    responses((status = 200, description = "The workspaces", body = Vec<OrganizationStatistics>))
)]
pub async fn organizations(
    State(platform): State<Platform>,
    credential: Credential,
    query: Query,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "statistics.organizations", move |tx, caller| {
        query.read_none()?;
        let mut listed = Vec::new();
        for (organization_id, sums) in statistics::by_workspace(tx, scope(caller)?, MOST)? {
            let named = tx.find("SELECT name, slug FROM workspace WHERE id = $1", &[&organization_id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            let (organization_name, organization_slug) = named.unwrap_or_default();
            listed.push(OrganizationStatistics {
                organization_id,
                organization_name,
                organization_slug,
                total_requests: sums.requests,
                total_credit_cost: sums.credit_cost.to_credits_number(),
                total_billable_amount_usd: sums.billable.to_usd_number(),
                total_finalized_amount_usd: sums.finalized.to_usd_number(),
            });
        }
        Ok(Answer::ok(&listed))
    })
    .await
}
