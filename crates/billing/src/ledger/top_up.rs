//! Credits are added to a workspace.

use kernel::id::{TopUpId, WorkspaceId};
use kernel::money::MicroUsd;
use store::{StoreError, Tx};

use super::transfer::{Account, TransferKind};
use super::{Balance, find_balance};

/// Credits that were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopUp {
    /// Names it in the ledger.
    pub id: TopUpId,
    /// What the workspace has now.
    pub balance: Balance,
}

/// Why credits were not added.
#[derive(Debug, thiserror::Error)]
pub enum TopUpError {
    /// The workspace has no balance.
    #[error("the workspace has no balance")]
    Unknown,
    /// The amount is nothing.
    #[error("nothing would be added")]
    Nothing,
    /// The balance would be above [`MicroUsd::MAX`].
    #[error("the balance would be too large")]
    TooMuch,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds credits to a workspace. It is the caller's to see that a repeated request adds once (`Idempotency-Key`).
///
/// # Errors
/// [`TopUpError`].
pub fn top_up(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    amount: MicroUsd,
    reason: Option<&str>,
) -> Result<TopUp, TopUpError> {
    if amount.is_zero() {
        return Err(TopUpError::Nothing);
    }
    let topped = tx.find(
        "UPDATE ledger_balance SET credit_micros = credit_micros + $2, had_credits = 1, entries = entries + 1
         WHERE workspace_id = $1 AND credit_micros + reserved_credit_micros + $2 <= $3
         RETURNING free_micros, credit_micros, reserved_free_micros, reserved_credit_micros, had_credits, entries",
        &[&workspace, &amount, &MicroUsd::MAX],
        |row| Ok((Balance::from_row(row)?, row.get::<i64>(5)?)),
    )?;
    let Some((balance, entries)) = topped else {
        let known = find_balance(tx, workspace)?.is_some();
        return Err(if known { TopUpError::TooMuch } else { TopUpError::Unknown });
    };
    let id: TopUpId = tx.ambient().id();
    let now = tx.now();
    tx.execute_later(
        "INSERT INTO ledger_transfer
            (workspace_id, sequence, debit_account, credit_account, amount_micros, kind, subject_id, note, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[&workspace, &entries, &Account::TopUps, &Account::Credits, &amount, &TransferKind::TopUp, &id, &reason, &now],
    )?;
    Ok(TopUp { id, balance })
}
