//! Keeps the parts of a process running: threads of the store, and tasks such as the worker of jobs.
//!
//! A part that panics, or ends although nobody stopped it, is logged by its name and counts as down until it is running again: the process
//! is not ready meanwhile. Most parts are restarted after a wait that doubles. A part that can't be restarted safely is reported
//! by [`Supervision::fail`]; whoever runs the process ends it then ([`Supervision::failed`]).
//!
//! Supervision never hides an end: every one is an error in the log and a count in `lectern_part_restarts_total` or `lectern_part_failures_total`.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::stop::Stop;

/// Before a restart: the first wait and the longest.
const RESTART: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));
/// A part that has run this long starts over with the first wait.
const STEADY: Duration = Duration::from_secs(60);

/// What is known of the parts of a process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Supervision(Arc<State>);

#[derive(Debug)]
struct State {
    /// How many of each name are down.
    down: Mutex<BTreeMap<&'static str, usize>>,
    failed: watch::Sender<Option<&'static str>>,
}

impl Default for Supervision {
    fn default() -> Self {
        Self(Arc::new(State { down: Mutex::default(), failed: watch::Sender::new(None) }))
    }
}

impl Supervision {
    /// A part that is down, if one is.
    #[must_use]
    pub fn down(&self) -> Option<&'static str> {
        self.0.failed.borrow().or_else(|| self.parts().keys().next().copied())
    }

    /// A part ended for good. The process is not ready from now on, and is to end.
    pub fn fail(&self, part: &'static str, cause: &str) {
        tracing::error!(part, cause, "a part of the service failed and can't be restarted: the process has to end");
        metrics::counter!("lectern_part_failures_total", "part" => part).increment(1);
        self.0.failed.send_if_modified(|failed| {
            let is_first = failed.is_none();
            failed.get_or_insert(part);
            is_first
        });
    }

    /// Waits until a part has failed for good; its name.
    pub async fn failed(&self) -> &'static str {
        let mut failed = self.0.failed.subscribe();
        // The sender lives as long as this handle.
        let found = failed.wait_for(Option::is_some).await.ok().and_then(|name| *name);
        match found {
            Some(name) => name,
            None => std::future::pending().await,
        }
    }

    /// Runs a part until it ends after `is_stopped` has become true. `start` makes it anew for each run.
    pub async fn keep<F>(&self, part: &'static str, mut is_stopped: watch::Receiver<bool>, mut start: impl FnMut() -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut waits = Waits::default();
        loop {
            let begun = tokio::time::Instant::now();
            let ended = tokio::spawn(start()).await;
            // Without its sender nobody can want the part to go on.
            let is_over = *is_stopped.borrow() || is_stopped.has_changed().is_err();
            let cause = match ended {
                Ok(()) if is_over => return,
                Ok(()) => "it ended".to_owned(),
                Err(error) => error.try_into_panic().map_or_else(|error| error.to_string(), |panic| message(&*panic)),
            };
            if is_over {
                tracing::error!(part, cause, "a part of the service crashed while it was shutting down");
                return;
            }
            let _down = self.restarting(part, &cause);
            tokio::select! {
                () = tokio::time::sleep(waits.after(begun.elapsed())) => {}
                _ = is_stopped.wait_for(|is_stopped| *is_stopped) => return,
            }
        }
    }

    /// Runs a part on this thread until it ends after `stop` was set.
    pub(crate) fn keep_here(&self, part: &'static str, stop: &Stop, mut run: impl FnMut()) {
        let mut waits = Waits::default();
        loop {
            let begun = crate::meter::now();
            // Whatever was torn belongs to the run that has ended.
            let cause = match catch_unwind(AssertUnwindSafe(&mut run)) {
                Ok(()) if stop.is_stopped() => return,
                Ok(()) => "it ended".to_owned(),
                Err(panic) => message(&*panic),
            };
            let _down = self.restarting(part, &cause);
            if stop.wait(waits.after(begun.elapsed())) {
                return;
            }
        }
    }

    fn restarting(&self, part: &'static str, cause: &str) -> Down<'_> {
        tracing::error!(part, cause, "a part of the service ended and is restarted");
        metrics::counter!("lectern_part_restarts_total", "part" => part).increment(1);
        *self.parts().entry(part).or_default() += 1;
        Down { supervision: self, part }
    }

    fn parts(&self) -> MutexGuard<'_, BTreeMap<&'static str, usize>> {
        self.0.down.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Held while a part is down.
struct Down<'a> {
    supervision: &'a Supervision,
    part: &'static str,
}

impl Drop for Down<'_> {
    fn drop(&mut self) {
        let mut parts = self.supervision.parts();
        let left = parts.get(self.part).map_or(0, |count| count - 1);
        match left {
            0 => parts.remove(self.part),
            _ => parts.insert(self.part, left),
        };
    }
}

