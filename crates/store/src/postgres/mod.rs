//! The PostgreSQL engine: a few threads with a connection each, fed from one queue.
//!
//! Few round trips per transaction are the point; `session.rs` has the rules. A thread without a
//! connection takes nothing from the queue; when no thread has one, calls are refused at once.

mod connect;
mod error;
mod listen;
mod pipeline;
mod session;
mod types;
mod worker;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use kernel::ambient::Ambient;
use tokio::sync::{mpsc, watch};

pub(crate) use connect::{Target, check_migrations};
pub(crate) use session::Session;
pub(crate) use types::column;

use crate::call::Call;
use crate::queue::Queue;
use crate::stop::Stop;
use crate::{OpenError, StoreError, StoreOptions, Wakeups};

/// What the threads of the engine share.
struct Shared {
    target: Target,
    queue: Queue<Box<dyn Call>>,
    /// Threads that have a connection.
    connected: AtomicUsize,
    stop: Stop,
    ambient: Ambient,
    wakeups: Arc<Wakeups>,
    /// `table(column,column)` by the name of a unique index.
    keys: HashMap<String, String>,
}

/// The running engine.
pub(crate) struct Postgres {
    shared: Arc<Shared>,
    listener: watch::Sender<bool>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Postgres {
    pub(crate) async fn open(
        target: Target,
        options: &StoreOptions,
        ambient: Ambient,
        wakeups: Arc<Wakeups>,
    ) -> Result<Self, OpenError> {
        let keys = connect::migrate(&target).await?;
        let shared = Arc::new(Shared {
            target,
            queue: Queue::new(options.queue_limit),
            connected: AtomicUsize::new(0),
            stop: Stop::default(),
            ambient,
            wakeups,
            keys,
        });
        let (listener, is_stopped) = watch::channel(false);
        let engine = Self { shared: shared.clone(), listener, threads: Mutex::default() };
        let (report, mut reports) = mpsc::unbounded_channel();
        for _ in 0..options.postgres_connections.max(1) {
            let (shared, report) = (shared.clone(), report.clone());
            engine.spawn("store-postgres", move || worker::run(&shared, report))?;
        }
        engine.spawn("store-listen", move || listen::run(&shared, is_stopped))?;
        drop(report);
        // Ready with the first connection; the others follow within moments.
        let mut last_error = None;
        while let Some(first) = reports.recv().await {
            match first {
                Ok(()) => return Ok(engine),
                Err(error) => last_error = Some(error),
            }
        }
        Err(last_error.unwrap_or_else(|| OpenError::unreachable("no thread started")))
    }

    /// Hands the call back when nothing can serve it.
    pub(crate) fn submit(&self, call: Box<dyn Call>) -> Result<(), Box<dyn Call>> {
        if self.shared.connected.load(Ordering::Acquire) == 0 {
            return Err(call);
        }
        self.shared.queue.push(call)?;
        // The last connection may have been lost between the check and the push.
        if self.shared.connected.load(Ordering::Acquire) == 0 {
            self.shared.refuse_queued();
        }
        Ok(())
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
        self.shared.queue.close();
        self.shared.stop.stop();
        self.listener.send_replace(true);
    }

    fn spawn(&self, name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), OpenError> {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(body).map_err(OpenError::unreachable)?;
        self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn refuse_queued(&self) {
        for call in self.queue.drain() {
            call.refuse(StoreError::Unavailable);
        }
    }
}
