//! Both engines end up with the same tables, whoever migrates and how often.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use futures_util::future::join_all;
use kernel::ambient::Ambient;
use store::{Database, OpenError, Store, StoreError, StoreOptions, Tx};
use testkit::{Engine, TestStore, both_stores};

use crate::versions::at_version;

/// Facts about tables, one line each, in words that both engines share.
type Schema = BTreeSet<String>;

/// Runs a query whose rows are one text each.
fn lines(tx: &mut Tx<'_>, sql: &'static str) -> Result<Schema, StoreError> {
    Ok(tx.query(sql, &[], |row| row.get::<String>(0))?.into_iter().collect())
}

const SQLITE: [&str; 4] = [
    "SELECT 'column ' || t.name || '.' || c.cid || ' ' || c.name || ' ' ||
            CASE c.type WHEN 'INTEGER' THEN 'integer' WHEN 'REAL' THEN 'real' WHEN 'TEXT' THEN 'text' ELSE c.type END ||
            CASE c.\"notnull\" WHEN 1 THEN ' required' ELSE '' END || coalesce(' default ' || c.dflt_value, '')
     FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
     WHERE t.type = 'table' AND t.name NOT LIKE 'refinery%' AND t.name NOT LIKE 'sqlite%'",
    "SELECT 'key ' || t.name || '(' ||
            (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) || ')'
     FROM sqlite_schema AS t, pragma_index_list(t.name) AS i
     WHERE t.type = 'table' AND t.name NOT LIKE 'refinery%' AND i.\"unique\" = 1",
    "SELECT 'index ' || i.name || ' ' || t.name || '(' ||
            (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) || ')' ||
            CASE i.partial WHEN 1 THEN ' partial' ELSE '' END
     FROM sqlite_schema AS t, pragma_index_list(t.name) AS i
     WHERE t.type = 'table' AND t.name NOT LIKE 'refinery%' AND i.origin = 'c'",
    "SELECT 'reference ' || t.name || '(' || group_concat(f.\"from\", ',') || ') ' || f.\"table\" || ' ' || f.on_delete
     FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
     WHERE t.type = 'table' AND t.name NOT LIKE 'refinery%' GROUP BY t.name, f.id",
];