/// The waits before restarts.
#[derive(Default)]
struct Waits {
    last: Option<Duration>,
}

impl Waits {
    /// The wait after a run that took so long.
    fn after(&mut self, run: Duration) -> Duration {
        let last = self.last.filter(|_| run < STEADY);
        *self.last.insert(last.map_or(RESTART.0, |last| (last * 2).min(RESTART.1)))
    }
}

/// A panic's message.
pub(crate) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.map_or_else(|| "it panicked".to_owned(), |text| format!("it panicked: {text}"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn waits_double_up_to_a_bound_and_start_over_after_a_steady_run() {
        let mut waits = Waits::default();
        let waited: Vec<u128> = (0..9).map(|_| waits.after(Duration::ZERO).as_millis()).collect();
        assert_eq!(waited, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
        assert_eq!(waits.after(STEADY), RESTART.0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_or_ends_is_down_until_it_is_restarted() {
        let supervision = Supervision::default();
        let (stop, stopped) = watch::channel(false);
        let runs = Arc::new(AtomicU32::new(0));
        let (kept, counted, until) = (supervision.clone(), runs.clone(), stopped.clone());
        let keeping = tokio::spawn(async move {
            kept.keep("worker", stopped, || {
                let (run, mut until) = (counted.fetch_add(1, Ordering::SeqCst), until.clone());
                async move {
                    match run {
                        0 => panic!("lost its mind"),
                        1 => {}
                        _ => drop(until.wait_for(|stop| *stop).await),
                    }
                }
            })
            .await;
        });
        for (run, wait) in [(1, 100), (2, 200)] {
            while supervision.down().is_none() {
                tokio::task::yield_now().await;
            }
            assert_eq!((supervision.down(), runs.load(Ordering::SeqCst)), (Some("worker"), run));
            tokio::time::advance(Duration::from_millis(wait)).await;
            while runs.load(Ordering::SeqCst) == run {
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(supervision.down(), None);
        stop.send_replace(true);
        keeping.await.unwrap();
        assert_eq!((supervision.down(), runs.load(Ordering::SeqCst)), (None, 3));
    }

    #[test]
    fn a_thread_that_panics_is_run_again_until_it_is_stopped() {
        let (supervision, stop) = (Supervision::default(), Stop::default());
        let mut runs = 0;
        supervision.keep_here("store-checkpoint", &stop, || {
            runs += 1;
            assert_eq!(supervision.down(), None, "while it runs it is not down");
            match runs {
                1 => panic!("no disk"),
                2 => {}
                _ => stop.stop(),
            }
        });
        assert_eq!((runs, supervision.down()), (3, None));
    }

    #[tokio::test]
    async fn a_part_that_fails_for_good_is_down_for_good() {
        let supervision = Supervision::default();
        assert_eq!(supervision.down(), None);
        let waiting = tokio::spawn({
            let supervision = supervision.clone();
            async move { supervision.failed().await }
        });
        supervision.fail("store-writer", "it panicked");
        supervision.fail("serving", "it ended");
        assert_eq!((waiting.await.unwrap(), supervision.failed().await), ("store-writer", "store-writer"));
        assert_eq!(supervision.down(), Some("store-writer"));
    }

    #[test]
    fn a_panic_is_known_by_its_message() {
        let panicked = |act: fn()| message(&*catch_unwind(act).unwrap_err());
        assert_eq!(panicked(|| panic!("no disk")), "it panicked: no disk");
        assert_eq!(panicked(|| panic!("no disk {}", 3)), "it panicked: no disk 3");
        assert_eq!(panicked(|| std::panic::panic_any(3)), "it panicked");
    }
}
