//! Processes under test: this program started again with `server …`, or the real binary.
//!
//! A child's standard output is its answer, one line at a time; its log goes to a file on the same disk as
//! its database. It ends when its standard input is closed or it is told to terminate.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::de::DeserializeOwned;

use crate::machine;

/// How long a child may take to end before it is killed.
const GRACE: Duration = Duration::from_secs(40);
const POLL: Duration = Duration::from_millis(10);

/// A running child. Dropping it ends it.
pub(crate) struct Child {
    process: std::process::Child,
    output: BufReader<ChildStdout>,
    log: PathBuf,
}

impl Child {
    /// Starts this program again as a server.
    pub(crate) fn server(arguments: &[String], log: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("server").args(arguments);
        Self::start(command, log)
    }

    fn start(mut command: Command, log: &Path) -> anyhow::Result<Self> {
        let stderr = File::options().create(true).append(true).open(log)?;
        // What went wrong is the last line of the log then.
        command.env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut process = command.spawn().with_context(|| format!("can't start {command:?}"))?;
        let output = BufReader::new(process.stdout.take().context("no standard output")?);
        Ok(Self { process, output, log: log.to_owned() })
    }

    /// Starts `lectern serve` with these variables and waits for the address that it is ready on.
    pub(crate) fn lectern(
        binary: &Path,
        role: &str,
        variables: &[(&str, String)],
        log: &Path,
    ) -> anyhow::Result<(Self, SocketAddr)> {
        let mut command = Command::new(binary);
        command.args(["serve", "--role", role]).env("LECTERN_LISTEN", "127.0.0.1:0").env("LECTERN_LOG_FORMAT", "json");
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        let mut child = Self::start(command, log)?;
        let line = child.line()?;
        let address = line.trim().rsplit_once("://").and_then(|(_, address)| address.parse().ok());
        Ok((child, address.with_context(|| format!("lectern said {line:?} instead of its address"))?))
    }

    /// Waits for the child's next line, as JSON.
    pub(crate) fn answer<T: DeserializeOwned>(&mut self) -> anyhow::Result<T> {
        let line = self.line()?;
        serde_json::from_str(&line).with_context(|| format!("a process under test said {line:?}"))
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            let log = std::fs::read_to_string(&self.log).unwrap_or_default();
            let last: Vec<&str> = log.lines().rev().take(5).collect();
            bail!("a process under test ended early; its log {} ends with {last:#?}", self.log.display());
        }
        Ok(line)
    }

    /// The process's number.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Asks the process to end, as a service manager would, and waits for it.
    fn end(&mut self) {
        drop(self.process.stdin.take());
        // Where it can't be run, the grace passes and the process is killed.
        let _ = Command::new("kill").args(["-TERM", &self.pid().to_string()]).status();
        let mut waited = Duration::ZERO;
        while matches!(self.process.try_wait(), Ok(None)) && waited < GRACE {
            machine::pause(POLL);
            waited += POLL;
        }
        // It fails only when the process has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}
