//! Jobs that make resources of a source: the list, and one job that the page follows.

use std::sync::Arc;

use askama::Template;
use http::{HeaderMap, Method};

use super::Page;
use super::classrooms::explained;
use super::organizations::frame;
use crate::api::content::Expansion;
use crate::fields::{Fields, Filters};
use crate::live::{self, Progress};
use crate::owner::{Ids, Owner};
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page};

pub(super) const EXPANSIONS: &str = "/v1/content/integrations/expansions";
const FILTERS: [&str; 3] = ["limit", "cursor", "status"];
/// Jobs of a page.
const LIMIT: &str = "25";

#[derive(Template)]
#[template(path = "expansions.html")]
struct ExpansionsPage {
    shell: Shell,
    owner: Owner,
    jobs: Vec<Expansion>,
    filters: Fields,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "expansion.html")]
struct ExpansionDetail {
    shell: Shell,
    owner: Owner,
    job: Expansion,
    idempotency_key: String,
}

pub(crate) async fn list(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let path = format!("{EXPANSIONS}{}", filters.clone().with("limit", LIMIT).query(&FILTERS));
    let read = visit.read_linked(&owner.id, "listExpansions", &path).await;
    let (jobs, next_cursor) = read.map_err(explained(&visit))?;
    let shell = frame(&visit, &owner, "Classrooms", "Content jobs").await?;
    let next = next_cursor.map(|cursor| filters.clone().with("cursor", &cursor).query(&FILTERS));
    Ok(page(&ExpansionsPage { shell, owner, jobs, filters, next }))
}

pub(crate) async fn show(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let path = format!("{EXPANSIONS}/{}", ids.get("job"));
    let job: Expansion = visit.read_for(&owner.id, "getExpansion", &path).await.map_err(explained(&visit))?;
    let mut shell = frame(&visit, &owner, "Classrooms", "Content job").await?;
    shell = shell.crumb("Content jobs", &owner.page("/expansions"));
    if job.is_running() {
        shell = shell.following(&events_of(&owner, &job));
    }
    let idempotency_key = visit.idempotency_key();
    Ok(page(&ExpansionDetail { shell, owner, job, idempotency_key }))
}

/// Where the progress of a job is told.
pub(super) fn events_of(owner: &Owner, job: &Expansion) -> String {
    owner.page(&format!("/expansions/{}/events", job.id))
}

/// The progress of a job.
pub(crate) async fn events(visit: Visit, owner: Owner, ids: Ids, headers: HeaderMap) -> Page {
    let visit = Arc::new(visit);
    let (owner, path) = (owner.id, format!("{EXPANSIONS}/{}", ids.get("job")));
    let read = move || {
        let (visit, owner, path) = (visit.clone(), owner.clone(), path.clone());
        async move { Ok(progress(&visit.read_for(&owner, "getExpansion", &path).await.map_err(explained(&visit))?)) }
    };
    live::follow(&headers, read).await
}

fn progress(job: &Expansion) -> Progress {
    let states = job.outputs.iter().map(|output| output.status.as_str());
    let ready = states.clone().filter(|state| *state == "completed").count();
    let words = match (job.status.as_str(), ready) {
        ("completed", _) => "The job is done.".to_owned(),
        ("failed", _) => "The job failed.".to_owned(),
        ("queued", _) => "The job waits for its turn.".to_owned(),
        (_, 1) => format!("1 of {} outputs is ready.", job.outputs.len()),
        (_, ready) => format!("{ready} of {} outputs are ready.", job.outputs.len()),
    };
    let state = [job.status.as_str()].into_iter().chain(states).collect::<Vec<_>>().join(" ");
    Progress { words, has_ended: !job.is_running(), state }
}

pub(crate) async fn retry(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let job = ids.get("job");
    let path = format!("{EXPANSIONS}/{job}/retry");
    let retry = Operation {
        id: "retryExpansion",
        method: Method::POST,
        path: &path,
        idempotency_key: Some(fields.get("key")),
        organization: Some(&owner.id),
        ..Operation::default()
    };
    visit.act(retry).await.map_err(explained(&visit))?;
    Ok(visit.done(&owner.page(&format!("/expansions/{job}")), "retried"))
}
