//! The embedded engine: reader threads, two writer threads with group commit that take turns, a checkpoint thread.
//!
//! The threads share the file, and what they know of how far it is durable. Other processes may use the same file at the same
//! time; whoever waits longer than five seconds for another's lock gets `Unavailable`.

mod checkpoint;
mod connection;
mod durability;
mod error;
mod open;
mod place;
mod reader;
mod translate;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use kernel::ambient::Ambient;

pub(crate) use connection::{Connection, column};
use durability::{Disk as _, Durability};
use writer::{Writer, WriterThread};

use crate::call::{Call, Kind};
use crate::migrations::MigrationState;
use crate::queue::Queue;
use crate::stop::Stop;
use crate::{OpenError, StoreOptions, Wakeups};

/// Threads that write: one writes while the other waits for the disk.
const WRITERS: usize = 2;

/// The running engine.
pub(crate) struct Sqlite {
    reads: Arc<Queue<Box<dyn Call>>>,
    writes: Arc<Queue<Box<dyn Call>>>,
    checkpoints: Arc<Stop>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Sqlite {
    pub(crate) async fn open(
        path: &Path,
        options: &StoreOptions,
        ambient: Ambient,
        wakeups: Arc<Wakeups>,
    ) -> Result<Self, OpenError> {
        let path = path.to_owned();
        let options = options.clone();
        blocking(move || Self::open_blocking(&path, &options, &ambient, &wakeups)).await
    }

    fn open_blocking(
        path: &Path,
        options: &StoreOptions,
        ambient: &Ambient,
        wakeups: &Arc<Wakeups>,
    ) -> Result<Self, OpenError> {
        let writer = open::migrated(path)?;
        let place = place::Place::of(path).map_err(|cause| open::file_error(path, cause))?;
        let engine = Self {
            reads: Arc::new(Queue::new(options.queue_limit)),
            writes: Arc::new(Queue::new(options.queue_limit)),
            checkpoints: Arc::default(),
            threads: Mutex::default(),
        };
        let durability = Arc::new(Durability::new(options.queue_limit));
        for _ in 0..options.readers.max(1) {
            let (connection, queue, ambient) = (open::reader(path)?, engine.reads.clone(), ambient.clone());
            let (place, durability) = (place.clone(), durability.clone());
            queue.join();
            engine.spawn("store-reader", move || {
                reader::run(&connection, &place, &durability, &queue, &ambient);
            })?;
        }
        let disk = || durability::disk_of(path).map_err(|cause| open::file_error(path, cause));
        let mut log = disk()?;
        // What another process has left may not be durable.
        log.sync().map_err(|cause| open::file_error(path, cause))?;
        let writer = Writer::new(writer, log, place.clone(), ambient.clone(), durability.clone());
        let writer = Arc::new(Mutex::new(writer));
        for _ in 0..WRITERS {
            let (place, durability, queue) = (place.clone(), durability.clone(), engine.writes.clone());
            let thread = WriterThread::new(writer.clone(), disk()?, place, durability, wakeups.clone());
            queue.join();
            engine.spawn("store-writer", move || thread.run(&queue))?;
        }
        let (connection, stop) = (open::checkpointer(path)?, engine.checkpoints.clone());
        engine.spawn("store-checkpoint", move || {
            checkpoint::run(&connection, &place, &stop);
        })?;
        Ok(engine)
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
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let joined = tokio::task::spawn_blocking(move || {
            for thread in threads {
                if thread.join().is_err() {
                    tracing::error!("a thread of the store panicked");
                }
            }
        });
        // It can't fail: the closure does not panic.
        let _ = joined.await;
    }

    fn stop(&self) {
        self.reads.close();
        self.writes.close();
        self.checkpoints.stop();
    }

    fn spawn(&self, name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), OpenError> {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(body).map_err(OpenError::unreachable)?;
        self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        Ok(())
    }
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
