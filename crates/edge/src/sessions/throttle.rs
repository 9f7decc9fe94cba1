//! How often a password may be guessed: per account and per network address, in this process's memory.
//!
//! An IPv6 address counts as its /64 network, which one client has to itself. The memory is bounded: where it is full, counts
//! whose window is over go first, then the smallest ones, so that a flood of names does not wipe out what counts.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kernel::time::Timestamp;

use crate::responses::Address;

const WINDOW: Duration = Duration::from_secs(15 * 60);
const FAILURES_PER_ACCOUNT: u32 = 10;
const FAILURES_PER_ADDRESS: u32 = 100;
const MOST_ENTRIES: usize = 50_000;
/// Entries that make room at a time, so that not every new one looks at all of them.
const ENTRIES_TO_EVICT: usize = MOST_ENTRIES / 10;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Account(String),
    Address(Address),
}

/// Counts failed sign-ins. An account or address with too many must wait.
pub struct LoginThrottle {
    most_per_account: u32,
    most_per_address: u32,
    failures: Mutex<HashMap<Subject, Failures>>,
}

impl Default for LoginThrottle {
    fn default() -> Self {
        Self::new(FAILURES_PER_ACCOUNT, FAILURES_PER_ADDRESS)
    }
}

#[derive(Clone, Copy)]
struct Failures {
    since: Timestamp,
    count: u32,
}

impl LoginThrottle {
    /// A throttle of so many events in a quarter of an hour.
    pub fn new(most_per_account: u32, most_per_address: u32) -> Self {
        Self { most_per_account, most_per_address, failures: Mutex::default() }
    }

    /// A throttle of so many events of an account in a quarter of an hour, wherever they come from.
    pub fn of_accounts(most: u32) -> Self {
        Self::new(most, u32::MAX)
    }

    /// How long to wait before the next try; `None` when it may go ahead.
    pub fn wait(&self, email: &str, address: Option<IpAddr>, now: Timestamp) -> Option<Duration> {
        let failures = self.failures();
        let waits = self.subjects(email, address).filter_map(|(subject, most)| {
            let entry = failures.get(&subject).filter(|entry| entry.count >= most)?;
            WINDOW.checked_sub(now.duration_since(entry.since)).filter(|wait| !wait.is_zero())
        });
        waits.max()
    }

    /// Counts a try before it is judged, so that many at once are no more than many in turn; how long to wait where there were too many.
    ///
    /// # Errors
    /// The wait. The try is not counted then.
    pub fn begin(&self, account: &str, now: Timestamp) -> Result<(), Duration> {
        let mut failures = self.failures();
        let entry = entry(&mut failures, Subject::Account(account.to_owned()), now);
        if entry.count >= self.most_per_account {
            return Err(WINDOW.saturating_sub(now.duration_since(entry.since)));
        }
        entry.count += 1;
        Ok(())
    }

    /// Takes back a try that was not judged.
    pub fn take_back(&self, account: &str) {
        if let Some(entry) = self.failures().get_mut(&Subject::Account(account.to_owned())) {
            entry.count = entry.count.saturating_sub(1);
        }
    }

    /// Notes a wrong password.
    pub fn note_failure(&self, email: &str, address: Option<IpAddr>, now: Timestamp) {
        let mut failures = self.failures();
        for (subject, _) in self.subjects(email, address) {
            entry(&mut failures, subject, now).count += 1;
        }
    }

    /// Forgets an account's failures after its right password.
    pub fn note_success(&self, email: &str) {
        self.failures().remove(&Subject::Account(email.to_owned()));
    }

    fn subjects(&self, email: &str, address: Option<IpAddr>) -> impl Iterator<Item = (Subject, u32)> + use<> {
        let account = (Subject::Account(email.to_owned()), self.most_per_account);
        let most_per_address = self.most_per_address;
        std::iter::once(account)
            .chain(address.map(|address| (Subject::Address(Address::from(address)), most_per_address)))
    }

