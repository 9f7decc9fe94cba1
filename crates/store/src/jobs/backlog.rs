//! How much work waits: for gauges, so it must stay cheap however long the queue is.

use kernel::time::Timestamp;

use crate::{StoreError, Tx};

/// The due jobs of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueJobs {
    /// Which handler runs them.
    pub kind: String,
    /// How many of them are among the jobs that were counted.
    pub count: u32,
    /// Since when the oldest of them is due.
    pub oldest: Timestamp,
}

/// The jobs that are due and that no worker has, by kind. The `limit` jobs that are due for the longest time are counted.
///
/// # Errors
/// Any [`StoreError`].
pub fn due_by_kind(tx: &mut Tx<'_>, limit: u32) -> Result<Vec<DueJobs>, StoreError> {
    let now = tx.now();
    tx.query(
        "SELECT kind, count(*), min(run_at) FROM (
             SELECT kind, run_at FROM job WHERE state = 'queued' AND run_at <= $1 ORDER BY run_at LIMIT $2
         ) AS due GROUP BY kind ORDER BY kind",
        &[&now, &limit],
        |row| Ok(DueJobs { kind: row.get(0)?, count: row.get(1)?, oldest: row.get(2)? }),
    )
}
