//! What was paid for pieces of work, for whoever has the work itself to compare with.

use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{StoreError, Tx};

use crate::ledger::ReservationState;

/// What was paid, or will be, for one piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The work.
    pub subject: SubjectId,
    /// For whom it was done.
    pub workspace: WorkspaceId,
    /// Its price.
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
    tx.query(
        "SELECT subject_id, workspace_id, amount_micros, state, ended_at FROM ledger_reservation
         WHERE subject_id > $1 ORDER BY subject_id LIMIT $2",
        &[&after, &limit],
        |row| {
            Ok(Payment {
                subject: row.get(0)?,
                workspace: row.get(1)?,
                amount: row.get(2)?,
                state: row.get(3)?,
                ended_at: row.get(4)?,
            })
        },
    )
}
