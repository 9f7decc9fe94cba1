//! The child's side: read a file from stdin, say on stdout what came of it.
//!
//! The program calls [`run`] for its hidden command, before it has opened anything. The process then gives up what a
//! reader does not need: memory, time, files, further processes. It may be ended at any moment by any file.

use std::io::{self, Read as _, Write as _};

use rlimit::Resource;

use super::limits::{ANSWER_BYTES, CPU_TIME, MEMORY_BYTES, MOST_CHARACTERS, STACK_BYTES};
use super::outcome::{Extracted, FileText};
use super::reader::{self, Format};
use super::sink::Sink;
use crate::incoming::MAX_FILE_BYTES;

/// The exit code of a process whose main thread panicked. [`run`] panics too where a reader does.
pub(super) const PANICKED: i32 = 101;

/// Reads the file on stdin as the format that is named, and writes what it found as JSON to stdout.
///
/// # Panics
/// When a parser does: the process is the file's own, and ends with it.
///
/// # Errors
/// When stdin can't be read or stdout not be written, when a limit can't be set, or when there is no such format.
pub fn run(format: &str) -> io::Result<()> {
    let format = Format::of_name(format).ok_or_else(|| io::Error::other("there is no such format"))?;
    limit_resources()?;
    let reading = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        limit_further()?;
        let mut bytes = Vec::new();
        // A caller that takes larger files has judged them.
        io::stdin().lock().take(16 * MAX_FILE_BYTES as u64).read_to_end(&mut bytes)?;
        Ok::<_, io::Error>(read(format, &bytes))
    })?;
    let text = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let answer = serde_json::to_vec(&text).map_err(io::Error::other)?;
    debug_assert!(answer.len() as u64 <= ANSWER_BYTES, "the answer fits");
    io::stdout().lock().write_all(&answer)
}

fn read(format: Format, bytes: &[u8]) -> Extracted {
    let mut sink = Sink::new(MOST_CHARACTERS);
    match reader::read(format, bytes, &mut sink) {
        Ok(()) => sink.finish(),
        Err(reason) => FileText::Unread(reason).into(),
    }
}

/// What also holds for the thread that is to be made.
fn limit_resources() -> io::Result<()> {
    let seconds = CPU_TIME.as_secs();
    Resource::AS.set(MEMORY_BYTES, MEMORY_BYTES)?;
    // The first limit ends the process with a signal of its own, which tells the parent why.
    Resource::CPU.set(seconds, seconds + 1)?;
    Resource::FSIZE.set(0, 0)?;
    Resource::CORE.set(0, 0)
}

/// No files and no processes beyond those that are there.
fn limit_further() -> io::Result<()> {
    Resource::NPROC.set(0, 0)?;
    Resource::NOFILE.set(0, 0)
}
