//! `GET /v1/platform/admin/stats` (platform-api section 4).

use axum::extract::State;
use billing::usage::statistics::{self, Scope, Sums};
use edge::answer::Answer;
use edge::problem::Problem;
use serde::Serialize;
use serde_json::Number;
use store::{StoreError, Tx};

use super::query::StatisticsQuery;
use crate::Platform;
use crate::callers::{self, Credential};

/// What was used in all.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// Workspaces, whether or not they used anything.
    total_organizations: i64,
    /// Platform keys, revoked and expired ones included.
    total_api_keys: i64,
    /// Pieces of work.
    total_requests: i64,
    /// Credits of USD 0.01 that were taken from balances.
    #[schema(value_type = f64)]
    total_credit_cost: Number,
    /// All prices.
    #[schema(value_type = f64)]
    total_billable_amount_usd: Number,
    /// All settled prices.
    #[schema(value_type = f64)]
    total_finalized_amount_usd: Number,
    /// Tokens that models read.
    total_input_tokens: i64,
    /// Tokens that models wrote.
    total_output_tokens: i64,
    /// The same by service.
    by_service: Vec<ServiceStatistics>,
}

/// What was used of a service.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceStatistics {
    /// `evaluation`, `module`, `course`, `video`, `slide` or `test`.
    #[schema(example = "evaluation")]
    service: String,
    /// Pieces of work.
    count: i64,
    /// Credits of USD 0.01 that were taken from balances.
    #[schema(value_type = f64)]
    credit_cost: Number,
    /// Their prices.
    #[schema(value_type = f64)]
    billable_amount_usd: Number,
    /// Their settled prices.
    #[schema(value_type = f64)]
    finalized_amount_usd: Number,
}

/// What was used between two UTC days, both included, in all and by service.
#[utoipa::path(
    get, path = "/v1/platform/admin/stats", tag = "Statistics", operation_id = "getStatistics",
    params(
        ("startDate" = Option<String>, Query, format = Date, description = "The first day, such as 2026-11-01"),
        ("endDate" = Option<String>, Query, format = Date, description = "The last day, which is included"),
        ("service" = Option<String>, Query, max_length = 10000, description = "One service only, such as `evaluation`"),
    ),
    responses((status = 200, description = "The sums", body = Statistics))
)]
pub async fn totals(
    State(platform): State<Platform>,
    credential: Credential,
    query: StatisticsQuery,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "statistics.totals", move |tx, caller| {
        let filter = query.filter(caller)?;
        let services = statistics::by_service(tx, &filter)?;
        let mut all = Sums::default();
        services.iter().try_for_each(|(_, sums)| all.add(sums))?;
        let (total_organizations, total_api_keys) = count(tx, filter.scope)?;
        Ok(Answer::ok(&Statistics {
            total_organizations,
            total_api_keys,
            total_requests: all.requests,
            total_credit_cost: all.credit_cost.to_credits_number(),
            total_billable_amount_usd: all.billable.to_usd_number(),
            total_finalized_amount_usd: all.finalized.to_usd_number(),
            total_input_tokens: all.input_tokens,
            total_output_tokens: all.output_tokens,
            by_service: services.into_iter().map(of_service).collect(),
        }))
    })
    .await
}

fn of_service((service, sums): (String, Sums)) -> ServiceStatistics {
    ServiceStatistics {
        service,
        count: sums.requests,
        credit_cost: sums.credit_cost.to_credits_number(),
        billable_amount_usd: sums.billable.to_usd_number(),
        finalized_amount_usd: sums.finalized.to_usd_number(),
    }
}

/// Workspaces and platform keys.
fn count(tx: &mut Tx<'_>, scope: Scope) -> Result<(i64, i64), StoreError> {
    let counted = match scope {
        Scope::All => tx.find(
            "SELECT (SELECT count(*) FROM workspace), (SELECT count(*) FROM api_key WHERE surface = 'platform')",
            &[],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?,
        Scope::Workspace(workspace) => tx.find(
            "SELECT count(*) FROM api_key WHERE owner_id = $1 AND surface = 'platform'",
            &[&workspace],
            |row| Ok((1, row.get(0)?)),
        )?,
    };
    Ok(counted.unwrap_or_default())
}