    fn failures(&self) -> MutexGuard<'_, HashMap<Subject, Failures>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The count of the present window.
fn entry(failures: &mut HashMap<Subject, Failures>, subject: Subject, now: Timestamp) -> &mut Failures {
    if failures.len() >= MOST_ENTRIES && !failures.contains_key(&subject) {
        make_room(failures, now);
    }
    let entry = failures.entry(subject).or_insert(Failures { since: now, count: 0 });
    if now.duration_since(entry.since) >= WINDOW {
        *entry = Failures { since: now, count: 0 };
    }
    entry
}

fn make_room(failures: &mut HashMap<Subject, Failures>, now: Timestamp) {
    failures.retain(|_, entry| now.duration_since(entry.since) < WINDOW);
    let excess = (failures.len() + ENTRIES_TO_EVICT).saturating_sub(MOST_ENTRIES);
    if excess == 0 {
        return;
    }
    let mut counts: Vec<u32> = failures.values().map(|entry| entry.count).collect();
    let (_, threshold, _) = counts.select_nth_unstable(excess - 1);
    let threshold = *threshold;
    let mut left = excess;
    failures.retain(|_, entry| {
        let goes = left > 0 && entry.count <= threshold;
        left -= usize::from(goes);
        !goes
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    #[test]
    fn an_account_waits_after_too_many_failures_and_no_longer_than_the_window() {
        let throttle = LoginThrottle::default();
        for _ in 0..FAILURES_PER_ACCOUNT {
            assert_eq!(throttle.wait("a@x", None, at(0)), None);
            throttle.note_failure("a@x", None, at(0));
        }
        assert_eq!(throttle.wait("a@x", None, at(1)), Some(WINDOW - Duration::from_secs(1)));
        assert_eq!(throttle.wait("b@x", None, at(1)), None);
        assert_eq!(throttle.wait("a@x", None, at(15 * 60)), None);
    }

    #[test]
    fn tries_that_are_not_judged_yet_count_too() {
        let throttle = LoginThrottle::new(3, 3);
        assert_eq!([(); 4].map(|()| throttle.begin("a", at(0)).is_ok()), [true, true, true, false]);
        throttle.take_back("a");
        assert_eq!(throttle.begin("a", at(1)), Ok(()));
        assert_eq!(throttle.begin("a", at(1)), Err(WINDOW - Duration::from_secs(1)));
        assert_eq!(throttle.begin("a", at(15 * 60)), Ok(()));
        throttle.note_success("a");
        assert_eq!([(); 4].map(|()| throttle.begin("a", at(15 * 60)).is_ok()), [true, true, true, false]);
    }

    #[test]
    fn an_address_that_tries_many_accounts_waits_too() {
        let throttle = LoginThrottle::default();
        let address = Some(IpAddr::from([192, 0, 2, 1]));
        for account in 0..FAILURES_PER_ADDRESS {
            throttle.note_failure(&format!("{account}@x"), address, at(0));
        }
        assert!(throttle.wait("new@x", address, at(1)).is_some());
        assert!(throttle.wait("new@x", Some(IpAddr::from([192, 0, 2, 2])), at(1)).is_none());
    }

    #[test]
    fn the_addresses_of_an_ipv6_network_count_together() {
        let throttle = LoginThrottle::new(1, 2);
        let address = |text: &str| Some(text.parse::<IpAddr>().unwrap());
        throttle.note_failure("a@x", address("2001:db8:1:2::1"), at(0));
        throttle.note_failure("b@x", address("2001:db8:1:2:ffff::9"), at(0));
        assert!(throttle.wait("c@x", address("2001:db8:1:2::3"), at(1)).is_some());
        assert_eq!(throttle.wait("c@x", address("2001:db8:1:3::3"), at(1)), None);
        throttle.note_failure("a@x", address("::ffff:192.0.2.1"), at(0));
        throttle.note_failure("b@x", address("192.0.2.1"), at(0));
        assert!(throttle.wait("c@x", address("192.0.2.1"), at(1)).is_some(), "the same, written as IPv6");
    }

    #[test]
    fn a_flood_of_accounts_fills_no_memory_and_forgets_no_account_that_waits() {
        let throttle = LoginThrottle::default();
        for _ in 0..FAILURES_PER_ACCOUNT {
            throttle.note_failure("a@x", None, at(0));
        }
        for account in 0..2 * MOST_ENTRIES {
            throttle.note_failure(&format!("{account}@x"), None, at(1));
            let _counted = throttle.begin(&format!("{account}"), at(1));
        }
        assert!(throttle.failures().len() <= MOST_ENTRIES);
        assert!(throttle.wait("a@x", None, at(2)).is_some());
        throttle.note_failure("late@x", None, at(16 * 60));
        for account in 0..=MOST_ENTRIES {
            throttle.note_failure(&format!("{account}@y"), None, at(16 * 60));
        }
        assert!(!throttle.failures().contains_key(&Subject::Account("a@x".to_owned())), "its window is over");
    }

    #[test]
    fn the_right_password_clears_the_account() {
        let throttle = LoginThrottle::default();
        for _ in 0..FAILURES_PER_ACCOUNT {
            throttle.note_failure("a@x", None, at(0));
        }
        throttle.note_success("a@x");
        assert_eq!(throttle.wait("a@x", None, at(1)), None);
    }
}
