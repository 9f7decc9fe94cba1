//! Who may ask now. Calls wait in turns between tenants, so that one with many is not served before another with one.

use std::sync::Arc;
use std::time::Duration;

use engine::model::ModelError;
use kernel::turns::{FairTurn, FairTurns};
use metrics::Gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Calls that wait, of all tenants together.
const MOST_WAITING: usize = 4096;
/// Of one tenant: the rest is for others.
const MOST_WAITING_EACH: usize = 2048;

/// So many calls at once.
pub(crate) struct Queue {
    turns: FairTurns<String>,
    places: Arc<Semaphore>,
    waiting: Gauge,
    in_flight: Gauge,
}

/// Leave to ask; given to the next one when it is dropped.
pub(crate) struct Turn {
    _turn: FairTurn<String>,
    _in_flight: Counted,
}

/// Counted for as long as it lives.
struct Counted(Gauge);

impl Counted {
    fn on(gauge: &Gauge) -> Self {
        gauge.increment(1);
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

impl Queue {
    pub(crate) fn new(at_once: usize) -> Self {
        Self {
            turns: FairTurns::new(at_once),
            places: Arc::new(Semaphore::new(MOST_WAITING)),
            waiting: metrics::gauge!("lectern_model_waiting"),
            in_flight: metrics::gauge!("lectern_model_in_flight"),
        }
    }

    /// Waits for a turn.
    ///
    /// # Errors
    /// [`ModelError::Busy`]: at once where too many wait already, or after having waited for so long.
    pub(crate) async fn take(&self, tenant: &str, longest: Duration) -> Result<Turn, ModelError> {
        const BUSY: ModelError = ModelError::Busy { retry_after: None };
        let _place = self.place(tenant).ok_or(BUSY)?;
        let _waiting = Counted::on(&self.waiting);
        let turn = tokio::time::timeout(longest, self.turns.take(tenant.to_owned())).await;
        Ok(Turn { _turn: turn.map_err(|_| BUSY)?, _in_flight: Counted::on(&self.in_flight) })
    }

    fn place(&self, tenant: &str) -> Option<OwnedSemaphorePermit> {
        if self.turns.waiting(&tenant.to_owned()) >= MOST_WAITING_EACH {
            return None;
        }
        self.places.clone().try_acquire_owned().ok()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[tokio::test(start_paused = true)]
    async fn one_tenant_can_fill_only_its_part_of_the_places_and_learns_it_at_once() {
        let queue = Queue::new(1);
        let _first = queue.take("busy", LONG).await.unwrap();
        let mut waiting: Vec<_> = (0..MOST_WAITING_EACH).map(|_| Box::pin(queue.take("busy", LONG))).collect();
        assert!(waiting.iter_mut().all(|turn| turn.now_or_never().is_none()));
        assert!(matches!(queue.take("busy", LONG).now_or_never(), Some(Err(ModelError::Busy { .. }))));
        assert!(queue.take("quiet", LONG).now_or_never().is_none(), "there is a place for another");
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_waited_for_too_long_is_told_so_and_takes_no_turn() {
        let queue = Queue::new(1);
        let first = queue.take("a", LONG).await.unwrap();
        assert!(matches!(queue.take("b", LONG).await, Err(ModelError::Busy { .. })));
        drop(first);
        assert!(queue.take("c", LONG).now_or_never().is_some_and(|turn| turn.is_ok()));
    }
}
