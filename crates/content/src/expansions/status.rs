//! `GET /v1/content/integrations/expansions/{jobId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};

use super::view::ExpansionJob;
use super::{UNKNOWN_JOB, expansion_param, rows};
use crate::{ContentKey, organization_of};

/// How a job and its outputs stand.
#[utoipa::path(
    get, path = "/v1/content/integrations/expansions/{jobId}", tag = "Expansions",
    operation_id = "getExpansion", security(("contentKey" = [])),
    params(("jobId" = String, Path)),
    responses(
        (status = 200, body = ExpansionJob),
        (status = 401, description = "The key is invalid or missing", body = ContentErrorBody),
        (status = 404, description = "There is no such job", body = ContentErrorBody),
        (status = 429, description = "The key's rate limit is exceeded", body = ContentErrorBody),
    )
)]
pub async fn status(State(door): State<Door>, key: ContentKey, Params(job): Params<String>) -> Result<Answer, Problem> {
    door.read_by_key(key, "expansions.status", move |tx, caller| {
        let id = expansion_param(&job)?;
        let expansion = rows::find(tx, organization_of(caller)?, id)?.ok_or(UNKNOWN_JOB)?;
        Ok(Answer::ok(&ExpansionJob::of(&expansion)))
    })
    .await
}
