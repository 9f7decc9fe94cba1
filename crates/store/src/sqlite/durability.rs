//! How far the log is on the disk, and the answers that wait for it.
//!
//! SQLite itself syncs before it lets go of its lock and shows anybody what was committed. Then each transaction would wait until
//! the disk is done with the one before, whether it needs the disk or not. Here a commit is seen at once and made durable by whoever
//! made it, while others write on. What could be seen in between is told to nobody: a call that may have seen a commit
//! which is on its way to the disk is answered when that has arrived. Other processes on the same file see it at once.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::StoreError;
use crate::call::{Call, Kind};
use crate::meter::Meter;

/// Makes durable what was written to the log.
///
/// Each thread has one of its own: the system tells a failure once to each opening of a file, and whoever is not told would
/// take for durable what is lost.
pub(super) trait Disk: Send {
    fn sync(&mut self) -> io::Result<()>;
}

impl Disk for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// The log of a database that is open. It lies beside the file itself, whatever links lead there.
pub(super) fn disk_of(database: &Path) -> io::Result<File> {
    let mut name = database.canonicalize()?.into_os_string();
    name.push("-wal");
    // Unlike those of the database, the log's locks are not lost when a file is closed: it has none.
    OpenOptions::new().write(true).open(name)
}

/// The commits of this process by their numbers, which count up from 1.
pub(super) struct Durability {
    /// The newest one that somebody has to be told of; known before it can be seen.
    to_be_told: AtomicU64,
    /// The newest one.
    committed: AtomicU64,
    /// All up to this one are durable, or among those that may be lost.
    settled: AtomicU64,
    /// The newest one that may be lost; 0 for none.
    doubtful: AtomicU64,
    /// A sync or a commit failed, and the disk may lack what was committed before for good: what comes behind a gap in the log
    /// is not found again.
    has_gap: AtomicBool,
    /// Nobody commits any more.
    is_broken: AtomicBool,
    waiting: Mutex<Waiting>,
    most_waiting: usize,
}

/// Calls that have run, each with the newest commit that it may have seen.
struct Waiting {
    calls: Vec<(u64, Box<dyn Call>)>,
    meter: Meter,
}

impl Durability {
    /// Nothing is committed yet. Of calls that wait for the disk, those beyond a limit are refused.
    pub(super) fn new(most_waiting: usize) -> Self {
        Self {
            to_be_told: AtomicU64::default(),
            committed: AtomicU64::default(),
            settled: AtomicU64::default(),
            doubtful: AtomicU64::default(),
            has_gap: AtomicBool::default(),
            is_broken: AtomicBool::default(),
            waiting: Mutex::new(Waiting { calls: Vec::new(), meter: Meter::new("durability") }),
            most_waiting,
        }
    }

    /// A commit begins; gives its number. One at a time.
    pub(super) fn begin(&self, is_to_be_told: bool) -> u64 {
        let number = self.committed.load(Ordering::SeqCst) + 1;
        if is_to_be_told {
            self.to_be_told.store(number, Ordering::SeqCst);
        }
        number
    }

    /// The commit that began has ended, well or not.
    pub(super) fn end(&self, number: u64) {
        self.committed.store(number, Ordering::SeqCst);
    }

    /// The newest commit that whoever looks at the database may see by now, of those that are to be durable.
    pub(super) fn seen(&self) -> u64 {
        self.to_be_told.load(Ordering::SeqCst)
    }

    /// Waits until a commit is durable, with all before it.
    ///
    /// # Errors
    /// When that failed: nobody knows.
    pub(super) fn reach(&self, number: u64, disk: &mut dyn Disk) -> Result<(), StoreError> {
        if !self.is_settled(number) {
            let committed = self.committed.load(Ordering::SeqCst);
            let synced = disk.sync();
            if let Err(error) = &synced {
                tracing::error!(%error, "the write-ahead log could not be made durable");
            }
            // Behind a gap that another thread has met, nothing is durable.
            if synced.is_err() || self.doubtful.load(Ordering::SeqCst) > 0 {
                self.doubtful.fetch_max(committed, Ordering::SeqCst);
                self.leave_gap();
            }
            self.settle(committed);
            synced.map_err(|_| StoreError::Unavailable)?;
        }
        if self.is_doubtful(number) { Err(StoreError::Unavailable) } else { Ok(()) }
    }

    /// Answers a call when what it has seen is durable: at once, where that is not on its way to the disk.
    pub(super) fn answer(&self, call: Box<dyn Call>, seen: u64, meter: &mut Meter) {
        if self.is_settled(seen) {
            return self.tell(call, seen, meter);
        }
        let mut waiting = self.waiting();
        // What has been settled meanwhile has passed this one over.
        if self.is_settled(seen) {
            drop(waiting);
            return self.tell(call, seen, meter);
        }
        if self.is_broken.load(Ordering::SeqCst) {
            drop(waiting);
            return call.refuse(StoreError::Unavailable);
        }
        if waiting.calls.len() >= self.most_waiting {
            waiting.calls.retain(|(_, call)| !call.is_abandoned());
        }
        match waiting.calls.len() < self.most_waiting {
            true => waiting.calls.push((seen, call)),
            false => call.refuse(StoreError::Unavailable),
        }
        waiting.meter.depth(waiting.calls.len());
    }

    /// Nobody will make durable what is not: gives those that wait for it, to be refused as all that come later are.
    pub(super) fn break_off(&self) -> impl Iterator<Item = Box<dyn Call>> + use<> {
        let mut waiting = self.waiting();
        self.is_broken.store(true, Ordering::SeqCst);
        std::mem::take(&mut waiting.calls).into_iter().map(|(_, call)| call)
    }

    /// There are commits that are not known to be durable.
    pub(super) fn is_behind(&self) -> bool {
        !self.is_settled(self.committed.load(Ordering::SeqCst))
    }

    /// What is not known to be durable may be lost.
    pub(super) fn leave_gap(&self) {
        self.has_gap.store(true, Ordering::SeqCst);
    }

    pub(super) fn has_gap(&self) -> bool {
        self.has_gap.load(Ordering::SeqCst)
    }

    /// All that was committed is durable in the database file, and so is that the log is empty. Nobody commits meanwhile.
    pub(super) fn close_gap(&self) {
        // In this order: who meets another gap meanwhile may leave one without doubts, but no doubts without one.
        self.has_gap.store(false, Ordering::SeqCst);
        self.doubtful.store(0, Ordering::SeqCst);
        self.settle(self.committed.load(Ordering::SeqCst));
    }

    /// Nobody waits any longer for commits up to this one.
    fn settle(&self, number: u64) {
        let mut waiting = self.waiting();
        self.settled.fetch_max(number, Ordering::SeqCst);
        let Waiting { calls, meter } = &mut *waiting;
        for (seen, call) in calls.extract_if(.., |(seen, _)| self.is_settled(*seen)) {
            self.tell(call, seen, meter);
        }
        meter.depth(calls.len());
    }

    /// Who has read what may be lost is answered: so far it is there. Whoever writes is to know.
    fn tell(&self, call: Box<dyn Call>, seen: u64, meter: &mut Meter) {
        meter.observe(&*call);
        match call.kind() != Kind::Read && self.is_doubtful(seen) {
            true => call.refuse(StoreError::Unavailable),
            false => call.answer(),
        }
    }

    fn is_settled(&self, number: u64) -> bool {
        number <= self.settled.load(Ordering::SeqCst)
    }

    fn is_doubtful(&self, number: u64) -> bool {
        (1..=self.doubtful.load(Ordering::SeqCst)).contains(&number)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Nothing below can panic halfway through a change.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
