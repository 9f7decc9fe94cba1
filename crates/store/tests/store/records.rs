//! Structs that are rows, on both engines.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use kernel::time::Timestamp;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::{Group, KeyedRecord as _, Record, StoreError, sql};
use testkit::{TestStore, both_stores};

#[derive(Clone, Debug, PartialEq, Record)]
#[record(table = "piece")]
struct Piece {
    #[column(key)]
    id: i64,
    #[column(key)]
    owner: String,
    #[column(name = "type", fixed)]
    kind: String,
    #[column(long = "''")]
    content: String,
    #[column(json)]
    tags: Vec<String>,
    #[column(json)]
    note: Option<Note>,
    #[column(columns("error_code", "error_message"))]
    failure: Option<Failure>,
    #[column(update = "version + 1")]
    version: i64,
    #[column(fixed, now)]
    created_at: Timestamp,
    #[column(now)]
    updated_at: Timestamp,
    #[column(unread)]
    log: String,
    #[column(skip)]
    link: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Note {
    by: String,
}

#[derive(Clone, Debug, PartialEq, Record)]
struct Failure {
    code: String,
    message: Option<String>,
}

const TABLE: &str =
    "CREATE TABLE piece (id BIGINT PRIMARY KEY, owner TEXT NOT NULL, type TEXT NOT NULL, content TEXT NOT NULL,
    tags TEXT NOT NULL, note TEXT, error_code TEXT, error_message TEXT, version BIGINT NOT NULL,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, log TEXT NOT NULL)";

/// When the clock of a test begins.
const NOW: Timestamp = Timestamp::from_millis(1_767_323_045_000);

fn piece(id: i64) -> Piece {
    Piece {
        id,
        owner: "riverside".to_owned(),
        kind: "text".to_owned(),
        content: "Cells".to_owned(),
        tags: vec!["a".to_owned(), "\"b\"".to_owned()],
        note: None,
        failure: None,
        version: 1,
        created_at: NOW,
        updated_at: NOW,
        log: String::new(),
        link: String::new(),
    }
}

fn all(tx: &mut store::Tx<'_>) -> Result<Vec<Piece>, StoreError> {
    sql!("SELECT {Piece::*} FROM piece ORDER BY id").query(tx, Piece::from_row)
}

#[both_stores]
async fn what_is_inserted_is_read_and_what_is_absent_is_null(test: TestStore) {
    let full = Piece {
        note: Some(Note { by: "Ann".to_owned() }),
        failure: Some(Failure { code: "late".to_owned(), message: None }),
        ..piece(2)
    };
    let written = [piece(1), full];
    let pieces = written.clone();
    let (read, nulls) = test
        .store
        .write("test", move |tx| {
            tx.execute(TABLE, &[])?;
            pieces.iter().try_for_each(|piece| piece.insert(tx))?;
            let nulls = tx.query(
                "SELECT id FROM piece WHERE note IS NULL AND error_code IS NULL AND error_message IS NULL",
                &[],
                |row| row.get::<i64>(0),
            )?;
            Ok::<_, StoreError>((all(tx)?, nulls))
        })
        .await
        .unwrap();
    assert_eq!((read.as_slice(), nulls.as_slice()), (&written[..], &[1][..]));
}

#[both_stores]
async fn what_is_not_read_is_written(test: TestStore) {
    let (read, log) = test
        .store
        .write("test", |tx| {
            tx.execute(TABLE, &[])?;
            Piece { log: "made".to_owned(), ..piece(1) }.insert(tx)?;
            let log = tx.find("SELECT log FROM piece", &[], |row| row.get::<String>(0))?;
            Ok::<_, StoreError>((all(tx)?, log))
        })
        .await
        .unwrap();
    assert_eq!((read, log.as_deref()), (vec![piece(1)], Some("made")));
}

#[both_stores]
async fn an_update_changes_the_row_of_its_keys_and_leaves_what_is_fixed(test: TestStore) {
    let read = test
        .store
        .write("test", |tx| {
            tx.execute(TABLE, &[])?;
            piece(1).insert(tx)?;
            piece(2).insert(tx)?;
            let changed = Piece {
                kind: "picture".to_owned(),
                content: "Plants".to_owned(),
                tags: Vec::new(),
                note: Some(Note { by: "Ann".to_owned() }),
                failure: Some(Failure { code: "late".to_owned(), message: Some("Too late.".to_owned()) }),
                version: 7,
                ..piece(1)
            };
            changed.update(tx)?;
            Piece { owner: "another".to_owned(), ..changed }.update(tx)?;
            all(tx)
        })
        .await
        .unwrap();
    let changed = Piece {
        content: "Plants".to_owned(),
        tags: Vec::new(),
        note: Some(Note { by: "Ann".to_owned() }),
        failure: Some(Failure { code: "late".to_owned(), message: Some("Too late.".to_owned()) }),
        version: 2,
        ..piece(1)
    };
    assert_eq!(read, [changed, piece(2)]);
}

