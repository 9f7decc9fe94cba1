//! Moves the write-ahead log into the database file, off the writer's path.
//!
//! On the writer's own connection it would cost a third of the write throughput.

use std::time::Duration;

use super::Connection;
use super::place::Place;
use crate::stop::Stop;

/// Between two checkpoints.
const PERIOD: Duration = Duration::from_millis(500);
/// How long a checkpoint may make writers wait for slow readers.
pub(super) const PATIENCE: Duration = Duration::from_millis(200);
/// A log longer than this is made to start over, 64 MiB.
const LONG_LOG: i64 = 64 << 20;
/// A log file larger than this is cut off, 256 MiB. Until then it is kept: writing over it is faster.
const LARGE_FILE: i64 = 256 << 20;

/// Checkpoints until stopped, and looks whether the file is still where it was.
pub(super) fn run(connection: &Connection, place: &Place, stop: &Stop) {
    while !stop.wait(PERIOD) {
        if !place.look() {
            continue;
        }
        match checkpoint(connection.raw()) {
            Ok(()) => {}
            Err(error) => tracing::warn!(%error, "the write-ahead log can't be checkpointed"),
        }
    }
}

fn checkpoint(connection: &rusqlite::Connection) -> rusqlite::Result<()> {
    let logged = log_size(connection, "PRAGMA wal_checkpoint(PASSIVE)")?;
    if logged > LARGE_FILE {
        log_size(connection, "PRAGMA wal_checkpoint(TRUNCATE)")?;
    } else if logged > LONG_LOG {
        log_size(connection, "PRAGMA wal_checkpoint(RESTART)")?;
    }
    Ok(())
}

/// Runs a checkpoint and says how many bytes of pages the log held.
fn log_size(connection: &rusqlite::Connection, pragma: &str) -> rusqlite::Result<i64> {
    /// SQLite's default page size, which the store does not change.
    const PAGE: i64 = 4096;
    let pages: i64 = connection.prepare_cached(pragma)?.query_row([], |row| row.get(1))?;
    Ok(pages * PAGE)
}
