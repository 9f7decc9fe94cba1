//! `lectern x402`: payments that come with requests.

use clap::{Args, Subcommand};

/// `lectern x402`
#[derive(Debug, Subcommand)]
pub enum X402 {
    /// Checks receiver, facilitator, node and token, and names payments of unknown outcome
    #[command(after_help = "Example:\n  lectern x402 doctor --json\n\n\
        The exit code is 1 when something is wrong.\n\
        Run it where lectern serve runs, with the same settings.")]
    Doctor(super::Json),
    /// Writes down what became of a payment that nobody could find out about
    #[command(after_help = "Example:\n  \
        lectern x402 resolve 0197… --settled 0x5f3c…   its amount becomes credits of the workspace\n  \
        lectern x402 resolve 0197… --not-settled")]
    Resolve(ResolvePayment),
}

/// `lectern x402 resolve`
#[derive(Debug, Args)]
pub struct ResolvePayment {
    /// The evaluation that the payment was for
    #[arg(value_name = "EVALUATION")]
    pub evaluation: String,
    /// The hash of the transaction that settled it
    #[arg(long, value_name = "TRANSACTION", conflicts_with = "not_settled", required_unless_present = "not_settled")]
    pub settled: Option<String>,
    /// It was not settled, and its time is over
    #[arg(long)]
    pub not_settled: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
