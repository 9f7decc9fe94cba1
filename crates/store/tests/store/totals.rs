//! The totals of resources: filled by the migration, kept by the database, exact whatever happens to the rows.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use kernel::id::{ClassroomId, CourseId, ModuleId, OrganizationId, SlideId, TestId, VideoId};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use store::{Store, StoreError, Tx};
use testkit::{TestStore, both_stores};

use crate::versions::at_version;

const KINDS: [&str; 5] = ["module", "course", "video", "slide", "test"];

const COUNTED: &str = "
    SELECT 'module' AS kind, classroom_id, count(*) FROM module GROUP BY classroom_id UNION ALL
    SELECT 'course', classroom_id, count(*) FROM course GROUP BY classroom_id UNION ALL
    SELECT 'video', classroom_id, count(*) FROM video GROUP BY classroom_id UNION ALL
    SELECT 'slide', classroom_id, count(*) FROM slide GROUP BY classroom_id UNION ALL
    SELECT 'test', classroom_id, count(*) FROM test GROUP BY classroom_id";
const KEPT: &str = "SELECT kind, classroom_id, sum(total) FROM resource_total GROUP BY kind, classroom_id";

type Totals = BTreeMap<(String, String), i64>;

fn totals(tx: &mut Tx<'_>, sql: &'static str) -> Result<Totals, StoreError> {
    let rows = tx.query(sql, &[], |row| Ok(((row.get(0)?, row.get(1)?), row.get::<i64>(2)?)))?;
    Ok(rows.into_iter().filter(|(_, total)| *total != 0).collect())
}

async fn assert_exact(store: &Store) -> Totals {
    let read = store.read("test.totals", |tx| Ok::<_, StoreError>((totals(tx, COUNTED)?, totals(tx, KEPT)?)));
    let (counted, kept) = read.await.unwrap();
    assert_eq!(counted, kept);
    kept
}

/// An organization with two classrooms.
fn school(tx: &mut Tx<'_>) -> Result<(OrganizationId, [ClassroomId; 2]), StoreError> {
    let organization: OrganizationId = tx.ambient().id();
    let classrooms: [ClassroomId; 2] = [tx.ambient().id(), tx.ambient().id()];
    let insert = "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, 'n', 's', 0, 0)";
    tx.execute(insert, &[&organization])?;
    for classroom in &classrooms {
        tx.execute(
            "INSERT INTO classroom (id, organization_id, name, slug, locale, created_at, updated_at)
             VALUES ($1, $2, 'n', $1, 'en', 0, 0)",
            &[classroom, &organization],
        )?;
    }
    Ok((organization, classrooms))
}

fn add(tx: &mut Tx<'_>, kind: usize, organization: OrganizationId, classroom: ClassroomId) -> Result<(), StoreError> {
    let ambient = tx.ambient();
    match kind {
        0 => tx.execute(
            "INSERT INTO module (id, organization_id, classroom_id, title, slug, description, type, status, language,
                is_public, content, quizzes, metadata, created_at, updated_at)
             VALUES ($1, $2, $3, '', '', '', '', 'completed', '', 0, '', '[]', '{}', 0, 0)",
            &[&ambient.id::<ModuleId>(), &organization, &classroom],
        ),
        1 => tx.execute(
            "INSERT INTO course (id, organization_id, classroom_id, title, slug, description, visibility, status,
                language, metadata, version, created_at, updated_at)
             VALUES ($1, $2, $3, '', '', '', 'PRIVATE', 'completed', '', '{}', 1, 0, 0)",
            &[&ambient.id::<CourseId>(), &organization, &classroom],
        ),
        2 => tx.execute(
            "INSERT INTO video (id, organization_id, classroom_id, title, slug, description, status, visibility,
                language, aspect_ratio, target_duration_seconds, metadata, created_at, updated_at)
             VALUES ($1, $2, $3, '', '', '', 'completed', 'PRIVATE', '', '', 0, '{}', 0, 0)",
            &[&ambient.id::<VideoId>(), &organization, &classroom],
        ),
        3 => tx.execute(
            "INSERT INTO slide (id, organization_id, classroom_id, title, slug, description, content, visibility,
                status, language, metadata, version, created_at, updated_at)
             VALUES ($1, $2, $3, '', '', '', '', 'PRIVATE', 'completed', '', '{}', 1, 0, 0)",
            &[&ambient.id::<SlideId>(), &organization, &classroom],
        ),
        _ => tx.execute(
            "INSERT INTO test (id, organization_id, classroom_id, name, slug, description, status, subject, language,
                level, time_limit_minutes, passing_value_type, passing_value, items, metadata, created_at, updated_at)
             VALUES ($1, $2, $3, '', '', '', 'completed', '', '', '', 0, '', 0, '[]', '{}', 0, 0)",
            &[&ambient.id::<TestId>(), &organization, &classroom],
        ),
    }
    .map(drop)
}

