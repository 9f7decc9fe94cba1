//! A panic ends no more than it must, and nobody waits for what it has ended.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use futures_util::future::join_all;
use store::{Store, StoreError, Tx};
use testkit::{Engine, TestStore, both_stores};

const INSERT: &str = "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, 0, 0)";
/// Longer than everything that these tests wait for.
const PATIENCE: Duration = Duration::from_secs(30);

/// Makes a closure panic where the store drops it: on one of its threads, behind what is guarded there.
struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        let thread = std::thread::current();
        let is_the_stores = thread.name().is_some_and(|name| name.starts_with("store-"));
        assert!(!is_the_stores || std::thread::panicking(), "a panic that the test wants");
    }
}

fn rows(tx: &mut Tx<'_>) -> Result<i64, StoreError> {
    Ok(tx.find("SELECT count(*) FROM rate_window", &[], |row| row.get::<i64>(0))?.unwrap_or_default())
}

fn add(tx: &mut Tx<'_>, subject: &str) -> Result<(), StoreError> {
    let found = tx.find("SELECT leased FROM rate_window WHERE subject = $1", &[&subject], |row| row.get::<i64>(0))?;
    if found.is_none() {
        tx.execute_later(INSERT, &[&subject])?;
    }
    Ok(())
}

/// Takes down threads that run `act`, while others want the same done. Everybody is answered.
async fn take_down(store: &Store, name: &'static str, act: fn(&Store, &'static str, bool) -> Ended) {
    let asked = (0..24).map(|number| act(store, name, number % 2 == 0));
    let answers = tokio::time::timeout(PATIENCE, join_all(asked)).await.expect("nobody waits for ever");
    assert!(answers.iter().all(|answer| matches!(answer, Ok(()) | Err(StoreError::Unavailable))), "{answers:?}");
}

type Ended = futures_util::future::BoxFuture<'static, Result<(), StoreError>>;

fn read(store: &Store, name: &'static str, panics: bool) -> Ended {
    let (store, dropped) = (store.clone(), panics.then_some(PanicsWhenDropped));
    Box::pin(async move {
        store
            .read(name, move |tx| {
                let _ = &dropped;
                rows(tx).map(|_| ())
            })
            .await
    })
}

fn write(store: &Store, name: &'static str, panics: bool) -> Ended {
    let (store, dropped) = (store.clone(), panics.then_some(PanicsWhenDropped));
    Box::pin(async move {
        store
            .write(name, move |tx| {
                let _ = &dropped;
                tx.execute("UPDATE rate_window SET leased = leased + 1", &[]).map(|_| ())
            })
            .await
    })
}

fn addition(store: &Store, name: &'static str, panics: bool) -> Ended {
    let (store, dropped) = (store.clone(), panics.then_some(PanicsWhenDropped));
    Box::pin(async move {
        store
            .write(name, move |tx| {
                let _ = &dropped;
                let id: kernel::id::JobId = tx.ambient().id();
                add(tx, &id.to_string())
            })
            .await
    })
}

/// Waits until all threads are there again.
async fn restored(store: &Store) {
    let all_up = async {
        while store.supervision().down().is_some() || store.ping().await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, all_up).await.expect("the threads are restarted");
}

#[both_stores]
async fn a_panic_in_a_closure_fails_its_call_and_nothing_else(test: TestStore) {
    let store = &test.store;
    let panics = |_: &mut Tx<'_>| -> Result<(), StoreError> { panic!("a panic that the test wants") };
    for _ in 0..4 {
        let failed = [
            store.read("test.read", panics).await,
            store.write("test.write", panics).await,
            store.claim("test.claim", panics).await,
            store.delayed_claim("test.delayed", panics).await,
            store
                .write("test.changed", |tx| {
                    tx.execute(INSERT, &[&"undone"])?;
                    panic!("a panic that the test wants")
                })
                .await,
        ];
        assert!(failed.iter().all(|failed| matches!(failed, Err(StoreError::Unexpected(_)))), "{failed:?}");
    }
    store.write("test.add", |tx| add(tx, "one")).await.unwrap();
    let added = join_all((0..8).map(|number| {
        store.write("test.add", move |tx| {
            add(tx, &number.to_string())?;
            assert!(number % 2 == 0, "a panic that the test wants");
            Ok::<_, StoreError>(())
        })
    }))
    .await;
    assert_eq!(added.iter().filter(|added| added.is_ok()).count(), 4);
    assert_eq!((store.read("test.rows", rows).await.unwrap(), store.supervision().down()), (5, None));
}

#[both_stores]
async fn threads_that_read_are_restarted_and_nobody_waits_for_ever(test: TestStore) {
    for _ in 0..2 {
        take_down(&test.store, "test.read", read).await;
        restored(&test.store).await;
        assert_eq!(test.store.read("test.rows", rows).await.unwrap(), 0);
    }
}

#[both_stores]
async fn threads_that_write_are_restarted_or_the_process_has_to_end(test: TestStore) {
    let store = &test.store;
    store.write("test.add", |tx| add(tx, "one")).await.unwrap();
    take_down(store, "test.write", write).await;
    match test.engine {
        Engine::Postgres => {
            restored(store).await;
            store.write("test.after", |tx| tx.execute("UPDATE rate_window SET leased = 0", &[])).await.unwrap();
        }
        Engine::Sqlite => {
            assert_eq!(store.supervision().failed().await, "store-writer");
            assert_eq!(store.supervision().down(), Some("store-writer"));
            let refused = store.write("test.after", |tx| tx.execute("UPDATE rate_window SET leased = 0", &[])).await;
            assert!(matches!(refused, Err(StoreError::Unavailable)));
            assert_eq!(store.read("test.rows", rows).await.unwrap(), 1, "reads go on until the process ends");
        }
    }
}

#[both_stores]
async fn threads_that_add_rows_are_restarted_or_the_process_has_to_end(test: TestStore) {
    let store = &test.store;
    store.write("test.add", |tx| add(tx, "one")).await.unwrap();
    take_down(store, "test.add", addition).await;
    if test.engine == Engine::Postgres {
        restored(store).await;
        store.write("test.add", |tx| add(tx, "two")).await.unwrap();
    } else {
        assert_eq!(store.supervision().failed().await, "store-writer");
    }
}
