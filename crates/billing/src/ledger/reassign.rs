//! What is set aside changes the key whose spending caps count it.

use kernel::id::{KeyId, WorkspaceId};
use store::{StoreError, Tx, sql};

/// Hands the open reservations of a key to another, or to none. What is released later is given back to the caps of `to`. On return
/// nobody else changes the workspace's balance before the transaction ends.
///
/// # Errors
/// Any [`StoreError`].
pub fn reassign_open(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    from: KeyId,
    to: Option<KeyId>,
) -> Result<(), StoreError> {
    // The reservations before the balance, as a release takes them; two that wait for each other would wait in vain.
    reassign(tx, workspace, from, to)?;
    sql!("UPDATE ledger_balance SET entries = entries WHERE workspace_id = {workspace}").execute(tx)?;
    // Those that were made until the balance was held.
    reassign(tx, workspace, from, to)
}

fn reassign(tx: &mut Tx<'_>, workspace: WorkspaceId, from: KeyId, to: Option<KeyId>) -> Result<(), StoreError> {
    sql!(
        "UPDATE ledger_reservation SET key_id = {to}
         WHERE workspace_id = {workspace} AND state = 'open' AND key_id = {from}"
    )
    .execute(tx)
    .map(drop)
}
