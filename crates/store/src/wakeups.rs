//! Tells waiting workers that a commit left work for them.
//!
//! A wake-up is a hint that saves polling, never the only way to find work: every waiter polls too.
//! The last step before PostgreSQL's `NOTIFY` is in `postgres/listen.rs`.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use crate::Words;

/// A table that workers wait on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Queue {
    /// The `job` table.
    Jobs,
    /// The `delivery` table.
    Deliveries,
    /// The `lti_sync` table.
    GradeSyncs,
}

/// A set of queues, as collected by a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Queues(u8);

impl Queues {
    pub(crate) const ALL: Self = Self(0b111);

    pub(crate) fn insert(&mut self, queue: Queue) {
        self.0 |= 1 << queue as u8;
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn contains(self, queue: Queue) -> bool {
        self.0 & (1 << queue as u8) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The wake-ups of one store.
#[derive(Debug, Default)]
pub struct Wakeups {
    jobs: Notify,
    deliveries: Notify,
    grade_syncs: Notify,
    /// Queues that other processes have not been told of yet.
    outbound: AtomicU8,
    outbound_signal: Notify,
}

impl Wakeups {
    /// Waits until a commit wakes `queue`, here or in another process on PostgreSQL, at most
    /// `timeout`. True when woken. A wake-up that came before the call counts, once; when several
    /// tasks wait for one queue, one of them is woken.
    pub async fn wait(&self, queue: Queue, timeout: Duration) -> bool {
        tokio::time::timeout(timeout, self.signal(queue).notified()).await.is_ok()
    }

    /// Wakes a waiter of each queue in this process.
    pub(crate) fn wake(&self, queues: Queues) {
        for queue in Queue::ALL {
            if queues.contains(queue) {
                self.signal(queue).notify_one();
            }
        }
    }

    /// Asks the notifier to tell the other processes.
    pub(crate) fn tell_others(&self, queues: Queues) {
        // Only the first of a burst has to wake the notifier: it takes all bits at once.
        if !queues.is_empty() && self.outbound.fetch_or(queues.0, Ordering::AcqRel) == 0 {
            self.outbound_signal.notify_one();
        }
    }

    /// Waits for something to tell the other processes, and takes it.
    pub(crate) async fn outbound(&self) -> Queues {
        loop {
            let queues = Queues(self.outbound.swap(0, Ordering::AcqRel));
            if !queues.is_empty() {
                return queues;
            }
            self.outbound_signal.notified().await;
        }
    }

    fn signal(&self, queue: Queue) -> &Notify {
        match queue {
            Queue::Jobs => &self.jobs,
            Queue::Deliveries => &self.deliveries,
            Queue::GradeSyncs => &self.grade_syncs,
        }
    }
}
