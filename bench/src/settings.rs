//! How long and how hard to measure, and where.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// The options that all commands share.
#[derive(Args, Clone, Debug)]
pub(crate) struct Settings {
    /// Length of one measured window, in seconds.
    #[arg(long, global = true, default_value_t = 5.0)]
    seconds: f64,
    /// Load before each window that is not measured, in seconds.
    #[arg(long, global = true, default_value_t = 1.0)]
    warm_up: f64,
    /// Windows of each contender; the bare server gets as many, in turn.
    #[arg(long, global = true, default_value_t = 3)]
    pub(crate) rounds: usize,
    /// Connections of the load generator.
    #[arg(long, global = true, default_value_t = 64)]
    pub(crate) connections: usize,
    /// URL of a PostgreSQL server with fsync on, whose user may create databases; without it only the
    /// embedded store is measured.
    #[arg(long, global = true)]
    pub(crate) postgres: Option<String>,
    /// Where databases and logs go; must be on a real disk.
    #[arg(long, global = true, default_value = "target/bench")]
    pub(crate) work_dir: PathBuf,
    /// The binary whose start is measured; by default the one beside this program.
    #[arg(long, global = true)]
    lectern: Option<PathBuf>,
    /// Modules in the larger of the two databases that are read.
    #[arg(long, global = true, default_value_t = 100_000)]
    pub(crate) many: usize,
    /// Events of one webhook run.
    #[arg(long, global = true, default_value_t = 20_000)]
    pub(crate) events: usize,
    /// Scores of one run of the syncer.
    #[arg(long, global = true, default_value_t = 5_000)]
    pub(crate) scores: usize,
    /// Ledger rows that are reported to a payment processor.
    #[arg(long, global = true, default_value_t = 1_000_000)]
    pub(crate) usage_rows: usize,
    /// Evaluations of one round that payments pay for, and of one that credits pay for.
    #[arg(long, global = true, default_value_t = 5_000)]
    pub(crate) payments: usize,
    /// Launches of one round.
    #[arg(long, global = true, default_value_t = 10_000)]
    pub(crate) launches: usize,
    /// Expansions of one run of the workers.
    #[arg(long, global = true, default_value_t = 1_000)]
    pub(crate) expansions: usize,
    /// Rows of usage that statistics are measured over.
    #[arg(long, global = true, default_value_t = 5_000_000)]
    pub(crate) usage: i64,
    /// How long the slow receiver is fed, in seconds.
    #[arg(long, global = true, default_value_t = 20)]
    pub(crate) fairness_seconds: u64,
    /// Write the figures to this file too.
    #[arg(long, global = true)]
    pub(crate) json: Option<PathBuf>,
    /// Fail when a figure is short of its target.
    #[arg(long, global = true)]
    pub(crate) check: bool,
}

impl Settings {
    /// The length of one measured window.
    pub(crate) fn window(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }

    /// The load in front of it.
    pub(crate) fn warm_up(&self) -> Duration {
        Duration::from_secs_f64(self.warm_up)
    }

    /// The `lectern` binary.
    pub(crate) fn lectern_binary(&self) -> anyhow::Result<PathBuf> {
        match &self.lectern {
            Some(path) => Ok(path.clone()),
            None => Ok(std::env::current_exe()?.with_file_name("lectern")),
        }
    }
}
