//! The list of a workspace's transfers: every one once, with the balance that it left.

use std::time::Duration;

use billing::ledger::{self, Entry, EntryFilter, EntryPage, Funding, Place, Spending, TransferKind};
use kernel::money::MicroUsd;
use testkit::{TestStore, both_stores};

use crate::books::{Books, cents};

impl Books {
    async fn page(&self, filter: EntryFilter, from: Option<Place>, limit: u32) -> EntryPage {
        let workspace = self.workspace;
        let read = move |tx: &mut store::Tx<'_>| ledger::list(tx, workspace, &filter, from, limit);
        self.test.store.read("test.entries", read).await.unwrap()
    }

    /// All pages, one after the other.
    async fn entries(&self, filter: EntryFilter, limit: u32) -> Vec<Entry> {
        let (mut all, mut from) = (Vec::new(), None);
        loop {
            let page = self.page(filter, from, limit).await;
            assert!(page.entries.len() <= limit as usize);
            all.extend(page.entries);
            from = page.next;
            if from.is_none() {
                return all;
            }
        }
    }
}

/// A grant, top-ups, and work that was paid, given back, charged or paid by others.
async fn busy(test: &TestStore) -> Books {
    let books = Books::open(test, cents(5)).await;
    books.top_up(cents(100)).await;
    let settled = books.reserve(cents(7)).await.unwrap();
    books.settle(settled.subject).await.unwrap();
    test.clock.advance(Duration::from_secs(3600));
    let released = books.reserve(cents(3)).await.unwrap();
    books.release(released.subject).await.unwrap();
    books.charge(cents(1)).await.unwrap();
    let spending = books.spending(cents(9), test.ambient.id());
    let spending = Spending { funding: Funding::X402, ..spending };
    test.store.claim("test.charge", move |tx| ledger::charge(tx, &spending)).await.unwrap();
    test.clock.advance(Duration::from_secs(3600));
    books.give(cents(20)).await;
    books
}

fn told(entries: &[Entry]) -> Vec<String> {
    let text = |entry: &Entry| {
        let balance = entry.balance_after.map_or(-1, MicroUsd::micros) / 10_000;
        format!("{} {} {} {balance}", entry.sequence, entry.kind.as_str(), entry.amount.micros() / 10_000)
    };
    entries.iter().map(text).collect()
}

const ALL: [&str; 12] = [
    "11 top_up 20 117",
    "10 charge 9 97",
    "9 charge 1 97",
    "8 release 3 98",
    "7 reserve 3 95",
    "6 settle 2 98",
    "5 settle 5 98",
    "4 reserve 2 98",
    "3 reserve 5 100",
    "2 top_up 100 105",
    "1 grant 5 5",
    "",
];

#[both_stores]
async fn every_transfer_is_listed_once_with_the_balance_it_left(test: TestStore) {
    let books = busy(&test).await;
    for limit in [1, 2, 3, 11, 12, 100] {
        assert_eq!(told(&books.entries(EntryFilter::default(), limit).await), ALL[..11], "{limit} on a page");
    }
    assert_eq!(books.page(EntryFilter::default(), None, 1).await.entries[0].balance_after, {
        Some(books.balance().await.available())
    });
}

#[both_stores]
async fn a_filter_keeps_its_rows_and_their_balances(test: TestStore) {
    let books = busy(&test).await;
    for limit in [1, 2, 100] {
        let top_ups = EntryFilter { kind: Some(TransferKind::TopUp), ..EntryFilter::default() };
        assert_eq!(told(&books.entries(top_ups, limit).await), [ALL[0], ALL[9]], "{limit}");
        let now = test.ambient.now();
        let hour = Duration::from_secs(3600);
        let since = EntryFilter { after: Some(now.minus(hour * 2)), ..EntryFilter::default() };
        assert_eq!(told(&books.entries(since, limit).await), ALL[..5], "{limit}");
        let until = EntryFilter { before: Some(now), ..EntryFilter::default() };
        assert_eq!(told(&books.entries(until, limit).await), ALL[1..11], "{limit}");
        let between = EntryFilter { kind: Some(TransferKind::Charge), after: since.after, before: Some(now) };
        assert_eq!(told(&books.entries(between, limit).await), ALL[1..3], "{limit}");
    }
}

#[both_stores]
async fn a_page_goes_on_where_it_was_whatever_is_added_meanwhile(test: TestStore) {
    let books = busy(&test).await;
    let first = books.page(EntryFilter::default(), None, 4).await;
    books.charge(cents(2)).await.unwrap();
    books.top_up(cents(50)).await;
    let second = books.page(EntryFilter::default(), first.next, 4).await;
    assert_eq!(told(&second.entries), ALL[4..8]);
}

#[both_stores]
async fn a_workspace_without_books_has_no_transfers(test: TestStore) {
    let books = Books { test: test.clone(), workspace: test.ambient.id() };
    assert!(books.entries(EntryFilter::default(), 5).await.is_empty());
    let empty = Books::open(&test, MicroUsd::ZERO).await;
    assert!(empty.entries(EntryFilter::default(), 5).await.is_empty());
}
