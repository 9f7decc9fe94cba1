//! The thread that writes, with group commit: what waits is run together, each operation in a
//! savepoint of its own, committed with one `fsync`, and only then answered.
//!
//! Nobody in a group is answered before its commit, not even those that failed: a failure may come
//! from what a neighbour wrote, and that is true only once it is durable.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use kernel::ambient::Ambient;

use super::Connection;
use super::place::Place;
use crate::call::{Call, Verdict};
use crate::meter::{self, Meter};
use crate::queue::Queue;
use crate::wakeups::Queues;
use crate::{StoreError, Tx, Wakeups};

/// Operations in one commit.
const GROUP: usize = 256;
/// A group is committed when it has run this long, so that one slow operation delays few others.
const GROUP_TIME: Duration = Duration::from_millis(10);

/// The only connection of this process that changes rows.
pub(super) struct Writer {
    connection: Connection,
    place: Place,
    ambient: Ambient,
    wakeups: Arc<Wakeups>,
    meter: Meter,
}

impl Writer {
    pub(super) fn new(connection: Connection, place: Place, ambient: Ambient, wakeups: Arc<Wakeups>) -> Self {
        Self { connection, place, ambient, wakeups, meter: Meter::new("writes") }
    }

    /// Serves the queue until it is closed.
    pub(super) fn run(mut self, queue: &Queue<Box<dyn Call>>) {
        let mut waiting = Vec::with_capacity(GROUP);
        let mut done = Vec::with_capacity(GROUP);
        while queue.pop(&mut waiting, GROUP) {
            self.meter.depth(queue.len());
            let mut calls = waiting.drain(..).peekable();
            while calls.peek().is_some() {
                let outcome = self.run_group(&mut calls, &mut done);
                self.answer(&mut done, outcome);
            }
        }
    }

    /// Runs calls and commits them. Moves those that were part of it to `done`, at least one.
    fn run_group(
        &mut self,
        calls: &mut impl Iterator<Item = Box<dyn Call>>,
        done: &mut Vec<Box<dyn Call>>,
    ) -> Result<(), StoreError> {
        let mut calls = calls.filter(|call| !call.is_abandoned());
        let Some(first) = calls.next() else {
            return Ok(());
        };
        let mut next = Some(first);
        let begun = if self.place.is_lost() {
            Err(StoreError::Unavailable)
        } else {
            self.connection.control("BEGIN IMMEDIATE")
        };
        if let Err(error) = begun {
            // Whatever keeps this one out keeps the rest of the group out too.
            done.extend(next);
            done.extend(calls);
            return Err(error);
        }
        let started = meter::now();
        let mut wakes = Queues::default();
        while let Some(mut call) = next {
            let result = self.run_call(&mut *call, &mut wakes);
            done.push(call);
            result?;
            next = if started.elapsed() < GROUP_TIME { calls.next() } else { None };
        }
        self.connection.control("COMMIT")?;
        if !self.place.look() {
            // Durable in a file that nobody will find again.
            return Err(StoreError::Unavailable);
        }
        self.wakeups.wake(wakes);
        Ok(())
    }

    fn run_call(&self, call: &mut dyn Call, wakes: &mut Queues) -> Result<(), StoreError> {
        self.connection.control("SAVEPOINT operation")?;
        let mut tx = Tx::sqlite(&self.connection, call.kind(), &self.ambient);
        let verdict = call.run(&mut tx);
        let (woken, meanwhile) = (tx.wakes(), tx.take_meanwhile());
        if !self.connection.is_in_transaction() {
            // SQLite rolled the whole group back, as it may when the disk is full.
            return Err(StoreError::Unavailable);
        }
        match verdict {
            Verdict::Keep => {
                wakes.merge(woken);
                // Whatever it is, it must not end the only thread that writes.
                let _ = catch_unwind(AssertUnwindSafe(|| meanwhile.into_iter().for_each(|begin| begin())));
            }
            Verdict::Undo => self.connection.control("ROLLBACK TO operation")?,
        }
        self.connection.control("RELEASE operation")
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