const POSTGRES: [&str; 4] = [
    "SELECT 'column ' || table_name || '.' || (row_number() OVER (PARTITION BY table_name ORDER BY ordinal_position) - 1) || ' ' || column_name || ' ' ||
            CASE data_type WHEN 'bigint' THEN 'integer' WHEN 'double precision' THEN 'real' ELSE data_type END ||
            CASE is_nullable WHEN 'NO' THEN ' required' ELSE '' END || coalesce(' default ' || replace(column_default, '::text', ''), '')
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'refinery%'",
    "SELECT 'key ' || t.relname || '(' || string_agg(a.attname, ',' ORDER BY p.at) || ')'
     FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid
     CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS p (number, at)
     JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = p.number
     WHERE i.indisunique AND t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE 'refinery%'
     GROUP BY i.indexrelid, t.relname",
    "SELECT 'index ' || x.relname || ' ' || t.relname || '(' || string_agg(a.attname, ',' ORDER BY p.at) || ')' ||
            CASE WHEN i.indpred IS NULL THEN '' ELSE ' partial' END
     FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_class AS x ON x.oid = i.indexrelid
     CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS p (number, at)
     JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = p.number
     WHERE t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE 'refinery%'
       AND NOT EXISTS (SELECT 1 FROM pg_constraint AS c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
     GROUP BY x.relname, t.relname, i.indpred IS NULL",
    "SELECT 'reference ' || t.relname || '(' || string_agg(a.attname, ',' ORDER BY p.at) || ') ' || o.relname || ' ' ||
            CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'a' THEN 'NO ACTION' WHEN 'n' THEN 'SET NULL' ELSE c.confdeltype::text END
     FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid JOIN pg_class AS o ON o.oid = c.confrelid
     CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY AS p (number, at)
     JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = p.number
     WHERE c.contype = 'f' AND t.relnamespace = 'public'::regnamespace GROUP BY c.oid, t.relname, o.relname, c.confdeltype",
];

async fn schema(test: &TestStore) -> Schema {
    let queries = match test.engine {
        Engine::Sqlite => SQLITE,
        Engine::Postgres => POSTGRES,
    };
    let read = test.store.read("test.schema", move |tx| {
        let mut all = Schema::new();
        for sql in queries {
            let found = lines(tx, sql)?;
            if found.is_empty() {
                return Err(StoreError::Check);
            }
            all.extend(found);
        }
        Ok(all)
    });
    read.await.unwrap()
}

#[tokio::test]
async fn both_engines_have_the_same_tables() {
    let sqlite = TestStore::new(Engine::Sqlite).await;
    let postgres = TestStore::new(Engine::Postgres).await;
    let (left, right) = (schema(&sqlite).await, schema(&postgres).await);
    sqlite.teardown().await;
    postgres.teardown().await;
    let only_sqlite: Vec<_> = left.difference(&right).collect();
    let only_postgres: Vec<_> = right.difference(&left).collect();
    assert!(
        only_sqlite.is_empty() && only_postgres.is_empty(),
        "only SQLite: {only_sqlite:#?}\nonly PostgreSQL: {only_postgres:#?}"
    );
    assert!(left.iter().filter(|line| line.starts_with("column job.")).count() > 10);
}

/// One expansion that failed halfway, and one that waits.
const EXPANSIONS: &str = r#"
    INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ('school', 'n', 's', 0, 0);
    INSERT INTO classroom (id, organization_id, name, slug, locale, created_at, updated_at)
        VALUES ('room', 'school', 'n', 'r', 'en', 0, 0);
    INSERT INTO expansion (id, organization_id, classroom_id, source_type, source_title, source_resource_id,
            source_resource_type, payload, status, error_code, error_message, created_at, updated_at, completed_at)
        VALUES ('e1', 'school', 'room', 's', 't', 'r', 'module', '{"a":1}', 'failed', 'broken', 'm', 1, 2, 8),
               ('e2', 'school', 'room', 's', 't', NULL, NULL, '{}', 'queued', NULL, NULL, 3, 3, NULL);
    INSERT INTO expansion_output (id, expansion_id, output_type, position, status, resource_id, manifest, error_code,
            error_message, completed_at)
        VALUES ('o1', 'e1', 'module', 1, 'completed', 'm1', '{}', NULL, NULL, 7),
               ('o2', 'e1', 'video', 2, 'failed', NULL, NULL, 'broken', 'm', 8),
               ('o3', 'e2', 'module', 1, 'queued', NULL, NULL, NULL, NULL, NULL);
"#;

/// All of them, and all of their outputs, a line each.
const KEPT: [&str; 2] = [
    "SELECT id || ' ' || organization_id || ' ' || classroom_id || ' ' || source_type || ' ' || source_title || ' ' ||
            coalesce(source_resource_id, '-') || ' ' || coalesce(source_resource_type, '-') || ' ' || payload || ' ' ||
            status || ' ' || coalesce(error_code, '-') || ' ' || coalesce(error_message, '-') || ' ' || created_at || ' ' ||
            updated_at || ' ' || coalesce(CAST(completed_at AS TEXT), '-')
     FROM expansion",
    "SELECT id || ' ' || expansion_id || ' ' || output_type || ' ' || position || ' ' || status || ' ' ||
            coalesce(resource_id, '-') || ' ' || coalesce(manifest, '-') || ' ' || coalesce(error_code, '-') || ' ' ||
            coalesce(error_message, '-') || ' ' || coalesce(CAST(completed_at AS TEXT), '-')
     FROM expansion_output",
];

/// A place for a database that nobody has migrated.
async fn empty_place(test: &TestStore) -> StoreOptions {
    match &test.options.database {
        Database::Sqlite { path } => StoreOptions::sqlite(path.with_file_name("new/folder/empty.db")),
        Database::Postgres { .. } => {
            let wipe = "DO $$ BEGIN EXECUTE 'DROP SCHEMA public CASCADE'; EXECUTE 'CREATE SCHEMA public'; END $$";
            test.store.write("test.wipe", move |tx| tx.execute(wipe, &[])).await.unwrap();
            test.options.clone()
        }
    }
}

#[both_stores]
async fn many_starting_at_once_migrate_once(test: TestStore) {
    let options = empty_place(&test).await;
    let state = Store::check_migrations(&options).await.unwrap();
    let last = state.pending.last().unwrap();
    assert!(state.applied == 0 && last.starts_with(&format!("V{}__", state.latest)), "{last}");
    let opening = (0..4).map(|_| {
        let options = options.clone();
        tokio::spawn(async move { Store::open(&options, Ambient::system()).await.unwrap() })
    });
    for store in join_all(opening.collect::<Vec<_>>()).await {
        let store = store.unwrap();
        store.ping().await.unwrap();
        store.close().await;
    }
    let state = Store::check_migrations(&options).await.unwrap();
    assert_eq!((state.applied, state.pending.len()), (state.latest, 0));
    assert!(!state.needs_migration().unwrap());
}

#[both_stores]
async fn a_newer_database_is_refused(test: TestStore) {
    let newer = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) VALUES (9999, 'future', '2099-01-01T00:00:00Z', '1')";
    test.store.write("test.newer", move |tx| tx.execute(newer, &[])).await.unwrap();
    let state = Store::check_migrations(&test.options).await.unwrap();
    assert_eq!(state.applied, 9999);
    let opened = Store::open(&test.options, test.ambient.clone()).await;
    assert!(matches!(opened, Err(OpenError::Newer { database: 9999, .. })));
}

