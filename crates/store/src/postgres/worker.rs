//! A thread of the engine: takes calls from the queue, runs them, runs them again when that may help.
//!
//! A write is never run again once its commit was sent and not answered: its outcome is unknown, and
//! the caller is told `Unavailable`.

use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::error::Failure;
use super::session::{Failed, Session};
use super::{Lane, LaneKind, Shared, turns};
use crate::call::{Call, Kind, Verdict};
use crate::meter::Meter;
use crate::wakeups::Queues;
use crate::{OpenError, StoreError, Tx};

/// Runs of one closure at most.
const ATTEMPTS: u32 = 20;
/// Between two tries to connect: the first wait and the longest.
const RECONNECT: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));

/// Serves a lane until it is closed; what waits then is served while the connection lasts. The first try to connect is reported.
pub(super) fn run(shared: &Shared, kind: LaneKind, mut report: Option<UnboundedSender<Result<(), OpenError>>>) {
    let mut session = match Session::new(shared.keys.clone()) {
        Ok(session) => session,
        Err(error) => {
            report.map(|report| report.send(Err(error)));
            return;
        }
    };
    let lane = shared.lane(kind);
    let mut wait = RECONNECT.0;
    loop {
        let connected = session.connect(&shared.target);
        match &connected {
            Ok(()) => wait = RECONNECT.0,
            Err(error) => {
                tracing::warn!(error = error as &dyn std::error::Error, "can't connect to the database");
            }
        }
        let serving = connected.is_ok().then(|| Serving::begin(shared, kind));
        if let Some(report) = report.take() {
            let _ = report.send(connected);
        }
        let is_connected = serving.is_some();
        if is_connected {
            let worker = Worker { shared, lane, session: &mut session, meter: Meter::new("postgres") };
            worker.serve(kind);
        }
        drop(serving);
        if lane.queue.is_closed() {
            return;
        }
        if !is_connected {
            if shared.stop.wait(wait) {
                return;
            }
            wait = (wait * 2).min(RECONNECT.1);
        }
    }
}

/// Held by a thread while it serves a lane, however that ends.
struct Serving<'a> {
    shared: &'a Shared,
    kind: LaneKind,
}

impl<'a> Serving<'a> {
    fn begin(shared: &'a Shared, kind: LaneKind) -> Self {
        shared.lane(kind).queue.join();
        Self { shared, kind }
    }
}

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        self.shared.leave(self.kind);
    }
}

pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared,
    lane: &'a Lane,
    pub(super) session: &'a mut Session,
    meter: Meter,
}

/// What follows a run.
enum Next {
    Answer,
    Refuse,
    RunAgain,
    /// Another transaction was in the way.
    RunAfterRival,
    RunOnNewConnection,
}

/// How often a call was run again, and why.
#[derive(Default)]
struct History {
    attempts: u32,
    conflicts: u32,
    is_eager: bool,
    met_unique: bool,
    met_loss: bool,
}

