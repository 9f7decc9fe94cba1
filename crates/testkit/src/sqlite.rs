//! Test databases of SQLite: copies of a template that is migrated once.

use std::fs;
use std::path::{Path, PathBuf};

use kernel::ambient::Ambient;
use store::{Store, StoreOptions};
use tempfile::TempDir;

/// Makes a migrated database at `path`.
pub(crate) async fn create(path: &Path) {
    fs::copy(template().await, path).expect("the template is copied");
}

/// A database with all migrations, beside the test programs; made when it is missing.
async fn template() -> PathBuf {
    let program = std::env::current_exe().expect("the test program has a path");
    let programs = program.parent().expect("a program lies in a folder");
    let template = programs.join(format!("lectern-{}.template.db", store::migrations::fingerprint()));
    if !template.exists() {
        // Renamed when it is complete: what has the template's name can be copied. Of many test processes that start
        // at once each may make one; the last remains, and they are the same.
        let folder = TempDir::new_in(programs).expect("a draft's folder");
        let draft = folder.path().join("draft.db");
        let store =
            Store::open(&StoreOptions::sqlite(&draft), Ambient::system()).await.expect("the template is migrated");
        store.close().await;
        fold_log(&draft);
        fs::rename(&draft, &template).expect("the template gets its name");
    }
    template
}

/// Moves the write-ahead log into the file: when a connection that only reads is closed last, the log stays.
fn fold_log(database: &Path) {
    let connection = rusqlite::Connection::open(database).expect("the template opens");
    let is_busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    assert_eq!(is_busy, Ok(0), "all of the template's log is moved");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, TestStore};

    async fn count(test: &TestStore) -> Option<i64> {
        let sql = "SELECT count(*) FROM rate_window";
        test.store.read("test.count", |tx| tx.find(sql, &[], |row| row.get(0))).await.unwrap()
    }

    #[tokio::test]
    async fn copies_are_migrated_and_share_nothing() {
        let (one, other) = (TestStore::new(Engine::Sqlite).await, TestStore::new(Engine::Sqlite).await);
        let state = Store::check_migrations(&one.options).await.unwrap();
        assert!(!state.needs_migration().unwrap(), "{state:?}");
        let insert = "INSERT INTO rate_window (subject, started_at, leased) VALUES ('one', 0, 0)";
        one.store.write("test.insert", |tx| tx.execute(insert, &[])).await.unwrap();
        assert_eq!(count(&one).await, Some(1));
        assert_eq!(count(&other).await, Some(0));
        one.teardown().await;
        other.teardown().await;
    }
}
