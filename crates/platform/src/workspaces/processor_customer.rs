//! The customer of the payment processor that stands for a workspace.

use kernel::id::WorkspaceId;
use store::{StoreError, Tx, sql};

use super::BillingMode;

/// Notes the customer of a workspace that has none; the one that it has then.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn set(tx: &mut Tx<'_>, workspace: WorkspaceId, customer: &str) -> Result<Option<String>, StoreError> {
    let now = tx.now();
    sql!(
        "UPDATE workspace SET processor_customer_id = {customer}, updated_at = {now}
         WHERE id = {workspace} AND processor_customer_id IS NULL"
    )
    .execute(tx)?;
    sql!("SELECT processor_customer_id FROM workspace WHERE id = {workspace}")
        .find(tx, |row| row.get(0))
        .map(Option::flatten)
}

/// Has the processor bill a workspace: who registers a payment method wants to go on when its credits are used up.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn bill_by_processor(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<(), StoreError> {
    let (metered, now) = (BillingMode::ProcessorMetered, tx.now());
    sql!(
        "UPDATE workspace SET billing_mode = {metered}, updated_at = {now}
         WHERE id = {workspace} AND billing_mode <> {metered}"
    )
    .execute(tx)
    .map(drop)
}

/// Forgets a customer that the processor has deleted.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn forget(tx: &mut Tx<'_>, customer: &str) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "UPDATE workspace SET processor_customer_id = NULL, updated_at = {now} WHERE processor_customer_id = {customer}"
    )
    .execute(tx)
    .map(drop)
}

/// The workspaces that a customer stands for: one, unless an operator has several billed together.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn holders(tx: &mut Tx<'_>, customer: &str) -> Result<Vec<WorkspaceId>, StoreError> {
    sql!("SELECT id FROM workspace WHERE processor_customer_id = {customer} ORDER BY id LIMIT 100")
        .query(tx, |row| row.get(0))
}
