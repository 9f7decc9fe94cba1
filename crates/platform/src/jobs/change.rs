//! `POST /v1/platform/admin/jobs/{id}/retry` and `DELETE /v1/platform/admin/jobs/{id}`: what `lectern jobs` does too.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use http::StatusCode;
use kernel::id::JobId;
use serde::Serialize;
use store::jobs;

use super::list::JobStateName;
use crate::Platform;
use crate::callers::{self, Credential};

/// A running job is its worker's until it ends.
const NOT_FOUND: Problem = Problem::NotFound("Job that waits or has failed");

/// A job that is due now.
#[derive(Serialize, utoipa::ToSchema)]
pub struct RetriedJob {
    /// Its id.
    id: JobId,
    /// Where it stands.
    #[schema(value_type = JobStateName)]
    state: &'static str,
}

/// Makes a job that failed or waits due now. A running one is 404: it is its worker's until it ends.
#[utoipa::path(
    post, path = "/v1/platform/admin/jobs/{id}/retry", tag = "Operations", operation_id = "retryJob",
    responses((status = 200, description = "The job is due", body = RetriedJob))
)]
pub async fn retry(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "jobs.retry", move |tx, caller| {
        caller.manages_the_service()?;
        let id: JobId = id.parse().map_err(|_| NOT_FOUND)?;
        if !jobs::requeue(tx, id)? {
            return Err(NOT_FOUND);
        }
        Ok(Answer::ok(&RetriedJob { id, state: jobs::JobState::Queued.as_str() }))
    })
    .await
}

/// Drops a job that failed or waits. What it was to do is recorded as failed, such as its evaluation, whose price is given
/// back. A running one is 404.
#[utoipa::path(
    delete, path = "/v1/platform/admin/jobs/{id}", tag = "Operations", operation_id = "cancelJob",
    responses((status = 204, description = "The job is gone"))
)]
pub async fn cancel(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    let types = platform.job_types.clone();
    callers::write(&platform.door, credential, "jobs.cancel", move |tx, caller| {
        caller.manages_the_service()?;
        let id: JobId = id.parse().map_err(|_| NOT_FOUND)?;
        if jobs::cancel(tx, id, &types)? { Ok(Answer::empty(StatusCode::NO_CONTENT)) } else { Err(NOT_FOUND) }
    })
    .await
}
