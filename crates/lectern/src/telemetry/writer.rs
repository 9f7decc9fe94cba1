//! Log lines on their way out: a bounded buffer that requests append to and one thread that writes it.
//!
//! A request never waits for stderr. When stderr is slower than the service, lines are dropped and counted
//! rather than kept: memory stays bounded, and the count is logged. Lines are written many at a time: the
//! thread rests a few milliseconds between two writes.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// Lines beyond this wait nowhere.
const MOST_BUFFERED_BYTES: usize = 4 * 1024 * 1024;
/// A buffer that grew larger in a burst is not kept.
const KEPT_BYTES: usize = 64 * 1024;
/// How long lines may gather before they are written.
const GATHER: Duration = Duration::from_millis(5);

#[derive(Default)]
struct Buffer {
    lines: Vec<u8>,
    dropped: u64,
    is_idle: bool,
    is_closing: bool,
}

#[derive(Default)]
struct Shared {
    buffer: Mutex<Buffer>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the writer of one line. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Lines(Arc<Shared>);

/// Writes out what is left when it is dropped.
pub(crate) struct Guard {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// Starts the thread.
pub(super) fn start(out: impl Write + Send + 'static) -> io::Result<(Lines, Guard)> {
    let shared = Arc::new(Shared::default());
    let of_thread = shared.clone();
    let thread = std::thread::Builder::new().name("log".to_owned()).spawn(move || run(&of_thread, out))?;
    Ok((Lines(shared.clone()), Guard { shared, thread: Some(thread) }))
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

/// The subscriber hands over whole lines.
impl Write for &Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut buffer = self.0.lock();
        if buffer.lines.len() + line.len() > MOST_BUFFERED_BYTES {
            buffer.dropped += 1;
            return Ok(line.len());
        }
        buffer.lines.extend_from_slice(line);
        if std::mem::take(&mut buffer.is_idle) {
            self.0.changed.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.shared.lock().is_closing = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(shared: &Shared, mut out: impl Write) {
    let mut lines = Vec::new();
    loop {
        let (dropped, is_closing) = next(shared, &mut lines);
        // A closed stderr is nobody's loss; there is no place left to say so.
        let _ = out.write_all(&lines);
        if dropped > 0 {
            metrics::counter!("lectern_log_lines_dropped_total").increment(dropped);
            let _ = writeln!(out, "{{\"level\":\"WARN\",\"message\":\"{dropped} log lines were dropped\"}}");
        }
        let _ = out.flush();
        if is_closing {
            return;
        }
        lines.clear();
        lines.shrink_to(KEPT_BYTES);
    }
}

/// Waits for lines, lets some more gather, and takes them all.
fn next(shared: &Shared, lines: &mut Vec<u8>) -> (u64, bool) {
    let mut buffer = shared.lock();
    while buffer.lines.is_empty() && buffer.dropped == 0 && !buffer.is_closing {
        buffer.is_idle = true;
        buffer = shared.changed.wait(buffer).unwrap_or_else(PoisonError::into_inner);
    }
    buffer.is_idle = false;
    let (mut buffer, _) = shared
        .changed
        .wait_timeout_while(buffer, GATHER, |buffer| !buffer.is_closing)
        .unwrap_or_else(PoisonError::into_inner);
    std::mem::swap(&mut buffer.lines, lines);
    (std::mem::take(&mut buffer.dropped), buffer.is_closing)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A reader that takes nothing until it is told to.
    struct Gate {
        open: mpsc::Receiver<()>,
        seen: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Gate {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.open.recv();
            self.seen.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_keep_their_order_and_all_are_written_at_the_end() {
        let (open, gate) = mpsc::channel();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (lines, guard) = start(Gate { open: gate, seen: seen.clone() }).unwrap();
        for number in 0..1000 {
            writeln!(&lines, "{number}").unwrap();
        }
        drop(open);
        drop(guard);
        let text = String::from_utf8(seen.lock().unwrap().clone()).unwrap();
        let expected: String = (0..1000).map(|number| format!("{number}\n")).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn a_stuck_reader_costs_lines_and_no_waiting() {
        let (open, gate) = mpsc::channel();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (lines, guard) = start(Gate { open: gate, seen: seen.clone() }).unwrap();
        let line = [b'x'; 1024];
        for _ in 0..3 * MOST_BUFFERED_BYTES / line.len() {
            (&lines).write_all(&line).unwrap();
        }
        drop(open);
        drop(guard);
        let text = String::from_utf8(seen.lock().unwrap().clone()).unwrap();
        assert!(text.len() < 2 * MOST_BUFFERED_BYTES + 1024, "{}", text.len());
        assert!(text.ends_with("log lines were dropped\"}\n"), "{}", &text[text.len() - 60..]);
    }
}
