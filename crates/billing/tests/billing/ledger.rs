//! The rules of the ledger, one test each, on both stores.

use crate::books::{Books, cents};
use billing::ledger::{
    self, Balance, EndError, Funding, Reservation, ReservationState, Shortage, SpendError, Spending, TopUpError,
};
use billing::reconcile::reconcile;
use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use store::StoreError;
use testkit::{TestStore, both_stores};

fn balance(free: u32, credits: u32, reserved_free: u32, reserved_credits: u32, had_credits: bool) -> Balance {
    Balance {
        free: cents(free),
        credits: cents(credits),
        reserved_free: cents(reserved_free),
        reserved_credits: cents(reserved_credits),
        had_credits,
        ..Balance::default()
    }
}

#[both_stores]
async fn a_new_workspace_has_its_grant_and_no_credits(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    assert_eq!(books.balance().await, balance(100, 0, 0, 0, false));
    assert_eq!(books.journal().await, ["1 grants>free 1000000 grant"]);
    let nobody: WorkspaceId = test.ambient.id();
    let none = test.store.read("test.balance", move |tx| ledger::find_balance(tx, nobody)).await;
    assert_eq!(none.unwrap(), None);
}

#[both_stores]
async fn a_workspace_is_opened_once(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let workspace = books.workspace;
    let again = test.store.claim("test.open", move |tx| ledger::open(tx, workspace, cents(100))).await;
    assert!(matches!(again, Err(StoreError::Unique { .. })), "{again:?}");
    assert_eq!(books.balance().await, balance(100, 0, 0, 0, false));
}

#[both_stores]
async fn free_credits_go_first_and_a_spending_may_take_both(test: TestStore) {
    let books = Books::open(&test, cents(5)).await;
    books.top_up(cents(10)).await;
    let first = books.charge(cents(3)).await.unwrap();
    assert_eq!((first.free, first.credits), (cents(3), cents(0)));
    let second = books.charge(cents(3)).await.unwrap();
    assert_eq!((second.free, second.credits), (cents(2), cents(1)));
    let third = books.charge(cents(3)).await.unwrap();
    assert_eq!((third.free, third.credits), (cents(0), cents(3)));
    assert_eq!(books.balance().await, balance(0, 6, 0, 0, true));
    assert_eq!(
        books.journal().await,
        [
            "1 grants>free 50000 grant",
            "2 topups>credits 100000 top_up",
            "3 free>revenue 30000 charge",
            "4 free>revenue 20000 charge",
            "5 credits>revenue 10000 charge",
            "6 credits>revenue 30000 charge",
        ]
    );
    books.assert_proved().await;
}

#[both_stores]
async fn what_is_reserved_is_neither_spent_nor_available(test: TestStore) {
    let books = Books::open(&test, cents(5)).await;
    books.top_up(cents(3)).await;
    let reserved = books.reserve(cents(6)).await.unwrap();
    assert_eq!((reserved.free, reserved.credits, reserved.state), (cents(5), cents(1), ReservationState::Open));
    assert_eq!(books.balance().await, balance(0, 2, 5, 1, true));
    assert!(matches!(books.charge(cents(3)).await, Err(SpendError::Shortage(_))));
    books.assert_proved().await;
}

#[both_stores]
async fn a_settled_reservation_is_revenue(test: TestStore) {
    let books = Books::open(&test, cents(5)).await;
    books.top_up(cents(3)).await;
    let reserved = books.reserve(cents(6)).await.unwrap();
    let settled = books.settle(reserved.subject).await.unwrap();
    let ended_at = Some(test.ambient.now());
    assert_eq!(settled, Reservation { state: ReservationState::Settled, ended_at, ..reserved });
    assert_eq!(books.balance().await, balance(0, 2, 0, 0, true));
    assert_eq!(
        books.journal().await[2..],
        [
            "3 free>reserved_free 50000 reserve",
            "4 credits>reserved_credits 10000 reserve",
            "5 reserved_free>revenue 50000 settle",
            "6 reserved_credits>revenue 10000 settle",
        ]
    );
    books.assert_proved().await;
}

