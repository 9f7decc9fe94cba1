//! Statistics of the service.

use serde::Deserialize;

/// Totals of a time.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Totals {
    pub(crate) total_organizations: i64,
    pub(crate) total_api_keys: i64,
    pub(crate) total_requests: i64,
    pub(crate) total_credit_cost: f64,
    pub(crate) total_billable_amount_usd: f64,
    pub(crate) total_finalized_amount_usd: f64,
    pub(crate) total_input_tokens: i64,
    pub(crate) total_output_tokens: i64,
    pub(crate) by_service: Vec<ServiceTotals>,
}

/// Totals of a service, such as `evaluation`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ServiceTotals {
    pub(crate) service: String,
    pub(crate) count: i64,
    pub(crate) credit_cost: f64,
    pub(crate) billable_amount_usd: f64,
}

/// One day.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Day {
    pub(crate) date: String,
    pub(crate) requests: i64,
    pub(crate) credit_cost: f64,
    pub(crate) billable_amount_usd: f64,
    pub(crate) finalized_amount_usd: f64,
    pub(crate) input_tokens: i64,
    pub(crate) output_tokens: i64,
}

/// Totals of a workspace.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct WorkspaceTotals {
    pub(crate) organization_id: String,
    pub(crate) organization_name: String,
    pub(crate) total_requests: i64,
    pub(crate) total_credit_cost: f64,
    pub(crate) total_billable_amount_usd: f64,
}
