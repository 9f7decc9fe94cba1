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

/// A process of the service: it leases when it must.
struct Process {
    limiter: RateLimiter,
    leases: u32,
}

impl Process {
    fn start() -> Self {
        Self { limiter: RateLimiter::new(Sharing::ManyProcesses), leases: 0 }
    }

    async fn admits(&mut self, test: &TestStore, subject: RateSubject) -> bool {
        loop {
            let now = test.ambient.now();
            match self.limiter.admit(subject, now) {
                Admission::Decided(status) => return status.is_admitted,
                Admission::NeedsSlice => {
                    let wanted = self.limiter.next_slice(subject);
                    let leased = test.store.claim("rate.lease", move |tx| lease(tx, subject, wanted)).await;
                    self.limiter.grant(subject, leased.unwrap(), now);
                    self.leases += 1;
                }
            }
        }
    }

    async fn returns(&self, test: &TestStore, is_stopping: bool) {
        let unused = self.limiter.take_unused(test.ambient.now(), is_stopping);
        test.store.claim("rate.return", move |tx| return_unused(tx, &unused)).await.unwrap();
    }
}

/// A number below `bound`.
fn drawn(test: &TestStore, bound: u32) -> u32 {
    u32::from_le_bytes(test.ambient.random()) % bound
}

#[test]
fn a_slice_is_no_more_than_is_wanted_a_sixteenth_and_a_quarter_of_the_rest() {
    assert_eq!(slice_of(1_000, 1_000, 1), 1);
    assert_eq!(slice_of(1_000, 1_000, 30), 30);
    assert_eq!(slice_of(1_000, 1_000, 500), 62);
    assert_eq!(slice_of(1_000, 100, 500), 25);
    assert_eq!([slice_of(1_000, 1, 500), slice_of(1_000, 0, 500), slice_of(3, 3, 9)], [1, 0, 1]);
}

#[both_stores]
async fn two_processes_together_admit_exactly_the_limit(test: TestStore) {
    let subject = subject(100);
    let mut processes = [Process::start(), Process::start()];
    let mut admitted = 0;
    for round in 0..150 {
        admitted += u32::from(processes[round % 2].admits(&test, subject).await);
    }
    assert_eq!(admitted, 100);
}

#[both_stores]
async fn processes_that_come_and_go_never_admit_more_than_the_limit_nor_much_less(test: TestStore) {
    for _ in 0..12 {
        let subject = subject(1 + drawn(&test, 150));
        let mut processes: Vec<Process> = (0..=drawn(&test, 12)).map(|_| Process::start()).collect();
        let (mut started, mut admitted) = (processes.len(), 0);
        for _ in 0..drawn(&test, 2 * subject.limit) {
            let at = usize::try_from(drawn(&test, 64)).unwrap() % processes.len();
            match drawn(&test, 20) {
                0 => processes[at].returns(&test, false).await,
                1 => {
                    processes[at].returns(&test, true).await;
                    processes[at] = Process::start();
                    started += 1;
                }
                // Killed.
                2 => {
                    processes[at] = Process::start();
                    started += 1;
                }
                _ if processes[at].admits(&test, subject).await => admitted += 1,
                _ => {
                    let most_leased = 2 * admitted + u32::try_from(started).unwrap();
                    assert!(most_leased >= subject.limit, "{admitted} of {} by {started}", subject.limit);
                }
            }
        }
        assert!(admitted <= subject.limit, "{admitted} of {}", subject.limit);
    }
}

#[both_stores]
async fn a_key_that_is_hardly_used_is_not_refused_by_many_processes_or_restarts(test: TestStore) {
    let subject = subject(60);
    for _ in 0..40 {
        assert!(Process::start().admits(&test, subject).await);
    }
}

#[both_stores]
async fn what_a_stopped_process_did_not_use_is_there_for_the_others(test: TestStore) {
    let subject = subject(320);
    let (mut one, mut other) = (Process::start(), Process::start());
    for _ in 0..17 {
        assert!(one.admits(&test, subject).await);
    }
    assert_eq!(one.limiter.take_unused(test.ambient.now(), false), [], "it was used just now");
    one.returns(&test, true).await;
    assert_eq!(one.limiter.take_unused(test.ambient.now(), true), [], "nothing is returned twice");
    let mut admitted = 0;
    while other.admits(&test, subject).await {
        admitted += 1;
    }
    assert_eq!(admitted, 320 - 17);
}

#[both_stores]
async fn what_was_not_used_for_a_while_is_returned_and_asked_for_again(test: TestStore) {
    let subject = subject(320);
    let (mut one, mut other) = (Process::start(), Process::start());
    for _ in 0..17 {
        assert!(one.admits(&test, subject).await);
    }
    test.clock.advance(IDLE - ASK_AGAIN_AFTER);
    while other.admits(&test, subject).await {}
    test.clock.advance(ASK_AGAIN_AFTER);
    one.returns(&test, false).await;
    assert!(other.admits(&test, subject).await);
}

#[both_stores]
async fn what_is_returned_late_does_not_count_for_the_next_window(test: TestStore) {
    let subject = subject(20);
    let (mut one, mut other) = (Process::start(), Process::start());
    for _ in 0..3 {
        assert!(one.admits(&test, subject).await);
    }
    let slice = Slice { window_started: test.ambient.now(), granted: 4 };
    one.limiter.grant(subject, slice, test.ambient.now());
    let unused = one.limiter.take_unused(test.ambient.now(), true);
    assert_eq!(unused.len(), 1);
    test.clock.advance(WINDOW);
    let mut admitted = u32::from(other.admits(&test, subject).await);
    test.store.claim("rate.return", move |tx| return_unused(tx, &unused)).await.unwrap();
    while other.admits(&test, subject).await {
        admitted += 1;
    }
    assert_eq!(admitted, 20);
}

#[both_stores]
async fn requests_that_come_at_once_are_leased_at_once(test: TestStore) {
    let subject = subject(1_000);
    let mut process = Process::start();
    for _ in 0..40 {
        assert_eq!(process.limiter.admit(subject, test.ambient.now()), Admission::NeedsSlice);
    }
    for _ in 0..40 {
        assert!(process.admits(&test, subject).await);
    }
    assert_eq!(process.leases, 1);
}

#[both_stores]
async fn the_store_is_asked_seldom(test: TestStore) {
    let subject = subject(10_000);
    let mut process = Process::start();
    for _ in 0..10_001 {
        process.admits(&test, subject).await;
    }
    assert!(process.leases < 60, "{}", process.leases);
}

#[both_stores]
async fn a_limit_that_is_raised_holds_in_the_window_that_the_old_one_used_up(test: TestStore) {
    let tight = subject(5);
    let generous = RateSubject { limit: 1000, ..tight };
    let mut process = Process::start();
    for _ in 0..5 {
        assert!(process.admits(&test, tight).await);
    }
    assert!(!process.admits(&test, tight).await);
    assert!(process.admits(&test, generous).await);
    assert!(!process.admits(&test, tight).await, "the lower one is used up all the same");
}

#[both_stores]
async fn a_limit_that_is_lowered_below_what_is_used_refuses_without_asking_for_a_slice(test: TestStore) {
    let generous = subject(1000);
    let limiter = RateLimiter::new(Sharing::ManyProcesses);
    let slice = test.store.claim("rate.lease", move |tx| lease(tx, generous, 1000)).await.unwrap();
    assert_eq!(slice.granted, 62);
    let now = test.ambient.now();
    limiter.grant(generous, slice, now);
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
