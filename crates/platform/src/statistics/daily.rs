//! `GET /v1/platform/admin/stats/daily` (platform-api section 4).

use axum::extract::State;
use billing::usage::statistics;
use edge::answer::Answer;
use edge::problem::Problem;
use serde::Serialize;
use serde_json::Number;

use super::query::StatisticsQuery;
use crate::Platform;
use crate::callers::{self, Credential};

/// What was used on a UTC day.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayStatistics {
    /// The day.
    #[schema(format = Date, example = "2026-11-21")]
    date: String,
    /// Pieces of work.
    requests: i64,
    /// Credits of USD 0.01 that were taken from balances.
    #[schema(value_type = f64)]
    credit_cost: Number,
    /// Their prices.
    #[schema(value_type = f64)]
    billable_amount_usd: Number,
    /// Their settled prices.
    #[schema(value_type = f64)]
    finalized_amount_usd: Number,
    /// Tokens that models read.
    input_tokens: i64,
    /// Tokens that models wrote.
    output_tokens: i64,
}

/// What was used day by day, in order; days without any use are left out.
#[utoipa::path(
    get, path = "/v1/platform/admin/stats/daily", tag = "Statistics", operation_id = "getDailyStatistics",
    params(
        ("startDate" = Option<String>, Query, format = Date, description = "The first day, such as 2026-11-01"),
        ("endDate" = Option<String>, Query, format = Date, description = "The last day, which is included"),
        ("service" = Option<String>, Query, max_length = 10000, description = "One service only, such as `evaluation`"),
    ),
    responses((status = 200, description = "The days", body = Vec<DayStatistics>))
)]
pub async fn daily(
    State(platform): State<Platform>,
    credential: Credential,
    query: StatisticsQuery,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "statistics.daily", move |tx, caller| {
        let days = statistics::by_day(tx, &query.filter(caller)?)?;
        let day = |(day, sums): (kernel::time::Day, statistics::Sums)| DayStatistics {
            date: day.to_string(),
            requests: sums.requests,
            credit_cost: sums.credit_cost.to_credits_number(),
            billable_amount_usd: sums.billable.to_usd_number(),
            finalized_amount_usd: sums.finalized.to_usd_number(),
            input_tokens: sums.input_tokens,
            output_tokens: sums.output_tokens,
        };
        Ok(Answer::ok(&days.into_iter().map(day).collect::<Vec<_>>()))
    })
    .await
}
