//! `DELETE /v1/platform/learners/{learnerId}`: everything that a workspace knows of a learner goes.
//!
//! The evaluations stay as what was paid for: their ids, types, prices and times. Question, answer, files, score and
//! feedback go, and so does the learner's id.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use http::StatusCode;
use kernel::id::{FileId, WorkspaceId};
use store::{StoreError, Tx};

use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::files::drop_all;
use crate::named::NamedInQuery;

/// Erases a learner: answers, files, grades, feedback and mastery. Repeated, or of a learner nobody knows, it changes
/// nothing and answers alike.
#[utoipa::path(
    delete, path = "/v1/platform/learners/{learnerId}", tag = "Learners", operation_id = "eraseLearner",
    security(("operatorSession" = []), ("platformKey" = [])),
    params(
        ("learnerId" = String, Path),
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 204, description = "Nothing is left"))
)]
pub async fn erase(
    State(platform): State<Platform>,
    credential: Credential,
    Params(learner_id): Params<String>,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    let forgotten = callers::write(&platform.door, credential, "learners.erase", move |tx, caller| {
        let workspace = caller.workspace(tx, named.optional()?)?;
        Ok((workspace, forget(tx, workspace, &learner_id)?))
    });
    let (workspace, files) = forgotten.await?;
    drop_all(&platform.files, workspace, files).await;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}

/// What is being graded meanwhile ends without a grade and without a charge; see `evaluations::work`. The files whose
/// bytes are to go.
fn forget(tx: &mut Tx<'_>, workspace: WorkspaceId, learner_id: &str) -> Result<Vec<FileId>, StoreError> {
    let now = tx.now();
    let files = tx.query(
        "SELECT f.id FROM evaluation_file f JOIN evaluation e ON e.id = f.evaluation_id
         WHERE e.workspace_id = $1 AND e.learner_id = $2",
        &[&workspace, &learner_id],
        |row| row.get::<FileId>(0),
    )?;
    for file in &files {
        tx.execute_later("DELETE FROM evaluation_file WHERE id = $1", &[file])?;
    }
    tx.execute("DELETE FROM mastery WHERE workspace_id = $1 AND learner_id = $2", &[&workspace, &learner_id])?;
    tx.execute(
        "UPDATE evaluation SET learner_id = NULL, request = 'null', score = NULL, confidence = NULL, feedback = NULL,
            idempotency_key = NULL, files = 0, erased_at = $3
         WHERE workspace_id = $1 AND learner_id = $2",
        &[&workspace, &learner_id, &now],
    )?;
    Ok(files)
}
