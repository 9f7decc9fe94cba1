//! What the store tells about itself: how long transactions take and how deep its queues are.
//!
//! The handles are looked up once per thread and name, so that an observation costs no allocation; a
//! recorder must be installed before the store is opened.

use std::collections::HashMap;
use std::time::Instant;

use metrics::{Counter, Gauge, Histogram};

use crate::call::{Call, Kind};

/// The metrics of one engine thread.
pub(crate) struct Meter {
    seconds: HashMap<(usize, Kind), Histogram>,
    depth: Gauge,
    retries: Counter,
}

impl Meter {
    /// `queue` names the queue that the thread serves.
    pub(crate) fn new(queue: &'static str) -> Self {
        Self {
            seconds: HashMap::new(),
            depth: metrics::gauge!("lectern_store_waiting_operations", "queue" => queue),
            retries: metrics::counter!("lectern_store_transaction_retries_total"),
        }
    }

    /// Notes the time from the call's submission to its answer, waiting included.
    pub(crate) fn observe(&mut self, call: &dyn Call) {
        let (name, kind) = (call.name(), call.kind());
        self.seconds
            .entry((name.as_ptr().addr(), kind))
            .or_insert_with(|| metrics::histogram!("lectern_store_transaction_duration_seconds", "name" => name, "kind" => kind.name()))
            .record(call.submitted_at().elapsed().as_secs_f64());
    }

    pub(crate) fn depth(&self, depth: usize) {
        // Precision does not matter beyond 2^52 waiting calls.
        self.depth.set(f64::from(u32::try_from(depth).unwrap_or(u32::MAX)));
    }

    pub(crate) fn retry(&self) {
        self.retries.increment(1);
    }
}

/// The monotonic clock, for measuring only: what the program decides by time comes from `Ambient`.
pub(crate) fn now() -> Instant {
    Instant::now()
}
