//! `lectern jobs`: the queue of background work.

use kernel::id::JobId;
use serde_json::{Value, json};
use store::jobs::{self, JobState, JobSummary};

use super::names::RowError;
use super::{Session, WrongUse};
use crate::app::job_types;
use crate::cli::{Jobs, JobsState, ListJobs, OneJob};
use crate::output;

pub(super) async fn run(session: &Session, command: Jobs) -> anyhow::Result<()> {
    match command {
        Jobs::List(options) => list(session, options).await,
        Jobs::Retry(options) => retry(session, options).await,
        Jobs::Cancel(options) => cancel(session, options).await,
    }
}

async fn list(session: &Session, options: ListJobs) -> anyhow::Result<()> {
    let state = match options.state {
        JobsState::Queued => JobState::Queued,
        JobsState::Running => JobState::Running,
        JobsState::Failed => JobState::Failed,
    };
    let found = session.read("jobs.list", move |tx| Ok::<_, RowError>(jobs::list(tx, state, options.limit)?)).await?;
    if options.json {
        return Ok(output::json(&found.iter().map(to_json).collect::<Vec<_>>())?);
    }
    let rows = found.into_iter().map(|job| {
        let (attempt, due) = (job.attempt.to_string(), job.run_at.to_string());
        let about: Vec<_> =
            job.about().iter().filter_map(|(name, id)| Some(format!("{name}={}", id.as_str()?))).collect();
        [job.id.to_string(), job.kind, job.tenant, about.join(" "), due, attempt, job.last_error.unwrap_or_default()]
    });
    Ok(output::table(["ID", "KIND", "TENANT", "ABOUT", "DUE", "ATTEMPT", "LAST ERROR"], rows)?)
}

fn to_json(job: &JobSummary) -> Value {
    json!({
        "id": job.id,
        "kind": job.kind,
        "tenant": job.tenant,
        "about": job.about(),
        "state": job.state,
        "runAt": job.run_at,
        "attempt": job.attempt,
        "lastError": job.last_error,
    })
}

async fn retry(session: &Session, options: OneJob) -> anyhow::Result<()> {
    let id = job_id(&options.job)?;
    let write = move |tx: &mut store::Tx<'_>| if jobs::requeue(tx, id)? { Ok(()) } else { Err(missing(id)) };
    session.write("jobs.retry", write).await?;
    told(options.json, id, "queued")
}

async fn cancel(session: &Session, options: OneJob) -> anyhow::Result<()> {
    let id = job_id(&options.job)?;
    let types = job_types();
    let write = move |tx: &mut store::Tx<'_>| if jobs::cancel(tx, id, &types)? { Ok(()) } else { Err(missing(id)) };
    session.write("jobs.cancel", write).await?;
    told(options.json, id, "cancelled")
}

fn told(is_json: bool, id: JobId, state: &str) -> anyhow::Result<()> {
    if is_json {
        return Ok(output::json(&json!({ "id": id, "state": state }))?);
    }
    Ok(output::line(format!("{id}  {state}"))?)
}

/// A running job is its worker's until it ends.
fn missing(id: JobId) -> RowError {
    RowError::Missing(format!("job {id} that waits or has failed; see: lectern jobs list"))
}

fn job_id(text: &str) -> Result<JobId, WrongUse> {
    text.parse().map_err(|_| WrongUse("JOB_ID must be an id as `lectern jobs list` shows it".to_owned()))
}
