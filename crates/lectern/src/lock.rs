//! One server at a time on an embedded database: its rate limits and leases are one process's own.
//!
//! The operating system gives the lock back when the process ends, however it ends. Commands don't take it: they
//! work beside a running server.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::assembly;
use crate::config::Config;

const NAME: &str = "serve.lock";

/// Held for as long as a process serves.
#[derive(Debug)]
pub(crate) struct ServerLock {
    _file: File,
}

/// The lock of the data folder, which is made where it is missing; `None` where the database is PostgreSQL.
///
/// # Errors
/// When another process serves the folder, or the lock can't be made.
pub(crate) fn take(config: &Config) -> anyhow::Result<Option<ServerLock>> {
    if config.store.database_url.is_some() {
        return Ok(None);
    }
    assembly::make_data_folder(config)?;
    take_in(&config.store.data_dir).map(Some)
}

fn take_in(folder: &Path) -> anyhow::Result<ServerLock> {
    let path = folder.join(NAME);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.with_context(|| format!("can't open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(ServerLock { _file: file }),
        Err(TryLockError::WouldBlock) => bail!(
            "another lectern serves the data folder {} already: an embedded database has one server; \
             for several, set LECTERN_DATABASE_URL to a PostgreSQL database",
            folder.display()
        ),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("can't lock {}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_holder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let held = take_in(folder.path()).unwrap();
        let refused = take_in(folder.path()).unwrap_err().to_string();
        assert!(refused.contains(&folder.path().display().to_string()), "{refused}");
        drop(held);
        take_in(folder.path()).unwrap();
    }
}
