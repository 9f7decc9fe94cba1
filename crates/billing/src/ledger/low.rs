//! What a balance is watched for: that it falls low, and whether spending caps count.

use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use store::{StoreError, Tx, sql};

/// Below this a workspace that ever had other than free credits is warned, unless it says otherwise: USD 5.
pub const USUAL_LOW: MicroUsd = MicroUsd::from_cents(500);

/// Sets the balance below which a workspace is warned; `None` for the usual one, zero for never. What is below it already is no
/// crossing.
///
/// # Errors
/// Any [`StoreError`].
pub fn set_low(tx: &mut Tx<'_>, workspace: WorkspaceId, low: Option<MicroUsd>) -> Result<(), StoreError> {
    sql!(
        "UPDATE ledger_balance SET low_micros = {low},
            low_entry = CASE
                WHEN free_micros + credit_micros
                    >= coalesce(CAST({low} AS BIGINT), CASE WHEN had_credits = 1 THEN CAST({USUAL_LOW} AS BIGINT) ELSE 0 END) THEN 0
                WHEN low_entry > 0 THEN low_entry
                WHEN entries > 0 THEN entries ELSE 1 END
         WHERE workspace_id = {workspace}"
    )
    .execute(tx)
    .map(drop)
}

/// Notes whether spending caps count what a workspace spends. On return nobody reserves or pays before the transaction ends.
///
/// # Errors
/// Any [`StoreError`].
pub fn mark_capped(tx: &mut Tx<'_>, workspace: WorkspaceId, is_capped: bool) -> Result<(), StoreError> {
    // A lock that waits for those who have only looked at the row as they reserved.
    sql!("SELECT entries FROM ledger_balance WHERE workspace_id = {workspace} FOR UPDATE")
        .find(tx, |row| row.get::<i64>(0))?;
    sql!("UPDATE ledger_balance SET is_capped = {is_capped} WHERE workspace_id = {workspace}").execute(tx).map(drop)
}
