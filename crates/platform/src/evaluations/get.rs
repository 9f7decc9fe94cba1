//! `GET /v1/platform/evaluations/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::EvaluationId;

use super::row::EvaluationRow;
use super::{Evaluation, NOT_FOUND, Status};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::sync::LtiSync;
use crate::payments::row::PaymentReceipt;

/// One evaluation. Clients poll it until `isTerminal`, waiting `pollAfterMs` in between.
#[utoipa::path(
    get, path = "/v1/platform/evaluations/{id}", tag = "Evaluations", operation_id = "getEvaluation",
    responses((status = 200, description = "The evaluation", body = Evaluation))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::read(&platform.door, credential.or_reviewer(), "evaluations.get", move |tx, caller| {
        let id: EvaluationId = id.parse().map_err(|_| NOT_FOUND)?;
        let row = EvaluationRow::find(tx, id)?.filter(|row| caller.sees(row.workspace)).ok_or(NOT_FOUND)?;
        let sync = LtiSync::of(tx, &row)?;
        let receipt = match row.status {
            Status::Completed => PaymentReceipt::find(tx, row.id)?,
            _ => None,
        };
        let answer = Answer::ok(&parts.show(row).with_sync(sync));
        Ok(match receipt {
            Some(receipt) => receipt.put_on(answer),
            None => answer,
        })
    })
    .await
}
