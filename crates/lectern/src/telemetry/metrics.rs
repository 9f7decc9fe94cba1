//! Metrics: kept in the process, rendered by `GET /metrics`.
//!
//! Every metric of ours begins with `lectern_`, has a unit in its name and a help text here; those of the process have
//! Prometheus' standard names. `docs/operations.md` lists them all. Where to read next: [`super::backlog`].

use std::time::Duration;

use anyhow::Context as _;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;

/// Upper bounds of the duration buckets, in seconds: a read takes a fraction of a millisecond, a model minutes.
const SECONDS: [f64; 14] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 120.0];
/// Recorded values wait for this in memory, and so old is what is said of the process.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

const COUNTERS: [(&str, &str); 10] = [
    ("lectern_jobs_total", "Runs of background jobs, by kind and outcome."),
    ("lectern_log_lines_dropped_total", "Log lines dropped because the log's reader was too slow."),
    ("lectern_model_calls_total", "Tries to call a language model, by outcome: answered, or the code of the failure."),
    ("lectern_model_tokens_total", "Tokens of answered model calls, by kind: input, cached or output."),
    ("lectern_part_failures_total", "Parts of the process that failed for good and ended it, by name."),
    ("lectern_part_restarts_total", "Parts of the process that ended and were restarted, by name."),
    (
        "lectern_speech_calls_total",
        "Tries to have a sentence spoken by a speech server, by outcome: answered, or why not.",
    ),
    ("lectern_store_transaction_retries_total", "Transactions that the database made the store run again."),
    ("lectern_lti_sync_attempts_total", "Attempts to send a score to a learning platform, by outcome."),
    ("lectern_webhook_attempts_total", "Attempts to deliver a webhook, by outcome."),
];

const GAUGES: [(&str, &str); 10] = [
    ("lectern_build_info", "The running build; the value is always 1."),
    (
        "lectern_jobs_due",
        "Jobs in the database that are due and wait for a worker, by kind; 10,000 are counted at most.",
    ),
    (
        "lectern_jobs_oldest_due_age_seconds",
        "How long the oldest due job in the database has waited; 0 when none is due.",
    ),
    ("lectern_ledger_differences", "Differences that the last check of the ledger found; anything but 0 is a fault."),
    ("lectern_model_calls_in_flight", "Model calls under way."),
    ("lectern_model_calls_waiting", "Model calls that wait for their turn."),
    ("lectern_model_provider_resting", "1 while a provider's model is left alone after failures, by kind of work."),
    ("lectern_store_waiting_operations", "Operations that wait for a thread of the store, by queue."),
    (
        "lectern_webhook_deliveries_oldest_due_age_seconds",
        "How long the oldest due webhook delivery in the database has waited; 0 when none is due.",
    ),
    (
        "lectern_webhook_deliveries_pending",
        "Webhook deliveries in the database that are neither delivered nor given up; 10,000 are counted at most.",
    ),
];

const HISTOGRAMS: [(&str, &str); 3] = [
    ("lectern_http_request_duration_seconds", "Duration of HTTP requests, by method, route and class of status."),
    ("lectern_model_call_duration_seconds", "Duration of answered model calls."),
    ("lectern_store_transaction_duration_seconds", "Duration of transactions, waiting included, by name and kind."),
];

/// Makes the recorder of this process.
///
/// # Errors
/// When there is one already.
pub(crate) fn install() -> anyhow::Result<PrometheusHandle> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
        .and_then(PrometheusBuilder::install_recorder)
        .context("the metrics can't be set up")?;
    describe();
    metrics::gauge!("lectern_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    Ok(handle)
}

fn describe() {
    for (name, help) in COUNTERS {
        metrics::describe_counter!(name, help);
    }
    for (name, help) in GAUGES {
        metrics::describe_gauge!(name, help);
    }
    for (name, help) in HISTOGRAMS {
        metrics::describe_histogram!(name, help);
    }
}

/// Sorts recorded values into their buckets and looks at the process, for as long as it is polled.
pub(super) async fn upkeep(metrics: PrometheusHandle) {
    let process = Collector::default();
    process.describe();
    let mut turns = tokio::time::interval(UPKEEP_EVERY);
    loop {
        turns.tick().await;
        process.collect();
        metrics.run_upkeep();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `metrics_process` adds on Linux.
    const OF_THE_PROCESS: [&str; 8] = [
        "process_cpu_seconds_total",
        "process_max_fds",
        "process_open_fds",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
        "process_threads",
        "process_virtual_memory_bytes",
        "process_virtual_memory_max_bytes",
    ];

    #[test]
    fn every_metric_is_documented() {
        let page = include_str!("../../../../docs/operations.md");
        let described = COUNTERS.iter().chain(&GAUGES).chain(&HISTOGRAMS).map(|(name, _)| *name);
        for name in described.chain(OF_THE_PROCESS) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn every_metric_of_ours_has_one_prefix_and_a_help_text() {
        for (name, help) in COUNTERS.iter().chain(&GAUGES).chain(&HISTOGRAMS) {
            assert!(name.starts_with("lectern_") && help.ends_with('.'), "{name}");
        }
        assert!(COUNTERS.iter().all(|(name, _)| name.ends_with("_total")));
        assert!(HISTOGRAMS.iter().all(|(name, _)| name.ends_with("_seconds")));
    }
}
