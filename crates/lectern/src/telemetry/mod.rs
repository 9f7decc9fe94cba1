//! Logs and metrics of the process: set up once, by the command that runs.
//!
//! Logs go to stderr. While serving, a thread of its own writes them ([`writer`]), so that a slow terminal
//! or pipe never holds up a request.

mod backlog;
mod json;
mod metrics;
mod writer;

use std::io::{self, IsTerminal as _};

use anyhow::Context as _;
use metrics_exporter_prometheus::PrometheusHandle;
use store::Store;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::config::{Environment, Log, LogFormat};
use crate::output::Paint;

use self::json::JsonLines;
pub(crate) use metrics::install as install_metrics;
pub(crate) use writer::Guard;

/// Logs as configured until the guard is dropped, which writes out what is left.
///
/// # Errors
/// When the writing thread can't be started.
pub(crate) fn start(log: &Log, environment: &Environment) -> anyhow::Result<Guard> {
    let (writer, guard) = writer::start(io::stderr()).context("the log can't be started")?;
    install(log, environment, writer);
    Ok(guard)
}

/// Keeps the metrics up to date, for as long as it is polled.
pub(crate) async fn upkeep(metrics: PrometheusHandle, store: Store) {
    tokio::join!(metrics::upkeep(metrics), backlog::observe(store));
}

/// Logs warnings only, for a command that ends by itself.
pub(crate) fn warnings(environment: &Environment) {
    let log = Log { filter: "warn".to_owned(), format: Some(LogFormat::Text) };
    install(&log, environment, io::stderr);
}

fn install<W>(log: &Log, environment: &Environment, writer: W)
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let filter = EnvFilter::new(&log.filter);
    let is_terminal = io::stderr().is_terminal();
    let format = log.format.unwrap_or(if is_terminal { LogFormat::Text } else { LogFormat::Json });
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer);
    // The second subscriber of a process (in tests) is none.
    let _ = match format {
        LogFormat::Json => tracing::subscriber::set_global_default(builder.event_format(JsonLines).finish()),
        LogFormat::Text => {
            let ansi = Paint::stderr(environment).has_colour();
            tracing::subscriber::set_global_default(builder.with_ansi(ansi).finish())
        }
    };
}
