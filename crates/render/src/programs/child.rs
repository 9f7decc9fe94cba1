//! One run of a program: fed, listened to, and ended in time. Dropping the future kills the child.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Child;
use tokio::time::timeout;

use super::{Program, Programs};
use crate::error::RenderError;
use crate::limits::LAST_WORDS_BYTES;

const SIGXFSZ: i32 = 25;
/// What the C library says of a full disk.
const FULL_DISK: &str = "No space left on device";
/// What is read at once.
const CHUNK_BYTES: usize = 16 << 10;

/// A run of a program.
pub(crate) struct Task<'a> {
    pub(crate) program: Program,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) stdin: &'a [u8],
    /// The only folder that the program may write to, and the one that its paths begin at.
    pub(crate) work_dir: &'a Path,
    /// What is read of stdout, in bytes; a longer output is an error.
    pub(crate) stdout_bytes: usize,
    pub(crate) time: Duration,
}

/// What a program left.
pub(crate) struct Output {
    pub(crate) stdout: Vec<u8>,
    /// The end of stderr.
    pub(crate) last_words: String,
}

impl Programs {
    /// Runs a program to its end.
    pub(crate) async fn run(&self, task: Task<'_>) -> Result<Output, RenderError> {
        let program = task.program.name();
        let starting = |error| RenderError::io("starting a program")(error);
        // Processor time is counted over all threads.
        let cpu_seconds = task.time.as_secs().max(1) * self.threads() as u64;
        let path = self.path(task.program).ok_or_else(|| starting(io::ErrorKind::NotFound.into()))?;
        let mut command = self.launcher.command(path, task.work_dir, cpu_seconds);
        command.args(&task.arguments);
        let mut child = command.spawn().map_err(starting)?;
        let Ok(ended) = timeout(task.time, converse(&mut child, task.stdin, task.stdout_bytes)).await else {
            child.kill().await.map_err(RenderError::io("ending a program"))?;
            return Err(RenderError::TimedOut { program, limit: task.time });
        };
        let ended = ended.map_err(RenderError::io("talking to a program"))?;
        judge(program, ended)
    }
}

struct Ended {
    status: ExitStatus,
    stdout: Option<Vec<u8>>,
    last_words: Vec<u8>,
}

/// Feeds and listens at once: neither waits for the other's pipe to be emptied.
async fn converse(child: &mut Child, stdin: &[u8], stdout_bytes: usize) -> io::Result<Ended> {
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut input), Some(output), Some(words)) = pipes else {
        return Err(io::Error::other("the child has no pipes"));
    };
    let feed = async move {
        // A child that ended early says why in its status.
        let _ = input.write_all(stdin).await;
        let _ = input.shutdown().await;
    };
    let ((), stdout, last_words) = tokio::join!(feed, at_most(output, stdout_bytes), end_of(words));
    Ok(Ended { status: child.wait().await?, stdout: stdout?, last_words: last_words? })
}

/// The whole output; `None` where it is longer, which ends with a closed pipe.
async fn at_most(output: impl AsyncRead + Unpin, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut taken = Vec::new();
    output.take(limit as u64 + 1).read_to_end(&mut taken).await?;
    Ok((taken.len() <= limit).then_some(taken))
}

/// The last bytes of an output, which is read to its end.
async fn end_of(mut output: impl AsyncRead + Unpin) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let read = output.read(&mut chunk).await?;
        if read == 0 {
            return Ok(kept);
        }
        kept.extend_from_slice(&chunk[..read]);
        let surplus = kept.len().saturating_sub(LAST_WORDS_BYTES);
        kept.drain(..surplus);
    }
}

fn judge(program: &'static str, ended: Ended) -> Result<Output, RenderError> {
    use std::os::unix::process::ExitStatusExt as _;
    let last_words = String::from_utf8_lossy(&ended.last_words).trim().to_owned();
    if ended.status.signal() == Some(SIGXFSZ) || last_words.contains(FULL_DISK) {
        return Err(RenderError::OutOfSpace);
    }
    let Some(stdout) = ended.stdout else {
        return Err(RenderError::UnusableResult { program, reason: "the output is too long".to_owned() });
    };
    if !ended.status.success() {
        return Err(RenderError::ProgramFailed { program, status: ended.status, last_words });
    }
    Ok(Output { stdout, last_words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Launcher;
    use std::os::unix::fs::PermissionsExt as _;

    /// Programs whose ffmpeg is a shell script.
    fn scripted(folder: &Path, script: &str) -> Programs {
        for program in Program::ALL {
            let path = folder.join(program.name());
            std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        Programs::find(folder.as_os_str(), Launcher::direct()).unwrap()
    }

    fn task<'a>(folder: &'a Path, stdin: &'a [u8], time: Duration) -> Task<'a> {
        Task { program: Program::Ffmpeg, arguments: Vec::new(), stdin, work_dir: folder, stdout_bytes: 100, time }
    }

    const LONG: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn a_program_is_fed_and_its_output_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let echo = scripted(folder.path(), "/bin/cat; echo $HOME$SECRET >&2");
        let output = echo.run(task(folder.path(), b"hello", LONG)).await.unwrap();
        assert_eq!((output.stdout.as_slice(), output.last_words.as_str()), (&b"hello"[..], "/nonexistent"));
        let long = echo.run(task(folder.path(), &[b'a'; 200_000], LONG)).await;
        assert!(matches!(long, Err(RenderError::UnusableResult { program: "ffmpeg", .. })));
    }

    #[tokio::test]
    async fn a_failure_keeps_the_last_words() {
        let folder = tempfile::tempdir().unwrap();
        let script = "i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 3";
        let failed = scripted(folder.path(), script).run(task(folder.path(), b"", LONG)).await;
        let Err(RenderError::ProgramFailed { status, last_words, .. }) = failed else { panic!("no failure") };
        assert_eq!(status.code(), Some(3));
        assert!(last_words.ends_with("line 1999") && last_words.len() <= LAST_WORDS_BYTES);
        let full = scripted(folder.path(), "echo 'x: No space left on device' >&2; exit 1");
        assert!(matches!(full.run(task(folder.path(), b"", LONG)).await, Err(RenderError::OutOfSpace)));
        let too_large = scripted(folder.path(), "kill -XFSZ $$");
        assert!(matches!(too_large.run(task(folder.path(), b"", LONG)).await, Err(RenderError::OutOfSpace)));
    }

    #[tokio::test]
    async fn a_program_that_was_not_found_can_not_be_run() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/bin/true", folder.path().join("ffmpeg")).unwrap();
        let programs = Programs::find_encoder(folder.path().as_os_str(), Launcher::direct()).unwrap();
        let espeak = Task { program: Program::Espeak, ..task(folder.path(), b"", LONG) };
        assert!(matches!(programs.run(espeak).await, Err(RenderError::Io { what: "starting a program", .. })));
    }

    #[tokio::test]
    async fn a_program_that_takes_too_long_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let endless = scripted(folder.path(), "echo $$ > pid; exec /bin/sleep 600");
        let ended = endless.run(task(folder.path(), b"", Duration::from_millis(300))).await;
        assert!(matches!(ended, Err(RenderError::TimedOut { .. })));
    }
}
