//! From the start of the real binary to its first `ready`, and the memory that it holds when nothing happens.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::child::Child;
use crate::database;
use crate::load::{self, Load, Patch, Request};
use crate::machine::{self, Usage};
use crate::report::{Figure, Report};
use crate::settings::Settings;

/// Starts of each kind; the middle one counts.
const STARTS: usize = 5;
const IDLE: Duration = Duration::from_secs(5);

/// The figures.
const READY_MS: f64 = 200.0;
const IDLE_MB: f64 = 40.0;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    let binary = settings.lectern_binary()?;
    report.progress(&format!("starts of {}", binary.display()));
    if !binary.exists() {
        report.add(Figure::new("start to ready", "embedded").note("skipped: the binary is not built"));
        return Ok(());
    }
    let folder = database::folder(settings)?;
    // The first start of all reads the program from the disk; it counts for nobody.
    drop(start(&binary, &folder.path().join("first"))?);
    let mut fresh = Vec::new();
    let mut again = Vec::new();
    for number in 0..STARTS {
        let data = folder.path().join(format!("data-{number}"));
        for times in [&mut fresh, &mut again] {
            times.push(start(&binary, &data)?.0);
        }
    }
    for (name, times) in [("start to ready, new data folder", fresh), ("start to ready, again", again)] {
        let (middle, slowest) = middle_and_slowest(times);
        let figure = Figure::new(name, "embedded").latency(middle, slowest);
        report.add(figure.below("ms", middle * 1e3, READY_MS).note("p50 and slowest of 5"));
    }
    report.add(idle(&binary, &folder.path().join("idle"))?);
    Ok(())
}

fn idle(binary: &Path, data: &Path) -> anyhow::Result<Figure> {
    let (_, child) = start(binary, data)?;
    machine::pause(IDLE);
    let usage = Usage::of(child.pid())?;
    let megabytes = usage.resident_bytes as f64 / (1024.0 * 1024.0);
    Ok(Figure::new("idle memory", "embedded").peak(usage.peak_bytes).below("MB", megabytes, IDLE_MB))
}

/// Starts the service and waits until it is ready.
fn start(binary: &Path, data: &Path) -> anyhow::Result<(f64, Child)> {
    let started = Instant::now();
    let variables = [("LECTERN_DATA_DIR", data.display().to_string())];
    let (child, address) = Child::lectern(binary, "all", &variables, &data.with_extension("log"))?;
    let request = Request::new(address, "GET /readyz", &[], None, Patch::None);
    load::probe(&Load { address, request, expected_status: 200 })?;
    Ok((started.elapsed().as_secs_f64(), child))
}

fn middle_and_slowest(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() - 1])
}
