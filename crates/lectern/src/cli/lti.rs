//! `lectern lti`: the learning platforms that launch here.

use clap::{Args, Subcommand};

/// `lectern lti`
#[derive(Debug, Subcommand)]
pub enum Lti {
    /// Checks a registration against the real learning platform: keys, endpoints, clock and scopes
    #[command(
        after_help = "Example:\n  lectern lti doctor \"Riverside Moodle\"\n  lectern lti doctor 0197… --json\n\n\
        Each line says what was checked, what was found and what to do.\n\
        The exit code is 1 when something is wrong.\n\
        Run it where lectern serve runs, with the same settings."
    )]
    Doctor(ExamineRegistration),
}

/// `lectern lti doctor`
#[derive(Debug, Args)]
pub struct ExamineRegistration {
    /// The registration, by its id, or by its name or issuer where no other has the same
    #[arg(value_name = "REGISTRATION")]
    pub registration: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