/// Removes one resource, or all of them, of a kind in a classroom.
fn remove(tx: &mut Tx<'_>, kind: usize, classroom: ClassroomId, all: bool) -> Result<(), StoreError> {
    let one = [
        "DELETE FROM module WHERE id = (SELECT min(id) FROM module WHERE classroom_id = $1)",
        "DELETE FROM course WHERE id = (SELECT min(id) FROM course WHERE classroom_id = $1)",
        "DELETE FROM video WHERE id = (SELECT min(id) FROM video WHERE classroom_id = $1)",
        "DELETE FROM slide WHERE id = (SELECT min(id) FROM slide WHERE classroom_id = $1)",
        "DELETE FROM test WHERE id = (SELECT min(id) FROM test WHERE classroom_id = $1)",
    ];
    let every = [
        "DELETE FROM module WHERE classroom_id = $1",
        "DELETE FROM course WHERE classroom_id = $1",
        "DELETE FROM video WHERE classroom_id = $1",
        "DELETE FROM slide WHERE classroom_id = $1",
        "DELETE FROM test WHERE classroom_id = $1",
    ];
    tx.execute(if all { every[kind] } else { one[kind] }, &[&classroom]).map(drop)
}

/// What one step of a history does.
#[derive(Clone, Copy, Debug)]
enum Step {
    Add,
    AddAndFail,
    RemoveOne,
    RemoveAll,
}

/// A random history; a database for each of proptest's cases would take too long.
fn history() -> Vec<(usize, usize, Step)> {
    let history = proptest::collection::vec((0..KINDS.len(), 0..2_usize, step()), 120);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    history.new_tree(&mut runner).unwrap().current()
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![5 => Just(Step::Add), 1 => Just(Step::AddAndFail), 2 => Just(Step::RemoveOne), 1 => Just(Step::RemoveAll)]
}

/// What a database of version 3 holds: 30 modules in one classroom and 5 in another, 2 videos, 3 tests.
fn rows_of_version_3() -> String {
    let id = |kind: u32, n: u32| format!("00000000-0000-7000-8000-{kind:04}{n:08x}");
    let (school, rooms) = (id(1, 1), [id(2, 1), id(2, 2)]);
    let mut sql = format!(
        "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ('{school}', 'n', 's', 0, 0);"
    );
    for room in &rooms {
        sql += &format!(
            "INSERT INTO classroom (id, organization_id, name, slug, locale, created_at, updated_at)
             VALUES ('{room}', '{school}', 'n', '{room}', 'en', 0, 0);"
        );
    }
    for n in 0..35 {
        sql += &format!(
            "INSERT INTO module (id, organization_id, classroom_id, title, slug, description, type, status, language,
                is_public, content, quizzes, metadata, created_at, updated_at)
             VALUES ('{}', '{school}', '{}', '', '', '', '', 'completed', '', 0, '', '[]', '{{}}', 0, 0);",
            id(3, n),
            rooms[usize::from(n >= 30)],
        );
    }
    for n in 0..2 {
        sql += &format!(
            "INSERT INTO video (id, organization_id, classroom_id, title, slug, description, status, visibility,
                language, aspect_ratio, target_duration_seconds, metadata, created_at, updated_at)
             VALUES ('{}', '{school}', '{}', '', '', '', 'completed', 'PRIVATE', '', '', 0, '{{}}', 0, 0);",
            id(4, n),
            rooms[0],
        );
    }
    for n in 0..3 {
        sql += &format!(
            "INSERT INTO test (id, organization_id, classroom_id, name, slug, description, status, subject, language,
                level, time_limit_minutes, passing_value_type, passing_value, items, metadata, created_at, updated_at)
             VALUES ('{}', '{school}', '{}', '', '', '', 'completed', '', '', '', 0, '', 0, '[]', '{{}}', 0, 0);",
            id(5, n),
            rooms[1],
        );
    }
    sql
}

