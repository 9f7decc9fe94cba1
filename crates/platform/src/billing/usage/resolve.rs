//! An operator decides on usage of which nobody knows whether the processor has it.

use kernel::id::UsageReportId;
use store::{StoreError, Tx, sql};

/// What the operator has found out at the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The processor has the usage.
    Sent,
    /// The processor does not have it: it is sent again.
    Unsent,
}

/// Settles an uncertain report; whether there is one of this id.
///
/// # Errors
/// Any [`StoreError`].
pub fn resolve(tx: &mut Tx<'_>, id: UsageReportId, finding: Finding) -> Result<bool, StoreError> {
    let now = tx.now();
    let resolved = match finding {
        Finding::Sent => sql!(
            "UPDATE usage_report SET state = 'sent', sent_at = {now}, first_unanswered_at = NULL, last_error = NULL
             WHERE id = {id} AND state = 'uncertain'"
        )
        .execute(tx)?,
        Finding::Unsent => sql!(
            "UPDATE usage_report SET state = 'due', next_attempt_at = {now}, first_unanswered_at = NULL,
                target_kind = NULL, target_id = NULL
             WHERE id = {id} AND state = 'uncertain'"
        )
        .execute(tx)?,
    };
    Ok(resolved > 0)
}
