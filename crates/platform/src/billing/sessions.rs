//! Visits to the processor's page: a person sets a payment method up there, or buys credits.
//!
//! The row of a visit is written before the processor is asked, so that a payment finds what was bought whatever became of the
//! answer. [`create`] makes visits; [`super::events`] ends them.

pub mod create;

use std::time::Duration;

use edge::body::{Check, Plain, one_of};
use kernel::id::{BillingSessionId, TopUpId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record, StoreError, Tx, sql};

/// A row of `billing_session`.
#[derive(Clone, Debug, Record)]
#[record(table = "billing_session")]
pub(super) struct BillingSession {
    /// Its id here; the processor knows it as `client_reference_id`.
    #[column(key)]
    pub(super) id: BillingSessionId,
    /// For whom it is.
    #[column(fixed)]
    pub(super) workspace_id: WorkspaceId,
    /// What it is for.
    #[column(fixed)]
    pub(super) mode: Mode,
    /// What is bought; nothing to set a payment method up.
    #[column(name = "amount_micros", fixed)]
    pub(super) amount: MicroUsd,
    /// How far it is.
    pub(super) state: State,
    /// The processor's customer.
    pub(super) customer_id: Option<String>,
    /// Its id at the processor.
    pub(super) processor_id: Option<String>,
    /// The page.
    pub(super) url: Option<String>,
    /// When the page ends.
    pub(super) expires_at: Option<Timestamp>,
    /// The credits that were added.
    pub(super) top_up_id: Option<TopUpId>,
    /// When it was made.
    #[column(fixed)]
    pub(super) created_at: Timestamp,
    /// When it was completed, or failed.
    pub(super) ended_at: Option<Timestamp>,
}

/// What a visit is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, store::Words, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = BillingSessionMode)]
pub enum Mode {
    /// A payment method is set up.
    #[default]
    Setup,
    /// Credits are bought.
    Payment,
}

impl Plain for Mode {
    fn check() -> impl Check<Value = Self> {
        one_of(Self::WORDS).shown_as::<Self>()
    }
}

/// How far a visit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, store::Words)]
pub(super) enum State {
    /// The page was made, or is about to be.
    Open,
    /// The person is done and the money is still on its way.
    Pending,
    /// The method is set up, or the credits are added.
    Completed,
    /// The money did not come, or the page ended before anybody was done there.
    Failed,
}

/// How long a visit is kept. Events about it come within days; the ledger keeps what was bought.
const KEPT: Duration = Duration::from_secs(90 * 24 * 3600);
/// Forgotten at once, so that nobody waits for it.
const FORGOTTEN_AT_ONCE: u32 = 1000;

/// Forgets old visits, except those whose money is still on its way; whether there may be others.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn forget_old(tx: &mut Tx<'_>) -> Result<bool, StoreError> {
    let before = tx.now().minus(KEPT);
    let forgotten = sql!(
        "DELETE FROM billing_session WHERE id IN (
            SELECT id FROM billing_session WHERE created_at < {before} AND state <> 'pending' LIMIT {FORGOTTEN_AT_ONCE})"
    )
    .execute(tx)?;
    Ok(forgotten >= u64::from(FORGOTTEN_AT_ONCE))
}

/// The visit that an event is about, by its id here or at the processor.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn find(
    tx: &mut Tx<'_>,
    id: Option<BillingSessionId>,
    processor_id: &str,
) -> Result<Option<BillingSession>, StoreError> {
    let by_id = match id {
        Some(id) => sql!("SELECT {BillingSession::*} FROM billing_session WHERE id = {id}")
            .find(tx, BillingSession::from_row)?,
        None => None,
    };
    match by_id {
        // A page that the processor made for another visit is not this one's.
        Some(found) => {
            Ok(Some(found).filter(|found| found.processor_id.as_deref().is_none_or(|id| id == processor_id)))
        }
        None => sql!("SELECT {BillingSession::*} FROM billing_session WHERE processor_id = {processor_id}")
            .find(tx, BillingSession::from_row),
    }
}
