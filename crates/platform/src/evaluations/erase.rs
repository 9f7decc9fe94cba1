//! Erases what a learner's evaluations hold. The evaluations stay as what was paid for; [`crate::learners::erase`] says
//! what becomes of the rest.

use kernel::id::{FileId, WorkspaceId};
use store::{Statement, StoreError, Tx, sql};

use super::index;
use crate::lti::sync;
use crate::payments;

/// Empties a learner's evaluations: their ids, and the files whose bytes are to go.
///
/// The rows of the evaluations come first: a grade or a review at the same moment then comes before all of this, or after it
/// and finds nothing that it could add to.
pub(crate) fn erase(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    learner_id: &str,
) -> Result<(Vec<String>, Vec<FileId>), StoreError> {
    let now = tx.now();
    index::erase(tx, workspace, learner_id)?;
    let evaluations = tx.query(
        "UPDATE evaluation SET learner_id = NULL, request = 'null', request_hash = '', score = NULL, confidence = NULL,
            feedback = NULL, idempotency_key = NULL, files = 0, graded_by = NULL, reviewer = NULL, reviewed_at = NULL,
            record = NULL, question_id = NULL, erased_at = $3
         WHERE workspace_id = $1 AND learner_id = $2 RETURNING id",
        &[&workspace, &learner_id, &now],
        |row| row.get::<String>(0),
    )?;
    let files = tx.query_each(
        &evaluations,
        |id| sql!("DELETE FROM evaluation_file WHERE evaluation_id = {*id} RETURNING id"),
        |row| row.get(0),
    )?;
    for emptied in [
        "DELETE FROM evaluation_grade WHERE evaluation_id = $1 RETURNING evaluation_id",
        "DELETE FROM reviewed_answer WHERE evaluation_id = $1 RETURNING evaluation_id",
    ] {
        tx.query_each(&evaluations, |id| Statement { sql: emptied, parameters: [id] }, |_| Ok(()))?;
    }
    sync::erase(tx, &evaluations)?;
    payments::end::erase(tx, &evaluations)?;
    Ok((evaluations, files))
}
