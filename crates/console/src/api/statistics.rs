//! Statistics of the service.

use serde::Deserialize;

use crate::format::{counted, whole};

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

impl Totals {
    /// The requests by service, most of them first: `46 evaluations, 5 modules, 1 course and 3 more`.
    pub(crate) fn in_words(&self) -> String {
        const NAMED: usize = 3;
        let mut services: Vec<_> = self.by_service.iter().filter(|service| service.count > 0).collect();
        services.sort_by_key(|service| std::cmp::Reverse(service.count));
        let named: Vec<_> =
            services.iter().take(NAMED).map(|service| counted(service.count, &service.service)).collect();
        let more: i64 = services.iter().skip(NAMED).map(|service| service.count).sum();
        match (named.is_empty(), more) {
            (true, _) => "none yet".to_owned(),
            (false, 0) => named.join(", "),
            (false, more) => format!("{} and {} more", named.join(", "), whole(more)),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_used_services_are_named_first_and_the_rest_is_counted() {
        let of = |counts: &[(&str, i64)]| {
            let part = |(service, count): &(&str, i64)| ServiceTotals {
                service: (*service).to_owned(),
                count: *count,
                ..ServiceTotals::default()
            };
            Totals { by_service: counts.iter().map(part).collect(), ..Totals::default() }.in_words()
        };
        assert_eq!(of(&[]), "none yet");
        assert_eq!(of(&[("course", 1), ("evaluation", 46)]), "46 evaluations, 1 course");
        let many = [("course", 1), ("evaluation", 46), ("module", 5), ("test", 1), ("video", 2)];
        assert_eq!(of(&many), "46 evaluations, 5 modules, 2 videos and 2 more");
    }
}
