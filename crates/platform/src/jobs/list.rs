//! `GET /v1/platform/admin/jobs`: the background jobs, for operators.

use axum::extract::State;
use edge::answer::Answer;
use edge::cursor::{LONGEST_CURSOR, Position};
use edge::paging;
use edge::problem::Problem;
use edge::query::{Parameters, Query, id, one_of, text};
use kernel::id::{JobId, SubjectId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::jobs::{self, JobFilter, JobPlace, JobState, JobSummary};

use crate::Platform;
use crate::callers::{self, Credential};

/// No kind has a longer name; a longer text finds nothing.
const LONGEST_KIND: usize = 100;

edge::documented_words! {
    /// Where a job stands: it waits for its time or a worker, runs, or failed and won't run again by itself. A finished job is
    /// gone.
    pub JobStateName = JobState::WORDS
}

/// A background job. What customers wrote is not shown, only the ids of what it is about.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackgroundJob {
    /// Its id.
    id: JobId,
    /// What it does.
    #[schema(example = "GradeAnswer")]
    kind: String,
    /// Whose turn it takes: mostly an organization or a workspace.
    tenant: String,
    /// The ids of what it is about, by name.
    #[schema(value_type = std::collections::HashMap<String, String>, example = json!({ "evaluationId": "018f4a3c-7b1d-7c3e-9a52-3f1d2b4c5d6e" }))]
    about: serde_json::Map<String, serde_json::Value>,
    /// Where it stands.
    #[schema(value_type = JobStateName)]
    state: String,
    /// When it is or was due.
    #[schema(value_type = String, format = DateTime)]
    run_at: Timestamp,
    /// How often a worker took it.
    #[schema(minimum = 0)]
    attempt: u32,
    /// Why it was retried or failed last.
    #[schema(required)]
    last_error: Option<String>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it last changed: of a failed one, when it failed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl From<JobSummary> for BackgroundJob {
    fn from(job: JobSummary) -> Self {
        Self {
            about: job.about(),
            id: job.id,
            kind: job.kind,
            tenant: job.tenant,
            state: job.state,
            run_at: job.run_at,
            attempt: job.attempt,
            last_error: job.last_error,
            created_at: job.created_at,
            updated_at: job.updated_at,
        }
    }
}

/// A part of the background jobs.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackgroundJobPage {
    /// The jobs, those due first in front.
    items: Vec<BackgroundJob>,
    /// The `cursor` of the next page; null at the end of the list.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists the background jobs in a state, those due first in front.
///
/// A page may have fewer jobs than `limit`, or none, and a next one: a request looks at 2,000 jobs at most.
#[utoipa::path(
    get, path = "/v1/platform/admin/jobs", tag = "Operations", operation_id = "listJobs",
    params(
        ("limit" = Option<u32>, Query, description = "Jobs on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "Where to go on: the `nextCursor` of the last page", min_length = 1, max_length = 200),
        ("state" = Option<JobStateName>, Query, description = "Jobs in this state; `queued` when it is absent"),
        ("kind" = Option<String>, Query, description = "Only jobs of this kind, such as `GradeAnswer`", min_length = 1, max_length = 100),
        ("about" = Option<String>, Query, description = "Only jobs of this tenant, or about the thing of this id", format = Uuid),
    ),
    responses((status = 200, description = "A page of the list", body = BackgroundJobPage))
)]
pub async fn list(State(platform): State<Platform>, credential: Credential, query: Query) -> Result<Answer, Problem> {
    let cursors = platform.cursors.clone();
    callers::read(&platform.door, credential, "jobs.list", move |tx, caller| {
        caller.manages_the_service()?;
        let request = query.read(Request::read)?;
        let list = format!("jobs {}", request.filter.state.as_str());
        let from = request.cursor.map(|cursor| cursors.position(&list, &cursor)).transpose()?;
        let from = from.map(|position| JobPlace { run_at: position.created_at, id: position.id });
        let page = jobs::page(tx, &request.filter, from.as_ref(), request.limit)?;
        let next = page.next.map(|place| Position { created_at: place.run_at, id: place.id });
        let next_cursor = next.map(|position| cursors.write(&list, &position));
        let items = page.jobs.into_iter().map(BackgroundJob::from).collect();
        Ok(Answer::ok(&BackgroundJobPage { items, next_cursor }))
    })
    .await
}

struct Request {
    limit: u32,
    cursor: Option<String>,
    filter: JobFilter,
}

impl Request {
    fn read(parameters: &mut Parameters<'_>) -> Option<Self> {
        let limit = paging::limit(parameters);
        let cursor = parameters.optional("cursor", text(1..=LONGEST_CURSOR));
        let state = parameters.optional("state", one_of(JobState::WORDS));
        let kind = parameters.optional("kind", text(1..=LONGEST_KIND));
        let about = parameters.optional("about", id::<SubjectId>);
        let filter = JobFilter {
            state: state?.unwrap_or(JobState::Queued),
            kind: kind?,
            about: about?.map(|id| id.to_string()),
        };
        Some(Self { limit: u32::try_from(limit?).unwrap_or(u32::MAX), cursor: cursor?, filter })
    }
}
