//! Metrics: kept in the process, rendered by `GET /metrics`.

use std::time::Duration;

use anyhow::Context as _;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Upper bounds of the duration buckets, in seconds: a read takes a fraction of a millisecond, a model minutes.
const SECONDS: [f64; 14] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 120.0];
/// Recorded values wait for this in memory.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// Makes the recorder of this process.
///
/// # Errors
/// When there is one already.
pub(crate) fn install() -> anyhow::Result<PrometheusHandle> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
        .and_then(PrometheusBuilder::install_recorder)
        .context("the metrics can't be set up")
}

/// Sorts recorded values into their buckets, for as long as it is polled.
pub(crate) async fn upkeep(metrics: PrometheusHandle) {
    let mut turns = tokio::time::interval(UPKEEP_EVERY);
    loop {
        turns.tick().await;
        metrics.run_upkeep();
    }
}
