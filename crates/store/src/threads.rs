//! The threads of an engine.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use crate::OpenError;

/// The threads that an engine has started and that it waits for when it is closed.
#[derive(Default)]
pub(crate) struct Threads(Mutex<Vec<JoinHandle<()>>>);

impl Threads {
    pub(crate) fn spawn(&self, name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), OpenError> {
        let thread = Builder::new().name(name.to_owned()).spawn(body).map_err(OpenError::unreachable)?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        Ok(())
    }

    /// Waits for all of them to end; the engine has told them to.
    pub(crate) async fn join(&self) {
        let threads = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
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
}
