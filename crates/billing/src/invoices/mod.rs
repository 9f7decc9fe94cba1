//! Invoices from the ledger: a workspace's month becomes one, with the next number of its series, and never changes.
//!
//! An invoice has the transfers of its UTC month. What a month came to is read in pieces, because transfers never change; number
//! and invoice are one transaction, so that a series has no gap. [`::invoices`] knows amounts, taxes and forms.
//!
//! Read on in [`finalize`]; [`page`] and [`find`] read.

mod finalize;
mod scan;

use invoices::Invoice;
use kernel::id::WorkspaceId;
use store::{Json, StoreError, Tx, sql};

pub use finalize::{BuyerOf, finalize};

/// A part of a workspace's invoices, newest first, and how many there are.
///
/// # Errors
/// Any [`StoreError`].
pub fn page(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    limit: u64,
    offset: u64,
) -> Result<(Vec<Invoice>, i64), StoreError> {
    let total = sql!("SELECT count(*) FROM invoice WHERE workspace_id = {workspace}").find(tx, |row| row.get(0))?;
    let items = sql!(
        "SELECT document FROM invoice WHERE workspace_id = {workspace} ORDER BY month DESC LIMIT {limit} OFFSET {offset}"
    )
    .query(tx, |row| row.get::<Json<Invoice>>(0))?;
    Ok((items.into_iter().map(|Json(invoice)| invoice).collect(), total.unwrap_or(0)))
}

/// An invoice of a workspace by its number.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(tx: &mut Tx<'_>, workspace: WorkspaceId, number: &str) -> Result<Option<Invoice>, StoreError> {
    let found = sql!("SELECT document FROM invoice WHERE number = {number} AND workspace_id = {workspace}")
        .find(tx, |row| row.get::<Json<Invoice>>(0))?;
    Ok(found.map(|Json(invoice)| invoice))
}
