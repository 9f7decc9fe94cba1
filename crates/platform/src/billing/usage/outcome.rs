//! What became of attempts, noted under their leases.

use std::time::Duration;

use store::{StoreError, Tx, sql};

use super::claim::ClaimedReport;
use crate::billing::caller::backoff;
use crate::billing::processor::ProcessorError;

/// An attempt that has ended.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) claimed: ClaimedReport,
    pub(super) result: Result<(), ProcessorError>,
}

impl Outcome {
    /// The wait before the next attempt.
    fn wait(&self) -> Duration {
        let asked = self.result.as_ref().err().and_then(ProcessorError::retry_after);
        backoff(self.claimed.report.attempts.saturating_add(1)).max(asked.unwrap_or_default())
    }
}

/// Notes outcomes. One whose lease was taken over has no effect.
///
/// # Errors
/// Any [`StoreError`]; then the leases lapse, and the processor is asked once more.
pub(super) fn record(tx: &mut Tx<'_>, outcomes: &[Outcome]) -> Result<(), StoreError> {
    outcomes.iter().try_for_each(|outcome| match &outcome.result {
        Ok(()) => note_sent(tx, outcome),
        Err(error) => note_failed(tx, outcome, error),
    })
}

fn note_sent(tx: &mut Tx<'_>, outcome: &Outcome) -> Result<(), StoreError> {
    let (ClaimedReport { report, token, .. }, now) = (&outcome.claimed, tx.now());
    sql!(
        "UPDATE usage_report SET state = 'sent', sent_at = {now}, attempts = attempts + 1, lease_token = NULL,
            first_unanswered_at = NULL, last_error = NULL
         WHERE id = {report.id} AND lease_token = {token} AND state = 'due'"
    )
    .execute_later(tx)
}

fn note_failed(tx: &mut Tx<'_>, outcome: &Outcome, error: &ProcessorError) -> Result<(), StoreError> {
    let (ClaimedReport { report, token, at, .. }, again) = (&outcome.claimed, tx.now().plus(outcome.wait()));
    let why = error.to_string();
    let is_known_absent = !error.may_have_acted();
    // What was refused may go to another customer, who has taken the place of this one; under a new key, as processors keep
    // refusals under the old one. Where an earlier call may have been heard, the key stays: it is what keeps the work from being
    // billed twice.
    let is_refused = is_known_absent && !error.is_transient();
    sql!(
        "UPDATE usage_report SET attempts = attempts + 1, next_attempt_at = {again}, lease_token = NULL, last_error = {why},
            refusals = refusals
                + CASE WHEN CAST({is_refused} AS BIGINT) = 1 AND first_unanswered_at = {*at} THEN 1 ELSE 0 END,
            first_unanswered_at = CASE WHEN CAST({is_known_absent} AS BIGINT) = 1 AND first_unanswered_at = {*at} THEN NULL
                ELSE first_unanswered_at END,
            target_kind = CASE WHEN CAST({is_refused} AS BIGINT) = 1 AND first_unanswered_at = {*at} THEN NULL ELSE target_kind END,
            target_id = CASE WHEN CAST({is_refused} AS BIGINT) = 1 AND first_unanswered_at = {*at} THEN NULL ELSE target_id END
         WHERE id = {report.id} AND lease_token = {token} AND state = 'due'"
    )
    .execute_later(tx)
}
