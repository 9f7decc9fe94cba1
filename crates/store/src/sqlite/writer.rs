//! The thread that writes, with group commit: what waits is run together, committed with one `fsync`, and only then answered.
//! Where all of it may wait for somebody else's `fsync`, there is none.
//!
//! A savepoint for each operation would copy every page that it changes. Few fail after they have changed something: then the
//! group is rolled back and run once more, now each in a savepoint of its own.
//!
//! Nobody in a group is answered before its commit, not even those that failed: a failure may come
//! from what a neighbour wrote, and that is true only once it is committed.

use std::sync::Arc;
use std::time::Duration;

use kernel::ambient::Ambient;

use super::Connection;
use super::error::store_error;
use super::place::Place;
use crate::call::{Call, Kind, Verdict};
use crate::meter::{self, Meter};
use crate::queue::Queue;
use crate::wakeups::Queues;
use crate::{StoreError, Tx, Wakeups};

/// Operations in one commit.
const GROUP: usize = 256;
/// A group is committed when it has run this long, so that one slow operation delays few others.
const GROUP_TIME: Duration = Duration::from_millis(10);

/// What an operation leaves in the transaction.
enum Remains {
    /// What it is to leave.
    Right,
    /// What is to be undone.
    Wrong,
}

/// The only connection of this process that changes rows.
pub(super) struct Writer {
    connection: Connection,
    place: Place,
    ambient: Ambient,
    wakeups: Arc<Wakeups>,
    meter: Meter,
    /// Commits reach the disk before they are answered.
    is_synced: bool,
    /// There are commits that have not reached it.
    has_unsynced: bool,
    /// A commit failed while there were such. The disk may lack them for good now, and what comes behind a gap in the log is not
    /// found again.
    has_gap: bool,
}

impl Writer {
    pub(super) fn new(connection: Connection, place: Place, ambient: Ambient, wakeups: Arc<Wakeups>) -> Self {
        Self {
            connection,
            place,
            ambient,
            wakeups,
            meter: Meter::new("writes"),
            is_synced: true,
            has_unsynced: false,
            has_gap: false,
        }
    }

    /// Serves the queue until it is closed.
    pub(super) fn run(mut self, queue: &Queue<Box<dyn Call>>) {
        let mut waiting = Vec::with_capacity(GROUP);
        let mut done = Vec::with_capacity(GROUP);
        while queue.pop(&mut waiting, GROUP) {
            self.meter.depth(queue.len());
            let is_synced = waiting.iter().any(|call| call.kind() != Kind::DelayedClaim);
            let mut calls = waiting.drain(..).peekable();
            while calls.peek().is_some() {
                let outcome = self.run_group(&mut calls, is_synced, &mut done);
                self.answer(&mut done, outcome);
            }
        }
    }

    /// Runs calls and commits them. Moves those that were part of it to `done`, at least one.
    fn run_group(
        &mut self,
        calls: &mut impl Iterator<Item = Box<dyn Call>>,
        is_synced: bool,
        done: &mut Vec<Box<dyn Call>>,
    ) -> Result<(), StoreError> {
        let mut calls = calls.filter(|call| !call.is_abandoned());
        let Some(first) = calls.next() else {
            return Ok(());
        };
        let mut next = Some(first);
        if let Err(error) = self.begin(is_synced) {
            // Whatever keeps this one out keeps the rest of the group out too.
            done.extend(next);
            done.extend(calls);
            return Err(error);
        }
        let started = meter::now();
        let changes = self.connection.raw().total_changes();
        let mut wakes = Queues::default();
        let (mut has_savepoints, mut was_rolled_back) = (false, false);
        while let Some(mut call) = next {
            let result = match has_savepoints {
                true => self.run_in_savepoint(&mut *call, &mut wakes).map(|()| Remains::Right),
                false => self.run_call(&mut *call, &mut wakes),
            };
            done.push(call);
            if let Remains::Wrong = result? {
                self.connection.control("ROLLBACK")?;
                was_rolled_back = true;
                self.begin(is_synced)?;
                // The first one saw nothing but what is committed: what came of it stands.
                if done.len() > 1 {
                    (wakes, has_savepoints) = (Queues::default(), true);
                    done.iter_mut().try_for_each(|call| self.run_in_savepoint(&mut **call, &mut wakes))?;
                }
            }
            next = if started.elapsed() < GROUP_TIME { calls.next() } else { None };
        }
        if let Err(error) = self.connection.control("COMMIT") {
            self.has_gap |= self.has_unsynced;
            return Err(error);
        }
        // A commit without changes syncs nothing; after a rollback the count does not tell whether there were any.
        let is_changed = !was_rolled_back && self.connection.raw().total_changes() != changes;
        self.has_unsynced = !is_synced || self.has_unsynced && !is_changed;
        if !self.place.look() {
            // Durable in a file that nobody will find again.
            return Err(StoreError::Unavailable);
        }
        self.wakeups.wake(wakes);
        Ok(())
    }

