//! Writes that only add rows may share a transaction; nobody can tell.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join_all;
use store::{StoreError, Tx};
use testkit::{Engine, TestStore, both_stores};

const INSERT: &str = "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, $2, $3)";
const COUNT: &str = "SELECT count(*) FROM rate_window";
/// Operations that run at once: more than one commit of the embedded store takes, and many of PostgreSQL's.
const MANY: i64 = 300;

#[derive(Debug, PartialEq, Eq)]
enum Refused {
    Odd,
    Taken,
    Store,
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::Unique { .. }) { Self::Taken } else { Self::Store }
    }
}

/// Looks for a subject, and adds it when it is not there; says whether it did.
fn add_once(tx: &mut Tx<'_>, subject: &str, number: i64) -> Result<bool, StoreError> {
    let found = tx.find("SELECT leased FROM rate_window WHERE subject = $1", &[&subject], |row| row.get::<i64>(0))?;
    if found.is_none() {
        tx.execute_later(INSERT, &[&subject, &0_i64, &number])?;
        tx.execute_later(INSERT, &[&format!("{subject} too"), &1_i64, &number])?;
    }
    Ok(found.is_none())
}

/// Lets the store see once what an operation of this name does.
async fn acquaint(test: &TestStore, name: &'static str) {
    test.store.write(name, |tx| add_once(tx, "acquainted", 0)).await.unwrap();
}

async fn count(test: &TestStore) -> i64 {
    test.store.read("test.count", |tx| tx.find(COUNT, &[], |row| row.get(0))).await.unwrap().unwrap()
}

#[both_stores]
async fn additions_at_once_are_all_made(test: TestStore) {
    acquaint(&test, "test.add").await;
    let made = join_all(
        (0..MANY).map(|number| test.store.write("test.add", move |tx| add_once(tx, &number.to_string(), number))),
    )
    .await;
    assert!(made.into_iter().all(|made| made.unwrap()));
    assert_eq!(count(&test).await, 2 * (MANY + 1));
    let kept = test.store.read("test.read", |tx| {
        tx.query("SELECT subject, leased FROM rate_window WHERE started_at = 0", &[], |row| {
            Ok((row.get::<String>(0)?, row.get::<i64>(1)?))
        })
    });
    for (subject, number) in kept.await.unwrap() {
        assert!(subject == number.to_string() || subject == "acquainted", "{subject} has {number}");
    }
}

#[both_stores]
async fn of_equal_additions_at_once_one_is_made_and_the_others_find_it(test: TestStore) {
    acquaint(&test, "test.add").await;
    let made = join_all(
        (0..MANY).map(|number| test.store.write("test.add", move |tx| add_once(tx, &(number % 7).to_string(), number))),
    )
    .await;
    assert_eq!(made.into_iter().filter(|made| *made.as_ref().unwrap()).count(), 7);
    assert_eq!(count(&test).await, 2 * (7 + 1));
}

#[both_stores]
async fn one_that_fails_fails_alone(test: TestStore) {
    acquaint(&test, "test.add").await;
    let outcomes = join_all((0..MANY).map(|number| {
        test.store.write("test.add", move |tx| match number % 3 {
            0 => add_once(tx, &number.to_string(), number).map_err(Refused::from),
            1 => add_once(tx, &number.to_string(), number).map_err(Refused::from).and(Err(Refused::Odd)),
            // Taken, and said so by the table alone.
            _ => tx.execute_later(INSERT, &[&"acquainted", &0_i64, &number]).map(|()| true).map_err(Refused::from),
        })
    }))
    .await;
    for (number, outcome) in outcomes.into_iter().enumerate() {
        let expected = [Ok(true), Err(Refused::Odd), Err(Refused::Taken)];
        assert_eq!(outcome, expected[number % 3], "{number}");
    }
    assert_eq!(count(&test).await, 2 * (MANY / 3 + 1));
}

#[both_stores]
async fn one_that_panics_fails_alone(test: TestStore) {
    acquaint(&test, "test.add").await;
    let outcomes = join_all((0..MANY).map(|number| {
        test.store.write("test.add", move |tx| {
            let made = add_once(tx, &number.to_string(), number);
            assert!(number % 10 != 0, "scripted");
            made
        })
    }))
    .await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_err()).count(), 30);
    assert_eq!(count(&test).await, 2 * (MANY - 30 + 1));
}

#[both_stores]
async fn one_that_changes_rows_after_all_loses_no_change(test: TestStore) {
    acquaint(&test, "test.add").await;
    let raised = join_all((0..40).map(|_| {
        test.store.write("test.add", |tx| {
            let leased =
                tx.find("SELECT leased FROM rate_window WHERE subject = 'acquainted'", &[], |row| row.get::<i64>(0))?;
            let raised = leased.unwrap_or_default() + 1;
            tx.execute_later("UPDATE rate_window SET leased = $1 WHERE subject = 'acquainted'", &[&raised])
        })
    }))
    .await;
    let raised = raised.into_iter().filter(Result::is_ok).count();
    let leased = test.store.read("test.read", |tx| {
        tx.find("SELECT leased FROM rate_window WHERE subject = 'acquainted'", &[], |row| row.get::<i64>(0))
    });
    assert_eq!(leased.await.unwrap(), i64::try_from(raised).ok());
    assert!(raised > 0);
}