impl Worker<'_> {
    /// Until the connection is lost or the lane is closed.
    fn serve(mut self, kind: LaneKind) {
        let mut batch = Vec::with_capacity(self.lane.batch);
        while self.session.is_connected() && self.lane.queue.pop(&mut batch, self.lane.batch) {
            self.meter.depth(self.lane.queue.len());
            batch.retain(|call| !call.is_abandoned());
            match kind {
                LaneKind::General => batch.drain(..).for_each(|call| self.perform(call)),
                LaneKind::Additions => self.perform_together(&mut batch),
            }
            if self.lane.queue.len() == 0 {
                self.session.end_leftover();
            }
        }
    }

    pub(super) fn perform(&mut self, mut call: Box<dyn Call>) {
        let mut history = History::default();
        let shared = self.shared;
        loop {
            history.attempts += 1;
            let next = {
                let _turn = (call.kind() != Kind::Read).then(|| shared.turns.take(history.conflicts));
                if history.attempts == 1 && call.is_abandoned() {
                    return;
                }
                self.run_once(&mut *call, &mut history)
            };
            match next {
                Next::RunAgain => self.meter.retry(),
                Next::RunAfterRival => {
                    self.meter.retry();
                    history.conflicts += 1;
                    // Writes in turn wait for each other instead.
                    if call.kind() == Kind::Read || !turns::IN_TURN.contains(&history.conflicts) {
                        self.back_off(history.conflicts);
                    }
                }
                Next::Answer => {
                    let is_read = call.kind() == Kind::Read;
                    self.answer(call);
                    // The caller does not wait for this.
                    if is_read {
                        self.session.leave_open();
                    } else {
                        self.session.rollback();
                    }
                    return;
                }
                Next::RunOnNewConnection if self.session.connect(&shared.target).is_ok() => self.meter.retry(),
                Next::Refuse | Next::RunOnNewConnection => {
                    self.meter.observe(&*call);
                    call.refuse(StoreError::Unavailable);
                    self.session.rollback();
                    return;
                }
            }
        }
    }

    pub(super) fn answer(&mut self, call: Box<dyn Call>) {
        self.meter.observe(&*call);
        call.answer();
    }

    pub(super) fn wake(&self, queues: Queues) {
        self.shared.wakeups.wake(queues);
        self.shared.wakeups.tell_others(queues);
    }

    fn run_once(&mut self, call: &mut dyn Call, history: &mut History) -> Next {
        self.session.open(call.name(), call.kind(), history.is_eager);
        let mut tx = Tx::postgres(self.session, call.kind(), &self.shared.ambient);
        let verdict = call.run(&mut tx);
        let wakes = tx.wakes();
        if verdict == Verdict::Keep && call.kind() != Kind::Read {
            if self.session.commit().is_err() {
                // What is not committed is never answered as if it were.
                let failed = self.session.failure();
                return match failed.map(|failed| self.after_failure(failed, verdict, history)) {
                    None | Some(Next::Answer) => Next::Refuse,
                    Some(next) => next,
                };
            }
            if call.kind() == Kind::Write
                && let Some(only_added) = self.session.only_added()
            {
                self.shared.known_writes.learn(call.name(), only_added);
            }
            self.wake(wakes);
            return Next::Answer;
        }
        match self.session.failure() {
            None => Next::Answer,
            Some(failed) => self.after_failure(failed, verdict, history),
        }
    }

    fn after_failure(&mut self, failed: Failed, verdict: Verdict, history: &mut History) -> Next {
        let may_run_again = history.attempts < ATTEMPTS;
        match failed {
            Failed::InDoubt => {
                self.session.disconnect();
                Next::Refuse
            }
            Failed::Seen(Failure::Lost) | Failed::Unseen(Failure::Lost) => self.after_loss(history),
            _ if !may_run_again && verdict == Verdict::Undo => Next::Answer,
            _ if !may_run_again => Next::Refuse,
            Failed::NeedsSnapshot => self.run_again(),
            Failed::Seen(Failure::Conflict) | Failed::Unseen(Failure::Conflict) => {
                self.session.rollback();
                Next::RunAfterRival
            }
            Failed::Seen(Failure::StalePlans) | Failed::Unseen(Failure::StalePlans) => {
                self.session.forget_statements();
                self.run_again()
            }
            // The closure has to see the error where it called the statement, as on SQLite.
            Failed::Unseen(Failure::Unique | Failure::Final) => {
                history.is_eager = true;
                self.run_again()
            }
            // The row may be newer than the snapshot; in a new one the closure can find it.
            Failed::Seen(Failure::Unique) if !history.met_unique => {
                history.met_unique = true;
                history.is_eager = true;
                self.run_again()
            }
            Failed::Seen(Failure::Unique | Failure::Final) => Next::Answer,
        }
    }

    fn run_again(&mut self) -> Next {
        self.session.rollback();
        Next::RunAgain
    }

    /// No commit was sent, so the server has rolled back: one try on a new connection.
    fn after_loss(&mut self, history: &mut History) -> Next {
        self.session.disconnect();
        if std::mem::replace(&mut history.met_loss, true) || self.lane.queue.is_closed() {
            return Next::Refuse;
        }
        Next::RunOnNewConnection
    }

    /// A few milliseconds at random, so that rivals part; longer where those of another process go on winning.
    fn back_off(&self, conflicts: u32) {
        let [random] = self.shared.ambient.random();
        let doublings = conflicts.saturating_sub(*turns::IN_TURN.end()).min(4);
        self.session.pause(Duration::from_micros(u64::from(random) * (24 << doublings)));
    }
}
