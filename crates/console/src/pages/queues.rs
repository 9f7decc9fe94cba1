//! The health of the work in the background, and its jobs, for operators.

use askama::Template;
use http::Method;
use kernel::time::Timestamp;

use super::Page;
use crate::api::operations::{DeliveryQueue, Job, JobPage, JobQueue, Queues};
use crate::fields::{Fields, Filters};
use crate::format;
use crate::owner::Ids;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page};

const JOBS: &str = "/v1/platform/admin/jobs";
const FILTERS: [&str; 5] = ["limit", "cursor", "state", "kind", "about"];
/// Jobs of a page.
const LIMIT: &str = "50";

#[derive(Template)]
#[template(path = "queues.html")]
struct QueuesPage {
    shell: Shell,
    queues: Queues,
}

impl QueuesPage {
    /// The sum of a figure of all kinds.
    fn sum(&self, figure: fn(&JobQueue) -> i64) -> i64 {
        self.queues.jobs.iter().map(figure).sum()
    }

    fn due(&self) -> i64 {
        self.sum(|queue| queue.due)
    }

    fn later(&self) -> i64 {
        self.sum(|queue| queue.later)
    }

    fn running(&self) -> i64 {
        self.sum(|queue| queue.running)
    }

    fn failed(&self) -> i64 {
        self.sum(|queue| queue.failed)
    }

    /// How long the oldest of all due jobs waits.
    fn oldest(&self) -> String {
        let oldest = self.queues.jobs.iter().filter_map(|queue| queue.oldest_due_at.as_ref()).min();
        oldest.map_or_else(|| "nothing waits".to_owned(), |at| format!("the oldest waits {}", self.age(at)))
    }

    /// The state of a kind in words: `3 due, the oldest waits 4 s`.
    fn words(&self, queue: &JobQueue) -> String {
        let mut parts = Vec::new();
        if queue.due > 0 {
            parts.push(format!("{} due", format::whole(queue.due)));
        }
        parts.extend(queue.oldest_due_at.as_ref().map(|at| format!("the oldest waits {}", self.age(at))));
        if queue.running > 0 {
            parts.push(format!("{} running", format::whole(queue.running)));
        }
        if queue.later > 0 {
            parts.push(format!("{} for later", format::whole(queue.later)));
        }
        if parts.is_empty() { "Idle".to_owned() } else { parts.join(", ") }
    }

    fn delivery_words(&self, queue: &DeliveryQueue) -> String {
        match &queue.oldest_due_at {
            Some(at) => format!("the oldest waits {}", self.age(at)),
            None => "none is late".to_owned(),
        }
    }

    fn age(&self, wire: &str) -> String {
        let since = Timestamp::parse_rfc3339(wire).unwrap_or(self.shell.now);
        format::span(self.shell.now.as_seconds() - since.as_seconds())
    }
}

#[derive(Template)]
#[template(path = "jobs.html")]
struct JobsPage {
    shell: Shell,
    jobs: Vec<Job>,
    kinds: Vec<String>,
    filters: Fields,
    first: String,
    next: Option<String>,
}

pub(crate) async fn show(visit: Visit) -> Page {
    let queues = visit.read("getQueues", "/v1/platform/admin/queues").await?;
    let shell = visit.shell("Operations", Section::Operations).await?.with_operations("Health");
    Ok(page(&QueuesPage { shell, queues }))
}

pub(crate) async fn jobs(visit: Visit, Filters(filters): Filters) -> Page {
    let asked = filters.clone().with("limit", LIMIT);
    let JobPage { items, next_cursor } = visit.read("listJobs", &format!("{JOBS}{}", asked.query(&FILTERS))).await?;
    let queues: Queues = visit.read("getQueues", "/v1/platform/admin/queues").await?;
    let kinds = queues.jobs.into_iter().map(|queue| queue.kind).collect();
    if let Some(job) = items.first() {
        for (id, method, rest) in [("retryJob", Method::POST, "/retry"), ("cancelJob", Method::DELETE, "")] {
            let path = format!("{JOBS}/{}{rest}", job.id);
            visit.note(&Operation { id, method, path: &path, ..Operation::default() });
        }
    }
    let shell = visit.shell("Jobs", Section::Operations).await?.with_operations("Jobs");
    let at = |cursor: &str| {
        let fields = filters.clone().with("limit", "").with("cursor", cursor);
        format!("/console/operations/jobs{}", fields.query(&FILTERS))
    };
    let (first, next) = (at(""), next_cursor.map(|cursor| at(&cursor)));
    Ok(page(&JobsPage { shell, jobs: items, kinds, filters, first, next }))
}

pub(crate) async fn retry(visit: Visit, ids: Ids, fields: Fields) -> Page {
    let path = format!("{JOBS}/{}/retry", ids.get("job"));
    visit.act(Operation { id: "retryJob", method: Method::POST, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&list_of(&fields), "job-retried"))
}

pub(crate) async fn cancel(visit: Visit, ids: Ids, fields: Fields) -> Page {
    let path = format!("{JOBS}/{}", ids.get("job"));
    visit.act(Operation { id: "cancelJob", method: Method::DELETE, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&list_of(&fields), "job-dropped"))
}

/// The list that a form was on: `key` holds the state.
fn list_of(fields: &Fields) -> String {
    let state = ["queued", "failed"].into_iter().find(|state| fields.get("key") == *state);
    state.map_or_else(
        || "/console/operations/jobs".to_owned(),
        |state| format!("/console/operations/jobs?state={state}"),
    )
}
