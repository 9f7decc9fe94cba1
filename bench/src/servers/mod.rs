//! What runs under test besides `lectern serve`, each in a process of its own: this program started as
//! `bench server …`.
//!
//! A server says its address, or what it measured, as one line of JSON on standard output; its log goes to
//! standard error.

mod bare;
mod concurrent;
mod deliver;
mod expand;
mod fairness;
mod model;
mod service;
mod sync;
mod usage;
mod verify;

use std::io::Write as _;
use std::time::Duration;

use anyhow::Context as _;
use clap::Subcommand;
use serde::{Deserialize, Serialize};

use crate::histogram::Histogram;
use crate::machine::Usage;
pub(crate) use concurrent::GRADING_TIME;
pub(crate) use model::ANSWERING_TIME;

/// The processes under test.
#[derive(Subcommand)]
pub(crate) enum ServerCommand {
    /// Answers every request with the same JSON.
    Bare(bare::Arguments),
    /// Grades slowly.
    Concurrent(concurrent::Arguments),
    /// Commits events and delivers them.
    Deliver(deliver::Arguments),
    /// Accepts expansions, then works them off.
    Expand(expand::Arguments),
    /// Delivers to a slow and to a fast receiver.
    Fairness(fairness::Arguments),
    /// Answers as a language model does.
    Model(model::Arguments),
    /// Sends scores to gradebooks.
    Sync(sync::Arguments),
    /// Reports usage to a payment processor.
    Usage(usage::Arguments),
    /// Verifies the signatures of ID tokens.
    Verify(verify::Arguments),
}

impl ServerCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        // As `lectern serve` has it.
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("a runtime")?;
        runtime.block_on(async {
            match self {
                Self::Bare(arguments) => bare::run(arguments).await,
                Self::Concurrent(arguments) => concurrent::run(arguments).await,
                Self::Deliver(arguments) => deliver::run(arguments).await,
                Self::Expand(arguments) => expand::run(arguments).await,
                Self::Fairness(arguments) => fairness::run(arguments).await,
                Self::Model(arguments) => model::run(arguments).await,
                Self::Sync(arguments) => sync::run(arguments).await,
                Self::Usage(arguments) => usage::run(arguments).await,
                Self::Verify(arguments) => verify::run(arguments).await,
            }
        })
    }
}

/// A task that was worked off, as a child tells its parent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Worked {
    /// How many pieces.
    pub(crate) count: usize,
    /// From the start to the last commit.
    pub(crate) seconds: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
}

impl Worked {
    pub(crate) fn per_second(&self) -> f64 {
        self.count as f64 / self.seconds
    }

    pub(crate) fn cpu_us(&self) -> f64 {
        self.cpu_seconds * 1e6 / self.count as f64
    }

    fn since(count: usize, elapsed: Duration, before: Usage) -> anyhow::Result<Self> {
        let after = Usage::own()?;
        let cpu_seconds = after.cpu.saturating_sub(before.cpu).as_secs_f64();
        Ok(Self { count, seconds: elapsed.as_secs_f64(), cpu_seconds, peak_bytes: after.peak_bytes })
    }
}

/// Latencies, as a child tells its parent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Latencies {
    pub(crate) count: u64,
    pub(crate) p50_seconds: f64,
    pub(crate) p99_seconds: f64,
    pub(crate) max_seconds: f64,
    pub(crate) peak_bytes: u64,
}

impl Latencies {
    fn of(histogram: &Histogram) -> anyhow::Result<Self> {
        let quantile = |part| histogram.quantile(part).as_secs_f64();
        Ok(Self {
            count: histogram.count(),
            p50_seconds: quantile(0.5),
            p99_seconds: quantile(0.99),
            max_seconds: quantile(1.0),
            peak_bytes: Usage::own()?.peak_bytes,
        })
    }
}

/// Tells the parent.
fn say(answer: &impl Serialize) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, answer)?;
    writeln!(out)?;
    out.flush().context("the parent has gone away")
}

/// Ready when the parent closes the standard input, or is gone.
async fn parent_is_done() {
    let (done, is_done) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        drop(done);
    });
    let _ = is_done.await;
}
