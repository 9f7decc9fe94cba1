//! Rate limits: so many requests of a key, or of all keys of a workspace, in a window of 60 seconds that opens with
//! the first request.
//!
//! One process counts in memory. Where several processes share a database the count stays exact too: each
//! leases slices of the window from the row in `rate_window` and spends them locally, so that the
//! database is asked once a slice and not once a request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use kernel::id::KeyId;
use kernel::time::Timestamp;
use store::{StoreError, Tx};
use uuid::Uuid;

static LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

const WINDOW: Duration = Duration::from_secs(60);
/// A slice is this part of the limit, at least one request.
const SLICES_PER_WINDOW: u32 = 16;
/// Windows that ended are forgotten when the table grows past this many keys.
const MOST_WINDOWS: usize = 10_000;

/// Where a key stands in its window, for the `RateLimit-*` headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateStatus {
    /// Requests allowed in a window.
    pub limit: u32,
    /// Requests left in this window.
    pub remaining: u32,
    /// Time until the window ends.
    pub reset: Duration,
    /// Whether this request was within the limit.
    pub is_admitted: bool,
}

impl RateStatus {
    pub(crate) fn write_headers(&self, headers: &mut HeaderMap) {
        let reset_seconds = u64::try_from(self.reset.as_millis().div_ceil(1000)).unwrap_or(u64::MAX);
        headers.insert(LIMIT.clone(), HeaderValue::from(self.limit));
        headers.insert(REMAINING.clone(), HeaderValue::from(self.remaining));
        headers.insert(RESET.clone(), HeaderValue::from(reset_seconds));
    }
}

/// Who else spends the same limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// This process alone serves the database.
    OneProcess,
    /// Any number of processes do.
    ManyProcesses,
}

/// What the limiter says to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Counted, or refused: see [`RateStatus::is_admitted`].
    Decided(RateStatus),
    /// Nothing is left of the leased slice: take another with [`lease`] and ask again.
    NeedsSlice,
}

/// Whose requests share a window, and how many they may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSubject {
    /// A key's id, or a workspace's.
    pub id: Uuid,
    /// Requests a window.
    pub limit: u32,
}

/// Counts requests by subject, and remembers when each key was last used.
pub struct RateLimiter {
    sharing: Sharing,
    windows: Mutex<HashMap<Uuid, Window>>,
    unsaved_uses: Mutex<HashMap<KeyId, Timestamp>>,
}

struct Window {
    started: Timestamp,
    used: u32,
    granted: u32,
    /// Everything that this limit allows has been leased, here or elsewhere. A higher one allows more.
    exhausted_at: Option<u32>,
}

impl RateLimiter {
    /// A limiter without history.
    pub fn new(sharing: Sharing) -> Self {
        Self { sharing, windows: Mutex::default(), unsaved_uses: Mutex::default() }
    }

    /// Counts one request of a subject.
    pub fn admit(&self, subject: RateSubject, now: Timestamp) -> Admission {
        let RateSubject { id, limit } = subject;
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() > MOST_WINDOWS {
            windows.retain(|_, window| now.duration_since(window.started) < WINDOW);
        }
        let fresh = || Window::opening(now, self.initial_grant(limit));
        let window = windows.entry(id).or_insert_with(fresh);
        if now.duration_since(window.started) >= WINDOW {
            *window = fresh();
        }
        let granted = if self.sharing == Sharing::OneProcess { limit } else { window.granted.min(limit) };
        let is_admitted = window.used < granted;
        if !is_admitted && self.sharing == Sharing::ManyProcesses && window.needs_slice(limit) {
            return Admission::NeedsSlice;
        }
        window.used += u32::from(is_admitted);
        let left_elsewhere = if window.is_exhausted(limit) { 0 } else { limit.saturating_sub(granted) };
        Admission::Decided(RateStatus {
            limit,
            remaining: granted.saturating_sub(window.used) + left_elsewhere,
            reset: WINDOW.saturating_sub(now.duration_since(window.started)),
            is_admitted,
        })
    }

    /// Whether a request of the subject may be admitted, without counting it. Says yes where only the store knows.
    pub(crate) fn may_admit(&self, subject: RateSubject, now: Timestamp) -> bool {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(window) = windows.get(&subject.id) else { return true };
        if now.duration_since(window.started) >= WINDOW {
            return true;
        }
        match self.sharing {
            Sharing::OneProcess => window.used < subject.limit,
            Sharing::ManyProcesses => {
                window.used < window.granted.min(subject.limit) || window.needs_slice(subject.limit)
            }
        }
    }