#[both_stores]
async fn a_summary_has_short_values_in_place_of_long_ones(test: TestStore) {
    assert_eq!(Piece::SUMMARY_COLUMNS, Piece::COLUMNS.replace("content", "'' AS content"));
    let read = test
        .store
        .write("test", |tx| {
            tx.execute(TABLE, &[])?;
            piece(1).insert(tx)?;
            tx.query(store::join!("SELECT ", <Piece as Record>::SUMMARY_COLUMNS, " FROM piece"), &[], Piece::from_row)
        })
        .await
        .unwrap();
    assert_eq!(read, [Piece { content: String::new(), ..piece(1) }]);
}

#[both_stores]
async fn a_parameter_stands_where_it_is_used(test: TestStore) {
    let found = test
        .store
        .write("test", |tx| {
            tx.execute(TABLE, &[])?;
            piece(1).insert(tx)?;
            let (wanted, other) = (piece(1), "hillside");
            sql!(
                "UPDATE piece SET owner = {other}, content = {other} WHERE id = {wanted.id} AND owner = {wanted.owner}"
            )
            .execute(tx)?;
            sql!("SELECT {Piece::*} FROM piece WHERE owner = {other}").find(tx, Piece::from_row)
        })
        .await
        .unwrap();
    let expected = Piece { owner: "hillside".to_owned(), content: "hillside".to_owned(), ..piece(1) };
    assert_eq!(found, Some(expected));
}

#[both_stores]
async fn times_are_those_of_the_transactions_that_insert_and_update(test: TestStore) {
    let later = || test.clock.advance(Duration::from_secs(1));
    let stale = Piece { created_at: Timestamp::from_millis(1), updated_at: Timestamp::from_millis(2), ..piece(1) };
    let (made, changed) = (stale.clone(), stale);
    let inserted = move |tx: &mut store::Tx<'_>| {
        tx.execute(TABLE, &[])?;
        made.insert(tx)?;
        all(tx)
    };
    assert_eq!(test.store.write::<_, StoreError, _>("test", inserted).await.unwrap(), [piece(1)]);
    later();
    let updated = move |tx: &mut store::Tx<'_>| {
        changed.update(tx)?;
        all(tx)
    };
    let expected = Piece { version: 2, updated_at: NOW.plus(Duration::from_secs(1)), ..piece(1) };
    assert_eq!(test.store.write::<_, StoreError, _>("test", updated).await.unwrap(), [expected]);
}

#[both_stores]
async fn a_column_that_stands_elsewhere_is_an_error(test: TestStore) {
    let write = |tx: &mut store::Tx<'_>| {
        tx.execute(TABLE, &[])?;
        piece(1).insert(tx)?;
        let columns = "SELECT version, owner, type, content, tags, note, error_code, error_message, created_at, updated_at, id FROM piece";
        tx.query(columns, &[], Piece::from_row)
    };
    let error = test.store.write::<_, StoreError, _>("test", write).await.unwrap_err();
    assert!(format!("{error:?}").contains("column 0 is Some(\\\"version\\\"), not id"), "{error:?}");
}

#[derive(Debug, PartialEq, Record)]
struct Listed {
    owner: Arc<str>,
    #[column(group)]
    failure: Option<Arc<Failure>>,
    #[column(skip)]
    pieces: Vec<i64>,
    #[column(group)]
    piece: Piece,
    longest: Option<u64>,
}

const LISTED: &str = "SELECT p.owner, p.error_code, p.error_message";

#[both_stores]
async fn a_joined_row_is_read_in_the_order_of_its_fields(test: TestStore) {
    let full = Piece { failure: Some(Failure { code: "late".to_owned(), message: None }), ..piece(2) };
    let written = [piece(1), full.clone()];
    let read = test
        .store
        .write("test", move |tx| {
            tx.execute(TABLE, &[])?;
            written.iter().try_for_each(|piece| piece.insert(tx))?;
            let owner: Arc<str> = "riverside".into();
            sql!(
                "{const LISTED}, {Piece::*}, (SELECT max(id) FROM piece WHERE id > p.id)
                 FROM piece AS p WHERE owner = {owner} AND id <= {u64::MAX} ORDER BY id"
            )
            .query(tx, |row| Listed::read_at(row, 0))
        })
        .await
        .unwrap();
    let listed = |piece: Piece, longest| Listed {
        owner: "riverside".into(),
        failure: piece.failure.clone().map(Arc::new),
        pieces: Vec::new(),
        piece,
        longest,
    };
    assert_eq!(read, [listed(piece(1), Some(2)), listed(full, None)]);
}
