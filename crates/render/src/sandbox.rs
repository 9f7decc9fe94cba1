//! The child's side: a process gives up what an encoder does not need, then becomes the encoder.
//!
//! After [`run`], the program reads system folders and its own, writes to the work folder alone, opens no TCP connection,
//! and has limits of memory, processor time and file size. Kernels without Landlock enforce the resource limits only.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use rlimit::Resource;

/// Folders and files that programs read: libraries, their list, and what they ask of the machine.
const READABLE: [&str; 13] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/proc/self",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
];
/// Devices that programs read and write.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];
/// The newest rules that are asked for. Older kernels enforce what they know of them.
const RULES: ABI = ABI::V6;
/// Files that a program may have open.
const OPEN_FILES: u64 = 256;

/// What a child may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) memory_bytes: u64,
    pub(crate) file_bytes: u64,
    pub(crate) cpu_seconds: u64,
}

impl Limits {
    /// The arguments of [`run`], before the program.
    pub(crate) fn to_arguments(self, work_dir: &Path) -> [OsString; 4] {
        let number = |number: u64| OsString::from(number.to_string());
        [number(self.memory_bytes), number(self.file_bytes), number(self.cpu_seconds), work_dir.into()]
    }
}

/// Limits this process and becomes the program that the arguments name. The arguments are those that
/// [`crate::Launcher::sandboxed`] appends. Call it before anything is opened.
///
/// # Errors
/// Returns only when a limit can't be set or the program not be started.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> io::Error {
    match prepare(arguments.into_iter()) {
        Ok(mut command) => command.exec(),
        Err(error) => error,
    }
}

/// Whether this kernel keeps a child to its work folder. Without Landlock only resources are limited.
#[must_use]
pub fn confines_files() -> bool {
    let ruleset =
        Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(AccessFs::from_all(ABI::V1));
    ruleset.and_then(Ruleset::create).is_ok()
}

/// Whether the kernel keeps children from opening TCP connections, for which it needs a later version of Landlock.
#[must_use]
pub fn confines_connections() -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.handle_access(AccessNet::from_all(ABI::V4)).and_then(Ruleset::create).is_ok()
}

fn prepare(mut arguments: impl Iterator<Item = OsString>) -> io::Result<Command> {
    let mut next = |name: &str| arguments.next().ok_or_else(|| invalid(name));
    let memory_bytes = number(&next("memory")?)?;
    let file_bytes = number(&next("file size")?)?;
    let cpu_seconds = number(&next("processor time")?)?;
    let work_dir = PathBuf::from(next("work folder")?);
    let program = PathBuf::from(next("program")?);
    limit_resources(Limits { memory_bytes, file_bytes, cpu_seconds })?;
    limit_access(&program, &work_dir).map_err(io::Error::other)?;
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}

fn number(argument: &OsStr) -> io::Result<u64> {
    argument.to_str().and_then(|text| text.parse().ok()).ok_or_else(|| invalid("number"))
}

fn invalid(name: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("the sandbox has no {name}"))
}

fn limit_resources(limits: Limits) -> io::Result<()> {
    Resource::AS.set(limits.memory_bytes, limits.memory_bytes)?;
    Resource::FSIZE.set(limits.file_bytes, limits.file_bytes)?;
    Resource::CPU.set(limits.cpu_seconds, limits.cpu_seconds + 1)?;
    Resource::NOFILE.set(OPEN_FILES, OPEN_FILES)?;
    Resource::CORE.set(0, 0)
}

fn limit_access(program: &Path, work_dir: &Path) -> Result<RulesetStatus, RulesetError> {
    let readable = READABLE.iter().map(Path::new).chain(program.parent());
    let devices = AccessFs::ReadFile | AccessFs::WriteFile;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(RULES))?
        .handle_access(AccessNet::from_all(RULES))?
        .scope(Scope::from_all(RULES))?
        .create()?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(RULES)))?
        .add_rules(path_beneath_rules(DEVICES, devices))?
        .add_rules(path_beneath_rules([work_dir], AccessFs::from_all(RULES) & !AccessFs::Execute))?
        .restrict_self()?;
    Ok(status.ruleset)
}
