//! Requests that wait for a grade. One that this process writes is handed to them; one that another process writes is
//! found by looking again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edge::problem::Problem;
use kernel::id::EvaluationId;
use store::Store;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::NOT_FOUND;
use super::row::EvaluationRow;

/// How often a waiting request looks for itself.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Where those who wait for the same evaluation are told its end.
type Ends = HashMap<EvaluationId, watch::Sender<Option<EvaluationRow>>>;

/// The requests of this process that wait.
#[derive(Default)]
pub(super) struct Waiters(Mutex<Ends>);

/// A request that waits. What is told from now on is not missed.
pub(super) struct Waiting<'a> {
    waiters: &'a Waiters,
    id: EvaluationId,
    end: watch::Receiver<Option<EvaluationRow>>,
}

/// How waiting ended.
pub(super) enum Awaited {
    /// There is nothing more to wait for.
    Ended(EvaluationRow),
    /// It goes on.
    Running(EvaluationRow),
}

impl Waiters {
    /// Begins to wait for an evaluation.
    pub(super) fn join(&self, id: EvaluationId) -> Waiting<'_> {
        let end = self.lock().entry(id).or_default().subscribe();
        Waiting { waiters: self, id, end }
    }

    /// Hands an evaluation that has ended to whoever waits for it.
    pub(super) fn tell(&self, row: EvaluationRow) {
        if let Some(waiters) = self.lock().remove(&row.id) {
            waiters.send_replace(Some(row));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Ends> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting<'_> {
    /// The evaluation as it is now.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(super) async fn look(&self, store: &Store) -> Result<EvaluationRow, Problem> {
        let id = self.id;
        let row = store.read("evaluations.wait", move |tx| EvaluationRow::find(tx, id)).await;
        row.map_err(Problem::from)?.ok_or(NOT_FOUND)
    }

    /// Waits until the evaluation has ended, but not longer than `patience`.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(super) async fn for_the_end(mut self, store: &Store, patience: Duration) -> Result<Awaited, Problem> {
        let deadline = Instant::now() + patience;
        loop {
            let until = deadline.min(Instant::now() + LOOK_AGAIN);
            if let Ok(Ok(end)) = timeout_at(until, self.end.wait_for(Option::is_some)).await
                && let Some(row) = &*end
            {
                return Ok(Awaited::Ended(row.clone()));
            }
            let row = self.look(store).await?;
            if row.status.is_terminal() {
                return Ok(Awaited::Ended(row));
            }
            if Instant::now() >= deadline {
                return Ok(Awaited::Running(row));
            }
        }
    }
}

impl Drop for Waiting<'_> {
    /// The last one who waits takes the place away, unless it was told, which has taken it away.
    fn drop(&mut self) {
        let mut ends = self.waiters.lock();
        let is_told = self.end.has_changed().is_err();
        if !is_told && ends.get(&self.id).is_some_and(|end| end.receiver_count() <= 1) {
            ends.remove(&self.id);
        }
    }
}
