//! What the payment processor pays for: the transfers that it has to be told of.

use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx, sql};

/// A transfer that the processor pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Record)]
#[record(table = "ledger_transfer")]
pub struct Metered {
    /// Its place in the workspace's ledger. Whoever sees it sees every earlier one too.
    pub sequence: i64,
    /// The work.
    pub subject_id: SubjectId,
    /// Its price.
    #[column(name = "amount_micros")]
    pub amount: MicroUsd,
    /// When it was done.
    pub created_at: Timestamp,
}

/// Workspaces with work that the processor pays for, in the order of their ids, after one of them; each with the sequence of
/// its last such transfer. The cost follows the number of workspaces, not that of transfers.
///
/// # Errors
/// Any [`StoreError`].
pub fn list_metered_workspaces(
    tx: &mut Tx<'_>,
    after: Option<WorkspaceId>,
    limit: u32,
) -> Result<Vec<(WorkspaceId, i64)>, StoreError> {
    let after = after.map_or_else(String::new, |workspace| workspace.to_string());
    sql!(
        "WITH RECURSIVE scan (workspace, place) AS (
             SELECT (SELECT t.workspace_id FROM ledger_transfer t
                     WHERE t.debit_account = 'processor' AND t.workspace_id > {after}
                     ORDER BY t.workspace_id, t.sequence LIMIT 1), CAST(1 AS BIGINT)
             UNION ALL
             SELECT (SELECT t.workspace_id FROM ledger_transfer t
                     WHERE t.debit_account = 'processor' AND t.workspace_id > scan.workspace
                     ORDER BY t.workspace_id, t.sequence LIMIT 1), scan.place + 1
             FROM scan WHERE scan.workspace IS NOT NULL AND scan.place < {limit}
         )
         SELECT scan.workspace,
                (SELECT t.sequence FROM ledger_transfer t
                 WHERE t.workspace_id = scan.workspace AND t.debit_account = 'processor'
                 ORDER BY t.sequence DESC LIMIT 1)
         FROM scan WHERE scan.workspace IS NOT NULL ORDER BY scan.place"
    )
    .query(tx, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// A workspace's transfers that the processor pays for, in their order, after one of them.
///
/// # Errors
/// Any [`StoreError`].
pub fn list_metered(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    after: i64,
    limit: u32,
) -> Result<Vec<Metered>, StoreError> {
    sql!(
        "SELECT {Metered::*} FROM ledger_transfer
         WHERE workspace_id = {workspace} AND debit_account = 'processor' AND sequence > {after}
         ORDER BY sequence LIMIT {limit}"
    )
    .query(tx, Metered::from_row)
}

/// What the processor pays for in a workspace, up to one transfer.
///
/// # Errors
/// Any [`StoreError`].
pub fn metered_total(tx: &mut Tx<'_>, workspace: WorkspaceId, up_to: i64) -> Result<i64, StoreError> {
    sql!(
        "SELECT CAST(coalesce(sum(amount_micros), 0) AS BIGINT) FROM ledger_transfer
         WHERE workspace_id = {workspace} AND debit_account = 'processor' AND sequence <= {up_to}"
    )
    .find(tx, |row| row.get(0))
    .map(|total| total.unwrap_or(0))
}
