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
/// one, and nobody holds more than a share of them. How many may wait is the caller's to bound.
pub struct FairTurns<T: Tenant>(Arc<Mutex<Queue<T>>>);

/// Whose turn it is.
pub trait Tenant: Clone + PartialEq {}

impl<T: Clone + PartialEq> Tenant for T {}

struct Queue<T: Tenant> {
    free: usize,
    most_each: usize,
    /// Who has turns, and how many.
    held: Vec<(T, usize)>,
    /// Every tenant that waits, in the order in which they get turns.
    tenants: VecDeque<(T, VecDeque<oneshot::Sender<FairTurn<T>>>)>,
}

/// Given to the next who waits when it is dropped.
pub struct FairTurn<T: Tenant>(Option<(T, Arc<Mutex<Queue<T>>>)>);

impl<T: Tenant> FairTurns<T> {
    /// So many at once, all of them for one tenant where no other wants any.
    pub fn new(at_once: usize) -> Self {
        Self::with_share(at_once, at_once)
    }

    /// So many at once, and so many of them for one tenant at most.
    pub fn with_share(at_once: usize, most_each: usize) -> Self {
        let (free, most_each) = (at_once.max(1), most_each.max(1));
        Self(Arc::new(Mutex::new(Queue { free, most_each, held: Vec::new(), tenants: VecDeque::new() })))
    }

    /// Waits for a turn of a tenant.
    pub async fn take(&self, tenant: T) -> FairTurn<T> {
        let waiting = {
            let mut queue = lock(&self.0);
            if queue.free > 0 && queue.may_have_more(&tenant) {
                queue.hand_out(&tenant);
                return FairTurn(Some((tenant, self.0.clone())));
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

    /// How many of a tenant wait, those who have gone away included until their turn comes.
    pub fn waiting(&self, tenant: &T) -> usize {
        let queue = lock(&self.0);
        queue.tenants.iter().find(|(known, _)| known == tenant).map_or(0, |(_, places)| places.len())
    }
}

impl<T: Tenant> Drop for FairTurn<T> {
    fn drop(&mut self) {
        let Some((tenant, shared)) = self.0.take() else { return };
        lock(&shared).take_back(&tenant);
        loop {
            let Some((tenant, next)) = lock(&shared).next() else { return };
            if let Err(mut turn) = next.send(Self(Some((tenant.clone(), shared.clone())))) {
                // Whoever waited has gone away; the turn comes back and is not to be given twice.
                turn.0 = None;
                lock(&shared).take_back(&tenant);
            }
        }
    }
}

impl<T: Tenant> Queue<T> {
    fn may_have_more(&self, tenant: &T) -> bool {
        self.held.iter().find(|(known, _)| known == tenant).is_none_or(|(_, held)| *held < self.most_each)
    }

    fn hand_out(&mut self, tenant: &T) {
        self.free -= 1;
        match self.held.iter_mut().find(|(known, _)| known == tenant) {
            Some((_, held)) => *held += 1,
            None => self.held.push((tenant.clone(), 1)),
        }
    }

    fn take_back(&mut self, tenant: &T) {
        self.free += 1;
        if let Some(at) = self.held.iter().position(|(known, _)| known == tenant) {
            self.held[at].1 -= 1;
            if self.held[at].1 == 0 {
                self.held.swap_remove(at);
            }
        }
    }

    /// Hands a free turn out to the next who waits and may have one.
    fn next(&mut self) -> Option<(T, oneshot::Sender<FairTurn<T>>)> {
        if self.free == 0 {
            return None;
        }
        let at = self.tenants.iter().position(|(tenant, _)| self.may_have_more(tenant))?;
        let (tenant, mut places) = self.tenants.remove(at)?;
        let next = places.pop_front()?;
        if !places.is_empty() {
            self.tenants.push_back((tenant.clone(), places));
        }
        self.hand_out(&tenant);
        Some((tenant, next))
    }
}

fn lock<T: Tenant>(queue: &Mutex<Queue<T>>) -> MutexGuard<'_, Queue<T>> {
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
    async fn nobody_holds_more_than_a_share_and_the_rest_is_for_others() {
        let turns = FairTurns::with_share(3, 2);
        let mut held = vec![turns.take("busy").await, turns.take("busy").await];
        let mut third = Box::pin(turns.take("busy"));
        assert!(third.as_mut().now_or_never().is_none());
        assert_eq!((turns.waiting(&"busy"), turns.waiting(&"quiet")), (1, 0));
        let quiet = turns.take("quiet").now_or_never().expect("the last turn is not for the busy one");
        drop(quiet);
        assert!(third.as_mut().now_or_never().is_none(), "a free turn is not for who has a share already");
        held.pop();
        assert!(third.now_or_never().is_some());
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
