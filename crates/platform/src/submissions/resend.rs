//! `POST /v1/platform/submissions/{id}/lti-sync`: beyond the document, a score is sent again.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;

use super::follow::is_superseded;
use super::get::load;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::sync::{self, LtiSync};

const NO_SCORE: Problem = Problem::Conflict("The submission has no score yet, or its test gives no points.");
const SUPERSEDED: Problem = Problem::Conflict("A later attempt of the learner counts.");

/// Sends the score of a submission to the gradebook once more, with all its attempts. A score that waits for a reviewer is sent at
/// once.
#[utoipa::path(
    post, path = "/v1/platform/submissions/{id}/lti-sync", tag = "LTI", operation_id = "resendSubmissionScore",
    responses(
        (status = 200, description = "How far the score is", body = LtiSync),
        (status = 409, description = "The submission has no score yet, or a later attempt counts", body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn resend(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "submissions.resend", move |tx, caller| {
        let submission = load(tx, caller, &id)?;
        if is_superseded(tx, &submission)? {
            return Err(SUPERSEDED);
        }
        let session = submission.session_id.to_string();
        let score = submission.graded_score(tx, &session)?.ok_or(NO_SCORE)?;
        Ok(Answer::ok(&sync::resend_submission(tx, &score)?))
    })
    .await
}
