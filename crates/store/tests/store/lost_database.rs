//! A database that goes away is answered with `Unavailable`, at once, and comes back by itself.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use kernel::secret::{ExposeSecret, SecretString};
use store::{Database, Queue, Store, StoreError, StoreOptions, Tx};
use testkit::{Engine, TestStore, both_stores};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

fn insert(tx: &mut Tx<'_>, subject: &str) -> Result<u64, StoreError> {
    tx.execute("INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, 0, 0)", &[&subject])
}

async fn write(store: &Store, subject: &'static str) -> Result<u64, StoreError> {
    store.write("test.insert", move |tx| insert(tx, subject)).await
}

async fn subjects(store: &Store) -> Vec<String> {
    let sql = "SELECT subject FROM rate_window ORDER BY subject";
    store.read("test.subjects", |tx| tx.query(sql, &[], |row| row.get(0))).await.unwrap()
}

/// Something between the store and PostgreSQL that can be cut.
struct Cable {
    options: StoreOptions,
    is_up: watch::Sender<bool>,
}

impl Cable {
    async fn new(test: &TestStore) -> Self {
        let Database::Postgres { url, .. } = &test.options.database else { unreachable!("it is PostgreSQL") };
        let url = url.expose_secret();
        let server = url.split('@').nth(1).unwrap().split('/').next().unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let near = listener.local_addr().unwrap().to_string();
        let mut options = StoreOptions::postgres(SecretString::from(url.replace(&server, &near)));
        options.postgres_connections = 2;
        let (is_up, state) = watch::channel(true);
        tokio::spawn(async move {
            loop {
                let (mut client, _) = listener.accept().await.unwrap();
                let (mut state, server) = (state.clone(), server.clone());
                if *state.borrow() {
                    tokio::spawn(async move {
                        let mut server = TcpStream::connect(server).await.unwrap();
                        tokio::select! {
                            _ = copy_bidirectional(&mut client, &mut server) => {}
                            _ = state.wait_for(|is_up| !*is_up) => {}
                        }
                    });
                }
            }
        });
        Self { options, is_up }
    }
}

