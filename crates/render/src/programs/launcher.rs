//! How a child is started: by the service's own program, which limits itself and becomes the other program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use crate::limits::{CHILD_FILE_BYTES, CHILD_MEMORY_BYTES};
use crate::sandbox::Limits;

/// The home of programs, so that none keeps settings.
const NO_FOLDER: &str = "/nonexistent";

/// How a child is limited.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The program and its first arguments; `None` starts programs without limits.
    through: Option<(PathBuf, Vec<OsString>)>,
}

impl Launcher {
    /// Starts this program with these arguments first; it must then call [`crate::sandbox::run`] with the rest.
    /// A service names itself and a hidden command.
    #[must_use]
    pub fn sandboxed(program: PathBuf, arguments: Vec<OsString>) -> Self {
        Self { through: Some((program, arguments)) }
    }

    /// Starts programs without limits of memory, files and network. For tests and examples alone.
    #[must_use]
    pub const fn direct() -> Self {
        Self { through: None }
    }

    /// A command that runs `program` in `work_dir`, with an empty environment, and ends with its handle.
    pub(super) fn command(&self, program: &Path, work_dir: &Path, cpu_seconds: u64) -> Command {
        let mut command = match &self.through {
            None => Command::new(program),
            Some((through, arguments)) => {
                let limits = Limits { memory_bytes: CHILD_MEMORY_BYTES, file_bytes: CHILD_FILE_BYTES, cpu_seconds };
                let mut command = Command::new(through);
                command.args(arguments).args(limits.to_arguments(work_dir)).arg(program);
                command
            }
        };
        command.current_dir(work_dir).env_clear().env("HOME", NO_FOLDER).env("LANG", "C.UTF-8");
        // A terminal's Ctrl-C is for the service, which then ends its children.
        command.process_group(0).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}
