//! Requests that wait for a grade. One that this process writes is handed to them; one that another process writes is
//! found by looking again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edge::problem::Problem;
use kernel::id::EvaluationId;
use store::{Store, StoreError};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

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
    /// When the store can't be read, or has lost what its caller has seen: the end of a PostgreSQL server may take the
    /// beginning of an evaluation back.
    pub(super) async fn look(&self, store: &Store) -> Result<EvaluationRow, Problem> {
        let id = self.id;
        found(store.read("evaluations.wait", move |tx| EvaluationRow::find(tx, id)).await)
    }

    /// The evaluation as it is now, durable.
    async fn settle_for(&self, store: &Store) -> Result<EvaluationRow, Problem> {
        let id = self.id;
        found(store.claim("evaluations.wait_no_longer", move |tx| EvaluationRow::hold(tx, id)).await)
    }

    /// Waits until the evaluation has ended, but not longer than `patience`.
    ///
    /// # Errors
    /// As [`Waiting::look`], and when the store can't be written to.
    pub(super) async fn for_the_end(mut self, store: &Store, patience: Duration) -> Result<Awaited, Problem> {
        let deadline = Instant::now() + patience;
        loop {
            let until = deadline.min(Instant::now() + LOOK_AGAIN);
            if let Ok(Ok(end)) = timeout_at(until, self.end.wait_for(Option::is_some)).await
                && let Some(row) = &*end
            {
                return Ok(Awaited::Ended(row.clone()));
            }
            let is_over = Instant::now() >= deadline;
            let row = if is_over { self.settle_for(store).await? } else { self.look(store).await? };
            if row.status.is_terminal() {
                return Ok(Awaited::Ended(row));
            }
            if is_over {
                return Ok(Awaited::Running(row));
            }
        }
    }
}

fn found(row: Result<Option<EvaluationRow>, StoreError>) -> Result<EvaluationRow, Problem> {
    Ok(row.and_then(|row| row.ok_or(StoreError::Unavailable))?)
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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::{App, open};

    #[both_stores]
    async fn who_stops_waiting_is_told_how_it_stands_and_what_was_taken_back_is_asked_for_again(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let mut body = open();
        body["mode"] = json!("async");
        let id: EvaluationId = app.evaluate(&tenant, &body).await["id"].as_str().unwrap().parse().unwrap();
        let waiters = Waiters::default();
        let store = &app.test.store;
        let running = waiters.join(id).for_the_end(store, Duration::ZERO).await;
        assert!(matches!(running, Ok(Awaited::Running(row)) if row.id == id));
        let lost: EvaluationId = app.test.ambient.id();
        assert!(matches!(waiters.join(lost).look(store).await, Err(Problem::Unavailable(_))));
        let lost = waiters.join(lost).for_the_end(store, Duration::ZERO).await;
        assert!(matches!(lost, Err(Problem::Unavailable(_))));
        app.run_jobs().await;
        app.finish().await;
    }
}
