//! What a closure may rely on, on both engines.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use futures_util::future::{join_all, join3};
use store::{StoreError, Tx};
use testkit::{Engine, TestStore, both_stores};

const INSERT: &str = "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, $2, $3)";
const LEASED: &str = "SELECT leased FROM rate_window WHERE subject = $1";

/// A row of a table without references: subject and number.
fn insert(tx: &mut Tx<'_>, subject: &str, leased: i64) -> Result<(), StoreError> {
    tx.execute(INSERT, &[&subject, &0_i64, &leased]).map(|_| ())
}

fn leased(tx: &mut Tx<'_>, subject: &str) -> Result<Option<i64>, StoreError> {
    tx.find(LEASED, &[&subject], |row| row.get(0))
}

async fn read_leased(test: &TestStore, subject: &str) -> Option<i64> {
    let subject = subject.to_owned();
    test.store.read("test.read", move |tx| leased(tx, &subject)).await.unwrap()
}

/// An error of an operation's own.
#[derive(Debug)]
enum Refused {
    Rule,
    Store(#[expect(dead_code, reason = "shown when a test fails")] StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

#[both_stores]
async fn a_statement_for_later_with_a_value_that_does_not_fit_leaves_nothing_of_its_transaction(test: TestStore) {
    let refused = test.store.write("test", |tx| {
        tx.execute_later(INSERT, &[&"before", &0_i64, &1_i64])?;
        tx.execute_later(INSERT, &[&"unfit", &0_i64, &0.5_f64])?;
        tx.execute_later(INSERT, &[&"after", &0_i64, &1_i64])
    });
    assert!(refused.await.is_err());
    for subject in ["before", "unfit", "after"] {
        assert_eq!(read_leased(&test, subject).await, None, "{subject}");
    }
}

#[both_stores]
async fn an_error_of_the_closure_undoes_everything(test: TestStore) {
    let refused = test.store.write("test", |tx| {
        insert(tx, "a", 1)?;
        tx.execute_later(INSERT, &[&"b", &0_i64, &1_i64])?;
        Err::<(), _>(Refused::Rule)
    });
    assert!(matches!(refused.await, Err(Refused::Rule)));
    assert_eq!(read_leased(&test, "a").await, None);
    assert_eq!(read_leased(&test, "b").await, None);
}

/// They are run together where an engine can: one holds the others up until all are there.
#[both_stores]
async fn of_writes_that_wait_together_only_those_that_fail_leave_nothing(test: TestStore) {
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    test.store.write("test.counter", |tx| insert(tx, "counter", 0)).await.unwrap();
    let holder = test.store.write("test.holder", move |tx| {
        let _ = wait.lock().unwrap().recv();
        insert(tx, "holder", 1)
    });
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let fails = |name: &str| ["b", "c", "f"].contains(&name);
    let others = names.map(|name| {
        test.store.write("test.other", move |tx| {
            // The one that fails before it has changed anything is nothing to undo.
            if name == "c" {
                return Err(Refused::Rule);
            }
            insert(tx, name, 1)?;
            tx.execute("UPDATE rate_window SET leased = leased + 1 WHERE subject = $1", &[&"counter"])?;
            if fails(name) { Err(Refused::Rule) } else { Ok(()) }
        })
    });
    let (holder, others, ()) = join3(holder, join_all(others), async { drop(go) }).await;
    holder.unwrap();
    for (name, outcome) in names.iter().zip(others) {
        assert_eq!(outcome.is_err(), fails(name), "{name}");
        assert_eq!(read_leased(&test, name).await, (!fails(name)).then_some(1), "{name}");
    }
    assert_eq!(read_leased(&test, "counter").await, Some(4), "each that was kept counted once");
}

#[both_stores]
async fn a_delayed_claim_is_seen_by_all(test: TestStore) {
    for round in ["1", "2"] {
        let later = format!("later {round}");
        let claim = {
            let later = later.clone();
            test.store.delayed_claim("test.delayed", move |tx| insert(tx, &later, 1))
        };
        claim.await.unwrap();
        assert_eq!(read_leased(&test, &later).await, Some(1));
        let seen = test.store.claim("test.at_once", move |tx| {
            insert(tx, &format!("now {round}"), 1)?;
            leased(tx, &later)
        });
        assert_eq!(seen.await.unwrap(), Some(1));
    }
}

#[both_stores]
async fn what_was_committed_is_read_whatever_statement_wrote_it(test: TestStore) {
    let written = test.store.write("test", |tx| {
        tx.execute_later(INSERT, &[&"later", &0_i64, &1_i64])?;
        insert(tx, "now", 2)?;
        tx.execute_later("UPDATE rate_window SET leased = leased + $2 WHERE subject = $1", &[&"later", &4_i64])?;
        leased(tx, "later")
    });
    assert_eq!(written.await.unwrap(), Some(5));
    assert_eq!(read_leased(&test, "later").await, Some(5));
    assert_eq!(read_leased(&test, "now").await, Some(2));
    let only_later = test.store.write("test", |tx| tx.execute_later(INSERT, &[&"alone", &0_i64, &3_i64]));
    only_later.await.unwrap();
    assert_eq!(read_leased(&test, "alone").await, Some(3));
}

#[both_stores]
async fn parameters_are_bound_by_number_not_by_place(test: TestStore) {
    let row = test.store.read("test", |tx| {
            tx.find(
                "SELECT subject, started_at FROM (SELECT CAST($2 AS TEXT) AS subject, CAST($1 AS BIGINT) AS started_at) AS swapped \
                 WHERE started_at = CAST($1 AS BIGINT)",
                &[&7_i64, &"seven"],
                |row| Ok((row.get::<String>(0)?, row.get::<i64>(1)?)),
            )
        });
    assert_eq!(row.await.unwrap(), Some(("seven".to_owned(), 7)));
}

#[both_stores]
async fn every_type_comes_back_as_it_went(test: TestStore) {
    let (id, now) = (test.ambient.id::<kernel::id::OrganizationId>(), test.ambient.now());
    test.store
        .write("test", move |tx| {
            tx.execute(
                "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)",
                &[&id, &"Größe \u{1F393} 'quoted' $1".to_owned(), &Some("slug"), &now, &i64::MIN],
            )
        })
        .await
        .unwrap();
    let row = test
        .store
        .read("test", |tx| {
            tx.find(
                "SELECT id, name, created_at, updated_at, NULL, 0.5, 1, count(*) OVER (), \
                    (SELECT sum(updated_at) FROM organization) FROM organization",
                &[],
                |row| {
                    assert!(row.get::<i64>(1).is_err() && row.get::<String>(2).is_err() && row.get::<i64>(4).is_err());
                    assert!(row.get::<i64>(9).is_err(), "there is no such column");
                    assert_eq!(row.get::<Option<String>>(4)?, None);
                    assert_eq!(row.get::<f64>(5)?, 0.5);
                    assert!(row.get::<bool>(6)?);
                    assert_eq!((row.get::<i64>(7)?, row.get::<i64>(8)?), (1, i64::MIN));
                    Ok((row.get(0)?, row.get::<String>(1)?, row.get(2)?, row.get::<i64>(3)?))
                },
            )
        })
        .await
        .unwrap()
        .unwrap();
    assert_eq!(row, (id, "Größe \u{1F393} 'quoted' $1".to_owned(), now, i64::MIN));
}

#[both_stores]
async fn constraints_have_their_own_errors(test: TestStore) {
    let write = |sql: &'static str| test.store.write("test", move |tx| tx.execute(sql, &[]));
    write("INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ('o', 'n', 's', 0, 0)")
        .await
        .unwrap();
    let same_slug =
        write("INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ('p', 'n', 's', 0, 0)");
    assert!(matches!(same_slug.await, Err(StoreError::Unique { constraint }) if constraint == "organization(slug)"));
    let same_id =
        write("INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ('o', 'n', 't', 0, 0)");
    assert!(matches!(same_id.await, Err(StoreError::Unique { constraint }) if constraint == "organization(id)"));
    let orphan = write("INSERT INTO membership (user_id, organization_id, role, created_at) VALUES ('u', 'o', 'r', 0)");
    assert!(matches!(orphan.await, Err(StoreError::ForeignKey)));
    let no_bool = write(
        "INSERT INTO admin_user (id, email, password_hash, is_operator, created_at, updated_at) VALUES ('u', 'e', '', 2, 0, 0)",
    );
    assert!(matches!(no_bool.await, Err(StoreError::Check)));
    let null = write("INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ('q', NULL, 'q', 0, 0)");
    assert!(matches!(null.await, Err(StoreError::Unexpected(_))));
    assert!(matches!(write("INSERT INTO nowhere VALUES (1)").await, Err(StoreError::Unexpected(_))));
    let two_keys = "INSERT INTO classroom (id, organization_id, name, slug, locale, created_at, updated_at) VALUES ($1, 'o', 'n', 's', 'de', 0, 0)";
    let classroom = |id: &'static str| test.store.write("test", move |tx| tx.execute(two_keys, &[&id]));
    classroom("c").await.unwrap();
    assert!(
        matches!(classroom("d").await, Err(StoreError::Unique { constraint }) if constraint == "classroom(organization_id,slug)")
    );
}

#[both_stores]
async fn a_deferred_violation_is_seen_where_the_statement_was_called(test: TestStore) {
    test.store.write("test", |tx| insert(tx, "taken", 1)).await.unwrap();
    let handled = test.store.write("test", |tx| match tx.execute_later(INSERT, &[&"taken", &0_i64, &2_i64]) {
        Err(StoreError::Unique { constraint }) => {
            assert_eq!(constraint, "rate_window(subject)");
            Err(Refused::Rule)
        }
        other => Ok(other?),
    });
    assert!(matches!(handled.await, Err(Refused::Rule)));
    let unhandled = test.store.write("test", |tx| tx.execute_later(INSERT, &[&"taken", &0_i64, &2_i64]));
    assert!(matches!(unhandled.await, Err(StoreError::Unique { .. })));
    let check = test.store.write("test", |tx| {
        tx.execute_later(
            "INSERT INTO api_key (id, surface, owner_id, name, prefix, token_hash, rate_limit_per_minute, created_at) \
                              VALUES ('k', 'neither', 'o', 'n', 'p', 'h', 1, 0)",
            &[],
        )?;
        leased(tx, "taken")
    });
    assert!(matches!(check.await, Err(StoreError::Check)));
    assert_eq!(read_leased(&test, "taken").await, Some(1));
}

#[both_stores]
async fn of_rows_that_are_sent_together_the_one_that_is_taken_is_refused_where_it_was_added(test: TestStore) {
    test.store.write("test", |tx| insert(tx, "taken", 1)).await.unwrap();
    let added = test.store.write("test", |tx| {
        for subject in ["a", "b", "taken", "c"] {
            match tx.execute_later(INSERT, &[&subject, &0_i64, &2_i64]) {
                Err(StoreError::Unique { .. }) if subject == "taken" => return Err(Refused::Rule),
                other => other?,
            }
        }
        Ok(())
    });
    assert!(matches!(added.await, Err(Refused::Rule)));
    for absent in ["a", "b", "c"] {
        assert_eq!(read_leased(&test, absent).await, None);
    }
    assert_eq!(read_leased(&test, "taken").await, Some(1));
}

#[both_stores]
async fn rows_that_are_sent_together_keep_their_values(test: TestStore) {
    let table = "CREATE TABLE odd (id BIGINT PRIMARY KEY, note TEXT, share DOUBLE PRECISION, kind TEXT NOT NULL)";
    test.store.write("test.table", move |tx| tx.execute(table, &[])).await.unwrap();
    let notes = [Some("NULL"), None, Some(r#"{a,"b",\}'"#), Some(""), Some("ü $1")];
    let shares = [Some(0.1), None, Some(-1e300), Some(2.0), None];
    let add = test.store.write("test.odd", move |tx| {
        for ((id, note), share) in (1_i64..).zip(notes).zip(shares) {
            let insert = "INSERT INTO odd (id, note, share, kind) VALUES ($1, $2, $3, 'a (b')";
            tx.execute_later(insert, &[&id, &note, &share])?;
        }
        Ok::<_, StoreError>(())
    });
    add.await.unwrap();
    let rows = test.store.read("test.rows", |tx| {
        tx.query("SELECT note, share FROM odd WHERE kind = 'a (b' ORDER BY id", &[], |row| {
            Ok((row.get::<Option<String>>(0)?, row.get::<Option<f64>>(1)?))
        })
    });
    let expected: Vec<_> = notes.iter().map(|note| note.map(str::to_owned)).zip(shares).collect();
    assert_eq!(rows.await.unwrap(), expected);
}

#[both_stores]
async fn going_on_after_a_failed_statement_commits_nothing(test: TestStore) {
    let stubborn = test.store.write("test", |tx| {
        insert(tx, "a", 1)?;
        assert!(insert(tx, "a", 2).is_err());
        assert!(insert(tx, "b", 2).is_err());
        Ok::<_, StoreError>(())
    });
    assert!(matches!(stubborn.await, Err(StoreError::Unexpected(_))));
    assert_eq!(read_leased(&test, "a").await, None);
    assert_eq!(read_leased(&test, "b").await, None);
}

#[both_stores]
async fn a_read_changes_nothing(test: TestStore) {
    let execute = test.store.read("test", |tx| insert(tx, "a", 1));
    assert!(matches!(execute.await, Err(StoreError::Unexpected(_))));
    assert_eq!(read_leased(&test, "a").await, None);
}

#[both_stores]
async fn a_wrong_number_of_parameters_is_a_defect(test: TestStore) {
    for parameters in [vec![], vec!["a", "b"]] {
        let read = test.store.read("test", move |tx| {
            let parameters: Vec<&dyn store::ToColumn> =
                parameters.iter().map(|text| text as &dyn store::ToColumn).collect();
            tx.find(LEASED, &parameters, |row| row.get::<i64>(0))
        });
        assert!(matches!(read.await, Err(StoreError::Unexpected(_))));
    }
    assert!(test.store.ping().await.is_ok());
}

#[both_stores]
async fn a_panic_harms_nobody_else(test: TestStore) {
    let writes = (0..40).map(|number: i64| {
        let store = test.store.clone();
        async move {
            store
                .write("test", move |tx| {
                    insert(tx, &number.to_string(), number)?;
                    assert!(number % 4 != 0, "a test of panics");
                    if number % 4 == 1 { Err(StoreError::Check) } else { Ok(()) }
                })
                .await
        }
    });
    for (number, result) in join_all(writes).await.into_iter().enumerate() {
        match number % 4 {
            0 => assert!(matches!(result, Err(StoreError::Unexpected(_)))),
            1 => assert!(matches!(result, Err(StoreError::Check))),
            _ => assert!(result.is_ok()),
        }
    }
    let count = test.store.read("test", |tx| tx.query("SELECT leased FROM rate_window", &[], |row| row.get::<i64>(0)));
    assert_eq!(count.await.unwrap().len(), 20);
    let read = test.store.read("test", |_| -> Result<(), StoreError> { panic!("a test of panics") });
    assert!(matches!(read.await, Err(StoreError::Unexpected(_))));
    assert!(test.store.ping().await.is_ok());
}

#[both_stores]
async fn concurrent_increments_lose_nothing(test: TestStore) {
    test.store.write("test", |tx| insert(tx, "count", 0)).await.unwrap();
    let other = test.open_again().await;
    // One at a time per task, so that even the unluckiest stays within the bound of reruns.
    let tasks = (0..6).map(|number| {
        let store = if number % 2 == 0 { test.store.clone() } else { other.clone() };
        tokio::spawn(async move {
            let mut done = 0;
            while done < 20 {
                let increment = store
                    .write("test.increment", |tx| {
                        let seen = leased(tx, "count")?.unwrap();
                        tx.execute_later(
                            "UPDATE rate_window SET leased = $2 WHERE subject = $1",
                            &[&"count", &(seen + 1)],
                        )
                    })
                    .await;
                match increment {
                    Ok(()) => done += 1,
                    Err(StoreError::Unavailable) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(read_leased(&test, "count").await, Some(120));
    other.close().await;
}

#[both_stores]
async fn of_many_writers_of_one_row_none_is_refused(test: TestStore) {
    test.store.write("test", |tx| insert(tx, "count", 0)).await.unwrap();
    // Many statements each, so that rivals are seldom apart.
    let writers = (0..80).map(|_| {
        test.store.write("test.increment", |tx| {
            let seen = leased(tx, "count")?.unwrap();
            for _ in 0..20 {
                leased(tx, "count")?;
            }
            tx.execute("UPDATE rate_window SET leased = $2 WHERE subject = $1", &[&"count", &(seen + 1)])?;
            leased(tx, "count").map(drop)
        })
    });
    let refused = join_all(writers).await.into_iter().filter(Result::is_err).count();
    assert_eq!((refused, read_leased(&test, "count").await), (0, Some(80)));
}

#[both_stores]
async fn two_statements_of_a_read_see_one_snapshot(test: TestStore) {
    test.store
        .write("test", |tx| {
            insert(tx, "a", 0)?;
            insert(tx, "b", 0)
        })
        .await
        .unwrap();
    let writer = {
        let store = test.store.clone();
        tokio::spawn(async move {
            for _ in 0..100 {
                store
                    .write("test.both", |tx| tx.execute("UPDATE rate_window SET leased = leased + 1", &[]))
                    .await
                    .unwrap();
            }
        })
    };
    while !writer.is_finished() {
        let pair =
            test.store.read("test.pair", |tx| Ok::<_, StoreError>((leased(tx, "a")?, leased(tx, "b")?))).await.unwrap();
        assert_eq!(pair.0, pair.1);
    }
    writer.await.unwrap();
    assert_eq!(read_leased(&test, "a").await, Some(100));
}

#[both_stores]
async fn a_unique_race_is_run_again_to_find_the_row(test: TestStore) {
    // All see no row at first; each must end up with the one id that won.
    let tasks = (0..16_i64).map(|number| {
        let store = test.store.clone();
        tokio::spawn(async move {
            store
                .write("test.find_or_make", move |tx| {
                    if let Some(found) = leased(tx, "key")? {
                        return Ok(found);
                    }
                    tx.execute_later(INSERT, &[&"key", &0_i64, &number])?;
                    Ok::<_, StoreError>(number)
                })
                .await
                .unwrap()
        })
    });
    let mut winners = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        winners.push(task.await.unwrap());
    }
    assert!(winners.iter().all(|winner| *winner == winners[0]), "{winners:?}");
}

#[both_stores]
async fn a_statement_for_each_of_many_items_answers_in_order(test: TestStore) {
    let rows = test
        .store
        .write("test", |tx| {
            for number in 0..50_i64 {
                insert(tx, &number.to_string(), number)?;
            }
            let subjects: Vec<String> = (0..50).rev().map(|number: i64| number.to_string()).collect();
            tx.query_each(
                &subjects,
                |subject| store::Statement { sql: LEASED, parameters: [subject] },
                |row| row.get::<i64>(0),
            )
        })
        .await
        .unwrap();
    assert_eq!(rows, (0..50).rev().collect::<Vec<i64>>());
}

#[both_stores]
async fn a_dropped_future_takes_back_what_has_not_started(test: TestStore) {
    let runs = Arc::new(AtomicU32::new(0));
    let counting = runs.clone();
    drop(test.store.write("test", move |_| -> Result<(), StoreError> {
        counting.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }));
    test.store.write("test", |tx| insert(tx, "after", 1)).await.unwrap();
    assert_eq!(runs.load(Ordering::Relaxed), 0);
}

#[both_stores]
async fn a_closed_store_refuses_and_finishes_what_it_took(test: TestStore) {
    let other = test.open_again().await;
    let write = other.write("test", |tx| insert(tx, "last", 1));
    let (written, ()) = futures_util::future::join(write, other.close()).await;
    written.unwrap();
    assert_eq!(read_leased(&test, "last").await, Some(1));
    assert!(matches!(other.ping().await, Err(StoreError::Unavailable)));
    assert!(matches!(other.write("test", |tx| insert(tx, "late", 1)).await, Err(StoreError::Unavailable)));
}

#[both_stores]
async fn a_full_queue_refuses_at_once(test: TestStore) {
    let mut options = test.options.clone();
    (options.queue_limit, options.postgres_connections, options.readers) = (1, 1, 1);
    let store = store::Store::open(&options, test.ambient.clone()).await.unwrap();
    let (started, wait_for_start) = std::sync::mpsc::channel::<()>();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let (started, released) = (Mutex::new(started), Mutex::new(released));
    let blocking = store.clone();
    let blocking = tokio::spawn(async move {
        blocking
            .write("test.block", move |_| {
                let _ = started.lock().unwrap().send(());
                let _ = released.lock().unwrap().recv();
                Ok::<_, StoreError>(())
            })
            .await
    });
    tokio::task::spawn_blocking(move || wait_for_start.recv()).await.unwrap().unwrap();
    let write = || store.write("test", |_| Ok::<_, StoreError>(()));
    let mut queued = Box::pin(write());
    assert!(queued.as_mut().now_or_never().is_none());
    assert!(matches!(write().await, Err(StoreError::Unavailable)));
    drop(release);
    blocking.await.unwrap().unwrap();
    queued.await.unwrap();
    store.close().await;
}

#[test]
fn a_delayed_claim_waits_for_no_disk_of_postgresql() {
    testkit::run(Engine::Postgres, async |test: TestStore| {
        let setting = |tx: &mut Tx<'_>| {
            let sql = "SELECT CASE source WHEN 'session' THEN setting ELSE 'as configured' END FROM pg_settings
                       WHERE name = 'synchronous_commit'";
            tx.find(sql, &[], |row| row.get::<String>(0))
        };
        for _ in 0..2 {
            let later = test.store.delayed_claim("test.delayed", setting).await.unwrap();
            let at_once = test.store.claim("test.at_once", setting).await.unwrap();
            assert_eq!((later.as_deref(), at_once.as_deref()), (Some("off"), Some("as configured")));
        }
    });
}
