//! Test databases of SQLite: copies of a template that is migrated once.

use std::path::{Path, PathBuf};
use std::{fs, io};

use kernel::ambient::Ambient;
use store::{Store, StoreOptions};
use tempfile::TempDir;

/// Makes a migrated database at `path`.
pub(crate) async fn create(path: &Path) {
    fs::copy(template().await, path).expect("the template is copied");
}

/// A database with all migrations. It lies beside the test program, which holds the migrations, and is made anew
/// when the program is newer.
async fn template() -> PathBuf {
    let program = std::env::current_exe().expect("the test program has a path");
    let template = program.with_extension("template.db");
    if !is_newer(&template, &program).expect("the template and the test program can be looked at") {
        // Renamed when it is complete: what has the template's name can be copied. Of many test processes that start
        // at once each may make one; the last remains, and they are the same.
        let folder = TempDir::new_in(program.parent().expect("a program lies in a folder")).expect("a draft's folder");
        let draft = folder.path().join("draft.db");
        let store =
            Store::open(&StoreOptions::sqlite(&draft), Ambient::system()).await.expect("the template is migrated");
        store.close().await;
        fold_log(&draft);
        fs::rename(&draft, &template).expect("the template gets its name");
    }
    template
}

/// True when `template` exists and was made after `program`.
fn is_newer(template: &Path, program: &Path) -> io::Result<bool> {
    match fs::metadata(template) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        metadata => Ok(metadata?.modified()? > fs::metadata(program)?.modified()?),
    }
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

    #[test]
    fn a_template_is_kept_until_the_program_is_newer() {
        let folder = TempDir::new().unwrap();
        let (template, program) = (folder.path().join("template"), folder.path().join("program"));
        for path in [&template, &program] {
            fs::write(path, "").unwrap();
        }
        let set = |path: &Path, seconds| {
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        };
        set(&program, 2);
        for (made, is_kept) in [(1, false), (2, false), (3, true)] {
            set(&template, made);
            assert_eq!(is_newer(&template, &program).unwrap(), is_kept, "{made}");
        }
        fs::remove_file(&template).unwrap();
        assert!(!is_newer(&template, &program).unwrap());
    }

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