#[both_stores]
async fn an_expansion_is_in_a_classroom_of_its_own_organization(test: TestStore) {
    let add = |number: i64, organization: &'static str| {
        test.store.write("test.expansion", move |tx| {
            tx.execute(
                "INSERT INTO expansion (id, organization_id, classroom_id, source_type, source_title, payload, status,
                         created_at, updated_at)
                     VALUES ($1, $2, 'room', 'source_json', '', '{}', 'queued', 0, 0)",
                &[&number.to_string(), &organization],
            )
        })
    };
    let fill = |tx: &mut Tx<'_>| {
        for id in ["own", "other"] {
            tx.execute(
                "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, '', $1, 0, 0)",
                &[&id],
            )?;
        }
        tx.execute(
            "INSERT INTO classroom (id, organization_id, name, slug, locale, created_at, updated_at)
                 VALUES ('room', 'own', '', '', 'en', 0, 0)",
            &[],
        )
    };
    test.store.write("test.fill", fill).await.unwrap();
    assert!(matches!(add(1, "other").await, Err(StoreError::ForeignKey)));
    assert_eq!(add(2, "own").await.unwrap(), 1);
}

#[both_stores]
async fn expansions_of_version_12_are_kept_with_their_outputs(test: TestStore) {
    let options = at_version(&test, 12, EXPANSIONS).await;
    let store = Store::open(&options, test.ambient.clone()).await.unwrap();
    let read = store.read("test.expansions", |tx| Ok::<_, StoreError>((lines(tx, KEPT[0])?, lines(tx, KEPT[1])?)));
    let (expansions, outputs) = read.await.unwrap();
    let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Schema>();
    assert_eq!(
        expansions,
        set(&[
            "e1 school room s t r module {\"a\":1} failed broken m 1 2 8",
            "e2 school room s t - - {} queued - - 3 3 -",
        ])
    );
    assert_eq!(
        outputs,
        set(&[
            "o1 e1 module 1 completed m1 {} - - 7",
            "o2 e1 video 2 failed - - broken m 8",
            "o3 e2 module 1 queued - - - - -",
        ])
    );
    store.close().await;
}

/// Scores of version 20 in each state, and one whose registration was deleted.
const SCORES: &str = r#"
    INSERT INTO workspace (id, name, slug, status, rate_limit_per_minute, billing_mode, created_at, updated_at)
        VALUES ('w', 'n', 's', 'ACTIVE', 1, 'internal_invoice', 0, 0);
    INSERT INTO lti_registration (id, workspace_id, name, issuer, client_id, authorization_endpoint, token_endpoint, jwks_endpoint,
            status, created_at, updated_at)
        VALUES ('r', 'w', 'n', 'i', 'c', 'a', 't', 'j', 'active', 7, 8);
    INSERT INTO evaluation (id, workspace_id, evaluation_type, mode, tier, status, request_hash, request, price, amount_micros,
            max_score, files, score, created_at, completed_at)
        SELECT e.id, 'w', 'exact', 'sync', 'fast', 'COMPLETED', 'h', '{}', '{}', 0, 10, 0, 5, 1, 2
        FROM (SELECT 'e1' AS id UNION ALL SELECT 'e2' UNION ALL SELECT 'e3' UNION ALL SELECT 'e4' UNION ALL SELECT 'e5') AS e;
    INSERT INTO lti_sync (evaluation_id, workspace_id, session_id, registration_id, resource_link_id, user_id, status, version,
            score_given, score_maximum, comment, scored_at, submitted_at, attempts, leases, next_attempt_at, lease_token, error,
            synced_at, created_at)
        VALUES ('e1', 'w', 'l1', 'r', 'k', 'u', 'waiting', 1, 5, 10, 'c', 100, 90, 0, 0, 100, NULL, NULL, NULL, 100),
               ('e2', 'w', 'l2', 'r', 'k', 'u', 'pending', 2, 6.5, 10, NULL, 1100, 91, 1, 2, 1200, 'token', 'broken', NULL, 101),
               ('e3', 'w', 'l3', 'r', 'k', 'v', 'synced', 1, 7, 10, NULL, 102, 92, 0, 1, 102, NULL, NULL, 103, 102),
               ('e4', 'w', 'l4', 'r', 'k', 'v', 'failed', 3, 8, 10, NULL, 2102, 93, 4, 4, 104, NULL, 'away', NULL, 103),
               ('e5', 'w', 'l5', NULL, NULL, NULL, 'failed', 1, 9, 10, NULL, 105, 94, 0, 0, 105, NULL, 'unknown', NULL, 104);
