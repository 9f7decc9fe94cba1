//! The embedded engine: reader threads, two writer threads with group commit that take turns, a checkpoint thread.
//!
//! The threads share the file, and what they know of how far it is durable. Other processes may use the same file at the same
//! time; whoever waits longer than five seconds for another's lock gets `Unavailable`.
//!
//! A thread that panics loses only what it was about to answer: those callers get `Unavailable`. Readers and checkpoints begin anew on a
//! new connection. A writer does not: the store refuses writes from then on, and the process has to end (`supervision.rs`).

mod checkpoint;
mod connection;
mod durability;
mod error;
mod open;
mod place;
mod reader;
mod translate;
mod writer;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};

use kernel::ambient::Ambient;

pub(crate) use connection::{Connection, column};
use durability::{Disk as _, Durability};
use place::Place;
use writer::{Writer, WriterThread};

use crate::call::{Call, Kind};
use crate::migrations::MigrationState;
use crate::queue::Queue;
use crate::stop::Stop;
use crate::threads::Threads;
use crate::{OpenError, StoreError, StoreOptions, Supervision, Wakeups, supervision};

/// Threads that write: one writes while the other waits for the disk.
const WRITERS: usize = 2;

/// The running engine.
pub(crate) struct Sqlite {
    reads: Arc<CallQueue>,
    writes: Arc<CallQueue>,
    stop: Arc<Stop>,
    supervision: Supervision,
    threads: Threads,
}

type CallQueue = Queue<Box<dyn Call>>;

impl Sqlite {
    pub(crate) async fn open(
        path: &Path,
        options: &StoreOptions,
        ambient: Ambient,
        wakeups: Arc<Wakeups>,
        supervision: Supervision,
    ) -> Result<Self, OpenError> {
        let path = path.to_owned();
        let options = options.clone();
        blocking(move || Self::open_blocking(&path, &options, &ambient, &wakeups, supervision)).await
    }

    fn open_blocking(
        path: &Path,
        options: &StoreOptions,
        ambient: &Ambient,
        wakeups: &Arc<Wakeups>,
        supervision: Supervision,
    ) -> Result<Self, OpenError> {
        let writer = open::migrated(path)?;
        let place = Place::of(path).map_err(|cause| open::file_error(path, cause))?;
        let engine = Self {
            reads: Arc::new(Queue::new(options.queue_limit)),
            writes: Arc::new(Queue::new(options.queue_limit)),
            stop: Arc::default(),
            supervision,
            threads: Threads::default(),
        };
        let durability = Arc::new(Durability::new(options.queue_limit));
        for _ in 0..options.readers.max(1) {
            engine.start_reader(path, &place, &durability, ambient)?;
        }
        let disk = || durability::disk_of(path).map_err(|cause| open::file_error(path, cause));
        let mut log = disk()?;
        // What another process has left may not be durable.
        log.sync().map_err(|cause| open::file_error(path, cause))?;
        let writer = Writer::new(writer, log, place.clone(), ambient.clone(), durability.clone());
        let writer = Arc::new(Mutex::new(writer));
        for _ in 0..WRITERS {
            let thread = WriterThread::new(writer.clone(), disk()?, place.clone(), durability.clone(), wakeups.clone());
            engine.start_writer(thread, durability.clone())?;
        }
        engine.start_checkpoints(path, place)?;
        Ok(engine)
    }

    /// A thread that reads; each run has a connection of its own.
    fn start_reader(
        &self,
        path: &Path,
        place: &Place,
        durability: &Arc<Durability>,
        ambient: &Ambient,
    ) -> Result<(), OpenError> {
        let (path, place, durability, ambient) = (path.to_owned(), place.clone(), durability.clone(), ambient.clone());
        let queue = self.reads.clone();
        let mut first = Some((open::reader(&path)?, Served::begin(&queue)));
        self.keep("store-reader", move || {
            if let Some((connection, _served)) = first.take().or_else(|| {
                let connection = open_again(|| open::reader(&path))?;
                Some((connection, Served::begin(&queue)))
            }) {
                reader::run(&connection, &place, &durability, &queue, &ambient);
            }
        })
    }

    /// A thread that writes. Both share one connection and what is known of the log, either of which a panic may have left
    /// halfway through a change: none is restarted. What waits is refused, and the process has to end.
    fn start_writer(&self, thread: WriterThread, durability: Arc<Durability>) -> Result<(), OpenError> {
        const NAME: &str = "store-writer";
        let (queue, supervision) = (self.writes.clone(), self.supervision.clone());
        let served = Served::begin(&queue);
        self.threads.spawn(NAME, move || {
            let ended = catch_unwind(AssertUnwindSafe(|| thread.run(&queue)));
            let cause = match ended {
                Ok(()) if queue.is_closed() => return,
                Ok(()) => "it ended".to_owned(),
                Err(panic) => supervision::message(&*panic),
            };
            supervision.fail(NAME, &cause);
            queue.close();
            drop(served);
            refuse(queue.take_all());
            refuse(durability.break_off());
        })
    }

    fn start_checkpoints(&self, path: &Path, place: Place) -> Result<(), OpenError> {
        let (path, stop) = (path.to_owned(), self.stop.clone());
        let mut first = Some(open::checkpointer(&path)?);
        self.keep("store-checkpoint", move || {
            if let Some(connection) = first.take().or_else(|| open_again(|| open::checkpointer(&path))) {
                checkpoint::run(&connection, &place, &stop);
            }
        })
    }

    /// Hands the call back when the queue is full or closed.
    pub(crate) fn submit(&self, call: Box<dyn Call>) -> Result<(), Box<dyn Call>> {
        match call.kind() {
            Kind::Read => self.reads.push(call),
            Kind::Write | Kind::Claim | Kind::DelayedClaim => self.writes.push(call),
        }
    }

    pub(crate) async fn close(&self) {
        self.stop();
        self.threads.join().await;
    }

    fn stop(&self) {
        // First, so that a thread whose queue is closed knows why.
        self.stop.stop();
        self.reads.close();
        self.writes.close();
    }

    /// A thread whose work is begun anew when it panics.
    fn keep(&self, name: &'static str, run: impl FnMut() + Send + 'static) -> Result<(), OpenError> {
        let (supervision, stop) = (self.supervision.clone(), self.stop.clone());
        self.threads.spawn(name, move || supervision.keep_here(name, &stop, run))
    }
}

/// Held by a thread while it serves a queue, however that ends: what waits after the last one is refused.
struct Served(Arc<CallQueue>);

impl Served {
    fn begin(queue: &Arc<CallQueue>) -> Self {
        queue.join();
        Self(queue.clone())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        refuse(self.0.leave());
    }
}

fn refuse(calls: impl IntoIterator<Item = Box<dyn Call>>) {
    for call in calls {
        // One that panics even when it is dropped must not keep the others waiting.
        let _ = catch_unwind(AssertUnwindSafe(|| call.refuse(StoreError::Unavailable)));
    }
}

/// A new connection in the place of one whose thread panicked; tried again later when there is none.
fn open_again(open: impl FnOnce() -> Result<Connection, OpenError>) -> Option<Connection> {
    let opened = open();
    opened
        .inspect_err(|error| tracing::error!(error = error as &dyn std::error::Error, "a connection can't be opened"))
        .ok()
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Says how far the file is migrated; a missing file is not made.
pub(crate) async fn check_migrations(path: &Path) -> Result<MigrationState, OpenError> {
    let path = path.to_owned();
    blocking(move || open::check(&path)).await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, OpenError> + Send + 'static,
) -> Result<T, OpenError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(OpenError::unreachable(error)))
}
