//! The configuration: `lectern.toml`, and for each of its values a variable that overrides it.
//!
//! One file a section. Reading never stops at the first fault: [`ConfigError`] lists every one, each with
//! the key or the variable that it is about, and never repeats a value. Where to read next: [`Config::load`],
//! then any section, such as `server.rs`.

mod environment;
mod file;
mod files;
mod identity;
mod invoices;
mod limits;
mod log;
mod lti;
mod mail;
mod model;
mod notices;
mod outbound;
mod pages;
mod parse;
mod platform;
mod prices;
mod print;
mod processor;
mod reader;
mod render;
pub mod secret_file;
mod secrets;
mod server;
mod setting;
mod speech;
mod store;
#[cfg(test)]
mod tests;
mod webhooks;
mod workers;
mod x402;

use std::fmt;
use std::path::{Path, PathBuf};

pub use environment::Environment;
pub use files::Files;
pub use identity::Identity;
pub use invoices::Invoices;
pub use limits::Limits;
pub use log::{Log, LogFormat};
pub use lti::Lti;
pub use mail::Mail;
pub use model::Model;
pub use notices::Notices;
pub use outbound::Outbound;
pub use pages::Pages;
pub use platform::Platform;
pub use prices::Prices;
pub use processor::Processor;
pub use render::Render;
pub use secrets::Secrets;
pub use server::{Server, TlsFiles};
pub use speech::Speech;
pub use store::Store;
pub use webhooks::Webhooks;
pub use workers::Workers;
pub use x402::X402;

use self::file::File;
use self::reader::Reader;
use self::setting::Entry;

/// Everything that an operator can decide.
#[derive(Clone)]
pub struct Config {
    /// Where the service listens.
    pub server: Server,
    /// Where its data is.
    pub store: Store,
    /// Where customers' files are.
    pub files: Files,
    /// The master key.
    pub secrets: Secrets,
    /// What it may call.
    pub outbound: Outbound,
    /// How it repeats deliveries.
    pub webhooks: Webhooks,
    /// How it sends scores to learning platforms again.
    pub lti: Lti,
    /// What learners' pages may load.
    pub pages: Pages,
    /// How its mail goes out.
    pub mail: Mail,
    /// How administrators sign in.
    pub identity: Identity,
    /// Which language models it asks.
    pub model: Model,
    /// What it logs.
    pub log: Log,
    /// What workspaces need and get.
    pub platform: Platform,
    /// How requests are paid for.
    pub x402: X402,
    /// What evaluations cost.
    pub prices: Prices,
    /// What invoices say.
    pub invoices: Invoices,
    /// Whom it tells of what workspaces are told.
    pub notices: Notices,
    /// Who bills what is used.
    pub processor: Processor,
    /// How much it does at once.
    pub workers: Workers,
    /// How videos become files.
    pub render: Render,
    /// Who speaks in them.
    pub speech: Speech,
    /// What a request may cost.
    pub limits: Limits,
    without_effect: Vec<WithoutEffect>,
    entries: Vec<Entry>,
    file: Option<PathBuf>,
}

/// A setting that is given and changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithoutEffect {
    /// The variable, or the key in the file.
    pub name: String,
    /// Why it changes nothing.
    pub why: &'static str,
}

impl fmt::Display for WithoutEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no effect: {}", self.name, self.why)
    }
}

/// The configuration is wrong.
#[derive(Debug, thiserror::Error)]
pub struct ConfigError {
    faults: Vec<Fault>,
}

/// One thing that is wrong.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    place: String,
    wrong: String,
}

impl Fault {
    fn new(place: impl fmt::Display, wrong: impl fmt::Display) -> Self {
        Self { place: place.to_string(), wrong: wrong.to_string() }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the configuration is wrong:")?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n  {}: {}", fault.place, fault.wrong))
    }
}

impl Config {
    /// Reads the file that is named (by the command line, else by `LECTERN_CONFIG`, else `lectern.toml` when
    /// it is there), then the variables over it.
    ///
    /// # Errors
    /// Every unknown key and every bad value, all at once.
    pub fn load(file: Option<&Path>, environment: &Environment) -> Result<Self, ConfigError> {
        let mut faults = Vec::new();
        let named = file.or_else(|| environment.config_file().map(Path::new));
        let file = File::find(named, &mut faults);
        Self::read(&file, environment, faults)
    }

    /// The defaults for the demo in its own folder: whatever else is configured, it uses the embedded store
    /// and may call itself. Address and log are taken from the environment.
    ///
    /// # Errors
    /// As [`Config::load`], of the variables that count.
    pub fn for_demo(data_dir: &Path, environment: &Environment) -> Result<Self, ConfigError> {
        let environment = environment.for_demo(data_dir);
        Self::read(&File::default(), &environment, Vec::new())
    }

    /// The settings that are given and change nothing.
    pub fn without_effect(&self) -> &[WithoutEffect] {
        &self.without_effect
    }

    fn read(file: &File, environment: &Environment, faults: Vec<Fault>) -> Result<Self, ConfigError> {
        let mut reader = Reader::new(environment, file, faults);
        let server = Server::read(&mut reader);
        let store = Store::read(&mut reader);
        let files = Files::read(&mut reader);
        let secrets = Secrets::read(&mut reader);
        let outbound = Outbound::read(&mut reader);
        let webhooks = Webhooks::read(&mut reader);
        let lti = Lti::read(&mut reader);
        let pages = Pages::read(&mut reader);
        let mail = Mail::read(&mut reader);
        let identity = Identity::read(&mut reader);
        let model = Model::read(&mut reader);
        let log = Log::read(&mut reader);
        let platform = Platform::read(&mut reader);
        let x402 = X402::read(&mut reader);
        let prices = Prices::read(&mut reader);
        let invoices = Invoices::read(&mut reader);
        let notices = Notices::read(&mut reader);
        let processor = Processor::read(&mut reader);
        let workers = Workers::read(&mut reader);
        let render = Render::read(&mut reader);
        let speech = Speech::read(&mut reader);
        let limits = Limits::read(&mut reader);
        let without_effect = reader.without_effect();
        let entries = reader.finish().map_err(|faults| ConfigError { faults })?;
        let whole = || {
            Some(Self {
                server: server?,
                store: store?,
                files: files?,
                secrets: secrets?,
                outbound: outbound?,
                webhooks: webhooks?,
                lti: lti?,
                pages: pages?,
                mail: mail?,
                identity: identity?,
                model: model?,
                log: log?,
                platform: platform?,
                x402: x402?,
                prices: prices?,
                invoices: invoices?,
                notices: notices?,
                processor: processor?,
                workers: workers?,
                render: render?,
                speech: speech?,
                limits: limits?,
                without_effect,
                entries,
                file: file.path.clone(),
            })
        };
        Ok(whole().expect("a section that can't be read leaves a fault"))
    }
}