"#;

#[both_stores]
async fn scores_of_version_20_are_kept_in_each_state(test: TestStore) {
    let options = at_version(&test, 20, SCORES).await;
    let store = Store::open(&options, test.ambient.clone()).await.unwrap();
    let kept = "SELECT subject_id || ' ' || subject || ' ' || workspace_id || ' ' || session_id || ' ' || coalesce(registration_id, '-')
            || ' ' || coalesce(resource_link_id, '-') || ' ' || coalesce(user_id, '-') || ' ' || status || ' ' || version || ' ' ||
            CAST(score_given * 10 AS INTEGER) || ' ' || CAST(score_maximum AS INTEGER) || ' ' || coalesce(comment, '-') || ' ' ||
            scored_at || ' ' || submitted_at || ' ' || attempts || ' ' || leases || ' ' || unanswered || ' ' || next_attempt_at
            || ' ' || coalesce(lease_token, '-') || ' ' || coalesce(error, '-') || ' ' || coalesce(line_item, '-') || ' ' ||
            coalesce(CAST(synced_at AS TEXT), '-') || ' ' || trace_id || ' ' || created_at
         FROM lti_sync";
    let cells = "SELECT registration_id || ' ' || resource_link_id || ' ' || user_id || ' ' || scored_at FROM lti_gradebook_cell";
    let read = store.read("test.scores", move |tx| Ok::<_, StoreError>((lines(tx, kept)?, lines(tx, cells)?)));
    let (scores, cells) = read.await.unwrap();
    let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Schema>();
    assert_eq!(
        scores,
        set(&[
            "e1 evaluation w l1 r k u waiting 1 50 10 c 100 90 0 0 0 100 - - - - l1 100",
            "e2 evaluation w l2 r k u pending 2 65 10 - 1100 91 1 2 1 1200 token broken - - l2 101",
            "e3 evaluation w l3 r k v synced 1 70 10 - 102 92 0 1 0 102 - - - 103 l3 102",
            "e4 evaluation w l4 r k v failed 3 80 10 - 2102 93 4 4 4 104 - away - - l4 103",
            "e5 evaluation w l5 - - - failed 1 90 10 - 105 94 0 0 0 105 - unknown - - l5 104",
        ])
    );
    assert_eq!(cells, set(&["r k u 1100", "r k v 2102"]));
    let since = "SELECT client_since || ' ' || audience_since FROM lti_registration";
    let read = store.read("test.since", move |tx| lines(tx, since));
    assert_eq!(read.await.unwrap(), set(&["7 7"]));
    store.close().await;
}

/// A submission with the evaluation of an open answer.
const SUBMISSIONS: &str = "
    INSERT INTO workspace (id, name, slug, plan_code, billing_mode, status, rate_limit_per_minute, created_at, updated_at)
    VALUES ('w', 'W', 'w', 'standard', 'processor_metered', 'ACTIVE', 1, 1, 1);
    INSERT INTO submission (id, workspace_id, session_id, attempt_id, registration_id, link_id, resource_link_id, taker,
        attempt_number, test_id, test_version, title, language, items, status, score, max_score, passing_score, needs_review,
        version, trace_id, submitted_at)
    VALUES ('s1', 'w', 'l1', 'a', 'r', 'k', 'rl', 't', 1, 'test-1', 3, 'Cells', 'en', '[]', 'GRADED', 2.5, 4, 2, 0, 1, 'trace', 7);
    INSERT INTO evaluation (id, workspace_id, evaluation_type, mode, tier, status, request_hash, request, price, amount_micros,
        max_score, files, created_at)
    VALUES ('e1', 'w', 'open_ended', 'async', 'fast', 'PENDING', '', '{}', '{}', 1, 4, 0, 7);
    INSERT INTO submission_evaluation (evaluation_id, submission_id, item_id) VALUES ('e1', 's1', 'q1');