    fn begin(&mut self, is_synced: bool) -> Result<(), StoreError> {
        if self.place.is_lost() {
            return Err(StoreError::Unavailable);
        }
        if self.has_gap {
            self.begin_log_anew()?;
        }
        if self.is_synced != is_synced {
            // A sync makes all of the log durable, whoever wrote it.
            let pragma = if is_synced { "PRAGMA synchronous = FULL" } else { "PRAGMA synchronous = NORMAL" };
            self.connection.raw().execute_batch(pragma).map_err(store_error)?;
            self.is_synced = is_synced;
        }
        self.connection.control("BEGIN IMMEDIATE")
    }

    /// Moves all of the log into the database file; what the disk lacks of it is still in memory.
    fn begin_log_anew(&mut self) -> Result<(), StoreError> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy: bool = self.connection.raw().query_row(checkpoint, [], |row| row.get(0)).map_err(store_error)?;
        if is_busy {
            return Err(StoreError::Unavailable);
        }
        (self.has_gap, self.has_unsynced) = (false, false);
        Ok(())
    }

    fn run_in_savepoint(&self, call: &mut dyn Call, wakes: &mut Queues) -> Result<(), StoreError> {
        self.connection.control("SAVEPOINT operation")?;
        if let Remains::Wrong = self.run_call(call, wakes)? {
            self.connection.control("ROLLBACK TO operation")?;
        }
        self.connection.control("RELEASE operation")
    }

    fn run_call(&self, call: &mut dyn Call, wakes: &mut Queues) -> Result<Remains, StoreError> {
        let changes = self.connection.raw().total_changes();
        let mut tx = Tx::sqlite(&self.connection, call.kind(), &self.ambient);
        let verdict = call.run(&mut tx);
        let woken = tx.wakes();
        if !self.connection.is_in_transaction() {
            // SQLite rolled the whole group back, as it may when the disk is full.
            return Err(StoreError::Unavailable);
        }
        match verdict {
            Verdict::Keep => wakes.merge(woken),
            Verdict::Undo if self.connection.raw().total_changes() == changes => {}
            Verdict::Undo => return Ok(Remains::Wrong),
        }
        Ok(Remains::Right)
    }

    fn answer(&mut self, done: &mut Vec<Box<dyn Call>>, outcome: Result<(), StoreError>) {
        if outcome.is_err() && self.connection.is_in_transaction() {
            // When even this fails, the next BEGIN says so.
            let _ = self.connection.control("ROLLBACK");
        }
        for call in done.drain(..) {
            self.meter.observe(&*call);
            match outcome {
                Ok(()) => call.answer(),
                Err(_) => call.refuse(StoreError::Unavailable),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;
    use crate::call::Operation;
    use crate::sqlite::open;

    fn write(writer: &mut Writer, kind: Kind) -> Result<(), StoreError> {
        write_or_fail(writer, kind, false)
    }

    fn write_or_fail(writer: &mut Writer, kind: Kind, fails: bool) -> Result<(), StoreError> {
        let (caller, mut outcome) = oneshot::channel();
        let insert = move |tx: &mut Tx<'_>| {
            let id: kernel::id::JobId = tx.ambient().id();
            let insert = "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, 0, 0)";
            tx.execute(insert, &[&id.to_string().as_str()])?;
            if fails { Err(StoreError::Check) } else { Ok(()) }
        };
        let call: Box<dyn Call> = Box::new(Operation::new("test", kind, insert, caller));
        let mut done = Vec::new();
        let result = writer.run_group(&mut vec![call].into_iter(), kind != Kind::DelayedClaim, &mut done);
        writer.answer(&mut done, result);
        outcome.try_recv().unwrap()
    }

    #[test]
    fn behind_a_gap_in_the_log_nothing_is_written_before_the_log_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gap.db");
        let connection = open::migrated(&path).unwrap();
        connection.raw().busy_timeout(Duration::ZERO).unwrap();
        let mut writer = Writer::new(connection, Place::of(&path).unwrap(), Ambient::system(), Arc::default());
        write(&mut writer, Kind::DelayedClaim).unwrap();
        assert!(writer.has_unsynced);
        assert!(write_or_fail(&mut writer, Kind::Write, true).is_err());
        assert!(writer.has_unsynced, "what leaves nothing syncs nothing");
        write(&mut writer, Kind::Write).unwrap();
        assert!(!writer.has_unsynced, "one sync is for all");
        write(&mut writer, Kind::DelayedClaim).unwrap();
        writer.has_gap = true;
        let reader = open::reader(&path).unwrap();
        reader.control("BEGIN").unwrap();
        reader.raw().query_row("SELECT count(*) FROM rate_window", [], |row| row.get::<_, i64>(0)).unwrap();
        assert!(matches!(write(&mut writer, Kind::Write), Err(StoreError::Unavailable)), "the log is still read");
        reader.control("COMMIT").unwrap();
        write(&mut writer, Kind::Write).unwrap();
        assert!(!writer.has_gap);
        let count = reader.raw().query_row("SELECT count(*) FROM rate_window", [], |row| row.get::<_, i64>(0));
        assert_eq!(count.unwrap(), 4);
    }
}
