//! Credits are added to a workspace.

use kernel::id::{SubjectId, TopUpId, WorkspaceId};
use kernel::money::MicroUsd;
use store::{Group as _, Record as _, StoreError, Tx, sql};

use super::transfer::{Account, Transfer, TransferKind};
use super::{Balance, USUAL_LOW, find_balance};

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

/// Adds credits that are paid for: they stand on the workspace's invoice. It is the caller's to see that a repeated request adds once
/// (`Idempotency-Key`).
///
/// # Errors
/// [`TopUpError`].
pub fn top_up(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    amount: MicroUsd,
    reason: Option<&str>,
) -> Result<TopUp, TopUpError> {
    add(tx, workspace, amount, reason, Account::TopUps)
}

/// Adds credits that this service does not invoice. Otherwise as [`top_up`].
///
/// # Errors
/// [`TopUpError`].
pub fn give(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    amount: MicroUsd,
    reason: Option<&str>,
) -> Result<TopUp, TopUpError> {
    add(tx, workspace, amount, reason, Account::Grants)
}

fn add(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    amount: MicroUsd,
    reason: Option<&str>,
    from: Account,
) -> Result<TopUp, TopUpError> {
    if amount.is_zero() {
        return Err(TopUpError::Nothing);
    }
    let topped = sql!(
        "UPDATE ledger_balance SET credit_micros = credit_micros + {amount}, had_credits = 1, entries = entries + 1,
            low_entry = CASE WHEN free_micros + credit_micros + {amount} >= coalesce(low_micros, {USUAL_LOW}) THEN 0
                WHEN low_entry > 0 THEN low_entry ELSE entries + 1 END
         WHERE workspace_id = {workspace} AND credit_micros + reserved_credit_micros + {amount} <= {MicroUsd::MAX}
         RETURNING entries, {Balance::*}"
    )
    .find(tx, |row| Ok((row.get(0)?, Balance::read_at(row, 1)?)))?;
    let Some((sequence, balance)) = topped else {
        let known = find_balance(tx, workspace)?.is_some();
        return Err(if known { TopUpError::TooMuch } else { TopUpError::Unknown });
    };
    let id: TopUpId = tx.ambient().id();
    let transfer = Transfer {
        workspace_id: workspace,
        sequence,
        debit_account: from,
        credit_account: Account::Credits,
        amount_micros: amount,
        kind: TransferKind::TopUp,
        subject_id: SubjectId::of(id),
        note: reason.map(str::to_owned),
        created_at: tx.now(),
    };
    transfer.insert(tx)?;
    Ok(TopUp { id, balance })
}