";

#[both_stores]
async fn submissions_of_version_21_are_kept_and_attempts_count_per_test(test: TestStore) {
    let options = at_version(&test, 21, SUBMISSIONS).await;
    let store = Store::open(&options, test.ambient.clone()).await.unwrap();
    let again = |test: &'static str| {
        store.write("test.again", move |tx| {
            tx.execute(
                "INSERT INTO submission (id, workspace_id, session_id, attempt_id, registration_id, link_id, resource_link_id,
                    taker, attempt_number, test_id, test_version, title, language, items, status, score, max_score,
                    passing_score, needs_review, version, trace_id, submitted_at)
                 SELECT id || $1, workspace_id, session_id || $1, attempt_id, registration_id, link_id, resource_link_id, taker,
                    attempt_number, $1, test_version, title, language, items, status, score, max_score, passing_score,
                    needs_review, version, trace_id, submitted_at FROM submission WHERE id = 's1'",
                &[&test],
            )
        })
    };
    assert!(matches!(again("test-1").await, Err(StoreError::Unique { .. })));
    assert_eq!(again("test-2").await.unwrap(), 1);
    let kept = "SELECT id || ' ' || test_id || ' ' || coalesce(course, '-') FROM submission";
    let kept = store.read("test.submissions", move |tx| lines(tx, kept)).await.unwrap();
    assert_eq!(kept.into_iter().collect::<Vec<_>>(), ["s1 test-1 -", "s1test-2 test-2 -"]);
    let answers = async |sql: &'static str| store.read("test.answers", move |tx| lines(tx, sql)).await.unwrap();
    let all = "SELECT evaluation_id || ' ' || submission_id || ' ' || item_id FROM submission_evaluation";
    assert_eq!(answers(all).await.into_iter().collect::<Vec<_>>(), ["e1 s1 q1"]);
    let delete = |tx: &mut Tx<'_>| tx.execute("DELETE FROM submission WHERE id = 's1'", &[]);
    assert_eq!(store.write("test.delete", delete).await.unwrap(), 1);
    assert!(answers(all).await.is_empty());
    store.close().await;
}

#[both_stores]
async fn an_edited_migration_is_refused(test: TestStore) {
    let edited = "UPDATE refinery_schema_history SET checksum = '1' WHERE version = 1";
    test.store.write("test.edited", move |tx| tx.execute(edited, &[])).await.unwrap();
    assert!(matches!(Store::open(&test.options, test.ambient.clone()).await, Err(OpenError::Migration(_))));
}

#[tokio::test]
async fn only_the_owner_may_read_the_file() {
    let test = TestStore::new(Engine::Sqlite).await;
    test.store.write("test", |tx| tx.execute("UPDATE job SET priority = 1", &[])).await.unwrap();
    let Database::Sqlite { path } = &test.options.database else { unreachable!("it is SQLite") };
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.clone().into_os_string();
        name.push(suffix);
        let mode = std::fs::metadata(&name).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name:?}");
    }
    test.teardown().await;
}

#[tokio::test]
async fn what_can_not_be_opened_says_why() {
    let nowhere = StoreOptions::sqlite("/proc/nowhere/lectern.db");
    assert!(matches!(Store::open(&nowhere, Ambient::system()).await, Err(OpenError::File { .. })));
    for (url, is_url_error) in
        [("postgres://user:geheim@127.0.0.1:1/x?nonsense=1", true), ("postgres://user:geheim@127.0.0.1:1/x", false)]
    {
        let options = StoreOptions::postgres(url.to_owned().into());
        let error = Store::open(&options, Ambient::system()).await.unwrap_err();
        assert_eq!(matches!(error, OpenError::Url(_)), is_url_error, "{error:?}");
        assert!(!format!("{error:?}{error}").contains("geheim"));
    }
}
