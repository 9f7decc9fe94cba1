//! What was paid for pieces of work, for whoever has the work itself to compare with.

use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx, sql};

use super::ReservationState;

/// What was paid, or will be, for one piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Record)]
#[record(table = "ledger_reservation")]
pub struct Payment {
    /// The work.
    #[column(name = "subject_id")]
    pub subject: SubjectId,
    /// For whom it was done.
    #[column(name = "workspace_id")]
    pub workspace: WorkspaceId,
    /// Its price.
    #[column(name = "amount_micros")]
    pub amount: MicroUsd,
    /// Whether the price is set aside, paid or given back.
    pub state: ReservationState,
    /// Since when it is paid or given back.
    pub ended_at: Option<Timestamp>,
}

/// A page of what was paid for pieces of work, in the order of their ids, after one of them: for comparing with the
/// work itself in bounded memory.
///
/// # Errors
/// Any [`StoreError`].
pub fn list_payments(tx: &mut Tx<'_>, after: Option<SubjectId>, limit: u32) -> Result<Vec<Payment>, StoreError> {
    let after = after.map_or_else(String::new, |subject| subject.to_string());
    sql!("SELECT {Payment::*} FROM ledger_reservation WHERE subject_id > {after} ORDER BY subject_id LIMIT {limit}")
        .query(tx, Payment::from_row)
}
