//! Invoices add up to the ledger and the statistics to the cent, have numbers without gaps, and never change.

use std::time::Duration;

use billing::invoices::{finalize, find, page};
use billing::ledger::{self, Funding, ReservationState, Spending};
use billing::usage::{self, NewUsage, Service};
use futures_util::future::join_all;
use invoices::{Buyer, Invoice, Kind, Seller, Tax, Terms};
use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use store::{StoreError, Tx};
use testkit::{TestStore, both_stores};

use crate::books::{Books, cents};

const DAY: Duration = Duration::from_secs(24 * 3600);

fn terms() -> Terms {
    Terms {
        seller: Seller { name: "Lectern GmbH".to_owned(), ..Seller::default() },
        taxes: vec![Tax { name: "VAT".to_owned(), rate: 19_000 }],
        is_tax_included: true,
        series: "INV".to_owned(),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "others ask a database")]
fn buyer(_: &mut Tx<'_>, _: WorkspaceId) -> Result<Option<Buyer>, StoreError> {
    Ok(Some(Buyer { name: "Riverside School".to_owned(), email: None }))
}

async fn finalize_all(test: &TestStore) -> u64 {
    finalize(&test.store, &terms(), buyer).await.unwrap()
}

async fn invoices(books: &Books) -> Vec<Invoice> {
    let workspace = books.workspace;
    let mut found = books.test.store.read("test", move |tx| page(tx, workspace, 100, 0)).await.unwrap().0;
    found.reverse();
    found
}

async fn number(test: &TestStore, sql: &'static str) -> i64 {
    test.store.read("test", move |tx| tx.find(sql, &[], |row| row.get(0))).await.unwrap().unwrap_or(0)
}

/// Work that is graded, with its row of usage.
async fn work(books: &Books, amount: MicroUsd, funding: Funding, is_graded: bool, reserves: bool) {
    let spending = Spending { funding, ..books.spending(amount, books.test.ambient.id()) };
    let run = move |tx: &mut Tx<'_>| {
        let paid = match (reserves, is_graded) {
            (false, _) => ledger::charge(tx, &spending),
            (true, _) => ledger::reserve(tx, &spending),
        };
        let Ok(paid) = paid else { return Ok::<_, StoreError>(()) };
        if reserves {
            let ended = if is_graded { ledger::settle(tx, paid.subject) } else { ledger::release(tx, paid.subject) };
            let ended = ended.map_err(|error| StoreError::Unexpected(Box::new(error)))?;
            if ended.state == ReservationState::Released {
                return Ok(());
            }
        }
        let new = NewUsage {
            workspace: spending.workspace,
            organization: None,
            service: Service::Evaluation,
            subject: spending.subject,
            credit_cost: paid.free.checked_add(paid.credits).unwrap_or(amount),
            billable: amount,
            finalized: amount,
            input_tokens: 0,
            output_tokens: 0,
        };
        usage::record(tx, &new).map(drop)
    };
    books.test.store.claim("test.work", run).await.unwrap();
}

/// Something between 0 and below a bound.
fn any(test: &TestStore, below: u64) -> u64 {
    u64::from_le_bytes(test.ambient.random()) % below
}

/// A history of some months: credits bought and given, work paid for in each way, some of it not graded.
async fn live(books: &[Books], steps: usize) {
    let test = &books[0].test;
    for _ in 0..steps {
        let book = &books[usize::try_from(any(test, books.len() as u64)).unwrap()];
        // Also prices that are no whole cents.
        let amount = MicroUsd::from_micros(i64::try_from(any(test, 60_000)).unwrap() + 1).unwrap();
        match any(test, 9) {
            8 => book.give(amount).await,
            0 => book.top_up_only(MicroUsd::from_micros(amount.micros() * 20).unwrap()).await,
            1 => work(book, amount, Funding::Processor, true, any(test, 2) == 0).await,
            2 => work(book, amount, Funding::X402, true, any(test, 2) == 0).await,
            3 => work(book, amount, Funding::Balance, false, true).await,
            4 => test.clock.advance(DAY * u32::try_from(any(test, 12)).unwrap()),
            _ => work(book, amount, Funding::Balance, true, any(test, 2) == 0).await,
        }
        if any(test, 20) == 0 {
            finalize_all(test).await;
        }
    }
}

fn sum_of(invoices: &[Invoice], kinds: &[Kind]) -> i64 {
    let lines = invoices.iter().flat_map(|invoice| invoice.sales.iter().chain(&invoice.used));
    lines.filter(|line| kinds.contains(&line.kind)).map(|line| line.amount.0).sum()
}

