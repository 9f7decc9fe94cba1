//! Who may begin now, where too many at once would take the machine's processors or memory: pages, packages. Computing
//! more at once than there are processors only makes each later, and a queue without an end makes all of them too late.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

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

/// So many turns, given to the tenants that wait one after the other: who has many waiting is not served before who has
/// one. How many may wait is the caller's to bound.
pub struct FairTurns<T: PartialEq>(Arc<Mutex<Queue<T>>>);

struct Queue<T: PartialEq> {
    free: usize,
    /// Every tenant that waits, in the order in which they get turns.
    tenants: VecDeque<(T, VecDeque<oneshot::Sender<FairTurn<T>>>)>,
}

/// Given to the next who waits when it is dropped.
pub struct FairTurn<T: PartialEq>(Option<Arc<Mutex<Queue<T>>>>);

impl<T: PartialEq> FairTurns<T> {
    /// So many at once.
    pub fn new(at_once: usize) -> Self {
        Self(Arc::new(Mutex::new(Queue { free: at_once.max(1), tenants: VecDeque::new() })))
    }

    /// Waits for a turn of a tenant.
    pub async fn take(&self, tenant: T) -> FairTurn<T> {
        let waiting = {
            let mut queue = lock(&self.0);
            if queue.free > 0 {
                queue.free -= 1;
                return FairTurn(Some(self.0.clone()));
            }
            let (give, waiting) = oneshot::channel();
            match queue.tenants.iter_mut().find(|(known, _)| *known == tenant) {
                Some((_, places)) => places.push_back(give),
                None => queue.tenants.push_back((tenant, VecDeque::from([give]))),
            }
            waiting
        };
        waiting.await.expect("whoever waits is given a turn")
    }
}

impl<T: PartialEq> Drop for FairTurn<T> {
    fn drop(&mut self) {
        let Some(shared) = self.0.take() else { return };
        loop {
            let next = lock(&shared).next();
            let Some(next) = next else { return };
            match next.send(Self(Some(shared.clone()))) {
                Ok(()) => return,
                // Whoever waited has gone away; the turn comes back and is not to be given twice.
                Err(mut turn) => turn.0 = None,
            }
        }
    }
}

impl<T: PartialEq> Queue<T> {
    /// The next who waits; without one, the turn is free.
    fn next(&mut self) -> Option<oneshot::Sender<FairTurn<T>>> {
        let Some((tenant, mut places)) = self.tenants.pop_front() else {
            self.free += 1;
            return None;
        };
        let next = places.pop_front();
        if !places.is_empty() {
            self.tenants.push_back((tenant, places));
        }
        next
    }
}

fn lock<T: PartialEq>(queue: &Mutex<Queue<T>>) -> MutexGuard<'_, Queue<T>> {
    // Nothing below can panic halfway through a change.
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn tenants_get_turns_one_after_the_other_however_many_each_waits_for() {
        let turns = FairTurns::new(1);
        let first = turns.take("busy").await;
        let mut busy: Vec<_> = (0..3).map(|_| Box::pin(turns.take("busy"))).collect();
        let mut quiet = Box::pin(turns.take("quiet"));
        assert!(busy.iter_mut().all(|turn| turn.now_or_never().is_none()) && quiet.as_mut().now_or_never().is_none());
        drop(first);
        let second = busy.remove(0).now_or_never().expect("who came first is served first");
        drop(second);
        let third = quiet.as_mut().now_or_never().expect("the other tenant is next, before two that came earlier");
        assert!(busy.iter_mut().all(|turn| turn.now_or_never().is_none()));
        drop(third);
        assert!(busy.remove(0).now_or_never().is_some());
    }

    #[tokio::test]
    async fn who_goes_away_while_waiting_takes_no_turn_along() {
        let turns = FairTurns::new(1);
        let first = turns.take(1).await;
        let mut gone = Box::pin(turns.take(1));
        assert!(gone.as_mut().now_or_never().is_none());
        drop(gone);
        drop(first);
        assert!(turns.take(2).now_or_never().is_some());
    }

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
