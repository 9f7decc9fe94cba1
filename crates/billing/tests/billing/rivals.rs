//! Many at once: a balance is never overdrawn, nothing is settled twice, and nobody is turned away for being one of many.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::books::{Books, cents};
use billing::ledger::{self, EndError, Reservation, SpendError};
use futures_util::future::join_all;
use kernel::id::SubjectId;
use store::{Store, StoreError};
use testkit::{TestStore, both_stores};

/// Twice as many as can be paid for.
const RIVALS: usize = 50;

/// Those who got through; everybody else met a shortage.
fn winners(outcomes: Vec<Result<Reservation, SpendError>>) -> Vec<Reservation> {
    let won = |outcome| match outcome {
        Ok(reservation) => Some(reservation),
        Err(SpendError::Shortage(_)) => None,
        Err(error) => panic!("{error:?}"),
    };
    outcomes.into_iter().filter_map(won).collect()
}

/// 50 cents free and 75 others pay for 25 times 5 cents.
async fn half_enough(test: &TestStore) -> Books {
    let books = Books::open(test, cents(52)).await;
    books.top_up(cents(75)).await;
    books
}

#[both_stores]
async fn rivals_for_the_last_of_a_balance_never_overdraw_it(test: TestStore) {
    let books = half_enough(&test).await;
    let reserved = winners(join_all((0..RIVALS).map(|_| books.reserve(cents(5)))).await);
    assert_eq!(reserved.len(), RIVALS / 2);
    assert_eq!(books.balance().await.available(), cents(2));
    books.assert_proved().await;
}

#[both_stores]
async fn charges_of_many_processes_never_overdraw_either(test: TestStore) {
    let books = half_enough(&test).await;
    let other = test.open_again().await;
    let charge = |n: usize| {
        let store = if n.is_multiple_of(2) { test.store.clone() } else { other.clone() };
        let spending = books.spending(cents(5), test.ambient.id());
        async move { store.claim("test.charge", move |tx| ledger::charge(tx, &spending)).await }
    };
    assert_eq!(winners(join_all((0..RIVALS).map(charge)).await).len(), RIVALS / 2);
    assert_eq!(books.balance().await.available(), cents(2));
    books.assert_proved().await;
    other.close().await;
}

#[both_stores]
async fn rivals_on_snapshots_are_run_again_until_they_get_through(test: TestStore) {
    let books = half_enough(&test).await;
    let charge = |_| {
        let (store, spending) = (test.store.clone(), books.spending(cents(5), test.ambient.id()));
        async move { store.write("test.charge_on_a_snapshot", move |tx| ledger::charge(tx, &spending)).await }
    };
    assert_eq!(winners(join_all((0..RIVALS).map(charge)).await).len(), RIVALS / 2);
    assert_eq!(books.balance().await.available(), cents(2));
    books.assert_proved().await;
}

#[both_stores]
async fn who_waits_for_a_balance_is_not_run_again(test: TestStore) {
    let books = half_enough(&test).await;
    let runs = Arc::new(AtomicU32::new(0));
    let charge = |_| {
        let (store, runs, spending) = (test.store.clone(), runs.clone(), books.spending(cents(5), test.ambient.id()));
        async move {
            let work = move |tx: &mut store::Tx<'_>| {
                runs.fetch_add(1, Ordering::Relaxed);
                ledger::charge(tx, &spending)
            };
            store.claim("test.charge", work).await
        }
    };
    winners(join_all((0..RIVALS).map(charge)).await);
    assert_eq!(runs.load(Ordering::Relaxed), u32::try_from(RIVALS).unwrap());
}

#[both_stores]
async fn of_many_that_end_a_reservation_one_does(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    for _ in 0..5 {
        let subject = books.reserve(cents(3)).await.unwrap().subject;
        let end = |n: usize| {
            let books = books.clone();
            async move { if n.is_multiple_of(2) { books.settle(subject).await } else { books.release(subject).await } }
        };
        let outcomes = join_all((0..10).map(end)).await;
        let ended = outcomes.iter().filter(|outcome| match outcome {
            Ok(_) => true,
            Err(EndError::Ended(_)) => false,
            Err(error) => panic!("{error:?}"),
        });
        assert_eq!(ended.count(), 1);
    }
    books.assert_proved().await;
}

#[both_stores]
async fn everything_at_once_adds_up(test: TestStore) {
    let books = half_enough(&test).await;
    let other = test.open_again().await;
    let round = |n: usize| {
        let (books, test, other) = (books.clone(), test.clone(), other.clone());
        async move {
            let store: &Store = if n.is_multiple_of(2) { &test.store } else { &other };
            let subject: SubjectId = test.ambient.id();
            let spending = books.spending(cents(4), subject);
            let reserved = store.claim("test.reserve", move |tx| ledger::reserve(tx, &spending)).await;
            if winners(vec![reserved]).is_empty() {
                return books.top_up_only(cents(1)).await;
            }
            match n % 3 {
                0 => drop(store.claim("test.settle", move |tx| ledger::settle(tx, subject)).await.unwrap()),
                1 => {
                    while let Err(error) = store.write("test.release", move |tx| ledger::release(tx, subject)).await {
                        // A snapshot may lose to the other process as often as it is run.
                        assert!(matches!(error, EndError::Store(StoreError::Unavailable)), "{error:?}");
                    }
                }
                _ => {}
            }
        }
    };
    join_all((0..RIVALS).map(round)).await;
    books.assert_proved().await;
    other.close().await;
}
