//! `GET /v1/platform/admin/queues`: how the work in the background stands.

use axum::extract::State;
use edge::answer::Answer;
use edge::problem::Problem;
use edge::query::Query;
use events::deliveries;
use kernel::id::JobId;
use kernel::time::Timestamp;
use serde::Serialize;
use store::jobs::{self, JobFailure, KindHealth};

use crate::Platform;
use crate::callers::{self, Credential};

/// Rows of each sort that are counted. More than that is a backlog, however many they are.
const MOST_COUNTED: u32 = 5_000;

/// How the work in the background stands.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Queues {
    /// When the figures were taken.
    #[schema(value_type = String, format = DateTime)]
    as_of: Timestamp,
    /// Whether the process that answers also works on jobs and deliveries. Others may do so where it does not.
    works_here: bool,
    /// Whether everything was counted: at most 5,000 jobs are in each of the four ways, and at most 5,000 deliveries.
    is_complete: bool,
    /// Jobs, by kind.
    jobs: Vec<JobQueue>,
    /// Requests to webhooks.
    deliveries: DeliveryQueue,
}

/// The jobs of one kind.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobQueue {
    /// What they do.
    #[schema(example = "GradeAnswer")]
    kind: String,
    /// Due, and no worker has them yet.
    #[schema(minimum = 0)]
    due: u32,
    /// Since when the oldest of these is due.
    #[schema(value_type = Option<String>, required, format = DateTime)]
    oldest_due_at: Option<Timestamp>,
    /// Due later.
    #[schema(minimum = 0)]
    later: u32,
    /// A worker has them.
    #[schema(minimum = 0)]
    running: u32,
    /// They won't run again by themselves.
    #[schema(minimum = 0)]
    failed: u32,
    /// The one that failed last, of those that are still there.
    #[schema(required)]
    last_failure: Option<LastFailure>,
}

/// A failed job.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastFailure {
    /// The job.
    job_id: JobId,
    /// When it failed.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Why.
    #[schema(required)]
    error: Option<String>,
}

/// Requests to webhooks.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryQueue {
    /// Due, waiting for their next attempt, or being sent.
    #[schema(minimum = 0)]
    pending: u32,
    /// Since when the oldest of these is due, if one is.
    #[schema(value_type = Option<String>, required, format = DateTime)]
    oldest_due_at: Option<Timestamp>,
    /// Given up in the last 24 hours.
    #[schema(minimum = 0)]
    failed_today: u32,
    /// When the last one was given up.
    #[schema(value_type = Option<String>, required, format = DateTime)]
    last_failed_at: Option<Timestamp>,
}

impl From<KindHealth> for JobQueue {
    fn from(health: KindHealth) -> Self {
        let failure = |JobFailure { id, at, error }| LastFailure { job_id: id, at, error };
        Self {
            kind: health.kind,
            due: health.due,
            oldest_due_at: health.oldest_due,
            later: health.later,
            running: health.running,
            failed: health.failed,
            last_failure: health.last_failure.map(failure),
        }
    }
}

/// Tells how the work in the background stands: jobs by kind, and requests to webhooks.
#[utoipa::path(
    get, path = "/v1/platform/admin/queues", tag = "Operations", operation_id = "getQueues",
    responses((status = 200, description = "The queues", body = Queues))
)]
pub async fn get(State(platform): State<Platform>, credential: Credential, query: Query) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::read(&platform.door, credential, "queues.get", move |tx, caller| {
        caller.manages_the_service()?;
        query.read_none()?;
        let kinds: Vec<_> = parts.job_types.iter().map(jobs::JobType::kind).collect();
        let health = jobs::health(tx, &kinds, MOST_COUNTED)?;
        let backlog = deliveries::backlog(tx, MOST_COUNTED)?;
        let failures = deliveries::recent_failures(tx, MOST_COUNTED)?;
        let is_complete = health.is_complete && backlog.pending < MOST_COUNTED && failures.count < MOST_COUNTED;
        Ok(Answer::ok(&Queues {
            as_of: tx.now(),
            works_here: parts.works_here(),
            is_complete,
            jobs: health.kinds.into_iter().map(JobQueue::from).collect(),
            deliveries: DeliveryQueue {
                pending: backlog.pending,
                oldest_due_at: backlog.oldest_due,
                failed_today: failures.count,
                last_failed_at: failures.last,
            },
        }))
    })
    .await
}
