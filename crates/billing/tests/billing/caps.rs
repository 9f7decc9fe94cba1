//! Spending caps: none is exceeded, each crossing is noticed once, and what is not done is given back.

use std::time::Duration;

use billing::caps::{self, CapReached, Crossing, Level, Limits, Period, Standing, Subject};
use billing::ledger::{self, Funding, Reservation, SpendError, Spending};
use billing::usage::{self, NewUsage, Service};
use futures_util::future::join_all;
use kernel::id::{KeyId, SubjectId};
use kernel::money::MicroUsd;
use testkit::{TestStore, both_stores};

use crate::books::{Books, cents};

const DAY: Duration = Duration::from_secs(24 * 3600);

fn hard(daily: Option<u32>, monthly: Option<u32>) -> Limits {
    Limits { daily_hard: daily.map(cents), monthly_hard: monthly.map(cents), ..Limits::default() }
}

impl Books {
    async fn cap(&self, subject: Subject, limits: Limits) -> Standing {
        let workspace = self.workspace;
        self.test.store.claim("test.cap", move |tx| caps::set(tx, workspace, subject, &limits)).await.unwrap()
    }

    async fn standing(&self, subject: Subject) -> Standing {
        let find = move |tx: &mut store::Tx<'_>| caps::find(tx, subject, tx.now());
        self.test.store.read("test.standing", find).await.unwrap().unwrap()
    }

    fn whole(&self) -> Subject {
        Subject::Workspace(self.workspace)
    }

    async fn spend(&self, amount: MicroUsd, key: Option<KeyId>, funding: Funding) -> Result<Reservation, SpendError> {
        let spending = Spending { key, funding, ..self.spending(amount, self.test.ambient.id()) };
        self.test.store.claim("test.reserve", move |tx| ledger::reserve(tx, &spending)).await
    }
}

fn reached(outcome: Result<Reservation, SpendError>) -> CapReached {
    match outcome {
        Err(SpendError::Cap(reached)) => reached,
        other => panic!("{other:?}"),
    }
}

fn crossings(reservation: &Reservation) -> Vec<(bool, Period, Level)> {
    let told = |Crossing { is_of_key, period, level }| (is_of_key, period, level);
    reservation.follows.crossed.iter().map(told).collect()
}

#[both_stores]
async fn of_fifty_at_a_cap_as_many_get_through_as_it_holds(test: TestStore) {
    for funding in [Funding::Balance, Funding::Processor, Funding::X402] {
        for charges in [false, true] {
            let books = Books::open(&test, cents(1_000)).await;
            books.cap(books.whole(), hard(Some(52), None)).await;
            let other = test.open_again().await;
            let spend = |n: usize| {
                let store = if n.is_multiple_of(2) { test.store.clone() } else { other.clone() };
                let spending = Spending { funding, ..books.spending(cents(5), test.ambient.id()) };
                async move {
                    match charges {
                        true => store.claim("test.charge", move |tx| ledger::charge(tx, &spending)).await,
                        false => store.claim("test.reserve", move |tx| ledger::reserve(tx, &spending)).await,
                    }
                }
            };
            let outcomes = join_all((0..50).map(spend)).await;
            other.close().await;
            assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 10);
            assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(_) | Err(SpendError::Cap(_)))));
            assert_eq!(books.standing(books.whole()).await.day, cents(50));
            let told: Vec<_> = outcomes.iter().flatten().flat_map(crossings).collect();
            assert_eq!(told, [(false, Period::Day, Level::Hard)], "once, by the last that fits");
            books.assert_proved().await;
        }
    }
}

#[both_stores]
async fn a_key_and_its_workspace_count_apart_and_a_refusal_counts_in_neither(test: TestStore) {
    let books = Books::open(&test, cents(1_000)).await;
    let (key, other): (KeyId, KeyId) = (test.ambient.id(), test.ambient.id());
    books.cap(Subject::Key(key), hard(Some(10), None)).await;
    books.spend(cents(5), Some(other), Funding::Balance).await.unwrap();
    books.spend(cents(5), Some(key), Funding::Balance).await.unwrap();
    let refused = reached(books.spend(cents(6), Some(key), Funding::Balance).await);
    let expected = CapReached { subject: Subject::Key(key), period: Period::Day, limit: cents(10), spent: cents(5) };
    assert_eq!(refused, expected);
    assert_eq!(refused.to_string(), "The daily spending cap of the API key, USD 0.1, does not allow it.");
    books.cap(books.whole(), hard(None, Some(12))).await;
    assert_eq!(books.standing(books.whole()).await.month, cents(10), "what is set aside counts from the beginning");
    let refused = reached(books.spend(cents(3), Some(key), Funding::Balance).await);
    assert_eq!((refused.subject, refused.period), (books.whole(), Period::Month));
    assert_eq!(books.standing(Subject::Key(key)).await.day, cents(5), "the workspace refused it");
    assert_eq!(books.balance().await.available(), cents(990));
    books.assert_proved().await;
}

