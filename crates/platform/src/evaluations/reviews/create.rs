//! `POST /v1/platform/evaluations/{id}/review`: beyond the document, in which grades are final.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::door::Access;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::EvaluationId;
use serde_json::json;

use super::request::CreateReviewRequest;
use super::{once, request};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::row::EvaluationRow;
use crate::evaluations::{Evaluation, NOT_FOUND};

/// Gives an evaluation another grade: a person's. It is a new version, the newest version counts, and earlier ones are kept in
/// the evaluation's record. What failed may be graded so, too. It costs nothing; `evaluation.completed` is sent again.
///
/// Later answers to the same question, in the same workspace and with the same reference and rubric, are graded in the light
/// of it.
#[utoipa::path(
    post, path = "/v1/platform/evaluations/{id}/review", tag = "Evaluations", operation_id = "reviewEvaluation",
    request_body = CreateReviewRequest,
    responses(
        (status = 200, description = "The evaluation in its new version", body = Evaluation),
        (status = 409, description = "The evaluation has not ended, its learner was erased, it was reviewed a hundred times, or \
            the idempotency key was used for another request", body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::act(Access::Claim, &platform.door, credential.or_reviewer(), "evaluations.review", move |tx, caller| {
        let found = match id.parse::<EvaluationId>() {
            Ok(id) => EvaluationRow::find(tx, id)?.filter(|row| caller.sees(row.workspace)),
            Err(_) => None,
        };
        let reviewable = found.as_ref().filter(|row| row.asked.is_some());
        let (key, review) = Problem::both(repeatable.key(), request::read(&body, reviewable))?;
        let id = found.ok_or(NOT_FOUND)?.id;
        let claim = key.claim(caller.idempotency_scope(), || json!({ "id": id, "body": body.value().ok() }));
        let (row, is_replay) = once(tx, &parts, id, &review, claim.as_ref())?;
        let shown = parts.show(row);
        let shown = if is_replay { shown.into_replay() } else { shown };
        Ok(Answer { is_replay, ..Answer::ok(&shown) })
    })
    .await
}
