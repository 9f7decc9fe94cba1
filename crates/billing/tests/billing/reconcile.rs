//! What does not add up is found and told, and never repaired.

use crate::books::{Books, cents};
use billing::ledger::payments::{Payment, list_payments};
use billing::ledger::{Account, ReservationState};
use billing::reconcile::{Difference, Report, reconcile, usage as used};
use billing::usage::{self, NewUsage, Service};
use testkit::{TestStore, both_stores};

async fn tamper(test: &TestStore, sql: &'static str) {
    assert!(test.store.write("test.tamper", move |tx| tx.execute(sql, &[])).await.unwrap() > 0, "{sql}");
}

async fn differences(test: &TestStore) -> Vec<Difference> {
    let report = reconcile(&test.store).await.unwrap();
    assert_eq!(report.differences.count, report.differences.shown.len() as u64);
    assert_eq!(reconcile(&test.store).await.unwrap(), report, "nothing was repaired");
    report.differences.shown
}

#[both_stores]
async fn money_from_nowhere_is_found(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    tamper(&test, "UPDATE ledger_balance SET credit_micros = credit_micros + 7").await;
    let workspace = books.workspace;
    let expected = Difference::Account { workspace, account: Account::Credits, balance: 7, transfers: 0 };
    assert_eq!(differences(&test).await, [expected]);
}

#[both_stores]
async fn reserved_money_without_a_reservation_is_found(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let subject = books.reserve(cents(3)).await.unwrap().subject;
    tamper(&test, "UPDATE ledger_reservation SET state = 'released', ended_at = 0").await;
    let reserved = Difference::Reserved {
        workspace: books.workspace,
        account: Account::ReservedFree,
        balance: 30_000,
        reservations: 0,
    };
    assert_eq!(differences(&test).await, [reserved]);
    assert!(books.release(subject).await.is_err());
}

#[both_stores]
async fn a_missing_transfer_is_found(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    tamper(&test, "UPDATE ledger_balance SET entries = entries + 1").await;
    let expected = Difference::Missing { workspace: books.workspace, entries: 2, found: 1 };
    assert_eq!(differences(&test).await, [expected]);
}

#[both_stores]
async fn a_transfer_that_its_reservation_does_not_know_is_found(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    books.charge(cents(3)).await.unwrap();
    tamper(&test, "UPDATE ledger_reservation SET amount_micros = 1, free_micros = 1").await;
    let expected = Difference::Transfer { workspace: books.workspace, sequence: 2 };
    assert_eq!(differences(&test).await, std::slice::from_ref(&expected));
    tamper(&test, "DELETE FROM ledger_reservation").await;
    assert_eq!(differences(&test).await, [expected]);
}

#[both_stores]
async fn usage_of_what_is_reserved_and_not_settled_is_found(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let reserved = books.reserve(cents(3)).await.unwrap();
    let usage = NewUsage {
        workspace: books.workspace,
        organization: None,
        service: Service::Evaluation,
        subject: reserved.subject,
        credit_cost: cents(3),
        billable: cents(3),
        finalized: cents(3),
        input_tokens: 0,
        output_tokens: 0,
    };
    test.store.write("test.record", move |tx| usage::record(tx, &usage)).await.unwrap();
    let found = async || {
        let mut report = Report::default();
        used::reconcile(&test.store, &mut report, |_| ()).await.unwrap();
        report.differences.shown
    };
    let expected =
        |found: &[Difference]| matches!(found, [Difference::Usage { workspace, .. }] if *workspace == books.workspace);
    assert!(expected(&found().await));
    books.settle(reserved.subject).await.unwrap();
    assert_eq!(found().await, []);
}

#[both_stores]
async fn many_workspaces_are_proved_page_by_page(test: TestStore) {
    for _ in 0..230 {
        Books::open(&test, cents(1)).await;
    }
    let report = reconcile(&test.store).await.unwrap();
    assert_eq!((report.workspaces, report.transfers, report.differences.count), (230, 230, 0));
    tamper(&test, "UPDATE ledger_balance SET free_micros = 0").await;
    let report = reconcile(&test.store).await.unwrap();
    assert_eq!((report.differences.count, report.differences.shown.len()), (230, 100));
}

#[both_stores]
async fn payments_are_listed_in_the_order_of_their_subjects(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let mut expected = Vec::new();
    for state in [ReservationState::Open, ReservationState::Settled, ReservationState::Released] {
        for _ in 0..3 {
            let subject = books.reserve(cents(2)).await.unwrap().subject;
            match state {
                ReservationState::Open => {}
                ReservationState::Settled => drop(books.settle(subject).await.unwrap()),
                ReservationState::Released => drop(books.release(subject).await.unwrap()),
            }
            let ended_at = (state != ReservationState::Open).then(|| test.ambient.now());
            expected.push(Payment { subject, workspace: books.workspace, amount: cents(2), state, ended_at });
        }
    }
    expected.sort_by_key(|payment| payment.subject);
    let (mut listed, mut after) = (Vec::new(), None);
    loop {
        let page = test.store.read("test.payments", move |tx| list_payments(tx, after, 4)).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.subject);
        listed.extend(page);
    }
    assert_eq!(listed, expected);
}
