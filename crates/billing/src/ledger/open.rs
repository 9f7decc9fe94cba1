//! A new workspace gets its balance.

use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use store::{StoreError, Tx};

use super::transfer::{Account, Journal, TransferKind};

/// Gives a new workspace its balance, with free credits granted by the house.
///
/// # Errors
/// Any [`StoreError`]; `Unique` when it was opened already.
pub fn open(tx: &mut Tx<'_>, workspace: WorkspaceId, grant: MicroUsd) -> Result<(), StoreError> {
    let entries = i64::from(!grant.is_zero());
    let now = tx.now();
    tx.execute_later(
        "INSERT INTO ledger_balance (workspace_id, free_micros, credit_micros, reserved_free_micros, reserved_credit_micros,
            last_free_micros, had_credits, entries, created_at)
         VALUES ($1, $2, 0, 0, 0, 0, 0, $3, $4)",
        &[&workspace, &grant, &entries, &now],
    )?;
    let journal = Journal { workspace, kind: TransferKind::Grant, subject: SubjectId::of(workspace) };
    journal.write(tx, entries, &[(Account::Grants, Account::Free, grant)])
}
