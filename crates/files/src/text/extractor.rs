//! The parent's side: children, each for one file, each ended in time.

use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::limits::{ANSWER_BYTES, LAST_WORDS_BYTES, MOST_CHARACTERS, WALL_TIME};
use super::outcome::{Extracted, FileText, Unread};
use super::reader::Format;
use super::sink::Sink;
use crate::Kind;
use crate::kind;

/// What Rust's runtime says when there is no memory left. A child that ends without it is called damaged instead.
const OUT_OF_MEMORY: &str = "memory allocation of";
const SIGABRT: i32 = 6;
const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;

/// How children are started.
#[derive(Clone, Debug)]
pub struct ExtractorOptions {
    /// The program whose hidden command calls [`super::child::run`].
    pub program: PathBuf,
    /// The hidden command; the format's name follows it.
    pub command: String,
    /// The whole environment of a child.
    pub environment: Vec<(String, String)>,
    /// Children at once.
    pub children: usize,
    /// The time that a child has.
    pub wall_time: Duration,
}

impl ExtractorOptions {
    /// Children of a program that has the command `extract-text`, as many at once as there are cores.
    pub fn new(program: PathBuf) -> Self {
        let children = std::thread::available_parallelism().map_or(1, usize::from);
        let command = "extract-text".to_owned();
        Self { program, command, environment: Vec::new(), children, wall_time: WALL_TIME }
    }
}

/// Reads files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Extractor {
    options: Arc<ExtractorOptions>,
}

/// A file was not read, and it is not the file's fault: it may be tried again.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The child can't be started or was ended by somebody else.
    #[error("files can't be read at the moment")]
    Unavailable(#[source] io::Error),
}

impl Extractor {
    /// An extractor; nothing is started yet.
    pub fn new(options: ExtractorOptions) -> Self {
        Self { options: Arc::new(options) }
    }

    /// How many children the machine has room for. Whoever extracts keeps to it.
    pub fn children(&self) -> usize {
        self.options.children.max(1)
    }

    /// The text of a file of this kind. Dropping the future ends the child.
    ///
    /// # Errors
    /// When the file may be tried again.
    pub async fn extract(&self, kind: Kind, bytes: Bytes) -> Result<Extracted, ExtractError> {
        let format = match kind {
            Kind::Pdf => Format::Pdf,
            Kind::Docx => Format::Docx,
            Kind::Html => Format::Html,
            Kind::Markdown | Kind::PlainText => {
                let text = tokio::task::spawn_blocking(move || plain(&bytes)).await;
                return text
                    .map(Extracted::from)
                    .map_err(|crashed| ExtractError::Unavailable(io::Error::other(crashed)));
            }
            Kind::Png | Kind::Jpeg | Kind::Gif | Kind::WebP => return Ok(FileText::Unread(Unread::Picture).into()),
            Kind::Unknown => return Ok(FileText::Unread(Unread::Unsupported).into()),
        };
        let mut child = self.start(format).map_err(ExtractError::Unavailable)?;
        match timeout(self.options.wall_time, converse(&mut child, &bytes)).await {
            Ok(ended) => judge(ended.map_err(ExtractError::Unavailable)?),
            Err(_) => {
                child.kill().await.map_err(ExtractError::Unavailable)?;
                Ok(FileText::Unread(Unread::TookTooLong).into())
            }
        }
    }

    fn start(&self, format: Format) -> io::Result<Child> {
        let mut command = Command::new(&self.options.program);
        command.arg(&self.options.command).arg(format.name()).current_dir("/").env_clear();
        command.envs(self.options.environment.iter().map(|(name, value)| (name, value)));
        // A terminal's Ctrl-C is for the service, which then finishes what it has begun.
        command.process_group(0).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }
}

fn plain(bytes: &[u8]) -> FileText {
    let Some(text) = kind::decode(bytes) else { return FileText::Unread(Unread::Damaged) };
    let mut sink = Sink::new(MOST_CHARACTERS);
    sink.push_str(&text);
    sink.finish().text
}

/// What a child left.
struct Ended {
    status: ExitStatus,
    answer: Vec<u8>,
    last_words: Vec<u8>,
}

/// Gives the child the file and takes its answer, both at once: neither waits for the other's pipe to be emptied.
async fn converse(child: &mut Child, bytes: &[u8]) -> io::Result<Ended> {
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(io::Error::other("the child has no pipes"));
    };
    let tell = async move {
        // A child that ended early has said why, or its exit code does.
        let _ = stdin.write_all(bytes).await;
        drop(stdin);
    };
    let ((), answer, last_words) = tokio::join!(tell, at_most(stdout, ANSWER_BYTES), at_most(stderr, LAST_WORDS_BYTES));
    Ok(Ended { status: child.wait().await?, answer: answer?, last_words: last_words? })
}

