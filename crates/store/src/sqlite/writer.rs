//! The threads that write, with group commit: what waits is run together, committed together, made durable with one `fsync`, and only
//! then answered. While one thread waits for the disk, the other runs what has come meanwhile, unless that is much. What may wait for
//! somebody else's `fsync` has none of its own.
//!
//! A savepoint for each operation would copy every page that it changes. Few fail after they have changed something: then the
//! group is rolled back and run once more, now each in a savepoint of its own.
//!
//! Nobody in a group is answered before its commit, not even those that failed: a failure may come
//! from what a neighbour wrote, and that is true only once it is committed.

use std::iter::Peekable;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kernel::ambient::Ambient;

use super::Connection;
use super::durability::{Disk, Durability};
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

/// While a group of so few is on its way to the disk, others are written. While a larger one is, others gather until that is answered:
/// what is written together is written with less work.
const FEW: usize = 4;

/// What an operation leaves in the transaction.
enum Remains {
    /// What it is to leave.
    Right,
    /// What is to be undone.
    Wrong,
}

/// Operations that were committed together.
#[derive(Default)]
struct Group {
    calls: Vec<Ran>,
    /// Its number, where it is to be durable before anybody hears of it.
    commit: Option<u64>,
    /// The newest commit before, of those that are to be durable.
    seen: u64,
    wakes: Queues,
}

struct Ran {
    call: Box<dyn Call>,
    /// It leaves something, and was not only told what others have left.
    is_changing: bool,
}

/// The only connection of this process that changes rows. Its threads take turns with it.
pub(super) struct Writer {
    connection: Connection,
    /// For a log that begins anew.
    disk: Box<dyn Disk>,
    ambient: Ambient,
    place: Place,
    durability: Arc<Durability>,
    /// Operations in the last group.
    last: usize,
}

/// A thread that writes.
pub(super) struct WriterThread {
    writer: Arc<Mutex<Writer>>,
    disk: Box<dyn Disk>,
    place: Place,
    durability: Arc<Durability>,
    wakeups: Arc<Wakeups>,
    meter: Meter,
}

impl WriterThread {
    pub(super) fn new(
        writer: Arc<Mutex<Writer>>,
        disk: impl Disk + 'static,
        place: Place,
        durability: Arc<Durability>,
        wakeups: Arc<Wakeups>,
    ) -> Self {
        Self { writer, disk: Box::new(disk), place, durability, wakeups, meter: Meter::new("writes") }
    }

    /// Serves the queue until it is closed.
    pub(super) fn run(mut self, queue: &Queue<Box<dyn Call>>) {
        while queue.wait() {
            self.serve(queue);
        }
    }

    /// Serves those that wait now.
    fn serve(&mut self, queue: &Queue<Box<dyn Call>>) {
        let shared = self.writer.clone();
        let mut waiting = Vec::new();
        let Ok(turn) = shared.lock() else {
            // The other thread panicked while it wrote; nobody knows what it has left.
            queue.take(&mut waiting, GROUP);
            return waiting.into_iter().for_each(|call| call.refuse(StoreError::Unavailable));
        };
        let mut turn = Some(turn);
        // Not before its turn: what comes while the other thread writes is to be one group.
        queue.take(&mut waiting, GROUP);
        self.meter.depth(queue.len());
        // First those that need not wait for the disk.
        waiting.sort_by_key(|call| is_durable(&**call));
        let mut calls = waiting.into_iter().filter(|call| !call.is_abandoned()).peekable();
        while calls.peek().is_some()
            && let Some(mut writer) = turn.take()
        {
            let mut group = Group::default();
            let outcome = writer.run_group(&mut calls, &mut group);
            // What is left of these goes before what has come since.
            let keeps_turn = writer.is_busy(group.calls.len()) || calls.peek().is_some();
            turn = keeps_turn.then_some(writer);
            let kept = self.keep(group.commit);
            self.answer(group, outcome.and(kept).is_ok());
        }
    }

    /// Makes a commit durable.
    fn keep(&mut self, commit: Option<u64>) -> Result<(), StoreError> {
        if let Some(number) = commit {
            self.durability.reach(number, &mut *self.disk)?;
        }
        // Otherwise it is durable in a file that nobody will find again.
        if self.place.look() { Ok(()) } else { Err(StoreError::Unavailable) }
    }

    fn answer(&mut self, group: Group, is_kept: bool) {
        let Group { calls, commit, seen, wakes } = group;
        if is_kept {
            self.wakeups.wake(wakes);
        }
        for Ran { call, is_changing } in calls {
            let has_arrived = commit.is_some() || is_changing && !is_durable(&*call);
            if is_kept && !has_arrived {
                self.durability.answer(call, seen, &mut self.meter);
                continue;
            }
            self.meter.observe(&*call);
            if is_kept { call.answer() } else { call.refuse(StoreError::Unavailable) }
        }
    }
}

fn is_durable(call: &dyn Call) -> bool {
    call.kind() != Kind::DelayedClaim
}

impl Writer {
    pub(super) fn new(
        connection: Connection,
        disk: impl Disk + 'static,
        place: Place,
        ambient: Ambient,
        durability: Arc<Durability>,
    ) -> Self {
        Self { connection, disk: Box::new(disk), ambient, place, durability, last: 0 }
    }

