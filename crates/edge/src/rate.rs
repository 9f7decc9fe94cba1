//! Rate limits: so many requests of a key, or of all keys of a workspace, in a window of 60 seconds that opens with
//! the first request.
//!
//! One process counts in memory. Where several processes share a database the count stays exact too: each leases slices of
//! the window from the row in `rate_window` and spends them locally, so that the database is asked once a slice and
//! not once a request. Never more than the limit is admitted, however many processes there are.
//!
//! Slices begin with one request and grow with use: a process never holds more unused requests than it has used or than wait, plus one.
//! So a subject that made `u` requests through `n` processes is refused only where `2u + n` is at least its limit, also
//! when processes were killed meanwhile. Unused requests go back after a while ([`return_unused`]) and when a process stops.

mod daily;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use kernel::id::KeyId;
use kernel::time::Timestamp;
use store::{StoreError, Tx};
use uuid::Uuid;

pub use daily::DailyLease;

static LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

const WINDOW: Duration = Duration::from_secs(60);
/// A slice is at most this part of the limit, and at least one request.
const SLICES_PER_WINDOW: u32 = 16;
/// A slice is at most this part of what the window has left, and at least one request: the last ones are shared out evenly.
const SLICES_OF_THE_REST: u32 = 4;
/// A process that found nothing left asks again after this long: others may have returned what they did not use.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(5);
/// What a subject has not used for so long is returned.
const IDLE: Duration = Duration::from_secs(10);
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
    /// Requests that found nothing left since the last slice, and wait for the next.
    waiting: u32,
    last_used: Timestamp,
    exhausted: Option<Exhausted>,
}

/// Everything that a limit allows has been leased, here or elsewhere. A higher one allows more.
#[derive(Clone, Copy)]
struct Exhausted {
    limit: u32,
    since: Timestamp,
}

