//! Opens the file: permissions, pragmas, migrations.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::OpenFlags;
use rusqlite::config::DbConfig;

use super::Connection;
use crate::OpenError;
use crate::migrations::{self, MigrationState};

/// How long a connection waits for another process's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The writer's connection, on a file that exists and is migrated.
pub(super) fn migrated(path: &Path) -> Result<Connection, OpenError> {
    make_file(path).map_err(|cause| file_error(path, cause))?;
    let mut raw = raw(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    if migrations::sqlite_state(&raw)?.needs_migration()? {
        let lock = lock_file(path).map_err(|cause| file_error(path, cause))?;
        // The file remembers its journal mode; while it is switched nobody else may be at work.
        raw.execute_batch("PRAGMA journal_mode = WAL").map_err(OpenError::unreachable)?;
        migrations::migrate_sqlite(&mut raw)?;
        drop(lock);
    }
    // What is committed is synced outside of SQLite, see `durability.rs`.
    let pragmas = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8192; \
                   PRAGMA synchronous = NORMAL;";
    raw.execute_batch(pragmas).map_err(OpenError::unreachable)?;
    Ok(Connection::new(raw))
}

/// A connection that can't change anything.
pub(super) fn reader(path: &Path) -> Result<Connection, OpenError> {
    raw(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map(Connection::new)
}

/// The connection that moves the log into the file.
pub(super) fn checkpointer(path: &Path) -> Result<Connection, OpenError> {
    let raw = raw(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    raw.busy_timeout(super::checkpoint::PATIENCE).map_err(OpenError::unreachable)?;
    Ok(Connection::new(raw))
}

/// How far the file is migrated. A missing file has nothing applied and stays missing.
pub(super) fn check(path: &Path) -> Result<MigrationState, OpenError> {
    if !path.exists() {
        return Ok(MigrationState::empty(migrations::Engine::Sqlite));
    }
    migrations::sqlite_state(&raw(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?)
}

fn raw(path: &Path, access: OpenFlags) -> Result<rusqlite::Connection, OpenError> {
    let raw = rusqlite::Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(OpenError::unreachable)?;
    raw.busy_timeout(BUSY_TIMEOUT).map_err(OpenError::unreachable)?;
    // Without this the planner looks at the bound values and prepares some statements anew for each run,
    // which costs ten times what running them does.
    raw.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(OpenError::unreachable)?;
    // Sub-journals of savepoints stay in memory: they only serve to roll back while the process lives.
    let pragmas = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; \
                   PRAGMA cache_size = -16384; PRAGMA secure_delete = ON;";
    raw.execute_batch(pragmas).map_err(OpenError::unreachable)?;
    Ok(raw)
}

/// Makes the folder and an empty file that only its owner may read; SQLite gives the log and the
/// shared memory the same mode. An existing file is left untouched: closing a handle on it here would
/// drop the locks of this process's other connections.
fn make_file(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => result.map(|_| ()),
    }
}

/// Held while migrating, so that two starting processes do it one after the other.
fn lock_file(path: &Path) -> io::Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push("-migrate");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(name)?;
    file.lock()?;
    Ok(file)
}

pub(super) fn file_error(path: &Path, cause: io::Error) -> OpenError {
    OpenError::File { path: path.display().to_string(), cause }
}
