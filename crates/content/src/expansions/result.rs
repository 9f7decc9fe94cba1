//! `GET /v1/content/integrations/expansions/{jobId}/result` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};

use super::view::ExpansionResult;
use super::{UNKNOWN_JOB, expansion_param, rows};
use crate::{ContentKey, organization_of};

/// The outcome of an ended job: its outputs and the combined manifest of those that were completed.
#[utoipa::path(
    get, path = "/v1/content/integrations/expansions/{jobId}/result", tag = "Expansions",
    operation_id = "getExpansionResult", security(("contentKey" = [])),
    params(("jobId" = String, Path)),
    responses(
        (status = 200, body = ExpansionResult),
        (status = 401, description = "The key is invalid or missing", body = ContentErrorBody),
        (status = 404, description = "There is no such job", body = ContentErrorBody),
        (status = 409, description = "The job has not ended", body = ContentErrorBody),
        (status = 429, description = "The key's rate limit is exceeded", body = ContentErrorBody),
    )
)]
pub async fn result(State(door): State<Door>, key: ContentKey, Params(job): Params<String>) -> Result<Answer, Problem> {
    door.read_by_key(key, "expansions.result", move |tx, caller| {
        let id = expansion_param(&job)?;
        let expansion = rows::find(tx, organization_of(caller)?, id)?.ok_or(UNKNOWN_JOB)?;
        if !expansion.progress.has_ended() {
            return Err(Problem::Conflict("The expansion job has not ended yet."));
        }
        Ok(Answer::ok(&ExpansionResult::of(&expansion)))
    })
    .await
}
