//! Payments that the processor could not collect: what notices and operators are told of.

use kernel::id::{PaymentFailureId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx, sql};

use super::event::Event;
use crate::billing::processor::calls::seconds;
use crate::notices::{Notice, tell};

/// A payment that failed.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
#[record(table = "payment_failure")]
pub struct PaymentFailure {
    /// Its id.
    pub id: PaymentFailureId,
    /// Who was to pay.
    pub workspace_id: WorkspaceId,
    /// The processor's event.
    pub event_id: String,
    /// The processor's invoice; absent for credits that were to be bought.
    pub invoice_id: Option<String>,
    /// What was to be paid, in the currency's smallest unit.
    pub amount_minor: Option<i64>,
    /// The currency, in lower case.
    pub currency: Option<String>,
    /// How often the processor has tried.
    pub attempts: Option<i64>,
    /// When the processor tries again.
    pub next_attempt_at: Option<Timestamp>,
    /// When it failed.
    pub failed_at: Timestamp,
    /// When it became known here.
    pub created_at: Timestamp,
}

/// Notes a failure.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn record(tx: &mut Tx<'_>, workspace: WorkspaceId, event: &Event) -> Result<(), StoreError> {
    let object = &event.object;
    let is_invoice = object["object"] == "invoice" || event.kind.starts_with("invoice.");
    let amount = if is_invoice { &object["amount_due"] } else { &object["amount_total"] };
    let currency = object["currency"].as_str().filter(|code| code.len() == 3 && code.is_ascii());
    let failure = PaymentFailure {
        id: tx.ambient().id(),
        workspace_id: workspace,
        event_id: event.id.clone(),
        invoice_id: if is_invoice { event.reference("id") } else { None },
        amount_minor: amount.as_i64(),
        currency: currency.map(str::to_ascii_lowercase),
        attempts: object["attempt_count"].as_i64(),
        next_attempt_at: seconds(&object["next_payment_attempt"]),
        failed_at: event.created_at,
        created_at: tx.now(),
    };
    failure.insert(tx)?;
    let is_usd = failure.currency.as_deref() == Some("usd");
    let cents = failure.amount_minor.filter(|_| is_usd).and_then(|cents| u64::try_from(cents).ok()).unwrap_or(0);
    let amount_usd = MicroUsd::from_credits(cents).unwrap_or(MicroUsd::MAX).to_usd_number();
    tell(tx, workspace, Notice::PaymentFailed { amount_usd, reason: event.kind.clone() })
}

/// A workspace's failures after one of them, the oldest first.
///
/// # Errors
/// Any [`StoreError`].
pub fn list_after(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    after: Option<PaymentFailureId>,
    limit: u32,
) -> Result<Vec<PaymentFailure>, StoreError> {
    let after = after.map_or_else(String::new, |id| id.to_string());
    sql!(
        "SELECT {PaymentFailure::*} FROM payment_failure WHERE workspace_id = {workspace} AND id > {after}
         ORDER BY id LIMIT {limit}"
    )
    .query(tx, PaymentFailure::from_row)
}