    /// Whether a request of the subject would have to lease a slice first.
    pub(crate) fn needs_slice(&self, subject: RateSubject, now: Timestamp) -> bool {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows
            .get(&subject.id)
            .is_none_or(|window| now.duration_since(window.started) >= WINDOW || window.needs_slice(subject.limit))
    }

    /// Adds a leased slice to the subject's window.
    pub fn grant(&self, subject: RateSubject, slice: Slice) {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.entry(subject.id).or_insert_with(|| Window::opening(slice.window_started, 0));
        if window.started != slice.window_started {
            *window = Window::opening(slice.window_started, 0);
        }
        window.granted += slice.granted;
        window.exhausted_at = (slice.granted == 0).then_some(subject.limit);
    }

    /// Notes that a key was used.
    pub fn note_use(&self, key: KeyId, now: Timestamp) {
        self.unsaved_uses.lock().unwrap_or_else(PoisonError::into_inner).insert(key, now);
    }

    /// When a key was last used, where that is not saved yet.
    pub fn unsaved_use(&self, key: KeyId) -> Option<Timestamp> {
        self.unsaved_uses.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied()
    }

    /// The keys used since the last call, each with the time of its last use.
    pub fn take_uses(&self) -> Vec<(KeyId, Timestamp)> {
        self.unsaved_uses.lock().unwrap_or_else(PoisonError::into_inner).drain().collect()
    }

    fn initial_grant(&self, limit: u32) -> u32 {
        match self.sharing {
            Sharing::OneProcess => limit,
            Sharing::ManyProcesses => 0,
        }
    }
}

impl Window {
    fn opening(now: Timestamp, granted: u32) -> Self {
        Self { started: now, used: 0, granted, exhausted_at: None }
    }

    fn is_exhausted(&self, limit: u32) -> bool {
        self.exhausted_at.is_some_and(|known| limit <= known)
    }

    /// Whether another slice would let a request in. A limit that was lowered below what is used lets none in, however
    /// much was leased under the old one.
    fn needs_slice(&self, limit: u32) -> bool {
        !self.is_exhausted(limit) && self.used >= self.granted && self.used < limit
    }
}

/// A part of a window that one process may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// When the shared window opened.
    pub window_started: Timestamp,
    /// Requests granted; zero when the window has nothing left.
    pub granted: u32,
}

/// Leases the next slice of a subject's window, opening a new window when the last one ended. One statement, so that
/// processes that lease at once never conflict; run it through [`store::Store::claim`].
pub fn lease(tx: &mut Tx<'_>, subject: RateSubject) -> Result<Slice, StoreError> {
    let RateSubject { id, limit } = subject;
    let now = tx.now();
    let slice = (limit / SLICES_PER_WINDOW).max(1);
    let leased = tx.find(
        "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, $2, $3)
         ON CONFLICT (subject) DO UPDATE SET
            started_at = CASE WHEN rate_window.started_at <= $4 THEN excluded.started_at
                              ELSE rate_window.started_at END,
            leased = CASE WHEN rate_window.started_at <= $4 THEN excluded.leased
                          ELSE rate_window.leased + excluded.leased END
         RETURNING started_at, leased",
        &[&id.to_string(), &now, &slice, &now.minus(WINDOW)],
        |row| Ok((row.get::<Timestamp>(0)?, row.get::<i64>(1)?)),
    )?;
    let (window_started, leased) = leased.ok_or_else(|| StoreError::Unexpected("an upsert returned no row".into()))?;
    // What was leased before counts against the limit; the last slice is what is left of it.
    let before = leased - i64::from(slice);
    let left = u32::try_from(i64::from(limit) - before).unwrap_or(0);
    Ok(Slice { window_started, granted: left.min(slice) })
}

#[cfg(test)]
mod tests {
    use kernel::ambient::Ambient;
    use testkit::{TestStore, both_stores};

    use super::*;

