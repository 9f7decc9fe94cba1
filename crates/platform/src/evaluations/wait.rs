//! Requests that wait for a grade. A grade that this process writes wakes them; one that another process writes is
//! found by looking again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edge::problem::Problem;
use kernel::id::EvaluationId;
use store::Store;
use tokio::sync::Notify;

use super::NOT_FOUND;
use super::row::EvaluationRow;

/// How often a waiting request looks for itself.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The requests of this process that wait.
#[derive(Default)]
pub(super) struct Waiters(Mutex<HashMap<EvaluationId, Arc<Notify>>>);

/// How waiting ended.
pub(super) enum Awaited {
    /// There is nothing more to wait for.
    Ended(EvaluationRow),
    /// It goes on.
    Running(EvaluationRow),
}

impl Waiters {
    /// Wakes whoever waits for an evaluation.
    pub(super) fn wake(&self, id: EvaluationId) {
        if let Some(notify) = self.lock().remove(&id) {
            notify.notify_waiters();
        }
    }

    /// Waits until an evaluation has ended, but not longer than `patience`.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(super) async fn wait(&self, store: &Store, id: EvaluationId, patience: Duration) -> Result<Awaited, Problem> {
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let notify = self.lock().entry(id).or_default().clone();
            let notified = notify.notified();
            tokio::pin!(notified);
            // From here on a wake-up is not missed; what happened before is in the row.
            notified.as_mut().enable();
            let row = store.read("evaluations.wait", move |tx| EvaluationRow::find(tx, id)).await;
            let row = row.map_err(Problem::from)?.ok_or(NOT_FOUND)?;
            if row.status.is_terminal() {
                self.forget(id);
                return Ok(Awaited::Ended(row));
            }
            if tokio::time::Instant::now() >= deadline {
                self.forget(id);
                return Ok(Awaited::Running(row));
            }
            let until = deadline.min(tokio::time::Instant::now() + LOOK_AGAIN);
            let _ = tokio::time::timeout_at(until, notified).await;
        }
    }

    /// Others who wait for the same look again within a second.
    fn forget(&self, id: EvaluationId) {
        self.lock().remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<EvaluationId, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
