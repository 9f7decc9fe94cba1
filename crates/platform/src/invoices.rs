//! Invoices: a statement of each month for each workspace, from the ledger. [`billing::invoices`] makes and keeps them.

pub mod format;
pub mod get;
pub mod list;

use billing::invoices::finalize as finalize_months;
use edge::problem::Problem;
use invoices::Buyer;
use kernel::id::WorkspaceId;
use store::{StoreError, Tx, sql};

use crate::Platform;
use crate::callers::Caller;
use crate::workspaces::path_param;

/// Makes the invoices of months that have ended, where the operator has named a seller.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) async fn finalize(platform: &Platform) -> Result<(), StoreError> {
    let Some(terms) = &platform.invoice_terms else { return Ok(()) };
    let made = finalize_months(&platform.door.store, terms, buyer).await?;
    if made > 0 {
        tracing::info!(invoices = made, "invoices were made");
    }
    Ok(())
}

fn buyer(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<Option<Buyer>, StoreError> {
    sql!("SELECT name, email FROM workspace WHERE id = {workspace}")
        .find(tx, |row| Ok(Buyer { name: row.get(0)?, email: row.get(1)? }))
}

/// The workspace that a path names, where it exists for the caller.
fn workspace_of(tx: &mut Tx<'_>, caller: &Caller, id: &str) -> Result<WorkspaceId, Problem> {
    caller.workspace(tx, Some(path_param(id)?))
}

#[cfg(test)]
mod tests;
