//! The order of the scores of one learner and link, which share a cell of the platform's gradebook.
//!
//! Each score gets a time that is later than the times of all scores of the cell before it. Platforms order scores by these
//! times. Some platforms do not, so [`super::claim`] sends the scores of a cell one at a time.

use std::time::Duration;

use kernel::id::{RegistrationId, SubjectId};
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx, sql};

use super::SyncRow;

/// The least time between two scores of a cell. Some platforms count whole seconds.
const STEP: Duration = Duration::from_secs(1);
/// The end of a score that is not sent any more.
const SUPERSEDED: &str = "a newer score of the learner took the place of this one";

/// [`STEP`] in the unit of the database.
fn step() -> i64 {
    i64::try_from(STEP.as_millis()).unwrap_or(i64::MAX)
}

/// The next time of the score's cell. Of two transactions that ask at once, the store runs the later one again.
pub(super) fn next_time(tx: &mut Tx<'_>, sync: &SyncRow) -> Result<Timestamp, StoreError> {
    let now = tx.now();
    let (Some(registration), Some(link), Some(user)) = (sync.registration_id, &sync.resource_link_id, &sync.user_id)
    else {
        return Ok(now);
    };
    let step = step();
    let time = sql!(
        "INSERT INTO lti_gradebook_cell (registration_id, resource_link_id, user_id, scored_at)
         VALUES ({registration}, {link}, {user}, {now})
         ON CONFLICT (registration_id, resource_link_id, user_id) DO UPDATE SET scored_at =
            CASE WHEN lti_gradebook_cell.scored_at + {step} > excluded.scored_at
                 THEN lti_gradebook_cell.scored_at + {step} ELSE excluded.scored_at END
         RETURNING scored_at"
    )
    .find(tx, |row| row.get(0))?;
    Ok(time.unwrap_or(now))
}

/// Moves the times of all cells of a link on, for scores that are sent once more.
pub(super) fn move_on(tx: &mut Tx<'_>, registration: RegistrationId, link: &str) -> Result<(), StoreError> {
    let (now, step) = (tx.now(), step());
    sql!(
        "UPDATE lti_gradebook_cell SET scored_at = CASE WHEN scored_at + {step} > {now} THEN scored_at + {step} ELSE {now} END
         WHERE registration_id = {registration} AND resource_link_id = {link}"
    )
    .execute_later(tx)
}

/// Ends the older scores of a cell that wait for another attempt: the gradebook has a newer one.
pub(super) fn supersede_older(tx: &mut Tx<'_>, synced: &SyncRow) -> Result<(), StoreError> {
    let SyncRow { registration_id, resource_link_id, user_id, scored_at, .. } = synced;
    sql!(
        "UPDATE lti_sync SET status = 'superseded', lease_token = NULL, error = {SUPERSEDED}
         WHERE registration_id = {registration_id} AND resource_link_id = {resource_link_id} AND user_id = {user_id}
            AND status = 'pending' AND scored_at < {scored_at}"
    )
    .execute_later(tx)
}

/// Ends scores that a newer one replaces before it is sent. A score that is being sent goes on: the newer one follows it.
pub(crate) fn supersede(tx: &mut Tx<'_>, subjects: &[SubjectId]) -> Result<(), StoreError> {
    let now = tx.now();
    subjects.iter().try_for_each(|subject| {
        sql!(
            "UPDATE lti_sync SET status = 'superseded', lease_token = NULL, error = {SUPERSEDED}
             WHERE subject_id = {*subject} AND status IN ('waiting', 'pending')
                AND (lease_token IS NULL OR next_attempt_at <= {now})"
        )
        .execute_later(tx)
    })
}

/// The cell of a score; a score of an unknown or anonymous launch has none.
#[derive(Clone, Debug, Record)]
pub(super) struct SyncCell {
    registration_id: Option<RegistrationId>,
    resource_link_id: Option<String>,
    user_id: Option<String>,
}

impl SyncCell {
    /// Deletes the cell where no score of it is left: it names the learner.
    pub(super) fn forget(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let Self { registration_id, resource_link_id, user_id } = self;
        sql!(
            "DELETE FROM lti_gradebook_cell
             WHERE registration_id = {registration_id} AND resource_link_id = {resource_link_id} AND user_id = {user_id}
                AND NOT EXISTS (
                    SELECT 1 FROM lti_sync s
                    WHERE s.registration_id = {registration_id} AND s.resource_link_id = {resource_link_id}
                        AND s.user_id = {user_id})"
        )
        .execute_later(tx)
    }
}
