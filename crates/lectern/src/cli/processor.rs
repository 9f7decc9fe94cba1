//! `lectern processor`: the payment processor and what it was told.

use clap::{Args, Subcommand};
use kernel::id::UsageReportId;

/// `lectern processor`
#[derive(Debug, Subcommand)]
pub enum Processor {
    /// Compares ledger, reported usage and the processor's own figures; changes nothing
    #[command(after_help = "Example:\n  lectern processor reconcile --days 31\n\n\
        Days are those of UTC; today is not compared, since the processor sums later than it takes usage.\n\
        The exit code is 1 when something differs.")]
    Reconcile(Reconcile),
    /// Settles usage of which nobody knows whether the processor has it
    #[command(after_help = "Example:\n  lectern processor resolve 0197… --sent\n\n\
        lectern processor reconcile names such usage, with the identifier to look for at the processor.")]
    Resolve(Resolve),
}

/// `lectern processor reconcile`
#[derive(Debug, Args)]
pub struct Reconcile {
    /// Whole days before today to compare at the processor
    #[arg(long, value_name = "COUNT", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=90))]
    pub days: u16,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern processor resolve`
#[derive(Debug, Args)]
#[group(id = "finding", required = true, multiple = false, args = ["sent", "unsent"])]
pub struct Resolve {
    /// The report
    #[arg(value_name = "REPORT")]
    pub report: UsageReportId,
    /// The processor has it: it is not sent again
    #[arg(long)]
    pub sent: bool,
    /// The processor does not have it: it is sent again
    #[arg(long)]
    pub unsent: bool,
}
