//! Erases what a learner handed in. The evaluations of open answers stay as what was paid for; [`crate::learners::erase`] says what
//! becomes of them.

use kernel::id::{RegistrationId, WorkspaceId};
use store::{StoreError, Tx, sql};

use crate::lti::{sessions, sync};

/// Deletes a learner's submissions, scores and launches: what the scores were of.
pub(crate) fn erase(tx: &mut Tx<'_>, workspace: WorkspaceId, learner_id: &str) -> Result<Vec<String>, StoreError> {
    let mut erased =
        sql!("DELETE FROM submission WHERE workspace_id = {workspace} AND learner_id = {learner_id} RETURNING id")
            .query(tx, |row| row.get::<String>(0))?;
    sync::erase(tx, &erased)?;
    // A learner of launches is named REGISTRATION:USER.
    if let Some((registration, user)) = learner_id.split_once(':')
        && let Ok(registration) = registration.parse::<RegistrationId>()
    {
        sessions::erase(tx, workspace, registration, user)?;
        erased.extend(sync::erase_user(tx, workspace, registration, user)?);
    }
    Ok(erased)
}
