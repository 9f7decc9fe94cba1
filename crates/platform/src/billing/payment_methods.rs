//! What a workspace can pay with at the processor: cards and the like.
//!
//! The processor's events make and remove the rows ([`register`]), in whatever order they come. A holder of the workspace's key
//! sees them ([`list`]) and takes them away ([`remove`]): a job tells the processor ([`detach`]). Only the last four digits of a
//! card are ever known here.

pub mod describe;
pub mod detach;
pub mod list;
pub mod register;
pub mod remove;

use kernel::id::{PaymentMethodId, WorkspaceId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record, StoreError, Tx, sql};

/// A row of `payment_method`.
#[derive(Clone, Debug, Record)]
#[record(table = "payment_method")]
pub(super) struct PaymentMethod {
    /// Its id here.
    #[column(key)]
    pub(super) id: PaymentMethodId,
    /// Who pays with it.
    #[column(fixed)]
    pub(super) workspace_id: WorkspaceId,
    /// The processor's customer that it belongs to.
    pub(super) customer_id: String,
    /// Its id at the processor; absent until the processor has named it.
    pub(super) processor_id: Option<String>,
    /// The setup at the processor that it came from.
    pub(super) setup_intent_id: Option<String>,
    /// `card`, `us_bank_account` and so on.
    pub(super) kind: Option<String>,
    /// The brand of a card.
    pub(super) brand: Option<String>,
    /// The last digits of its number.
    pub(super) last4: Option<String>,
    /// The month in which it ends, from 1.
    pub(super) exp_month: Option<u32>,
    /// The year in which it ends.
    pub(super) exp_year: Option<u32>,
    /// Whether it can be paid with.
    pub(super) status: Status,
    /// The time of the newest event that changed the status.
    pub(super) as_of: Timestamp,
    /// The time of the newest event that described it.
    pub(super) described_at: Timestamp,
    /// When it was registered.
    #[column(fixed)]
    pub(super) created_at: Timestamp,
    /// When it was removed.
    pub(super) removed_at: Option<Timestamp>,
}

/// Whether a payment method can be paid with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, store::Words, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PaymentMethodStatus)]
pub enum Status {
    /// It can.
    Active,
    /// It was taken away here, and the processor is being told.
    Detaching,
    /// It was taken away.
    Removed,
}

/// Whether a workspace has a payment method that it can pay with.
///
/// # Errors
/// Any [`StoreError`].
pub fn has_active(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<bool, StoreError> {
    sql!("SELECT 1 FROM payment_method WHERE workspace_id = {workspace} AND status = 'active' LIMIT 1")
        .find(tx, |_| Ok(()))
        .map(|found| found.is_some())
}

/// A payment method that is being detached already, so that taking it away again needs no processor.
#[cfg(test)]
pub(crate) async fn store_example(app: &crate::testing::App, workspace: WorkspaceId) -> String {
    let insert = move |tx: &mut Tx<'_>| {
        let named = register::Named {
            processor_id: Some(format!("pm_{}", workspace.uuid().simple())),
            setup_intent_id: None,
            details: None,
        };
        let now = tx.now();
        let method = register::register(tx, workspace, "cus_1", &named, now)?.expect("it is named");
        sql!("UPDATE payment_method SET status = 'detaching' WHERE id = {method.id}").execute(tx)?;
        Ok::<_, StoreError>(method.id.to_string())
    };
    app.test.store.write("test", insert).await.expect("a payment method")
}
