//! `GET /v1/platform/submissions/{id}`: beyond the document, a test that a learner handed in.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::SubmissionId;
use store::Tx;

use super::row::Submission;
use super::{GradedSubmission, NOT_FOUND, SubmissionSummary};
use crate::Platform;
use crate::callers::{self, Caller, Credential};

/// One submission with its answers, item by item. Open answers name their evaluations, which tell more.
#[utoipa::path(
    get, path = "/v1/platform/submissions/{id}", tag = "Submissions", operation_id = "getSubmission",
    responses((status = 200, description = "The submission", body = SubmissionSummary))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "submissions.get", move |tx, caller| {
        let submission = load(tx, caller, &id)?;
        Ok(Answer::ok(&SubmissionSummary::from(GradedSubmission::of(tx, submission)?)))
    })
    .await
}

/// The submission that a path names, where the caller may see it.
pub(super) fn load(tx: &mut Tx<'_>, caller: &Caller, id: &str) -> Result<Submission, Problem> {
    let id: SubmissionId = id.parse().map_err(|_| NOT_FOUND)?;
    Submission::find(tx, id)?.filter(|submission| caller.sees(submission.workspace_id)).ok_or(NOT_FOUND)
}
