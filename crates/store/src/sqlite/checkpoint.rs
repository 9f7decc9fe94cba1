//! Moves the write-ahead log into the database file, off the writer's path.
//!
//! On the writer's own connection it would cost a third of the write throughput.

use std::time::Duration;

use super::Connection;
use super::place::Place;
use crate::stop::Stop;

/// Between two looks at the log.
const PERIOD: Duration = Duration::from_millis(500);
/// How long a checkpoint may make writers wait for slow readers.
pub(super) const PATIENCE: Duration = Duration::from_millis(200);
/// A log with so much to move is worth a checkpoint, 16 MiB: as many pages as one of SQLite's tables of the log finds.
/// After each checkpoint the log begins anew, for which the next writer syncs twice.
const WORTHWHILE: i64 = 16 << 20;
/// A log that has not grown for so many looks is moved however short it is, and one that grows after so many at the latest: so
/// what was erased leaves the database file within a minute.
const QUIET: u32 = 10;
const OVERDUE: u32 = 120;
/// A log longer than this is made to start over, 64 MiB.
const LONG_LOG: i64 = 64 << 20;
/// A log file larger than this is cut off, 256 MiB. Until then it is kept: writing over it is faster.
const LARGE_FILE: i64 = 256 << 20;

/// Looks until stopped whether there is something to move, and whether the file is still where it was.
pub(super) fn run(connection: &Connection, place: &Place, stop: &Stop) {
    let mut due = Due::default();
    while !stop.wait(PERIOD) {
        if !place.look() {
            continue;
        }
        let looked = Log::after(connection.raw(), "NOOP").and_then(|log| match due.is_now(log) {
            true => checkpoint(connection.raw()),
            false => Ok(()),
        });
        match looked {
            Ok(()) => {}
            Err(error) => tracing::warn!(%error, "the write-ahead log can't be checkpointed"),
        }
    }
}

fn checkpoint(connection: &rusqlite::Connection) -> rusqlite::Result<()> {
    let log = Log::after(connection, "PASSIVE")?;
    if log.bytes > LARGE_FILE {
        Log::after(connection, "TRUNCATE")?;
    } else if log.bytes > LONG_LOG {
        Log::after(connection, "RESTART")?;
    }
    Ok(())
}

/// What is in the log, in bytes of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Log {
    bytes: i64,
    /// Of them, what is in the database file as well.
    moved: i64,
}

impl Log {
    /// The log after a checkpoint of a kind.
    fn after(connection: &rusqlite::Connection, kind: &str) -> rusqlite::Result<Self> {
        /// SQLite's default page size, which the store does not change.
        const PAGE: i64 = 4096;
        let mut statement = connection.prepare_cached(&format!("PRAGMA wal_checkpoint({kind})"))?;
        statement
            .query_row([], |row| Ok(Self { bytes: row.get::<_, i64>(1)? * PAGE, moved: row.get::<_, i64>(2)? * PAGE }))
    }
}

/// Decides when a checkpoint is due.
#[derive(Debug, Default)]
struct Due {
    last: Log,
    /// Looks at which the log was as before.
    quiet: u32,
    /// Looks at which there was something to move, since it was last moved.
    waiting: u32,
}

impl Due {
    fn is_now(&mut self, log: Log) -> bool {
        self.quiet = if log == self.last { self.quiet.saturating_add(1) } else { 0 };
        self.last = log;
        let left = log.bytes - log.moved;
        self.waiting = if left > 0 { self.waiting.saturating_add(1) } else { 0 };
        let is_due = left >= WORTHWHILE || left > 0 && (self.quiet >= QUIET || self.waiting >= OVERDUE);
        if is_due {
            self.waiting = 0;
        }
        // One that could not be made to start over is asked to again.
        is_due || log.bytes > LONG_LOG
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(bytes: i64, moved: i64) -> Log {
        Log { bytes, moved }
    }

    #[test]
    fn a_log_is_moved_when_it_is_long_or_has_been_quiet() {
        let mut due = Due::default();
        assert!(!due.is_now(log(WORTHWHILE - 1, 0)));
        assert!(due.is_now(log(WORTHWHILE, 0)));
        assert!(!due.is_now(log(WORTHWHILE, WORTHWHILE)));
        let looks = |due: &mut Due, log: Log| (0..=QUIET).map(|_| due.is_now(log)).collect::<Vec<_>>();
        let (last, before) = (true, vec![false; 10]);
        assert_eq!(looks(&mut due, log(4096, 0)), [before.clone(), vec![last]].concat());
        assert_eq!(looks(&mut due, log(4096, 4096)), [before, vec![false]].concat(), "there is nothing left");
        let growing = (1..=i64::from(OVERDUE)).map(|look| due.is_now(log(4096 * look, 0))).filter(|is_due| *is_due);
        assert_eq!(growing.count(), 1, "after a minute at the latest");
        assert!(due.is_now(log(LARGE_FILE + 1, LARGE_FILE + 1)), "it was to start over, and did not");
    }

    #[test]
    fn looking_moves_nothing_and_a_checkpoint_moves_everything() {
        let folder = tempfile::tempdir().unwrap();
        let connection = rusqlite::Connection::open(folder.path().join("log.db")).unwrap();
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a)")
            .unwrap();
        let looked = Log::after(&connection, "NOOP").unwrap();
        assert!(looked.bytes > 0 && looked.moved == 0, "{looked:?}");
        checkpoint(&connection).unwrap();
        assert_eq!(Log::after(&connection, "NOOP").unwrap(), log(looked.bytes, looked.bytes));
    }
}
