//! Measures Lectern against a bare HTTP server that touches no storage, both in one run.
//!
//! The figures are ratios, because only those carry over from one machine to another. This program drives
//! the load and reports; what it measures runs in other processes: `lectern serve`, or this same program
//! started again with `server …` (see [`servers`]). Nothing here may make the service faster than it is for
//! its users: no hidden switches, durable commits, the real log.
//!
//! Read on in `scenarios/`, one file a figure; `load/` is the generator, `report.rs` what is printed.

mod child;
mod contest;
mod database;
mod facilitator;
mod histogram;
mod lms;
mod load;
mod machine;
mod receiver;
mod report;
mod scenarios;
mod seed;
mod servers;
mod settings;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use report::Report;
use servers::ServerCommand;
use settings::Settings;

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Measures Lectern against a bare HTTP server, both in one run.
///
/// Example: bench all --postgres postgres://lectern@127.0.0.1:5433/postgres?sslmode=disable --json figures.json
#[derive(Parser)]
#[command(name = "bench")]
struct Arguments {
    #[command(flatten)]
    settings: Settings,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every figure.
    All,
    /// Authenticated read of one module, with 1,000 and with 100,000 stored.
    Read,
    /// A page of a list, out of 1,000 and out of 100,000.
    List,
    /// Durable create of an expansion: idempotency, event and job rows.
    Create,
    /// Evaluations of `exact` answers that the caller waits for: evaluation, payment, usage and event rows.
    Evaluate,
    /// Evaluations at once that wait for a slow grader.
    Concurrent,
    /// Evaluations that a language model grades, and what the service adds to its time.
    Model,
    /// Processor time of one rubric grade by the built-in grader.
    Grade,
    /// Expansions a second with the built-in generator.
    Expand,
    /// Webhook deliveries a second, every attempt recorded.
    Deliver,
    /// Latency of one organization's webhooks while another's receiver is slow.
    Fairness,
    /// Scores a second to a gradebook that takes 200 ms, beside a platform that hangs.
    Sync,
    /// Evaluations a second that payments with requests pay for, beside those that credits pay for.
    Payments,
    /// Ledger rows that are reported to a payment processor that takes 50 ms.
    Usage,
    /// Launches from a learning platform: a login and a form with a signed token each.
    Launches,
    /// Memory and requests to the platform while logins and launches come to nothing.
    LaunchFloods,
    /// Administrative statistics over millions of usage rows.
    Statistics,
    /// Sign-ins by a password, beside the hash of the password alone.
    SignIn,
    /// Pages of the console with many rows behind them.
    Console,
    /// Another tenant's reads while a key that has used up its limit sends large bodies.
    RefusedBodies,
    /// Memory while clients ask for something large and never read it.
    SlowReaders,
    /// Start to ready and idle memory of the `lectern` binary.
    Start,
    /// A process under test; started by the other commands.
    #[command(subcommand, hide = true)]
    Server(ServerCommand),
}

fn main() -> anyhow::Result<ExitCode> {
    let Arguments { settings, command } = Arguments::parse();
    if let Command::Server(server) = command {
        server.run()?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut report = Report::begin(&settings);
    match command {
        Command::Read => scenarios::read::run(&settings, &mut report)?,
        Command::List => scenarios::list::run(&settings, &mut report)?,
        Command::Create => scenarios::create::run(&settings, &mut report)?,
        Command::Evaluate => scenarios::evaluate::run(&settings, &mut report)?,
        Command::Concurrent => scenarios::concurrent::run(&settings, &mut report)?,
        Command::Model => scenarios::model::run(&settings, &mut report)?,
        Command::Grade => scenarios::grade::run(&mut report)?,
        Command::Expand => scenarios::expand::run(&settings, &mut report)?,
        Command::Deliver => scenarios::deliver::run(&settings, &mut report)?,
        Command::Fairness => scenarios::fairness::run(&settings, &mut report)?,
        Command::Sync => scenarios::sync::run(&settings, &mut report)?,
        Command::Payments => scenarios::payments::run(&settings, &mut report)?,
        Command::Usage => scenarios::usage::run(&settings, &mut report)?,
        Command::Launches => scenarios::launches::run(&settings, &mut report)?,
        Command::LaunchFloods => scenarios::launch_floods::run(&settings, &mut report)?,
        Command::Statistics => scenarios::statistics::run(&settings, &mut report)?,
        Command::SignIn => scenarios::sign_in::run(&settings, &mut report)?,
        Command::Console => scenarios::console::run(&settings, &mut report)?,
        Command::RefusedBodies => scenarios::refused_bodies::run(&settings, &mut report)?,
        Command::SlowReaders => scenarios::slow_readers::run(&settings, &mut report)?,
        Command::Start => scenarios::start::run(&settings, &mut report)?,
        Command::All | Command::Server(_) => scenarios::all(&settings, &mut report)?,
    }
    report.finish(&settings)?;
    let is_short = settings.check && report.is_short();
    Ok(if is_short { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
