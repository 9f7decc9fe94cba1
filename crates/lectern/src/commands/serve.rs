//! `lectern serve`: the service, until a signal ends it.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use edge::server::Entrance;
use kernel::ambient::Ambient;
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;

use super::{Session, setup_code};
use crate::app::{self, App, Role};
use crate::cli::{Serve, ServeRole};
use crate::config::Config;
use crate::{assembly, lock, master_key, output, telemetry};

/// The exit code of a service that was told twice to stop.
const INTERRUPTED: u8 = 130;

/// Serves. A second signal ends the process at once; what it leaves is claimed again.
pub(super) fn run(session: &Session, options: &Serve) -> anyhow::Result<ExitCode> {
    let config = session.config()?;
    let _log = telemetry::start(&config.log, &session.environment)?;
    let _lock = lock::take(&config)?;
    raise_open_files();
    let runtime = multi_threaded()?;
    let code = runtime.block_on(Box::pin(serve(session, &config, role(options.role))))?;
    runtime.shutdown_background();
    Ok(code)
}

/// Every connection is an open file, and the usual limit for a session of 1024 is one that idle clients reach.
fn raise_open_files() {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) => tracing::debug!(files, "open files are limited"),
        Err(error) => tracing::warn!(%error, "the limit of open files can't be raised"),
    }
}

/// A runtime with a worker thread for each core.
pub(crate) fn multi_threaded() -> anyhow::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(cores).enable_all().build();
    runtime.context("the runtime can't be started")
}

/// SIGTERM and SIGINT.
pub(crate) struct Stops {
    terminate: Signal,
    interrupt: Signal,
}

impl Stops {
    /// From now on these signals no longer kill the process.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let on = |kind| signal(kind).context("signals can't be listened to");
        Ok(Self { terminate: on(SignalKind::terminate())?, interrupt: on(SignalKind::interrupt())? })
    }

    /// Waits for the next of them.
    pub(crate) async fn next(&mut self) -> Stop {
        tokio::select! {
            _ = self.terminate.recv() => Stop::Terminate,
            _ = self.interrupt.recv() => Stop::Interrupt,
        }
    }
}

/// What ended the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// SIGTERM: a supervisor, which may still send requests.
    Terminate,
    /// SIGINT: a person, who waits.
    Interrupt,
}

/// How long requests are still accepted: a person at a terminal does not wait, and nobody sends requests to a worker.
fn drain_period(config: &Config, role: Role, stop: Stop) -> Duration {
    match (role, stop) {
        (Role::Worker, _) | (_, Stop::Interrupt) => Duration::ZERO,
        (Role::All | Role::Api, Stop::Terminate) => config.server.drain_period,
    }
}

async fn serve(session: &Session, config: &Config, role: Role) -> anyhow::Result<ExitCode> {
    let mut first = Stops::listen()?;
    let mut second = Stops::listen()?;
    let seeding = seed_random_numbers(&session.ambient);
    let tls = assembly::tls(config)?;
    let metrics = telemetry::install_metrics()?;
    let listener = app::listen(config.server.listen)?;
    let local = listener.local_addr()?;
    let (store, master) = master_key::open_store(config, &session.ambient).await?;
    let options = assembly::app_options(config, master, local)?;
    warn_of_traps(config, &options.base_url);
    let base_url = options.base_url.clone();
    let app = App::on(store, options, session.ambient.clone())?;

    seeding.await.context("there are no random numbers")?;

    let scheme = if tls.is_some() { "https" } else { "http" };
    let (store, identity) = (app.door.store.clone(), app.identity.clone());
    let service = app.start(role, Entrance { listener, tls, limits: config.limits.connections }, metrics.clone());
    output::line(format!("lectern is ready on {scheme}://{local}"))?;
    if role != Role::Worker {
        setup_code::announce(&identity, &base_url).await;
    }
    let run = service.drain_until(async move { drain_period(config, role, first.next().await) });
    let twice = async move {
        second.next().await;
        second.next().await;
    };
    tokio::select! {
        ended = run => ended.map(|()| ExitCode::SUCCESS).map_err(Into::into),
        () = twice => Ok(ExitCode::from(INTERRUPTED)),
        () = telemetry::upkeep(metrics, store) => unreachable!("upkeep goes on for ever"),
    }
}

/// The first random number of a process takes its source some 50 ms: meanwhile the database is opened.
fn seed_random_numbers(ambient: &Ambient) -> JoinHandle<[u8; 1]> {
    let ambient = ambient.clone();
    tokio::task::spawn_blocking(move || ambient.random())
}

fn warn_of_traps(config: &Config, base_url: &url::Url) {
    if config.server.listen.ip().is_unspecified() && config.server.base_url.is_none() {
        tracing::warn!(%base_url, "links need the public address: set LECTERN_BASE_URL");
    }
    for setting in config.without_effect() {
        tracing::warn!("{setting}");
    }
    if config.store.database_url.is_some() && config.secrets.secret_key.is_none() {
        tracing::warn!("every machine on one database needs the same secret: set LECTERN_SECRET_KEY");
    }
}

const fn role(role: ServeRole) -> Role {
    match role {
        ServeRole::All => Role::All,
        ServeRole::Api => Role::Api,
        ServeRole::Worker => Role::Worker,
    }
}