/// Tries until the database is back.
async fn wait_until_back(store: &Store) {
    while store.ping().await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[test]
fn postgres_that_is_cut_off_is_refused_at_once_and_found_again() {
    testkit::run(Engine::Postgres, |test| async move {
        let cable = Cable::new(&test).await;
        let store = Store::open(&cable.options, test.ambient.clone()).await.unwrap();
        write(&store, "before").await.unwrap();
        cable.is_up.send_replace(false);
        for _ in 0..4 {
            assert!(matches!(write(&store, "during").await, Err(StoreError::Unavailable)));
        }
        assert!(matches!(store.ping().await, Err(StoreError::Unavailable)));
        cable.is_up.send_replace(true);
        wait_until_back(&store).await;
        write(&store, "after").await.unwrap();
        assert_eq!(subjects(&store).await, ["after", "before"]);
        store.close().await;
    });
}

#[test]
fn a_write_whose_connection_breaks_before_its_commit_is_run_again() {
    testkit::run(Engine::Postgres, |test| async move {
        let other = test.open_again().await;
        let (arrived, arrival) = mpsc::channel();
        let (go_on, going_on) = mpsc::channel::<()>();
        let (arrived, going_on) = (Mutex::new(arrived), Mutex::new(going_on));
        let store = test.store.clone();
        let writing = tokio::spawn(async move {
            store
                .write("test.cut", move |tx| {
                    insert(tx, "cut")?;
                    let own = tx.find("SELECT pg_backend_pid()", &[], |row| row.get::<i64>(0))?;
                    let _ = arrived.lock().unwrap().send(own.unwrap());
                    let _ = going_on.lock().unwrap().recv();
                    insert(tx, "end")
                })
                .await
        });
        let backend = tokio::task::spawn_blocking(move || arrival.recv().unwrap()).await.unwrap();
        let end = "SELECT CASE WHEN pg_terminate_backend(CAST($1 AS INTEGER), 5000) THEN 1 ELSE 0 END";
        let ended = other.read("test.end", move |tx| tx.find(end, &[&backend], |row| row.get::<bool>(0)));
        assert_eq!(ended.await.unwrap(), Some(true));
        drop(go_on);
        writing.await.unwrap().unwrap();
        assert_eq!(subjects(&test.store).await, ["cut", "end"]);
        other.close().await;
    });
}

#[test]
fn ended_backends_are_replaced_without_an_error() {
    testkit::run(Engine::Postgres, |test| async move {
        let other = test.open_again().await;
        write(&test.store, "before").await.unwrap();
        let end = "SELECT CASE WHEN bool_and(pg_terminate_backend(pid, 5000)) THEN 1 ELSE 0 END FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        other.read("test.end", move |tx| tx.find(end, &[], |row| row.get::<bool>(0))).await.unwrap();
        for _ in 0..8 {
            test.store.ping().await.unwrap();
        }
        write(&test.store, "after").await.unwrap();
        other.close().await;
    });
}

#[test]
fn additions_under_way_when_the_connection_breaks_are_whole_or_absent() {
    testkit::run(Engine::Postgres, |test| async move {
        let cable = Cable::new(&test).await;
        let store = Store::open(&cable.options, test.ambient.clone()).await.unwrap();
        let add = |number: u32| {
            store.write("test.add", move |tx| {
                for half in ["first", "second"] {
                    let insert = "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, 0, 0)";
                    tx.execute_later(insert, &[&format!("{number} {half}")])?;
                }
                Ok::<_, StoreError>(())
            })
        };
        add(0).await.unwrap();
        let mut adding: FuturesUnordered<_> =
            (1..=4_000).map(|number| add(number).map(move |made| (number, made))).collect();
        let mut made = vec![0];
        while let Some((number, outcome)) = adding.next().await {
            made.extend(outcome.ok().map(|()| number));
            if made.len() == 40 {
                cable.is_up.send_replace(false);
            }
        }
        drop(adding);
        cable.is_up.send_replace(true);
        wait_until_back(&store).await;
        let kept = subjects(&store).await;
        let has = |number: &u32, half: &str| kept.contains(&format!("{number} {half}"));
        assert!(made.iter().all(|number| has(number, "first") && has(number, "second")), "what was answered is kept");
        assert!((1..=4_000).all(|number| has(&number, "first") == has(&number, "second")), "nothing is kept by halves");
        assert!(made.len() < 4_001, "the connection broke in time");
        add(4_001).await.unwrap();
    });
}

#[test]
fn a_conflict_is_run_again_on_what_the_rival_committed() {
    testkit::run(Engine::Postgres, |test| async move {
        write(&test.store, "row").await.unwrap();
        let other = test.open_again().await;
        let (arrived, arrival) = mpsc::channel();
        let (go_on, going_on) = mpsc::channel::<()>();
        let (arrived, going_on) = (Mutex::new(arrived), Mutex::new(going_on));
        let store = test.store.clone();
        let first = tokio::spawn(async move {
            store
                .write("test.slow", move |tx| {
                    let seen =
                        tx.find("SELECT leased FROM rate_window WHERE subject = 'row'", &[], |row| row.get::<i64>(0))?;
                    let _ = arrived.lock().unwrap().send(());
                    let _ = going_on.lock().unwrap().recv();
                    let set = "UPDATE rate_window SET leased = $1 WHERE subject = 'row'";
                    // Whatever the closure makes of the error, it is run again.
                    tx.execute(set, &[&(seen.unwrap() + 1)]).map_err(|_| StoreError::Check)
                })
                .await
        });
        tokio::task::spawn_blocking(move || arrival.recv().unwrap()).await.unwrap();
        let rival = "UPDATE rate_window SET leased = 10 WHERE subject = 'row'";
        other.write("test.rival", move |tx| tx.execute(rival, &[])).await.unwrap();
        drop(go_on);
        first.await.unwrap().unwrap();
        let sql = "SELECT leased FROM rate_window WHERE subject = 'row'";
        let leased = test.store.read("test", move |tx| tx.find(sql, &[], |row| row.get::<i64>(0))).await.unwrap();
        assert_eq!(leased, Some(11));
        other.close().await;
    });
}

#[test]
fn a_commit_in_one_process_wakes_the_workers_of_another() {
    testkit::run(Engine::Postgres, |test| async move {
        let other = test.open_again().await;
        // Both are woken once when they begin to listen.
        assert!(other.wakeups().wait(Queue::Jobs, Duration::from_secs(30)).await);
        assert!(test.store.wakeups().wait(Queue::Jobs, Duration::from_secs(30)).await);
        for _ in 0..3 {
            let wake = |tx: &mut Tx<'_>| {
                tx.wake(Queue::Jobs);
                tx.execute_later("UPDATE job SET priority = 0", &[])
            };
            test.store.write("test.wake", wake).await.unwrap();
            assert!(other.wakeups().wait(Queue::Jobs, Duration::from_secs(30)).await);
        }
        other.close().await;
    });
}