/// A longer output ends with a closed pipe, and its writer with it.
async fn at_most(output: impl AsyncRead + Unpin, limit: u64) -> io::Result<Vec<u8>> {
    let mut taken = Vec::new();
    output.take(limit).read_to_end(&mut taken).await?;
    Ok(taken)
}

fn judge(ended: Ended) -> Result<Extracted, ExtractError> {
    use std::os::unix::process::ExitStatusExt as _;
    if ended.status.success() {
        let answer = serde_json::from_slice(&ended.answer).map_err(io::Error::from);
        return answer.map_err(ExtractError::Unavailable);
    }
    let is_out_of_memory = String::from_utf8_lossy(&ended.last_words).contains(OUT_OF_MEMORY);
    match ended.status.signal() {
        Some(SIGXCPU) => Ok(FileText::Unread(Unread::TookTooLong).into()),
        _ if is_out_of_memory => Ok(FileText::Unread(Unread::TooLarge).into()),
        Some(SIGABRT | SIGBUS | SIGSEGV) => Ok(FileText::Unread(Unread::Damaged).into()),
        // A panic of a parser.
        None if ended.status.code() == Some(super::child::PANICKED) => Ok(FileText::Unread(Unread::Damaged).into()),
        _ => Err(ExtractError::Unavailable(io::Error::other(format!("the child ended with {}", ended.status)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extractor(program: &str) -> Extractor {
        Extractor::new(ExtractorOptions::new(PathBuf::from(program)))
    }

    fn extract(extractor: &Extractor, kind: Kind, bytes: &'static [u8]) -> Result<FileText, ExtractError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(extractor.extract(kind, Bytes::from_static(bytes))).map(|found| found.text)
    }

    #[test]
    fn plain_text_needs_no_child_and_pictures_have_none() {
        let none = extractor("/nonexistent");
        let text = |kind, bytes| extract(&none, kind, bytes).unwrap();
        assert_eq!(text(Kind::PlainText, b"na\xefve\0"), FileText::Unread(Unread::Damaged));
        assert_eq!(text(Kind::PlainText, b"na\xefve\r\n"), FileText::Whole("naïve".to_owned()));
        assert_eq!(text(Kind::Markdown, b"# One\n\n- two"), FileText::Whole("# One\n\n- two".to_owned()));
        assert_eq!(text(Kind::WebP, b""), FileText::Unread(Unread::Picture));
        assert_eq!(text(Kind::Unknown, b""), FileText::Unread(Unread::Unsupported));
        assert_eq!(text(Kind::PlainText, b""), FileText::Unread(Unread::NoText));
    }

    #[test]
    fn a_program_that_is_not_there_is_no_fault_of_the_file() {
        assert!(matches!(extract(&extractor("/nonexistent"), Kind::Pdf, b""), Err(ExtractError::Unavailable(_))));
        assert!(matches!(extract(&extractor("/bin/false"), Kind::Pdf, b"x"), Err(ExtractError::Unavailable(_))));
        assert!(matches!(extract(&extractor("/bin/true"), Kind::Pdf, b"x"), Err(ExtractError::Unavailable(_))));
    }

    #[test]
    fn how_a_child_ended_says_what_the_file_is() {
        use std::os::unix::process::ExitStatusExt as _;
        let judged = |raw, last_words: &str| {
            let status = ExitStatus::from_raw(raw);
            judge(Ended { status, answer: Vec::new(), last_words: last_words.into() }).ok().map(|found| found.text)
        };
        let unread = |reason| Some(FileText::Unread(reason));
        assert_eq!(judged(SIGXCPU, ""), unread(Unread::TookTooLong));
        assert_eq!(judged(SIGABRT, "memory allocation of 9 bytes failed"), unread(Unread::TooLarge));
        assert_eq!(judged(SIGABRT, "thread has overflowed its stack"), unread(Unread::Damaged));
        assert_eq!(judged(SIGSEGV, ""), unread(Unread::Damaged));
        assert_eq!(judged(super::super::child::PANICKED << 8, "panicked at"), unread(Unread::Damaged));
        assert_eq!(judged(9, ""), None, "somebody else ended it");
        assert_eq!(judged(1 << 8, ""), None);
    }

    #[test]
    fn a_child_that_does_not_end_is_ended() {
        // It waits for a file named `pdf` to appear.
        let options = ExtractorOptions {
            command: "-F".to_owned(),
            wall_time: Duration::from_millis(50),
            ..ExtractorOptions::new(PathBuf::from("/usr/bin/tail"))
        };
        let ended = extract(&Extractor::new(options), Kind::Pdf, b"x");
        assert_eq!(ended.unwrap(), FileText::Unread(Unread::TookTooLong));
    }
}