#[both_stores]
async fn a_released_reservation_goes_back_to_where_it_came_from(test: TestStore) {
    let books = Books::open(&test, cents(5)).await;
    books.top_up(cents(3)).await;
    let before = books.balance().await;
    let reserved = books.reserve(cents(6)).await.unwrap();
    books.top_up(cents(9)).await;
    books.release(reserved.subject).await.unwrap();
    assert_eq!(books.balance().await, Balance { credits: cents(12), ..before });
    books.assert_proved().await;
}

#[both_stores]
async fn a_reservation_ends_once(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let settled = books.reserve(cents(3)).await.unwrap().subject;
    let released = books.reserve(cents(3)).await.unwrap().subject;
    let charged = books.charge(cents(3)).await.unwrap().subject;
    books.settle(settled).await.unwrap();
    books.release(released).await.unwrap();
    let before = (books.balance().await, books.journal().await);
    for (subject, state) in [
        (settled, ReservationState::Settled),
        (released, ReservationState::Released),
        (charged, ReservationState::Settled),
    ] {
        for ended in [books.settle(subject).await, books.release(subject).await] {
            assert!(matches!(ended, Err(EndError::Ended(was)) if was == state), "{ended:?}");
        }
    }
    let unknown: SubjectId = test.ambient.id();
    assert!(matches!(books.settle(unknown).await, Err(EndError::Unknown)));
    assert!(matches!(books.release(unknown).await, Err(EndError::Unknown)));
    assert_eq!((books.balance().await, books.journal().await), before);
}

#[both_stores]
async fn work_is_reserved_or_charged_for_once(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let subject = books.charge(cents(3)).await.unwrap().subject;
    let before = (books.balance().await, books.journal().await);
    let spending = books.spending(cents(3), subject);
    let again = test.store.claim("test.charge", move |tx| ledger::charge(tx, &spending)).await;
    let reserved = test.store.claim("test.reserve", move |tx| ledger::reserve(tx, &spending)).await;
    for taken in [again, reserved] {
        assert!(matches!(taken, Err(SpendError::Store(StoreError::Unique { .. }))), "{taken:?}");
    }
    assert_eq!((books.balance().await, books.journal().await), before);
}

#[both_stores]
async fn a_shortage_says_what_is_there_and_whether_there_ever_were_credits(test: TestStore) {
    let books = Books::open(&test, cents(2)).await;
    let shortage = |available, never_had_credits| Shortage { available, wanted: cents(5), never_had_credits };
    for wanted in [shortage(cents(2), true)] {
        assert!(matches!(books.reserve(cents(5)).await, Err(SpendError::Shortage(is)) if is == wanted));
        assert!(matches!(books.charge(cents(5)).await, Err(SpendError::Shortage(is)) if is == wanted));
    }
    books.top_up(cents(2)).await;
    let had = shortage(cents(4), false);
    assert!(matches!(books.charge(cents(5)).await, Err(SpendError::Shortage(is)) if is == had));
    books.charge(cents(4)).await.unwrap();
    let empty = shortage(cents(0), false);
    assert!(matches!(books.charge(cents(5)).await, Err(SpendError::Shortage(is)) if is == empty));
    books.assert_proved().await;
}

#[both_stores]
async fn a_workspace_without_a_balance_can_do_nothing(test: TestStore) {
    let books = Books { test: test.clone(), workspace: test.ambient.id() };
    assert!(matches!(books.charge(cents(1)).await, Err(SpendError::Unknown)));
    assert!(matches!(books.reserve(cents(1)).await, Err(SpendError::Unknown)));
    for funding in [Funding::Processor, Funding::X402] {
        let spending = Spending { funding, ..books.spending(cents(1), test.ambient.id()) };
        let charged = test.store.claim("test.charge", move |tx| ledger::charge(tx, &spending)).await;
        let reserved = test.store.claim("test.reserve", move |tx| ledger::reserve(tx, &spending)).await;
        assert!(matches!((charged, reserved), (Err(SpendError::Unknown), Err(SpendError::Unknown))));
    }
    let topped = books.try_top_up(cents(1)).await;
    assert!(matches!(topped, Err(TopUpError::Unknown)));
}