#[both_stores]
async fn a_day_and_a_month_begin_anew(test: TestStore) {
    let books = Books::open(&test, cents(1_000)).await;
    books.cap(books.whole(), hard(Some(10), Some(15))).await;
    let first = books.spend(cents(10), None, Funding::Balance).await.unwrap();
    let both = [(false, Period::Day, Level::Hard), (false, Period::Month, Level::Hard)];
    assert_eq!(crossings(&first), both, "another like it fits neither");
    assert_eq!(reached(books.spend(cents(1), None, Funding::Balance).await).period, Period::Day);
    test.clock.advance(DAY);
    assert_eq!(books.standing(books.whole()).await.day, MicroUsd::ZERO);
    let last = books.spend(cents(5), None, Funding::Balance).await.unwrap();
    assert_eq!(crossings(&last), [], "the day has room, and the month was told of");
    assert_eq!(reached(books.spend(cents(1), None, Funding::Balance).await).period, Period::Month);
    test.clock.advance(DAY * 31);
    books.spend(cents(10), None, Funding::Balance).await.unwrap();
    let Standing { day, month, .. } = books.standing(books.whole()).await;
    assert_eq!((day, month), (cents(10), cents(10)));
}

#[both_stores]
async fn a_soft_cap_tells_once_a_period_and_refuses_nothing(test: TestStore) {
    let books = Books::open(&test, cents(1_000)).await;
    let limits = Limits { daily_soft: Some(cents(10)), monthly_soft: Some(cents(12)), ..Limits::default() };
    books.cap(books.whole(), limits).await;
    let mut told = Vec::new();
    for _ in 0..4 {
        told.push(crossings(&books.spend(cents(5), None, Funding::Balance).await.unwrap()));
    }
    let (day, month) = ((false, Period::Day, Level::Soft), (false, Period::Month, Level::Soft));
    assert_eq!(told, [vec![], vec![day], vec![month], vec![]]);
    test.clock.advance(DAY);
    books.spend(cents(5), None, Funding::Balance).await.unwrap();
    let again = books.spend(cents(5), None, Funding::Balance).await.unwrap();
    assert_eq!(crossings(&again), [day], "another day, the same month");
}

#[both_stores]
async fn what_is_not_done_is_given_back_in_its_own_period(test: TestStore) {
    let books = Books::open(&test, cents(1_000)).await;
    let key: KeyId = test.ambient.id();
    books.cap(books.whole(), hard(Some(10), Some(100))).await;
    books.cap(Subject::Key(key), hard(Some(10), None)).await;
    let first = books.spend(cents(10), Some(key), Funding::X402).await.unwrap();
    books.release(first.subject).await.unwrap();
    for subject in [books.whole(), Subject::Key(key)] {
        assert_eq!(books.standing(subject).await.day, MicroUsd::ZERO);
    }
    let second = books.spend(cents(10), Some(key), Funding::Balance).await.unwrap();
    test.clock.advance(DAY);
    books.spend(cents(4), Some(key), Funding::Balance).await.unwrap();
    books.release(second.subject).await.unwrap();
    let Standing { day, month, .. } = books.standing(books.whole()).await;
    assert_eq!((day, month), (cents(4), cents(4)), "it was of yesterday, and of this month");
    books.assert_proved().await;
}

#[both_stores]
async fn counts_begin_with_what_was_graded_and_what_is_set_aside(test: TestStore) {
    let books = Books::open(&test, cents(1_000)).await;
    let record = |subject: SubjectId, workspace| NewUsage {
        workspace,
        organization: None,
        service: Service::Evaluation,
        subject,
        credit_cost: cents(7),
        billable: cents(7),
        finalized: cents(7),
        input_tokens: 0,
        output_tokens: 0,
    };
    let graded = books.charge(cents(7)).await.unwrap();
    let new = record(graded.subject, books.workspace);
    test.store.claim("test.usage", move |tx| usage::record(tx, &new)).await.unwrap();
    books.reserve(cents(5)).await.unwrap();
    let Standing { day, month, .. } = books.cap(books.whole(), hard(Some(20), None)).await;
    assert_eq!((day, month), (cents(12), cents(12)));
    let changed = books.cap(books.whole(), hard(Some(13), None)).await;
    assert_eq!(changed.day, cents(12), "changed limits keep the counts");
    reached(books.spend(cents(5), None, Funding::Balance).await);
    books.cap(books.whole(), Limits::default()).await;
    assert!(!books.balance().await.is_capped);
    books.reserve(cents(500)).await.unwrap();
}

