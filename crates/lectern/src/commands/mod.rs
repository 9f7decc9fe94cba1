//! Runs a command: 0 when it worked, 1 when it failed, 2 when it was asked wrongly.

mod classroom;
mod deliveries;
mod doctor;
mod extract_text;
mod findings;
mod grade;
mod init;
mod jobs;
mod key;
mod lti;
mod migrate;
mod names;
mod org;
mod password;
mod print;
mod processor;
mod render_child;
mod replace_secret_key;
pub(crate) mod serve;
mod setup_code;
mod trace;
mod user;
mod workspace;
mod x402;

use std::io;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;
use kernel::ambient::Ambient;
use store::{Store, StoreError, Tx};

use crate::cli::{Cli, Command};
use crate::config::{Config, ConfigError, Environment};
use crate::{demo, master_key, output, telemetry};

/// The exit code of a command that was asked wrongly; clap's own.
const WRONG_USE: u8 = 2;

/// A request that can't be carried out as it was worded.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WrongUse(pub(crate) String);

/// What every command starts from.
pub(crate) struct Session {
    pub(crate) environment: Environment,
    pub(crate) ambient: Ambient,
    config_file: Option<std::path::PathBuf>,
}

impl Session {
    /// The effective configuration.
    pub(crate) fn config(&self) -> Result<Config, ConfigError> {
        Config::load(self.config_file.as_deref(), &self.environment)
    }

    /// The database of the configuration, its master key compared. Database and key are made where they are missing, so
    /// that the first command makes both.
    async fn open_store(&self) -> anyhow::Result<Store> {
        let (store, _) = master_key::open_store(&self.config()?, &self.ambient).await?;
        Ok(store)
    }

    /// Opens the database for one [`Store::read`].
    async fn read<T, E, F>(&self, name: &'static str, operation: F) -> anyhow::Result<T>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: std::error::Error + From<StoreError> + Send + Sync + 'static,
    {
        let store = self.open_store().await?;
        let found = store.read(name, operation).await?;
        store.close().await;
        Ok(found)
    }

    /// Opens the database for one [`Store::write`].
    async fn write<T, E, F>(&self, name: &'static str, operation: F) -> anyhow::Result<T>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: std::error::Error + From<StoreError> + Send + Sync + 'static,
    {
        let store = self.open_store().await?;
        let made = store.write(name, operation).await?;
        store.close().await;
        Ok(made)
    }
}

/// Runs the program.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let session =
        Session { environment: Environment::of_process(), ambient: Ambient::system(), config_file: cli.config };
    match dispatch(&session, cli.command) {
        Ok(code) => code,
        Err(error) => fail(&session, &error),
    }
}

fn dispatch(session: &Session, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(options) => serve::run(session, &options),
        Command::Demo(options) => demo::run(session, &options),
        Command::Grade(options) => grade::run(session, &options),
        Command::Config(options) => print::config(session, &options).map(done),
        Command::Openapi(options) => print::openapi(&options).map(done),
        Command::ExtractText(options) => extract_text::run(&options).map(done),
        Command::RenderChild(options) => render_child::run(options).map(done),
        Command::Init(options) => block_on(session, init::run(session, &options)).map(done),
        Command::SetupCode => block_on(session, setup_code::run(session)).map(done),
        Command::Migrate(options) => block_on(session, migrate::run(session, &options)),
        Command::Doctor(options) => block_on(session, doctor::run(session, &options)),
        Command::ReplaceSecretKey(options) => block_on(session, replace_secret_key::run(session, &options)).map(done),
        Command::User(command) => block_on(session, user::run(session, command)).map(done),
        Command::Org(command) => block_on(session, org::run(session, command)).map(done),
        Command::Classroom(command) => block_on(session, classroom::run(session, command)).map(done),
        Command::Workspace(command) => block_on(session, workspace::run(session, command)),
        Command::Key(command) => block_on(session, key::run(session, command)).map(done),
        Command::Lti(command) => block_on(session, lti::run(session, command)),
        Command::X402(command) => block_on(session, x402::run(session, command)),
        Command::Processor(command) => block_on(session, processor::run(session, command)),
        Command::Jobs(command) => block_on(session, jobs::run(session, command)).map(done),
        Command::Deliveries(command) => block_on(session, deliveries::run(session, command)).map(done),
        Command::Trace(options) => block_on(session, trace::run(session, options)).map(done),
    }
}

const fn done((): ()) -> ExitCode {
    ExitCode::SUCCESS
}

/// Runs a command that ends by itself. Only its warnings are logged.
fn block_on<T>(session: &Session, command: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    telemetry::warnings(&session.environment);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("the runtime can't be started")?.block_on(Box::pin(command))
}

fn fail(session: &Session, error: &anyhow::Error) -> ExitCode {
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let paint = output::Paint::stderr(&session.environment);
    output::note(format!("{} {error:#}", paint.red("lectern:")));
    if error.is::<WrongUse>() { ExitCode::from(WRONG_USE) } else { ExitCode::FAILURE }
}
