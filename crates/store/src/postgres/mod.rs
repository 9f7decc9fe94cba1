//! The PostgreSQL engine: a few threads with a connection each, fed from one queue.
//!
//! Few round trips per transaction are the point; `session.rs` has the rules. Writes that only add rows have a
//! lane of their own, where those that wait travel together (`additions.rs`). A thread without a connection
//! takes nothing from its lane; when no thread of a lane has one, calls are refused at once. A thread that panics loses its
//! connection and begins anew (`supervision.rs`); the callers that it was about to answer get `Unavailable`.

mod additions;
mod connect;
mod error;
mod listen;
mod pipeline;
mod session;
mod turns;
mod types;
mod worker;

use std::collections::HashMap;
use std::sync::Arc;

use kernel::ambient::Ambient;
use tokio::sync::{mpsc, watch};

pub(crate) use additions::Replay;
pub(crate) use connect::{Target, check_migrations};
pub(crate) use session::Session;
pub(crate) use types::column;

use additions::KnownWrites;
use turns::Turns;

use crate::call::{Call, Kind};
use crate::queue::Queue;
use crate::stop::Stop;
use crate::threads::Threads;
use crate::{OpenError, StoreError, StoreOptions, Supervision, Wakeups};

/// What the threads of the engine share.
struct Shared {
    target: Target,
    /// Every call but the following.
    general: Lane,
    /// Writes that are known to only add rows.
    additions: Lane,
    known_writes: KnownWrites,
    turns: Turns,
    stop: Stop,
    ambient: Ambient,
    wakeups: Arc<Wakeups>,
    /// `table(column,column)` by the name of a unique index.
    keys: HashMap<String, String>,
}

/// A queue, served by the threads that have a connection.
struct Lane {
    queue: Queue<Box<dyn Call>>,
    /// Calls that a thread takes at once.
    batch: usize,
}

/// Which of [`Shared`]'s lanes.
#[derive(Clone, Copy)]
enum LaneKind {
    General,
    Additions,
}

impl LaneKind {
    /// The name of its threads.
    fn thread(self) -> &'static str {
        match self {
            Self::General => "store-postgres",
            Self::Additions => "store-additions",
        }
    }
}

/// Additions in one transaction.
const TOGETHER: usize = 64;
/// Threads for additions: one commits while the other reads.
const ADDING: usize = 2;

/// The running engine.
pub(crate) struct Postgres {
    shared: Arc<Shared>,
    listener: watch::Sender<bool>,
    supervision: Supervision,
    threads: Threads,
}

impl Postgres {
    pub(crate) async fn open(
        target: Target,
        options: &StoreOptions,
        ambient: Ambient,
        wakeups: Arc<Wakeups>,
        supervision: Supervision,
    ) -> Result<Self, OpenError> {
        let keys = connect::migrate(&target).await?;
        let shared = Arc::new(Shared {
            target,
            general: Lane::new(options.queue_limit, 1),
            additions: Lane::new(options.queue_limit, TOGETHER),
            known_writes: KnownWrites::default(),
            turns: Turns::default(),
            stop: Stop::default(),
            ambient,
            wakeups,
            keys,
        });
        let (listener, is_stopped) = watch::channel(false);
        let engine = Self { shared: shared.clone(), listener, supervision, threads: Threads::default() };
        let (report, mut reports) = mpsc::unbounded_channel();
        let adding = ADDING.min(options.postgres_connections / 2);
        let general = (options.postgres_connections - adding).max(1);
        let kinds = [(LaneKind::General, general), (LaneKind::Additions, adding)];
        for kind in kinds.into_iter().flat_map(|(kind, threads)| std::iter::repeat_n(kind, threads)) {
            let (shared, mut report) = (shared.clone(), Some(report.clone()));
            engine.keep(kind.thread(), move || worker::run(&shared, kind, report.take()))?;
        }
        let shared_lanes = shared.clone();
        engine.keep("store-listen", move || listen::run(&shared, is_stopped.clone()))?;
        drop(report);
        // Ready with the first connection of each lane; the others follow within moments.
        let mut last_error = None;
        while let Some(first) = reports.recv().await {
            last_error = first.err().or(last_error);
            if shared_lanes.general.queue.is_served() && (adding == 0 || shared_lanes.additions.queue.is_served()) {
                return Ok(engine);
            }
        }
        if shared_lanes.general.queue.is_served() {
            return Ok(engine);
        }
        Err(last_error.unwrap_or_else(|| OpenError::unreachable("no thread started")))
    }

    /// Hands the call back when nothing can serve it.
    pub(crate) fn submit(&self, call: Box<dyn Call>) -> Result<(), Box<dyn Call>> {
        let kind = self.shared.lane_of(&*call);
        self.shared.lane(kind).queue.push(call).or_else(|call| match kind {
            LaneKind::Additions if !self.shared.additions.queue.is_served() => self.shared.general.queue.push(call),
            LaneKind::Additions | LaneKind::General => Err(call),
        })
    }

    pub(crate) async fn close(&self) {
        self.stop();
        self.threads.join().await;
    }

    fn stop(&self) {
        // First, so that a thread whose lane is closed knows why.
        self.shared.stop.stop();
        self.shared.general.queue.close();
        self.shared.additions.queue.close();
        self.listener.send_replace(true);
    }

    /// A thread whose work is begun anew when it panics, on a new connection.
    fn keep(&self, name: &'static str, run: impl FnMut() + Send + 'static) -> Result<(), OpenError> {
        let (supervision, shared) = (self.supervision.clone(), self.shared.clone());
        let body = move || supervision.keep_here(name, &shared.stop, run);
        self.threads.spawn(name, body)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn lane(&self, kind: LaneKind) -> &Lane {
        match kind {
            LaneKind::General => &self.general,
            LaneKind::Additions => &self.additions,
        }
    }

    fn lane_of(&self, call: &dyn Call) -> LaneKind {
        let only_adds = call.kind() == Kind::Write && self.known_writes.only_adds(call.name());
        if only_adds && self.additions.queue.is_served() { LaneKind::Additions } else { LaneKind::General }
    }

    /// One connection less for a lane. What waits there after the last one goes to the general lane, or is refused.
    fn leave(&self, kind: LaneKind) {
        for call in self.lane(kind).queue.leave() {
            let left = match kind {
                LaneKind::Additions => self.general.queue.push(call),
                LaneKind::General => Err(call),
            };
            if let Err(call) = left {
                call.refuse(StoreError::Unavailable);
            }
        }
    }
}

impl Lane {
    fn new(limit: usize, batch: usize) -> Self {
        Self { queue: Queue::new(limit), batch }
    }
}
