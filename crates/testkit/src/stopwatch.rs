//! How long a thread has worked, whatever else the machine does meanwhile.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Counts the processor time of the thread that started it.
pub struct Stopwatch(Duration);

impl Stopwatch {
    /// Starts counting.
    pub fn start() -> Self {
        Self(worked())
    }

    /// The seconds since the start.
    pub fn seconds(&self) -> f64 {
        worked().saturating_sub(self.0).as_secs_f64()
    }
}

fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a thread has not worked less than nothing")
}