#[both_stores]
async fn a_balance_has_an_upper_end(test: TestStore) {
    let books = Books::open(&test, cents(0)).await;
    assert!(matches!(books.try_top_up(MicroUsd::ZERO).await, Err(TopUpError::Nothing)));
    books.top_up(MicroUsd::MAX).await;
    assert!(matches!(books.try_top_up(cents(1)).await, Err(TopUpError::TooMuch)));
    // Also while part of it is set aside, so that it can always be given back.
    let subject = books.reserve(cents(5)).await.unwrap().subject;
    assert!(matches!(books.try_top_up(cents(1)).await, Err(TopUpError::TooMuch)));
    books.release(subject).await.unwrap();
    assert_eq!(books.balance().await.available(), MicroUsd::MAX);
    books.assert_proved().await;
}

#[both_stores]
async fn what_costs_nothing_is_noted_and_moves_nothing(test: TestStore) {
    let books = Books::open(&test, cents(0)).await;
    books.charge(MicroUsd::ZERO).await.unwrap();
    let reserved = books.reserve(MicroUsd::ZERO).await.unwrap();
    books.settle(reserved.subject).await.unwrap();
    assert_eq!(books.journal().await, Vec::<String>::new());
    books.assert_proved().await;
}

#[both_stores]
async fn what_others_fund_goes_to_the_revenue_past_the_balance(test: TestStore) {
    let books = Books::open(&test, cents(2)).await;
    for (funding, charges) in [(Funding::Processor, false), (Funding::X402, false), (Funding::X402, true)] {
        let spending = Spending { funding, ..books.spending(cents(5), test.ambient.id()) };
        if charges {
            test.store.claim("test.charge", move |tx| ledger::charge(tx, &spending)).await.unwrap();
        } else {
            test.store.claim("test.reserve", move |tx| ledger::reserve(tx, &spending)).await.unwrap();
            books.settle(spending.subject).await.unwrap();
        }
    }
    let given_back = Spending { funding: Funding::Processor, ..books.spending(cents(5), test.ambient.id()) };
    test.store.claim("test.reserve", move |tx| ledger::reserve(tx, &given_back)).await.unwrap();
    books.release(given_back.subject).await.unwrap();
    assert_eq!(books.balance().await, balance(2, 0, 0, 0, false));
    assert_eq!(
        books.journal().await[1..],
        ["2 processor>revenue 50000 settle", "3 x402>revenue 50000 settle", "4 x402>revenue 50000 charge"]
    );
    books.assert_proved().await;
}

#[both_stores]
async fn an_undone_transaction_leaves_nothing(test: TestStore) {
    let books = Books::open(&test, cents(5)).await;
    let spending = books.spending(cents(3), test.ambient.id());
    let undone = test.store.claim("test.undone", move |tx| {
        ledger::charge(tx, &spending)?;
        Err::<(), _>(SpendError::Unknown)
    });
    assert!(undone.await.is_err());
    assert_eq!(books.balance().await, balance(5, 0, 0, 0, false));
    assert!(books.charge(cents(3)).await.is_ok());
    books.assert_proved().await;
}

#[both_stores]
async fn a_report_counts_what_it_proved(test: TestStore) {
    let books = Books::open(&test, cents(5)).await;
    books.top_up(cents(3)).await;
    Books::open(&test, cents(0)).await;
    let report = reconcile(&test.store).await.unwrap();
    assert_eq!((report.workspaces, report.transfers, report.differences.is_empty()), (2, 2, true));
}