/// Leased requests that were not used, to be returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unused {
    subject: Uuid,
    window_started: Timestamp,
    requests: u32,
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
        if !is_admitted && self.sharing == Sharing::ManyProcesses && window.needs_slice(limit, now) {
            window.waiting += 1;
            return Admission::NeedsSlice;
        }
        if is_admitted {
            window.used += 1;
            window.last_used = now;
        }
        let left_elsewhere = if window.is_exhausted(limit, now) { 0 } else { limit.saturating_sub(granted) };
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
                window.used < window.granted.min(subject.limit) || window.needs_slice(subject.limit, now)
            }
        }
    }

    /// Whether a request of the subject would have to lease a slice first.
    pub(crate) fn needs_slice(&self, subject: RateSubject, now: Timestamp) -> bool {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows
            .get(&subject.id)
            .is_none_or(|window| now.duration_since(window.started) >= WINDOW || window.needs_slice(subject.limit, now))
    }

    /// How many requests of the subject to lease next: as many as it has used here, or as wait for it.
    pub fn next_slice(&self, subject: RateSubject) -> u32 {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.get(&subject.id).map_or(1, |window| window.used.max(window.waiting).max(1))
    }

    /// Takes what was leased and not used for a while, or at all where the process stops; [`return_unused`] returns it.
    pub fn take_unused(&self, now: Timestamp, is_stopping: bool) -> Vec<Unused> {
        if self.sharing == Sharing::OneProcess {
            return Vec::new();
        }
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.retain(|_, window| now.duration_since(window.started) < WINDOW);
        let mut taken: Vec<Unused> = windows
            .iter_mut()
            .filter(|(_, window)| is_stopping || now.duration_since(window.last_used) >= IDLE)
            .filter_map(|(subject, window)| window.give_up(*subject))
            .collect();
        // Processes that return at the same time lock the rows in the same order.
        taken.sort_unstable_by_key(|unused| unused.subject);
        taken
    }

    /// Adds a slice to the subject's window that was leased at `now`.
    pub fn grant(&self, subject: RateSubject, slice: Slice, now: Timestamp) {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.entry(subject.id).or_insert_with(|| Window::opening(slice.window_started, 0));
        if window.started != slice.window_started {
            *window = Window::opening(slice.window_started, 0);
        }
        window.granted += slice.granted;
        window.waiting = 0;
        window.last_used = now;
        window.exhausted = (slice.granted == 0).then_some(Exhausted { limit: subject.limit, since: now });
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
        Self { started: now, used: 0, granted, waiting: 0, last_used: now, exhausted: None }
    }

    fn is_exhausted(&self, limit: u32, now: Timestamp) -> bool {
        let holds = |known: Exhausted| limit <= known.limit && now.duration_since(known.since) < ASK_AGAIN_AFTER;
        self.exhausted.is_some_and(holds)
    }

    fn give_up(&mut self, subject: Uuid) -> Option<Unused> {
        let requests = self.granted.saturating_sub(self.used);
        self.granted -= requests;
        (requests > 0).then_some(Unused { subject, window_started: self.started, requests })
    }

    /// Whether another slice would let a request in. A limit that was lowered below what is used lets none in, however
    /// much was leased under the old one.
    fn needs_slice(&self, limit: u32, now: Timestamp) -> bool {
        !self.is_exhausted(limit, now) && self.used >= self.granted && self.used < limit
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

/// Leases up to `wanted` requests of a subject's window, opening a new window when the last one ended. The first statement
/// locks the row, so that processes that lease at once wait for each other; run it through [`store::Store::claim`].
pub fn lease(tx: &mut Tx<'_>, subject: RateSubject, wanted: u32) -> Result<Slice, StoreError> {
    let RateSubject { id, limit } = subject;
    let (id, now) = (id.to_string(), tx.now());
    let found = tx.find(
        "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, $2, 0)
         ON CONFLICT (subject) DO UPDATE SET
            started_at = CASE WHEN rate_window.started_at <= $3 THEN excluded.started_at
                              ELSE rate_window.started_at END,
            leased = CASE WHEN rate_window.started_at <= $3 THEN 0 ELSE rate_window.leased END
         RETURNING started_at, leased",
        &[&id, &now, &now.minus(WINDOW)],
        |row| Ok((row.get::<Timestamp>(0)?, row.get::<i64>(1)?)),
    )?;
    let (window_started, leased) = found.ok_or_else(|| StoreError::Unexpected("an upsert returned no row".into()))?;
    let left = u32::try_from(i64::from(limit) - leased).unwrap_or(0);
    let granted = slice_of(limit, left, wanted);
    if granted > 0 {
        tx.execute_later("UPDATE rate_window SET leased = leased + $2 WHERE subject = $1", &[&id, &granted])?;
    }
    Ok(Slice { window_started, granted })
}

fn slice_of(limit: u32, left: u32, wanted: u32) -> u32 {
    wanted.min(limit / SLICES_PER_WINDOW).min(left / SLICES_OF_THE_REST).max(1).min(left)
}

/// Returns what [`RateLimiter::take_unused`] took to windows that have not ended; run it through [`store::Store::claim`].
pub fn return_unused(tx: &mut Tx<'_>, unused: &[Unused]) -> Result<(), StoreError> {
    for Unused { subject, window_started, requests } in unused {
        tx.execute_later(
            "UPDATE rate_window SET leased = leased - $3 WHERE subject = $1 AND started_at = $2",
            &[&subject.to_string(), window_started, requests],
        )?;
    }
    Ok(())
}

/// Opens a window of a subject that nobody has, and forgets it: the operator's proof that a transaction can be written.
pub fn write_and_take_back(tx: &mut Tx<'_>, subject: &str) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute("INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, $2, 0)", &[&subject, &now])?;
    tx.execute("DELETE FROM rate_window WHERE subject = $1", &[&subject]).map(|_| ())
}

#[cfg(test)]
#[path = "rate/tests.rs"]
mod tests;
