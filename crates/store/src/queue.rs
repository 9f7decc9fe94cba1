//! A bounded queue from async callers to the threads that own connections.
//!
//! A push never blocks and never waits for room: a full queue refuses at once, and so does one that no thread
//! serves. It wakes a thread only when one sleeps, so a busy engine costs its callers no system call.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often an idle thread gives way before it sleeps.
const TURNS_BEFORE_SLEEP: u32 = 2;

/// The queue; shared by reference.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    filled: Condvar,
    limit: usize,
}

#[derive(Debug)]
struct State<T> {
    /// Empty while nobody serves.
    items: VecDeque<T>,
    serving: usize,
    sleeping: usize,
    is_closed: bool,
}

impl<T> State<T> {
    fn take(&mut self, batch: &mut Vec<T>, most: usize) {
        let count = self.items.len().min(most.saturating_sub(batch.len()));
        batch.extend(self.items.drain(..count));
    }
}

impl<T> Queue<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            state: Mutex::new(State { items: VecDeque::new(), serving: 0, sleeping: 0, is_closed: false }),
            filled: Condvar::new(),
            limit,
        }
    }

    /// A thread begins to serve.
    pub(crate) fn join(&self) {
        self.lock().serving += 1;
    }

    /// A thread that served ends. The last one gets what waits, because nobody else will.
    pub(crate) fn leave(&self) -> VecDeque<T> {
        let mut state = self.lock();
        state.serving -= 1;
        if state.serving == 0 { std::mem::take(&mut state.items) } else { VecDeque::new() }
    }

    pub(crate) fn is_served(&self) -> bool {
        self.lock().serving > 0
    }

    /// Hands the item back when the queue is full, closed or not served.
    pub(crate) fn push(&self, item: T) -> Result<(), T> {
        let mut state = self.lock();
        if state.is_closed || state.serving == 0 || state.items.len() >= self.limit {
            return Err(item);
        }
        state.items.push_back(item);
        let wake = state.sleeping > 0;
        drop(state);
        if wake {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Moves up to `most` items into `batch`, waiting for the first. False when the queue is closed
    /// and empty.
    pub(crate) fn pop(&self, batch: &mut Vec<T>, most: usize) -> bool {
        self.pop_when_filled(batch, most, None::<(Duration, fn())>)
    }

    /// [`Queue::pop`], which calls `rest` once when nothing has come for so long.
    pub(crate) fn pop_or_rest(&self, batch: &mut Vec<T>, most: usize, patience: Duration, rest: impl FnOnce()) -> bool {
        self.pop_when_filled(batch, most, Some((patience, rest)))
    }

    fn pop_when_filled(&self, batch: &mut Vec<T>, most: usize, rest: Option<(Duration, impl FnOnce())>) -> bool {
        match self.when_filled(rest) {
            Some(mut state) => {
                state.take(batch, most);
                true
            }
            None => false,
        }
    }

    /// Waits until there is an item, which somebody else may [`Queue::take`] first. False when the queue is closed and empty.
    pub(crate) fn wait(&self) -> bool {
        self.when_filled(None::<(Duration, fn())>).is_some()
    }

    /// The queue with something in it; `None` when it is closed and empty. `rest` is called once after so long a sleep.
    ///
    /// Before it sleeps, the thread gives way to the others a few times: on a busy machine the next item comes
    /// from one of them, and the two system calls of a sleep are saved.
    fn when_filled(&self, mut rest: Option<(Duration, impl FnOnce())>) -> Option<MutexGuard<'_, State<T>>> {
        let mut turns = TURNS_BEFORE_SLEEP;
        let mut state = self.lock();
        while state.items.is_empty() {
            if state.is_closed {
                return None;
            }
            if turns > 0 {
                turns -= 1;
                drop(state);
                std::thread::yield_now();
                state = self.lock();
                continue;
            }
            state.sleeping += 1;
            let patience = rest.as_ref().map(|(patience, _)| *patience);
            let (mut woken, is_late) = self.sleep(state, patience);
            woken.sleeping -= 1;
            if is_late && let Some((_, rest)) = rest.take() {
                drop(woken);
                rest();
                woken = self.lock();
            }
            state = woken;
        }
        Some(state)
    }

    /// Sleeps until it is woken, or for so long at most; then it is late.
    fn sleep<'a>(
        &self,
        state: MutexGuard<'a, State<T>>,
        patience: Option<Duration>,
    ) -> (MutexGuard<'a, State<T>>, bool) {
        match patience {
            None => (self.filled.wait(state).unwrap_or_else(PoisonError::into_inner), false),
            Some(patience) => {
                let (state, waited) = self.filled.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner);
                (state, waited.timed_out())
            }
        }
    }

    /// Moves what there is into `batch`, until that has `most` items.
    pub(crate) fn take(&self, batch: &mut Vec<T>, most: usize) {
        self.lock().take(batch, most);
    }

    /// Everything that waits.
    pub(crate) fn take_all(&self) -> VecDeque<T> {
        std::mem::take(&mut self.lock().items)
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().items.len()
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Refuses what comes from now on; what is queued is still handed out.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.filled.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing below can panic halfway through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn what_nobody_serves_is_refused_and_not_kept() {
        let queue = Queue::new(2);
        assert_eq!(queue.push(1), Err(1));
        queue.join();
        queue.join();
        assert_eq!((queue.push(1), queue.push(2), queue.push(3)), (Ok(()), Ok(()), Err(3)));
        assert_eq!(queue.leave(), VecDeque::new());
        assert_eq!(queue.leave(), [1, 2]);
        assert_eq!((queue.push(4), queue.len()), (Err(4), 0));
    }

    #[test]
    fn who_waits_rests_once_when_nothing_comes_and_goes_on_when_something_does() {
        let queue = Queue::new(2);
        queue.join();
        let mut batch = Vec::new();
        queue.push(1).unwrap();
        assert!(queue.pop_or_rest(&mut batch, 2, Duration::from_secs(60), || panic!("there is something")));
        let mut rests = 0;
        let rest = || {
            rests += 1;
            queue.push(2).unwrap();
        };
        assert!(queue.pop_or_rest(&mut batch, 2, Duration::ZERO, rest));
        assert_eq!((batch.as_slice(), rests), ([1, 2].as_slice(), 1));
        queue.close();
        assert!(!queue.pop_or_rest(&mut batch, 2, Duration::from_secs(60), || panic!("the queue is closed")));
    }

    #[test]
    fn of_items_pushed_while_the_last_thread_leaves_none_stays() {
        for _ in 0..200 {
            let queue = Queue::new(usize::MAX);
            queue.join();
            let (left, pushed) = thread::scope(|scope| {
                let pushing = scope.spawn(|| (0..).take_while(|item| queue.push(*item).is_ok()).count());
                while queue.len() == 0 {
                    thread::yield_now();
                }
                (queue.leave().len(), pushing.join().expect("it does not panic"))
            });
            assert_eq!((left, queue.len()), (pushed, 0));
        }
    }
}
