//! `POST /v1/platform/evaluations/{id}/lti-sync`: beyond the document, in which nobody can ask for a score to be sent again.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::EvaluationId;

use super::LtiSync;
use super::follow::{Cause, GradedScore, plan};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::{self, EvaluationRow};

const NO_SCORE: Problem = Problem::Conflict("The evaluation is not COMPLETED, or it names no LTI launch session.");

/// Sends the score of an evaluation to the gradebook once more, with all its attempts. A score that waits for a reviewer is sent
/// at once.
#[utoipa::path(
    post, path = "/v1/platform/evaluations/{id}/lti-sync", tag = "LTI", operation_id = "resendEvaluationScore",
    responses(
        (status = 200, description = "How far the score is", body = LtiSync),
        (status = 409, description = "The evaluation is not `COMPLETED`, or it names no launch session",
            body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn resend(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "lti_syncs.resend", move |tx, caller| {
        let id: EvaluationId = id.parse().map_err(|_| evaluations::NOT_FOUND)?;
        let row = EvaluationRow::find(tx, id)?.filter(|row| caller.sees(row.workspace));
        let row = row.ok_or(evaluations::NOT_FOUND)?;
        let score = GradedScore::of(&row).ok_or(NO_SCORE)?;
        Ok(Answer::ok(&LtiSync::from(plan(tx, &score, Cause::Person)?)))
    })
    .await
}
