//! Tells a thread of the store that waits between two rounds to end.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Set once, never reset.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    is_stopped: Mutex<bool>,
    changed: Condvar,
}

impl Stop {
    pub(crate) fn stop(&self) {
        *self.is_stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        *self.is_stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits at most `period`. True when the thread has to end.
    pub(crate) fn wait(&self, period: Duration) -> bool {
        let is_stopped = self.is_stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let (is_stopped, _) = self
            .changed
            .wait_timeout_while(is_stopped, period, |is_stopped| !*is_stopped)
            .unwrap_or_else(PoisonError::into_inner);
        *is_stopped
    }
}
