//! What the tables refuse, whoever writes to them.

use crate::books::{Books, cents};
use billing::usage::{self, NewUsage, Service};
use store::StoreError;
use testkit::{Engine, TestStore, both_stores};

async fn refused(test: &TestStore, sql: &'static str) -> StoreError {
    let changed = test.store.write("test.change", move |tx| tx.execute(sql, &[])).await;
    match changed {
        Err(error) => error,
        Ok(rows) => panic!("{rows} rows: {sql}"),
    }
}

#[both_stores]
async fn transfers_are_never_changed_or_removed(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let before = books.journal().await;
    for sql in [
        "UPDATE ledger_transfer SET amount_micros = 1",
        "UPDATE ledger_transfer SET note = 'x' WHERE kind = 'grant'",
        "DELETE FROM ledger_transfer",
    ] {
        let error = refused(&test, sql).await;
        assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}");
    }
    if test.engine == Engine::Postgres {
        refused(&test, "TRUNCATE ledger_transfer").await;
    }
    assert_eq!(books.journal().await, before);
}

#[both_stores]
async fn usage_is_never_changed_or_removed(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    let usage = NewUsage {
        workspace: books.workspace,
        organization: None,
        service: Service::Evaluation,
        subject: test.ambient.id(),
        credit_cost: cents(1),
        billable: cents(1),
        finalized: cents(1),
        input_tokens: 1,
        output_tokens: 1,
    };
    test.store.write("test.usage", move |tx| usage::record(tx, &usage)).await.unwrap();
    for sql in ["UPDATE usage SET billable_micros = 0", "DELETE FROM usage"] {
        let error = refused(&test, sql).await;
        assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}");
    }
    if test.engine == Engine::Postgres {
        refused(&test, "TRUNCATE usage").await;
    }
}

#[both_stores]
async fn no_balance_falls_below_zero(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    for sql in [
        "UPDATE ledger_balance SET free_micros = -1",
        "UPDATE ledger_balance SET credit_micros = -1",
        "UPDATE ledger_balance SET reserved_free_micros = -1",
        "UPDATE ledger_balance SET reserved_credit_micros = -1",
        "UPDATE ledger_balance SET credit_micros = 9007199254740992",
        "UPDATE ledger_balance SET credit_micros = 9007199254740991, reserved_credit_micros = 1",
        "UPDATE ledger_balance SET had_credits = 2",
    ] {
        let error = refused(&test, sql).await;
        assert!(matches!(error, StoreError::Check), "{sql}: {error:?}");
    }
    assert_eq!(books.balance().await.free, cents(100));
}

#[both_stores]
async fn a_transfer_moves_something_between_two_accounts(test: TestStore) {
    for sql in [
        "INSERT INTO ledger_transfer VALUES ('w', 1, 'free', 'revenue', 0, 'charge', 's', NULL, 0)",
        "INSERT INTO ledger_transfer VALUES ('w', 1, 'free', 'revenue', -1, 'charge', 's', NULL, 0)",
        "INSERT INTO ledger_transfer VALUES ('w', 1, 'free', 'free', 1, 'charge', 's', NULL, 0)",
        "INSERT INTO ledger_transfer VALUES ('w', 1, 'revenue', 'free', 1, 'charge', 's', NULL, 0)",
        "INSERT INTO ledger_transfer VALUES ('w', 1, 'elsewhere', 'free', 1, 'charge', 's', NULL, 0)",
        "INSERT INTO ledger_transfer VALUES ('w', 0, 'free', 'revenue', 1, 'charge', 's', NULL, 0)",
        "INSERT INTO ledger_transfer VALUES ('w', 1, 'free', 'revenue', 1, 'gift', 's', NULL, 0)",
    ] {
        let error = refused(&test, sql).await;
        assert!(matches!(error, StoreError::Check), "{sql}: {error:?}");
    }
}

#[both_stores]
async fn a_reservation_says_where_all_of_it_came_from(test: TestStore) {
    for sql in [
        "INSERT INTO ledger_reservation VALUES ('s', 'w', 'balance', 5, 2, 2, 'open', 0, NULL, NULL)",
        "INSERT INTO ledger_reservation VALUES ('s', 'w', 'balance', 5, 6, -1, 'open', 0, NULL, NULL)",
        "INSERT INTO ledger_reservation VALUES ('s', 'w', 'x402', 5, 5, 0, 'open', 0, NULL, NULL)",
        "INSERT INTO ledger_reservation VALUES ('s', 'w', 'favour', 5, 0, 0, 'open', 0, NULL, NULL)",
        "INSERT INTO ledger_reservation VALUES ('s', 'w', 'balance', 5, 5, 0, 'open', 0, 1, NULL)",
        "INSERT INTO ledger_reservation VALUES ('s', 'w', 'balance', 5, 5, 0, 'settled', 0, NULL, NULL)",
        "INSERT INTO ledger_reservation VALUES ('s', 'w', 'balance', 5, 5, 0, 'lost', 0, 1, NULL)",
    ] {
        let error = refused(&test, sql).await;
        assert!(matches!(error, StoreError::Check), "{sql}: {error:?}");
    }
}