#[both_stores]
async fn totals_are_exact_whatever_is_added_and_removed(test: TestStore) {
    let (organization, classrooms) = test.store.write("test.school", school).await.unwrap();
    for (kind, room, step) in history() {
        let classroom = classrooms[room];
        let act = move |tx: &mut Tx<'_>| match step {
            Step::Add => add(tx, kind, organization, classroom),
            Step::AddAndFail => add(tx, kind, organization, classroom).and(Err(StoreError::Check)),
            Step::RemoveOne => remove(tx, kind, classroom, false),
            Step::RemoveAll => remove(tx, kind, classroom, true),
        };
        assert_eq!(test.store.write("test.step", act).await.is_err(), matches!(step, Step::AddAndFail));
        assert_exact(&test.store).await;
    }
    let empty = move |tx: &mut Tx<'_>| {
        (0..KINDS.len()).try_for_each(|kind| classrooms.iter().try_for_each(|room| remove(tx, kind, *room, true)))
    };
    test.store.write("test.empty", empty).await.unwrap();
    assert!(assert_exact(&test.store).await.is_empty());
}

#[both_stores]
async fn totals_are_exact_after_many_writers_at_once(test: TestStore) {
    let (organization, [classroom, _]) = test.store.write("test.school", school).await.unwrap();
    let writers = (0..40).map(|n| {
        let store = test.store.clone();
        async move {
            store.write("test.add", move |tx| add(tx, 0, organization, classroom)).await?;
            match n % 4 {
                0 => store.write("test.remove", move |tx| remove(tx, 0, classroom, false)).await,
                _ => Ok(()),
            }
        }
    });
    for written in futures_util::future::join_all(writers).await {
        written.unwrap();
    }
    assert_eq!(assert_exact(&test.store).await.into_values().collect::<Vec<_>>(), [30]);
}

#[both_stores]
async fn writers_of_one_classroom_never_make_each_other_run_again(test: TestStore) {
    let (organization, [classroom, _]) = test.store.write("test.school", school).await.unwrap();
    let runs = Arc::new(AtomicU32::new(0));
    let writers = (0..6).map(|_| {
        let runs = runs.clone();
        test.store.write("test.add_many", move |tx| {
            runs.fetch_add(1, Ordering::Relaxed);
            (0..40).try_for_each(|_| add(tx, 0, organization, classroom))
        })
    });
    for written in futures_util::future::join_all(writers).await {
        written.unwrap();
    }
    assert_eq!(runs.load(Ordering::Relaxed), 6);
    assert_eq!(assert_exact(&test.store).await.into_values().collect::<Vec<_>>(), [240]);
}

#[both_stores]
async fn the_migration_fills_the_totals_of_what_is_there(test: TestStore) {
    let options = at_version(&test, 3, &rows_of_version_3()).await;
    let store = Store::open(&options, test.ambient.clone()).await.unwrap();
    let found = assert_exact(&store).await;
    let found: Vec<_> = found.iter().map(|((kind, _), total)| (kind.as_str(), *total)).collect();
    assert_eq!(found, [("module", 30), ("module", 5), ("test", 3), ("video", 2)]);
    let versions =
        store.read("test.versions", |tx| tx.query("SELECT DISTINCT version FROM module", &[], |row| row.get::<i64>(0)));
    assert_eq!(versions.await.map_err(|error: StoreError| error).unwrap(), [1]);
    store.close().await;
}