#[test]
fn a_full_disk_refuses_writes_serves_reads_and_recovers() {
    testkit::run(Engine::Sqlite, |test| async move {
        write(&test.store, "before").await.unwrap();
        // The limit is the connection's: it is set where the next writes will meet it.
        let limit =
            |sql: &'static str| test.store.write("test.limit", move |tx| tx.query(sql, &[], |row| row.get::<i64>(0)));
        let pages = limit("PRAGMA page_count").await.unwrap()[0];
        limit("PRAGMA max_page_count = 1").await.unwrap();
        let large = "x".repeat(4096 * 40);
        let fill = large.clone();
        let filling = test.store.write("test.fill", move |tx| insert(tx, &fill));
        let beside = write(&test.store, "beside");
        let (filled, beside) = futures_util::future::join(filling, beside).await;
        assert!(matches!(filled, Err(StoreError::Unavailable)), "{filled:?} with {pages} pages");
        assert!(matches!(beside, Ok(_) | Err(StoreError::Unavailable)));
        test.store.ping().await.unwrap();
        limit("PRAGMA max_page_count = 1000000").await.unwrap();
        test.store.write("test.fill", move |tx| insert(tx, &large)).await.unwrap();
        write(&test.store, "after").await.unwrap();
        assert_eq!(subjects(&test.store).await.len(), 3 + usize::from(beside.is_ok()));
    });
}

#[test]
fn a_deleted_database_file_is_noticed_before_anything_is_answered() {
    testkit::run(Engine::Sqlite, |test| async move {
        write(&test.store, "before").await.unwrap();
        let Database::Sqlite { path } = &test.options.database else { unreachable!("it is SQLite") };
        let away = path.with_extension("away");
        std::fs::rename(path, &away).unwrap();
        assert!(matches!(write(&test.store, "orphan").await, Err(StoreError::Unavailable)));
        assert!(matches!(test.store.ping().await, Err(StoreError::Unavailable)));
        std::fs::write(path, "another file").unwrap();
        assert!(matches!(write(&test.store, "orphan").await, Err(StoreError::Unavailable)));
        std::fs::rename(&away, path).unwrap();
        wait_until_back(&test.store).await;
        write(&test.store, "after").await.unwrap();
    });
}

#[test]
fn another_process_may_write_to_the_same_file() {
    testkit::run(Engine::Sqlite, |test| async move {
        let other = test.open_again().await;
        for (store, subject) in [(&test.store, "a"), (&other, "b"), (&test.store, "c"), (&other, "d")] {
            write(store, subject).await.unwrap();
        }
        assert_eq!(subjects(&test.store).await, ["a", "b", "c", "d"]);
        other.close().await;
        write(&test.store, "e").await.unwrap();
        assert_eq!(subjects(&test.store).await.len(), 5);
    });
}

#[cfg(unix)]
#[test]
fn a_database_behind_a_symbolic_link_is_used_where_it_lies() {
    testkit::run(Engine::Sqlite, |test| async move {
        let Database::Sqlite { path } = &test.options.database else { unreachable!("it is SQLite") };
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link.db");
        std::os::unix::fs::symlink(path, &link).unwrap();
        let linked = Store::open(&StoreOptions::sqlite(&link), test.ambient.clone()).await.unwrap();
        write(&linked, "a").await.unwrap();
        assert_eq!(subjects(&test.store).await, ["a"]);
        linked.close().await;
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing but the link");
    });
}

#[both_stores]
async fn a_store_of_which_all_handles_are_dropped_lets_its_threads_go(test: TestStore) {
    let other = test.open_again().await;
    write(&other, "a").await.unwrap();
    drop(other);
    assert_eq!(subjects(&test.store).await, ["a"]);
}
