//! One organization's deliveries while another's receiver takes five seconds to answer.

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::report::{Figure, Report};
use crate::servers::Latencies;
use crate::settings::Settings;

/// The figure.
const P99_MS: f64 = 50.0;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("fairness, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let mut arguments = database.arguments("fairness");
        arguments.push(format!("--measure-for={}", settings.fairness_seconds));
        let mut child = Child::server(&arguments, &database.folder().join("fairness.log"))?;
        let latencies: Latencies = child.answer()?;
        let figure = Figure::new("commit to arrival beside a slow receiver", engine.name())
            .latency(latencies.p50_seconds, latencies.p99_seconds)
            .peak(latencies.peak_bytes)
            .below("p99 ms", latencies.p99_seconds * 1e3, P99_MS);
        report.add(figure.note(format!("slowest {:.1} ms", latencies.max_seconds * 1e3)));
    }
    Ok(())
}