#[both_stores]
async fn one_that_reads_what_it_added_sees_it(test: TestStore) {
    let add = |number: i64| {
        test.store.write("test.add", move |tx| {
            let subject = number.to_string();
            tx.execute_later(INSERT, &[&subject, &0_i64, &number])?;
            tx.find("SELECT leased FROM rate_window WHERE subject = $1", &[&subject], |row| row.get::<i64>(0))
        })
    };
    for number in 0..3 {
        assert_eq!(add(number).await.unwrap(), Some(number));
    }
    acquaint(&test, "test.add again").await;
    let add = |number: i64| {
        test.store.write("test.add again", move |tx| {
            let subject = number.to_string();
            tx.execute_later(INSERT, &[&subject, &0_i64, &number])?;
            tx.find("SELECT leased FROM rate_window WHERE subject = $1", &[&subject], |row| row.get::<i64>(0))
        })
    };
    for number in 3..6 {
        assert_eq!(add(number).await.unwrap(), Some(number));
    }
}

#[both_stores]
async fn an_operation_that_reads_by_chance_or_time_is_served_as_well(test: TestStore) {
    acquaint(&test, "test.add").await;
    let runs = Arc::new(AtomicU32::new(0));
    let made = join_all((0..MANY).map(|number| {
        let runs = runs.clone();
        test.store.write("test.add", move |tx| {
            // Another subject in every run.
            let subject = format!("{number} {}", runs.fetch_add(1, Ordering::Relaxed));
            add_once(tx, &subject, tx.now().as_millis())
        })
    }))
    .await;
    assert!(made.into_iter().all(|made| made.unwrap()));
    assert_eq!(count(&test).await, 2 * (MANY + 1));
}

#[test]
fn additions_that_wait_share_transactions_on_postgresql() {
    testkit::run(Engine::Postgres, async |test: TestStore| {
        acquaint(&test, "test.add").await;
        let made = join_all(
            (0..MANY).map(|number| test.store.write("test.add", move |tx| add_once(tx, &number.to_string(), number))),
        );
        assert!(made.await.into_iter().all(|made| made.unwrap()));
        let transactions = test.store.read("test.transactions", |tx| {
            tx.find("SELECT count(DISTINCT xmin::text) FROM rate_window", &[], |row| row.get::<i64>(0))
        });
        let transactions = transactions.await.unwrap().unwrap();
        assert!(transactions < MANY / 4, "{transactions} transactions");
    });
}

#[test]
fn rows_that_can_not_be_sent_together_are_sent_one_by_one() {
    testkit::run(Engine::Postgres, async |test: TestStore| {
        // It has a meaning in a list of values only, which the store does not know in small letters.
        const INSERT_OWN: &str = "INSERT INTO odd (id, note) VALUES ($1, default)";
        let table = "CREATE TABLE odd (id BIGINT PRIMARY KEY, note TEXT NOT NULL DEFAULT 'own')";
        test.store.write("test.table", move |tx| tx.execute(table, &[])).await.unwrap();
        let add = |number: i64| test.store.write("test.odd", move |tx| tx.execute_later(INSERT_OWN, &[&number]));
        let ask_and_add = |number: i64| {
            test.store.write("test.odd after a question", move |tx| {
                let found = tx.find("SELECT 1 FROM odd WHERE id = $1", &[&number], |row| row.get::<i64>(0))?;
                assert_eq!(found, None);
                tx.execute_later(INSERT_OWN, &[&number])
            })
        };
        let add_two = |number: i64| {
            test.store.write("test.two", move |tx| {
                tx.execute_later(INSERT_OWN, &[&number])?;
                tx.execute_later(INSERT_OWN, &[&(number + 1)])
            })
        };
        // One row of each shows that they only add, so the next ones share transactions.
        add(0).await.unwrap();
        ask_and_add(1).await.unwrap();
        acquaint(&test, "test.add").await;
        let subject = |number: i64| test.store.write("test.add", move |tx| add_once(tx, &number.to_string(), number));
        for (first, second, third, fourth) in join_all((1..50).map(async |number| {
            tokio::join!(add(10 * number), ask_and_add(10 * number + 1), add_two(10 * number + 2), subject(number))
        }))
        .await
        {
            first.unwrap();
            second.unwrap();
            third.unwrap();
            assert!(fourth.unwrap());
        }
        let kept = "SELECT count(*) FROM odd WHERE note = 'own'";
        let kept = test.store.read("test.count", move |tx| tx.find(kept, &[], |row| row.get::<i64>(0)));
        assert_eq!(kept.await.unwrap(), Some(2 + 4 * 49));
        assert_eq!(count(&test).await, 2 * 50);
    });
}
