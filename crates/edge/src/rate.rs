//! Per-key rate limits: so many requests in a window of 60 seconds that opens with the first request.
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

/// Counts requests by key, and remembers when each key was last used.
pub struct RateLimiter {
    sharing: Sharing,
    windows: Mutex<HashMap<KeyId, Window>>,
}

struct Window {
    started: Timestamp,
    used: u32,
    granted: u32,
    /// Everything that the limit allows has been leased, here or elsewhere.
    is_exhausted: bool,
    last_used: Timestamp,
    is_use_unsaved: bool,
}

impl RateLimiter {
    /// A limiter without history.
    pub fn new(sharing: Sharing) -> Self {
        Self { sharing, windows: Mutex::default() }
    }

    /// Counts one request of a key that may make `limit` requests a window.
    pub fn admit(&self, key: KeyId, limit: u32, now: Timestamp) -> Admission {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() > MOST_WINDOWS {
            windows.retain(|_, window| window.is_use_unsaved || now.duration_since(window.started) < WINDOW);
        }
        let fresh = || Window::opening(now, self.initial_grant(limit));
        let window = windows.entry(key).or_insert_with(fresh);
        if now.duration_since(window.started) >= WINDOW {
            *window = fresh();
        }
        window.last_used = now;
        window.is_use_unsaved = true;
        let granted = if self.sharing == Sharing::OneProcess { limit } else { window.granted.min(limit) };
        let is_admitted = window.used < granted;
        if !is_admitted && self.sharing == Sharing::ManyProcesses && !window.is_exhausted {
            return Admission::NeedsSlice;
        }
        window.used += u32::from(is_admitted);
        let left_elsewhere = if window.is_exhausted { 0 } else { limit.saturating_sub(granted) };
        Admission::Decided(RateStatus {
            limit,
            remaining: granted.saturating_sub(window.used) + left_elsewhere,
            reset: WINDOW.saturating_sub(now.duration_since(window.started)),
            is_admitted,
        })
    }

    /// Whether a request of the key would have to lease a slice first.
    pub(crate) fn needs_slice(&self, key: KeyId, now: Timestamp) -> bool {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.get(&key).is_none_or(|window| {
            now.duration_since(window.started) >= WINDOW || (!window.is_exhausted && window.used >= window.granted)
        })
    }

    /// Adds a leased slice to the key's window.
    pub fn grant(&self, key: KeyId, slice: Slice, now: Timestamp) {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.entry(key).or_insert_with(|| Window::opening(slice.window_started, 0));
        if window.started != slice.window_started {
            *window = Window { last_used: now, is_use_unsaved: true, ..Window::opening(slice.window_started, 0) };
        }
        window.granted += slice.granted;
        window.is_exhausted = slice.granted == 0;
    }

    /// The keys used since the last call, each with the time of its last use.
    pub fn take_uses(&self) -> Vec<(KeyId, Timestamp)> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let unsaved = windows.iter_mut().filter(|(_, window)| window.is_use_unsaved);
        unsaved
            .map(|(key, window)| {
                window.is_use_unsaved = false;
                (*key, window.last_used)
            })
            .collect()
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
        Self { started: now, used: 0, granted, is_exhausted: false, last_used: now, is_use_unsaved: false }
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

/// Leases the next slice of a key's window, opening a new window when the last one ended. One statement, so that
/// processes that lease at once never conflict; run it through [`store::Store::claim`].
pub fn lease(tx: &mut Tx<'_>, key: KeyId, limit: u32) -> Result<Slice, StoreError> {
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
        &[&key, &now, &slice, &now.minus(WINDOW)],
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

    fn key() -> KeyId {
        Ambient::system().id()
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
        let key = key();
        for remaining in [2, 1, 0] {
            let status = decided(limiter.admit(key, 3, at(0)));
            assert!(status.is_admitted);
            assert_eq!(status.remaining, remaining);
        }
        let refused = decided(limiter.admit(key, 3, at(59)));
        assert!(!refused.is_admitted);
        assert_eq!(refused.reset, Duration::from_secs(1));
        assert!(decided(limiter.admit(key, 3, at(60))).is_admitted);
    }

    #[test]
    fn keys_do_not_share_a_window() {
        let limiter = RateLimiter::new(Sharing::OneProcess);
        let (one, other) = (key(), key());
        assert!(decided(limiter.admit(one, 1, at(0))).is_admitted);
        assert!(!decided(limiter.admit(one, 1, at(0))).is_admitted);
        assert!(decided(limiter.admit(other, 1, at(0))).is_admitted);
    }

    #[test]
    fn uses_are_told_once() {
        let limiter = RateLimiter::new(Sharing::OneProcess);
        let key = key();
        let _ = limiter.admit(key, 1, at(5));
        assert_eq!(limiter.take_uses(), [(key, at(5))]);
        assert!(limiter.take_uses().is_empty());
    }

    both_stores! {
        async fn two_processes_together_admit_exactly_the_limit(test: TestStore) {
            let key = key();
            let processes = [RateLimiter::new(Sharing::ManyProcesses), RateLimiter::new(Sharing::ManyProcesses)];
            let mut admitted = 0;
            for round in 0..150 {
                let process = &processes[round % 2];
                let status = loop {
                    let now = test.ambient.now();
                    match process.admit(key, 100, now) {
                        Admission::Decided(status) => break status,
                        Admission::NeedsSlice => {
                            let slice = test.store.claim("rate.lease", move |tx| lease(tx, key, 100)).await.unwrap();
                            process.grant(key, slice, now);
                        }
                    }
                };
                admitted += u32::from(status.is_admitted);
            }
            assert_eq!(admitted, 100);
        }
    }
}