#[both_stores]
async fn invoices_of_any_history_add_up_to_ledger_and_statistics_to_the_cent(test: TestStore) {
    let books = [Books::open(&test, cents(100)).await, Books::open(&test, cents(0)).await];
    live(&books, 220).await;
    test.clock.advance(DAY * 40);
    finalize_all(&test).await;
    assert_eq!(finalize_all(&test).await, 0, "each month has its invoice once");
    for book in &books {
        let invoices = invoices(book).await;
        assert!(invoices.len() > 2, "{}", invoices.len());
        let mut everything = 0;
        for (kind, debits) in [
            (Kind::CreditsBought, "'topups'"),
            (Kind::ProcessorMetered, "'processor'"),
            (Kind::X402Paid, "'x402'"),
            (Kind::CreditsUsed, "'credits', 'reserved_credits'"),
            (Kind::FreeCreditsUsed, "'free', 'reserved_free'"),
        ] {
            let sql = format!(
                "SELECT CAST(coalesce(sum(amount_micros), 0) AS BIGINT) FROM ledger_transfer WHERE workspace_id = '{}'
                 AND debit_account IN ({debits}) AND kind IN ('top_up', 'settle', 'charge')",
                book.workspace
            );
            let ledger = number(&test, sql.leak()).await;
            assert_eq!(sum_of(&invoices, &[kind]), ledger / 10_000, "{kind:?}");
            if kind != Kind::CreditsBought {
                everything += ledger;
            }
        }
        let sql = format!(
            "SELECT CAST(sum(billable_micros) AS BIGINT) FROM usage_day WHERE workspace_id = '{}'",
            book.workspace
        );
        assert_eq!(number(&test, sql.leak()).await, everything, "statistics and ledger");
        for invoice in &invoices {
            let taxes: i64 = invoice.taxes.iter().map(|tax| tax.amount.0).sum();
            assert_eq!(invoice.net.0 + taxes, invoice.total.0);
            assert_eq!(sum_of(std::slice::from_ref(invoice), &Kind::ALL[..3]), invoice.total.0);
        }
        book.assert_proved().await;
    }
    let made = number(&test, "SELECT count(*) FROM invoice").await;
    assert_eq!(number(&test, "SELECT max(sequence) FROM invoice").await, made, "numbers have no gap");
}

#[both_stores]
async fn a_month_is_finalized_an_hour_after_its_end(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    work(&books, cents(5), Funding::Balance, true, true).await;
    // 2026-01-02 03:04:05
    test.clock.advance(DAY * 29 + Duration::from_secs(21 * 3600));
    assert_eq!(finalize_all(&test).await, 0);
    test.clock.advance(Duration::from_secs(3600));
    assert_eq!(finalize_all(&test).await, 1);
    let made = invoices(&books).await.remove(0);
    assert_eq!((&*made.number, &*made.month), ("INV-000001", "2026-01"));
    let workspace = books.workspace;
    let found = test.store.read("test", move |tx| find(tx, workspace, "INV-000001")).await.unwrap();
    assert_eq!(found, Some(made));
    let other: WorkspaceId = test.ambient.id();
    assert_eq!(test.store.read("test", move |tx| find(tx, other, "INV-000001")).await.unwrap(), None);
}

#[both_stores]
async fn processes_that_finalize_at_once_leave_no_gap_and_no_double(test: TestStore) {
    let mut all = Vec::new();
    for _ in 0..8 {
        let books = Books::open(&test, cents(100)).await;
        work(&books, cents(5), Funding::X402, true, false).await;
        all.push(books);
    }
    test.clock.advance(DAY * 40);
    let other = test.open_again().await;
    let (one, two) = (test.store.clone(), other.clone());
    let terms = terms();
    let runs = join_all([one, two].iter().map(|store| finalize(store, &terms, buyer))).await;
    // Who was overtaken may fail, and goes on another time.
    assert!(runs.iter().any(Result::is_ok), "{runs:?}");
    finalize_all(&test).await;
    other.close().await;
    assert_eq!(number(&test, "SELECT count(*) FROM invoice").await, 8);
    assert_eq!(number(&test, "SELECT max(sequence) FROM invoice").await, 8);
}

#[both_stores]
async fn an_invoice_is_never_changed_or_removed(test: TestStore) {
    let books = Books::open(&test, cents(100)).await;
    work(&books, cents(5), Funding::Balance, true, false).await;
    test.clock.advance(DAY * 40);
    assert_eq!(finalize_all(&test).await, 1);
    for sql in ["UPDATE invoice SET total_cents = 0", "DELETE FROM invoice"] {
        assert!(test.store.write("test", move |tx| tx.execute(sql, &[])).await.is_err(), "{sql}");
    }
    assert_eq!(invoices(&books).await.len(), 1);
}
