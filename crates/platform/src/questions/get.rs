//! `GET /v1/platform/questions/{id}`: beyond the document, in which questions are but texts of evaluations.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;

use super::view::ShownQuestion;
use super::{load, statistics};
use crate::Platform;
use crate::callers::{self, Credential};

/// A question with its texts, and what its answers and grades come to: how many were graded, reviewed and still need a review, what
/// graders and people gave, and how far the two agree.
#[utoipa::path(
    get, path = "/v1/platform/questions/{id}", tag = "Questions", operation_id = "getQuestion",
    responses((status = 200, description = "The question", body = ShownQuestion))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential.or_reviewer(), "questions.get", move |tx, caller| {
        let question = load(tx, caller, &id)?;
        let statistics = statistics::load(tx, question.id)?;
        Ok(Answer::ok(&ShownQuestion::from(question).with_statistics(statistics)))
    })
    .await
}
