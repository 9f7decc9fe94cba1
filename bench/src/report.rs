//! What was measured, as a table for people and as JSON for programs.

use std::fmt::Write as _;
use std::io::Write as _;

use serde::Serialize;

use crate::contest::Contest;
use crate::load::Measured;
use crate::machine;
use crate::settings::Settings;

const MEBIBYTE: f64 = 1024.0 * 1024.0;

/// A demand of an issue on a figure.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Target {
    what: &'static str,
    value: f64,
    limit: f64,
    is_ceiling: bool,
    passed: bool,
}

/// One line of the table. What does not apply is absent.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Figure {
    name: String,
    engine: &'static str,
    per_second: Option<f64>,
    p50_ms: Option<f64>,
    p99_ms: Option<f64>,
    cpu_us: Option<f64>,
    peak_mb: Option<f64>,
    ratio: Option<f64>,
    ratio_of_rounds: Vec<f64>,
    bare_per_second: Option<f64>,
    bare_cpu_us: Option<f64>,
    /// Processors that neither the server nor the load generator kept busy: PostgreSQL, or a noisy neighbour.
    other_cpus: Option<f64>,
    load_average: String,
    targets: Vec<Target>,
    note: String,
}

impl Figure {
    pub(crate) fn new(name: impl Into<String>, engine: &'static str) -> Self {
        Self { name: name.into(), engine, load_average: machine::load_average(), ..Self::default() }
    }

    /// The service's side of a contest, and the ratio.
    pub(crate) fn contest(mut self, contest: &Contest) -> Self {
        self.ratio = Some(contest.ratio());
        self.ratio_of_rounds.clone_from(&contest.rounds);
        self.bare_per_second = Some(contest.bare.per_second());
        self.bare_cpu_us = Some(contest.bare.cpu_us());
        self.measured(&contest.lectern)
    }

    /// What a load run measured.
    pub(crate) fn measured(mut self, measured: &Measured) -> Self {
        self.per_second = Some(measured.per_second());
        self.cpu_us = Some(measured.cpu_us());
        self.other_cpus = Some(measured.others());
        self.latency(measured.latency.quantile(0.5).as_secs_f64(), measured.latency.quantile(0.99).as_secs_f64())
            .peak(measured.peak_bytes)
    }

    /// Latencies in seconds.
    pub(crate) fn latency(mut self, p50: f64, p99: f64) -> Self {
        (self.p50_ms, self.p99_ms) = (Some(p50 * 1e3), Some(p99 * 1e3));
        self
    }

    /// Processor time of one, in microseconds.
    pub(crate) fn cpu(mut self, cpu_us: f64) -> Self {
        self.cpu_us = Some(cpu_us);
        self
    }

    /// Things done a second, with their cost and the bare server's requests a second.
    pub(crate) fn throughput(mut self, per_second: f64, cpu_us: f64, bare_per_second: f64) -> Self {
        (self.per_second, self.cpu_us) = (Some(per_second), Some(cpu_us));
        self.bare_per_second = Some(bare_per_second);
        self.ratio = Some(per_second / bare_per_second);
        self
    }

    /// The most memory in use, in bytes.
    pub(crate) fn peak(mut self, bytes: u64) -> Self {
        self.peak_mb = Some(bytes as f64 / MEBIBYTE);
        self
    }

    /// A demand that the value is at least `limit`.
    pub(crate) fn at_least(mut self, what: &'static str, value: f64, limit: f64) -> Self {
        self.targets.push(Target { what, value, limit, is_ceiling: false, passed: value >= limit });
        self
    }

    /// A demand that the value is below `limit`.
    pub(crate) fn below(mut self, what: &'static str, value: f64, limit: f64) -> Self {
        self.targets.push(Target { what, value, limit, is_ceiling: true, passed: value < limit });
        self
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// The ratio to the bare server, when there is one.
    pub(crate) fn ratio(&self) -> f64 {
        self.ratio.unwrap_or(0.0)
    }

    fn verdict(&self) -> String {
        let mut text = String::new();
        for target in &self.targets {
            let (word, sign) =
                (if target.passed { "PASS" } else { "short" }, if target.is_ceiling { '<' } else { '≥' });
            let separator = if text.is_empty() { "" } else { "; " };
            let _ = write!(text, "{separator}{word} {} {:.3} {sign} {}", target.what, target.value, target.limit);
        }
        let separator = if text.is_empty() || self.note.is_empty() { "" } else { " — " };
        format!("{text}{separator}{}", self.note)
    }

    fn cells(&self) -> Vec<String> {
        let number = |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |v| format!("{v:.digits$}"));
        vec![
            self.name.clone(),
            self.engine.to_owned(),
            number(self.per_second, 0),
            number(self.p50_ms, 2),
            number(self.p99_ms, 2),
            number(self.cpu_us, 1),
            number(self.peak_mb, 0),
            number(self.bare_per_second, 0),
            number(self.bare_cpu_us, 1),
            number(self.ratio, 3),
            number(self.other_cpus, 2),
            self.load_average.clone(),
            self.verdict(),
        ]
    }
}

const HEADINGS: [&str; 13] = [
    "figure", "engine", "per s", "p50 ms", "p99 ms", "CPU µs", "peak MB", "bare/s", "bare µs", "ratio", "others",
    "load", "verdict",
];

/// All figures of a run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    processors: usize,
    connections: usize,
    figures: Vec<Figure>,
}

impl Report {
    pub(crate) fn begin(settings: &Settings) -> Self {
        let processors = std::thread::available_parallelism().map_or(0, usize::from);
        Self { processors, connections: settings.connections, figures: Vec::new() }
    }

    /// Says what is being measured now, on standard error.
    pub(crate) fn progress(&self, what: &str) {
        // A closed standard error is no reason to stop measuring.
        let _ = writeln!(std::io::stderr(), "measuring: {what} (load {})", machine::load_average());
    }

    pub(crate) fn add(&mut self, figure: Figure) {
        let _ = writeln!(std::io::stderr(), "  {}", figure.cells().join(" | "));
        self.figures.push(figure);
    }

    /// Whether a figure is short of a target.
    pub(crate) fn is_short(&self) -> bool {
        self.figures.iter().any(|figure| figure.targets.iter().any(|target| !target.passed))
    }

    /// Prints the table, and writes the JSON where it is wanted.
    pub(crate) fn finish(&self, settings: &Settings) -> anyhow::Result<()> {
        let headings = HEADINGS.map(str::to_owned).to_vec();
        let rows: Vec<_> = std::iter::once(headings).chain(self.figures.iter().map(Figure::cells)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
        let mut out = std::io::stdout().lock();
        writeln!(out, "{} processors, {} connections", self.processors, self.connections)?;
        for row in &rows {
            let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            writeln!(out, "{}", cells.join("  ").trim_end())?;
        }
        if let Some(path) = &settings.json {
            std::fs::write(path, serde_json::to_string_pretty(self)?)?;
        }
        Ok(())
    }
}
