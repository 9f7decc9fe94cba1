//! Webhook deliveries a second to one endpoint, each event a commit and each attempt recorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::ensure;

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::report::{Figure, Report};
use crate::servers::Worked;
use crate::settings::Settings;
use crate::{receiver, scenarios};

/// The figure.
const RATIO: f64 = 0.05;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        for (name, mode) in [("deliver, with the commits", "live"), ("deliver, a backlog", "backlog")] {
            report.progress(&format!("{name}, {}", engine.name()));
            report.add(run_once(settings, engine, name, mode)?);
        }
    }
    Ok(())
}

fn run_once(settings: &Settings, engine: Engine, name: &str, mode: &str) -> anyhow::Result<Figure> {
    let database = Database::make(settings, engine)?;
    let arrived = Arc::new(AtomicUsize::new(0));
    let count = arrived.clone();
    let on_arrival = move |_: &[u8]| {
        count.fetch_add(1, Ordering::Relaxed);
    };
    let address = receiver::start(Duration::ZERO, Arc::new(on_arrival))?;
    let before = scenarios::bare_window(settings, &database)?;
    let mut arguments = database.arguments("deliver");
    arguments.push(format!("--events={}", settings.events));
    arguments.push(format!("--url=http://{address}/hook"));
    arguments.push(format!("--mode={mode}"));
    let mut child = Child::server(&arguments, &database.folder().join("deliver.log"))?;
    let worked: Worked = child.answer()?;
    drop(child);
    let mut bare = scenarios::bare_window(settings, &database)?;
    bare.merge(&before);
    let received = arrived.load(Ordering::Relaxed);
    ensure!(received >= settings.events, "{received} of {} deliveries arrived", settings.events);
    let figure = Figure::new(name, engine.name())
        .throughput(worked.per_second(), worked.cpu_us(), bare.per_second())
        .peak(worked.peak_bytes);
    let ratio = figure.ratio();
    Ok(figure.at_least("ratio", ratio, RATIO))
}
