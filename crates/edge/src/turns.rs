//! Who may begin now, where too many at once would take the machine's processors or memory: pages, packages. Computing
//! more at once than there are processors only makes each later, and a queue without an end makes all of them too late.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many turns, and so many places to wait for one.
pub struct Turns {
    turns: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

/// Given back when it is dropped.
pub struct Turn {
    _turn: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
}

impl Turns {
    /// So many at once, and so many more that wait.
    pub fn new(at_once: usize, waiting: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(at_once)), places: Arc::new(Semaphore::new(at_once + waiting)) }
    }

    /// Waits for a turn; `None` at once when too many wait already.
    pub async fn take(&self) -> Option<Turn> {
        let place = self.places.clone().try_acquire_owned().ok()?;
        let turn = self.turns.clone().acquire_owned().await.ok()?;
        Some(Turn { _turn: turn, _place: place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_more_than_there_are_places_for_is_refused_at_once() {
        let turns = Arc::new(Turns::new(1, 1));
        let first = turns.take().await.unwrap();
        let second = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take().await.is_some() }
        });
        while turns.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(turns.take().await.is_none());
        drop(first);
        assert!(second.await.unwrap());
        assert!(turns.take().await.is_some());
    }
}
