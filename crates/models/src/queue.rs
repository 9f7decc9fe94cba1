//! Who may ask now. Calls wait in turns between tenants, so that one with many is not served before another with one, and
//! neither one tenant nor the writing of content can hold all turns for as long as slow models take.

use std::sync::Arc;
use std::time::Duration;

use kernel::model::ModelError;
use kernel::turns::{FairTurn, FairTurns};
use metrics::Gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::work::Work;

/// Calls that wait for any turn, of all tenants together; half as many wait with content for one that content may have.
const MOST_WAITING: usize = 4096;

/// So many calls at once.
pub(crate) struct Queue {
    /// What every call needs.
    all: Line,
    /// What content needs before: the rest is always for grades.
    content: Line,
    waiting: Gauge,
    in_flight: Gauge,
}

/// Leave to ask; given to the next one when it is dropped.
pub(crate) struct Turn {
    _any: FairTurn<String>,
    _content: Option<FairTurn<String>>,
    _in_flight: Counted,
}

/// Turns, and places to wait for one.
struct Line {
    turns: FairTurns<String>,
    places: Arc<Semaphore>,
    /// Places of one tenant: the rest is for others.
    most_waiting_each: usize,
}

impl Line {
    /// A quarter of the turns, rounded down, is for whoever does not hold the others.
    fn new(at_once: usize, most_waiting: usize) -> Self {
        Self {
            turns: FairTurns::with_share(at_once, at_once - at_once / 4),
            places: Arc::new(Semaphore::new(most_waiting)),
            most_waiting_each: most_waiting / 2,
        }
    }

    /// Waits for a turn; `None` at once where too many wait already.
    async fn take(&self, tenant: &str) -> Option<FairTurn<String>> {
        let _place = self.place(tenant)?;
        Some(self.turns.take(tenant.to_owned()).await)
    }

    fn place(&self, tenant: &str) -> Option<OwnedSemaphorePermit> {
        if self.turns.waiting(&tenant.to_owned()) >= self.most_waiting_each {
            return None;
        }
        self.places.clone().try_acquire_owned().ok()
    }
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
            all: Line::new(at_once, MOST_WAITING),
            content: Line::new((at_once / 2).max(1), MOST_WAITING / 2),
            waiting: metrics::gauge!("lectern_model_calls_waiting"),
            in_flight: metrics::gauge!("lectern_model_calls_in_flight"),
        }
    }

    /// Waits for a turn.
    ///
    /// # Errors
    /// [`ModelError::Busy`]: at once where too many wait already, or after having waited for so long.
    pub(crate) async fn take(&self, tenant: &str, work: Work, longest: Duration) -> Result<Turn, ModelError> {
        const BUSY: ModelError = ModelError::Busy { retry_after: None };
        let waiting = Counted::on(&self.waiting);
        let turns = tokio::time::timeout(longest, self.turns(tenant, work)).await;
        let (content, any) = turns.ok().flatten().ok_or(BUSY)?;
        drop(waiting);
        Ok(Turn { _any: any, _content: content, _in_flight: Counted::on(&self.in_flight) })
    }

    /// Nobody who holds one of all turns waits for another, so that each comes to an end.
    async fn turns(&self, tenant: &str, work: Work) -> Option<(Option<FairTurn<String>>, FairTurn<String>)> {
        let content = match work {
            Work::Grading => None,
            Work::Content => Some(self.content.take(tenant).await?),
        };
        Some((content, self.all.take(tenant).await?))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    async fn grade(queue: &Queue, tenant: &str) -> Result<Turn, ModelError> {
        queue.take(tenant, Work::Grading, LONG).await
    }

    async fn write(queue: &Queue, tenant: &str) -> Result<Turn, ModelError> {
        queue.take(tenant, Work::Content, LONG).await
    }

    fn begins(call: impl Future<Output = Result<Turn, ModelError>>) -> Option<Turn> {
        call.now_or_never()?.ok()
    }

    #[tokio::test(start_paused = true)]
    async fn one_tenant_can_fill_only_its_part_of_the_places_and_learns_it_at_once() {
        let queue = Queue::new(1);
        let _first = grade(&queue, "busy").await.unwrap();
        let mut waiting: Vec<_> = (0..MOST_WAITING / 2).map(|_| Box::pin(grade(&queue, "busy"))).collect();
        assert!(waiting.iter_mut().all(|turn| turn.now_or_never().is_none()));
        assert!(matches!(grade(&queue, "busy").now_or_never(), Some(Err(ModelError::Busy { .. }))));
        assert!(grade(&queue, "quiet").now_or_never().is_none(), "there is a place for another");
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_waited_for_too_long_is_told_so_and_takes_no_turn() {
        let queue = Queue::new(1);
        let first = grade(&queue, "a").await.unwrap();
        assert!(matches!(grade(&queue, "b").await, Err(ModelError::Busy { .. })));
        assert!(matches!(write(&queue, "b").await, Err(ModelError::Busy { .. })));
        drop(first);
        assert!(begins(write(&queue, "c")).is_some(), "who went away holds no turn of content's either");
    }

    #[tokio::test]
    async fn grades_get_turns_while_content_of_many_tenants_holds_all_of_its_own() {
        let queue = Queue::new(4);
        let mut held: Vec<_> = (0..2).map(|n| begins(write(&queue, &format!("org {n}"))).unwrap()).collect();
        let mut waiting: Vec<_> =
            ["org 2", "org 3", "org 4"].iter().map(|tenant| Box::pin(write(&queue, tenant))).collect();
        assert!(waiting.iter_mut().all(|turn| turn.now_or_never().is_none()), "content has half of the turns");
        let _grades = (begins(grade(&queue, "school")).unwrap(), begins(grade(&queue, "org 0")).unwrap());
        assert!(begins(grade(&queue, "other")).is_none(), "all turns are held");

        held.pop();
        let next = waiting.remove(0).now_or_never().expect("the next one's content has the turn that is free");
        assert!(waiting.iter_mut().all(|turn| turn.now_or_never().is_none()));
        drop(next);
    }

    #[tokio::test]
    async fn content_that_waits_takes_no_places_of_grades() {
        let queue = Queue::new(4);
        let tenants: Vec<_> = (0..MOST_WAITING).map(|n| format!("org {}", n % 7)).collect();
        let mut calls: Vec<_> = tenants.iter().map(|tenant| Box::pin(write(&queue, tenant))).collect();
        let ended: Vec<_> = calls.iter_mut().filter_map(|call| call.now_or_never()).collect();
        let (begun, refused): (Vec<_>, Vec<_>) = ended.into_iter().partition(Result::is_ok);
        assert_eq!((begun.len(), refused.len()), (2, MOST_WAITING - MOST_WAITING / 2 - 2));
        assert!(begins(grade(&queue, "org 0")).is_some());
    }

    #[tokio::test]
    async fn one_tenant_leaves_a_quarter_of_the_turns_to_others_if_there_are_so_many() {
        for (at_once, most) in [(1, 1), (2, 2), (4, 3), (64, 48)] {
            let queue = Queue::new(at_once);
            let held: Vec<_> = std::iter::from_fn(|| begins(grade(&queue, "busy"))).collect();
            assert_eq!(held.len(), most, "{at_once}");
            let others = std::iter::from_fn(|| begins(grade(&queue, "quiet"))).take(at_once).count();
            assert_eq!(others > 0, most < at_once);
            drop(held);
            let held: Vec<_> = std::iter::from_fn(|| begins(write(&queue, "busy"))).collect();
            assert!((1..=(at_once / 2).max(1)).contains(&held.len()), "{at_once}");
        }
    }
}