    /// Whether there are many at once: a group that follows a large one may be small by chance.
    fn is_busy(&mut self, count: usize) -> bool {
        std::mem::replace(&mut self.last, count).max(count) > FEW
    }

    /// Runs calls of one kind of durability and commits them. Moves those that were part of it to `group`, at least one.
    fn run_group(
        &mut self,
        calls: &mut Peekable<impl Iterator<Item = Box<dyn Call>>>,
        group: &mut Group,
    ) -> Result<(), StoreError> {
        let ran = self.run_calls(calls, group);
        if ran.is_err() && self.connection.is_in_transaction() {
            // When even this fails, the next BEGIN says so.
            let _ = self.connection.control("ROLLBACK");
        }
        ran
    }

    fn run_calls(
        &mut self,
        calls: &mut Peekable<impl Iterator<Item = Box<dyn Call>>>,
        group: &mut Group,
    ) -> Result<(), StoreError> {
        let is_durable_group = calls.peek().is_some_and(|call| is_durable(&**call));
        let mut next_part = || calls.next_if(|call| is_durable(&**call) == is_durable_group);
        if let Err(error) = self.begin() {
            // Whatever keeps this one out keeps the rest of the group out too.
            group.calls.extend(calls.map(|call| Ran { call, is_changing: false }));
            return Err(error);
        }
        group.seen = self.durability.seen();
        let started = meter::now();
        let mut changes = self.connection.raw().total_changes();
        let mut has_savepoints = false;
        let mut next = next_part();
        while let Some(call) = next {
            let mut ran = Ran { call, is_changing: false };
            let result = match has_savepoints {
                true => self.run_in_savepoint(&mut ran, &mut group.wakes).map(|()| Remains::Right),
                false => self.run_call(&mut ran, &mut group.wakes),
            };
            group.calls.push(ran);
            if let Remains::Wrong = result? {
                self.connection.control("ROLLBACK")?;
                self.begin()?;
                changes = self.connection.raw().total_changes();
                // The first one saw nothing but what is committed: what came of it stands.
                if group.calls.len() > 1 {
                    (group.wakes, has_savepoints) = (Queues::default(), true);
                    let mut again = group.calls.iter_mut();
                    again.try_for_each(|ran| self.run_in_savepoint(ran, &mut group.wakes))?;
                }
            }
            next = if started.elapsed() < GROUP_TIME { next_part() } else { None };
        }
        let is_changed = self.connection.raw().total_changes() != changes;
        self.commit(is_changed, is_durable_group, group)
    }

    /// Commits; where that has changed something, it has a number.
    fn commit(&mut self, is_changed: bool, is_durable: bool, group: &mut Group) -> Result<(), StoreError> {
        if !is_changed {
            return self.connection.control("COMMIT");
        }
        let was_behind = self.durability.is_behind();
        let number = self.durability.begin(is_durable);
        group.commit = is_durable.then_some(number);
        let committed = self.connection.control("COMMIT");
        self.durability.end(number);
        if committed.is_err() && was_behind {
            self.durability.leave_gap();
        }
        committed
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        if self.place.is_lost() {
            return Err(StoreError::Unavailable);
        }
        if self.durability.has_gap() {
            self.begin_log_anew()?;
        }
        self.connection.control("BEGIN IMMEDIATE")
    }

    /// Moves all of the log into the database file, as far as the system still has what the disk lacks.
    fn begin_log_anew(&mut self) -> Result<(), StoreError> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy = || self.connection.raw().query_row(checkpoint, [], |row| row.get::<_, bool>(0));
        // The first time, the system may tell SQLite of the failure that is known.
        if is_busy().or_else(|_| is_busy()).map_err(store_error)? {
            return Err(StoreError::Unavailable);
        }
        // Otherwise a power failure may bring the old log back.
        self.disk.sync().or_else(|_| self.disk.sync()).map_err(|_| StoreError::Unavailable)?;
        self.durability.close_gap();
        Ok(())
    }

    fn run_in_savepoint(&self, ran: &mut Ran, wakes: &mut Queues) -> Result<(), StoreError> {
        self.connection.control("SAVEPOINT operation")?;
        if let Remains::Wrong = self.run_call(ran, wakes)? {
            self.connection.control("ROLLBACK TO operation")?;
        }
        self.connection.control("RELEASE operation")
    }

    fn run_call(&self, ran: &mut Ran, wakes: &mut Queues) -> Result<Remains, StoreError> {
        let changes = self.connection.raw().total_changes();
        let mut tx = Tx::sqlite(&self.connection, ran.call.kind(), &self.ambient);
        let verdict = ran.call.run(&mut tx);
        let woken = tx.wakes();
        if !self.connection.is_in_transaction() {
            // SQLite rolled the whole group back, as it may when the disk is full.
            return Err(StoreError::Unavailable);
        }
        let has_changed = self.connection.raw().total_changes() != changes;
        ran.is_changing = has_changed && verdict == Verdict::Keep;
        match verdict {
            Verdict::Keep => wakes.merge(woken),
            Verdict::Undo if has_changed => return Ok(Remains::Wrong),
            Verdict::Undo => {}
        }
        Ok(Remains::Right)
    }
}

#[cfg(test)]
mod tests;