    fn subject(limit: u32) -> RateSubject {
        RateSubject { id: Ambient::system().id::<KeyId>().uuid(), limit }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    fn decided(admission: Admission) -> RateStatus {
        match admission {
            Admission::Decided(status) => status,
            Admission::NeedsSlice => panic!("needs a slice"),
        }
    }

    #[test]
    fn a_window_admits_exactly_the_limit_and_then_opens_again() {
        let limiter = RateLimiter::new(Sharing::OneProcess);
        let subject = subject(3);
        for remaining in [2, 1, 0] {
            let status = decided(limiter.admit(subject, at(0)));
            assert!(status.is_admitted);
            assert_eq!(status.remaining, remaining);
        }
        let refused = decided(limiter.admit(subject, at(59)));
        assert!(!refused.is_admitted);
        assert_eq!(refused.reset, Duration::from_secs(1));
        assert!(decided(limiter.admit(subject, at(60))).is_admitted);
    }

    #[test]
    fn subjects_do_not_share_a_window() {
        let limiter = RateLimiter::new(Sharing::OneProcess);
        let (one, other) = (subject(1), subject(1));
        assert!(decided(limiter.admit(one, at(0))).is_admitted);
        assert!(!decided(limiter.admit(one, at(0))).is_admitted);
        assert!(decided(limiter.admit(other, at(0))).is_admitted);
    }

    #[test]
    fn uses_are_told_once() {
        let limiter = RateLimiter::new(Sharing::OneProcess);
        let key = Ambient::system().id();
        limiter.note_use(key, at(4));
        limiter.note_use(key, at(5));
        assert_eq!(limiter.take_uses(), [(key, at(5))]);
        assert!(limiter.take_uses().is_empty());
    }

    both_stores! {
        async fn two_processes_together_admit_exactly_the_limit(test: TestStore) {
            let subject = subject(100);
            let processes = [RateLimiter::new(Sharing::ManyProcesses), RateLimiter::new(Sharing::ManyProcesses)];
            let mut admitted = 0;
            for round in 0..150 {
                let process = &processes[round % 2];
                let status = loop {
                    let now = test.ambient.now();
                    match process.admit(subject, now) {
                        Admission::Decided(status) => break status,
                        Admission::NeedsSlice => {
                            let slice = test.store.claim("rate.lease", move |tx| lease(tx, subject)).await.unwrap();
                            process.grant(subject, slice);
                        }
                    }
                };
                admitted += u32::from(status.is_admitted);
            }
            assert_eq!(admitted, 100);
        }

        async fn a_limit_that_is_raised_holds_in_the_window_that_the_old_one_used_up(test: TestStore) {
            let tight = subject(5);
            let generous = RateSubject { limit: 1000, ..tight };
            let limiter = RateLimiter::new(Sharing::ManyProcesses);
            let admit = async |subject: RateSubject| loop {
                match limiter.admit(subject, test.ambient.now()) {
                    Admission::Decided(status) => break status.is_admitted,
                    Admission::NeedsSlice => {
                        let slice = test.store.claim("rate.lease", move |tx| lease(tx, subject)).await.unwrap();
                        limiter.grant(subject, slice);
                    }
                }
            };
            for _ in 0..5 {
                assert!(admit(tight).await);
            }
            assert!(!admit(tight).await);
            assert!(admit(generous).await);
            assert!(!admit(tight).await, "the lower one is used up all the same");
        }

        async fn a_limit_that_is_lowered_below_what_is_used_refuses_without_asking_for_a_slice(test: TestStore) {
            let generous = subject(1000);
            let limiter = RateLimiter::new(Sharing::ManyProcesses);
            let slice = test.store.claim("rate.lease", move |tx| lease(tx, generous)).await.unwrap();
            assert_eq!(slice.granted, 62);
            limiter.grant(generous, slice);
            let now = test.ambient.now();
            for _ in 0..20 {
                assert!(decided(limiter.admit(generous, now)).is_admitted);
            }
            let lowered = RateSubject { limit: 10, ..generous };
            let status = decided(limiter.admit(lowered, now));
            assert!(!status.is_admitted && status.remaining == 0 && !limiter.needs_slice(lowered, now));
            assert!(decided(limiter.admit(generous, now)).is_admitted, "what was leased is there when it is raised again");
            let tight = RateSubject { limit: 40, ..generous };
            for _ in 21..40 {
                assert!(decided(limiter.admit(tight, now)).is_admitted);
            }
            assert!(!decided(limiter.admit(tight, now)).is_admitted);
        }
    }
}
