//! A circuit breaker: a server that failed again and again is left alone for a while, so that its callers learn at once what
//! they would have waited for, and it gets time to recover.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kernel::model::ModelRole;
use tokio::time::Instant;

use crate::settings::{ModelNames, Pacing};
use crate::work::Work;

/// Outages in a row that open it.
const MOST_OUTAGES: u32 = 5;
/// What is said of the time after which it is worth trying again while somebody tries already.
const PROBING: Duration = Duration::from_secs(1);

/// Those of a provider: one for each model that grades, and one for content, though it be written by a model that grades
/// too. A model that can't write a module in time may still grade.
pub(crate) struct Breakers {
    grading: HashMap<String, Breaker>,
    content: Breaker,
}

impl Breakers {
    pub(crate) fn new(models: &ModelNames, pacing: &Pacing) -> Self {
        let breaker = || Breaker::new(pacing.cooling, pacing.longest_cooling);
        let grading = [&models.fast, &models.standard, &models.advanced];
        Self { grading: grading.into_iter().map(|name| (name.clone(), breaker())).collect(), content: breaker() }
    }

    /// The breaker of a role, whose model is this one.
    pub(crate) fn of(&self, role: ModelRole, model: &str) -> &Breaker {
        match Work::of(role) {
            Work::Grading => self.grading.get(model).expect("each model that grades has one"),
            Work::Content => &self.content,
        }
    }
}

/// Closed at first. Open for a time that doubles; then one call is let through, and decides.
pub(crate) struct Breaker {
    state: Mutex<State>,
    cooling: Duration,
    longest_cooling: Duration,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Closed {
        outages: u32,
    },
    Open {
        until: Instant,
        cooling: Duration,
    },
    /// One is being let through.
    Probing,
}

/// Leave to try once. What comes of it must be said; one that is dropped, as with a call that nobody waits for any more,
/// says nothing about the server.
pub(crate) struct Pass<'a> {
    breaker: &'a Breaker,
    probes: Option<Duration>,
}

/// What a try changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Nothing,
    Opened(Duration),
    Closed,
}

impl Breaker {
    pub(crate) fn new(cooling: Duration, longest_cooling: Duration) -> Self {
        Self { state: Mutex::new(State::Closed { outages: 0 }), cooling, longest_cooling }
    }

    /// Whether a try would be let through.
    ///
    /// # Errors
    /// After what time it may be.
    pub(crate) fn check(&self, now: Instant) -> Result<(), Duration> {
        match *self.lock() {
            State::Closed { .. } => Ok(()),
            State::Open { until, .. } if until <= now => Ok(()),
            State::Open { until, .. } => Err(until - now),
            State::Probing => Err(PROBING),
        }
    }

    /// Lets a try through, or not.
    ///
    /// # Errors
    /// As [`Breaker::check`].
    pub(crate) fn admit(&self, now: Instant) -> Result<Pass<'_>, Duration> {
        let mut state = self.lock();
        let probes = match *state {
            State::Closed { .. } => None,
            State::Open { until, cooling } if until <= now => {
                *state = State::Probing;
                Some(cooling)
            }
            State::Open { until, .. } => return Err(until - now),
            State::Probing => return Err(PROBING),
        };
        drop(state);
        Ok(Pass { breaker: self, probes })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing above or below can panic halfway through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pass<'_> {
    /// Says what came of the try.
    pub(crate) fn settle(mut self, is_outage: bool, now: Instant) -> Change {
        let breaker = self.breaker;
        let probes = self.probes.take();
        let mut state = breaker.lock();
        let (next, change) = match (*state, probes) {
            (State::Closed { .. }, _) if !is_outage => (State::Closed { outages: 0 }, Change::Nothing),
            (State::Closed { outages }, _) if outages + 1 < MOST_OUTAGES => {
                (State::Closed { outages: outages + 1 }, Change::Nothing)
            }
            (State::Closed { .. }, _) => open(now, breaker.cooling),
            (_, Some(_)) if !is_outage => (State::Closed { outages: 0 }, Change::Closed),
            (_, Some(cooling)) => open(now, (cooling * 2).min(breaker.longest_cooling)),
            // It was let through before others found the server to be down; what it finds is old.
            (state, None) => (state, Change::Nothing),
        };
        *state = next;
        change
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if let Some(cooling) = self.probes {
            // Nothing was found out: the next one may.
            *self.breaker.lock() = State::Open { until: Instant::now(), cooling };
        }
    }
}

fn open(now: Instant, cooling: Duration) -> (State, Change) {
    (State::Open { until: now + cooling, cooling }, Change::Opened(cooling))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COOLING: Duration = Duration::from_secs(5);

    /// Fails until it opens.
    fn opened(now: Instant) -> Breaker {
        let breaker = Breaker::new(COOLING, Duration::from_secs(15));
        for nth in 1..=MOST_OUTAGES {
            let change = breaker.admit(now).ok().unwrap().settle(true, now);
            assert_eq!(change != Change::Nothing, nth == MOST_OUTAGES);
        }
        breaker
    }

    #[test]
    fn only_outages_in_a_row_open_it() {
        let (breaker, now) = (Breaker::new(COOLING, COOLING), Instant::now());
        for _ in 0..10 {
            for _ in 1..MOST_OUTAGES {
                breaker.admit(now).ok().unwrap().settle(true, now);
            }
            breaker.admit(now).ok().unwrap().settle(false, now);
        }
        assert_eq!(breaker.check(now), Ok(()));
        assert_eq!(opened(now).check(now), Err(COOLING));
    }

    #[test]
    fn after_a_while_one_is_let_through_and_decides() {
        let now = Instant::now();
        let breaker = opened(now);
        assert_eq!(breaker.admit(now).err(), Some(COOLING));
        let later = now + COOLING;
        let probe = breaker.admit(later).ok().unwrap();
        assert!(breaker.check(later).is_err() && breaker.admit(later).is_err(), "one at a time");
        assert_eq!(probe.settle(false, later), Change::Closed);
        assert_eq!(breaker.check(later), Ok(()));
    }

    #[test]
    fn each_time_it_stays_open_for_longer_up_to_a_limit() {
        let mut now = Instant::now();
        let breaker = opened(now);
        for seconds in [10, 15, 15] {
            now += Duration::from_secs(60);
            let change = breaker.admit(now).ok().unwrap().settle(true, now);
            assert_eq!(change, Change::Opened(Duration::from_secs(seconds)));
        }
    }

    #[test]
    fn a_probe_that_nobody_waits_for_leaves_the_next_one_through() {
        let now = Instant::now();
        let breaker = opened(now);
        drop(breaker.admit(now + COOLING).ok().unwrap());
        assert!(breaker.admit(Instant::now() + COOLING).is_ok());
    }

    #[test]
    fn what_was_let_through_before_it_opened_does_not_close_it() {
        let now = Instant::now();
        let breaker = Breaker::new(COOLING, COOLING);
        let early = breaker.admit(now).ok().unwrap();
        for _ in 0..MOST_OUTAGES {
            breaker.admit(now).ok().unwrap().settle(true, now);
        }
        assert_eq!(early.settle(false, now), Change::Nothing);
        assert!(breaker.check(now).is_err());
    }
}