#[both_stores]
async fn a_balance_that_falls_low_is_noticed_once_until_credits_are_bought(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let is_low = |reservation: Reservation| reservation.follows.is_low;
    assert!(!is_low(books.reserve(cents(99)).await.unwrap()), "who never bought any is not warned");
    books.top_up(cents(600)).await;
    assert!(!is_low(books.reserve(cents(101)).await.unwrap()), "USD 5 are left");
    let crossing = books.reserve(cents(1)).await.unwrap();
    assert!(is_low(crossing));
    books.release(crossing.subject).await.unwrap();
    assert!(!is_low(books.charge(cents(2)).await.unwrap()), "once, though it was above in between");
    books.top_up(cents(100)).await;
    assert!(is_low(books.charge(cents(100)).await.unwrap()));
    let workspace = books.workspace;
    let set = move |tx: &mut store::Tx<'_>| ledger::set_low(tx, workspace, Some(cents(100)));
    test.store.claim("test.low", set).await.unwrap();
    assert!(!is_low(books.charge(cents(300)).await.unwrap()));
    assert!(is_low(books.charge(cents(100)).await.unwrap()));
}

impl Books {
    /// Puts a new key in another's place.
    async fn rotate(&self, from: KeyId) -> KeyId {
        let (workspace, to) = (self.workspace, self.test.ambient.id());
        self.test.store.claim("test.rotate", move |tx| caps::pass_on(tx, workspace, from, to)).await.unwrap();
        to
    }
}

#[both_stores]
async fn what_a_rotated_key_set_aside_is_given_back_to_the_new_one(test: TestStore) {
    let books = Books::open(&test, cents(1_000)).await;
    let old: KeyId = test.ambient.id();
    books.cap(Subject::Key(old), hard(Some(10), None)).await;
    let open = books.spend(cents(6), Some(old), Funding::Balance).await.unwrap();
    let paid = books.spend(cents(4), Some(old), Funding::Balance).await.unwrap();
    books.settle(paid.subject).await.unwrap();
    let newest = books.rotate(books.rotate(old).await).await;
    reached(books.spend(cents(1), Some(newest), Funding::Balance).await);
    books.release(open.subject).await.unwrap();
    assert_eq!(
        books.standing(Subject::Key(newest)).await.day,
        cents(4),
        "the release was for the key that is there now"
    );
    books.spend(cents(6), Some(newest), Funding::Balance).await.unwrap();
    reached(books.spend(cents(1), Some(newest), Funding::Balance).await);
    books.assert_proved().await;
}

#[both_stores]
async fn what_was_set_aside_under_earlier_caps_makes_no_room_under_new_ones(test: TestStore) {
    let books = Books::open(&test, cents(1_000)).await;
    let key: KeyId = test.ambient.id();
    books.cap(Subject::Key(key), hard(Some(10), None)).await;
    let earlier = books.spend(cents(10), Some(key), Funding::Balance).await.unwrap();
    books.cap(Subject::Key(key), Limits::default()).await;
    books.cap(Subject::Key(key), hard(Some(10), None)).await;
    books.spend(cents(10), Some(key), Funding::Balance).await.unwrap();
    books.release(earlier.subject).await.unwrap();
    assert_eq!(books.standing(Subject::Key(key)).await.day, cents(10));
    reached(books.spend(cents(1), Some(key), Funding::Balance).await);
    books.assert_proved().await;
}

/// Some set aside and release, one rotates: in whatever order they come, the caps hold what is open.
#[both_stores]
async fn rotations_beside_spendings_lose_none_of_them(test: TestStore) {
    let books = Books::open(&test, cents(10_000)).await;
    let mut key: KeyId = test.ambient.id();
    books.cap(Subject::Key(key), hard(Some(5_000), None)).await;
    let mut open = Vec::new();
    for _ in 0..12 {
        let (spent, released, rotated) = tokio::join!(
            join_all((0..6).map(|_| books.spend(cents(5), Some(key), Funding::Balance))),
            join_all(open.drain(..).map(|subject| books.release(subject))),
            books.rotate(key),
        );
        assert!(released.iter().all(Result::is_ok));
        key = rotated;
        open.extend(spent.into_iter().map(|reservation| reservation.unwrap().subject));
    }
    // Who asked with the old key after the rotation was counted by no key: what is open says who was.
    let counted = test.store.read("test.open", move |tx| {
        let sql = "SELECT CAST(coalesce(sum(amount_micros), 0) AS BIGINT) FROM ledger_reservation
             WHERE state = 'open' AND key_id = $1";
        tx.find(sql, &[&key], |row| row.get::<MicroUsd>(0))
    });
    assert_eq!(books.standing(Subject::Key(key)).await.day, counted.await.unwrap().unwrap());
    for subject in open {
        books.release(subject).await.unwrap();
    }
    assert_eq!(books.standing(Subject::Key(key)).await.day, MicroUsd::ZERO, "everything was given back");
    books.assert_proved().await;
}
