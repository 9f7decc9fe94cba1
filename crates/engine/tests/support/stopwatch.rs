//! How long a thread has worked, whatever else the machine does meanwhile.

use std::time::{Duration, Instant};

/// Counts the processor time of the thread that started it; on systems that don't tell it, the time
/// that passes.
pub(crate) struct Stopwatch {
    worked: Option<Duration>,
    started: Instant,
}

impl Stopwatch {
    /// Starts counting.
    pub(crate) fn start() -> Self {
        Self { worked: worked(), started: Instant::now() }
    }

    /// The seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        let since = |before: Duration| Some(worked()?.saturating_sub(before));
        self.worked.and_then(since).unwrap_or_else(|| self.started.elapsed()).as_secs_f64()
    }
}

/// The processor time that this thread has had, as Linux counts it in nanoseconds.
fn worked() -> Option<Duration> {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    counts.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
