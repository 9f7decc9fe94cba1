//! Questions of a workspace, the answers that wait for a review, and grading answers again.

use askama::Template;
use http::Method;
use serde_json::json;

use super::Page;
use super::evaluations::shortened;
use super::organizations::frame;
use crate::api::questions::{Question, QuestionPage, QueuedAnswer, Regrading, ReviewQueue};
use crate::fields::{Fields, Filters};
use crate::owner::{Ids, Owner};
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page};

const FILTERS: [&str; 5] = ["workspaceId", "limit", "cursor", "evaluationType", "needsReview"];
/// Questions of a page.
const LIMIT: &str = "25";
/// Answers whose review teaches most, on a question's page.
const SHOWN_ANSWERS: usize = 10;
/// The most that the API gives: a preview names its answers by them.
const MOST_ANSWERS: usize = 50;
/// Answers that are graded again with one click. The API takes up to 1000.
const REGRADE_LIMIT: u32 = 200;

#[derive(Template)]
#[template(path = "questions.html")]
struct QuestionsPage {
    shell: Shell,
    owner: Owner,
    questions: Vec<Question>,
    filters: Fields,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "question.html")]
struct QuestionDetail {
    shell: Shell,
    owner: Owner,
    question: Question,
    queue: ReviewQueue,
    /// What grading again would change, where somebody asked.
    preview: Option<Regrading>,
    idempotency_key: String,
}

impl QuestionDetail {
    /// The beginning of an answer, where the queue has it.
    fn answer_of(&self, evaluation: &str) -> Option<String> {
        let queued = self.queue.items.iter().find(|queued| queued.evaluation_id == evaluation)?;
        Some(shortened(&queued.learner_answer))
    }

    /// The answers whose review teaches most.
    fn first_to_review(&self) -> &[QueuedAnswer] {
        &self.queue.items[..self.queue.items.len().min(SHOWN_ANSWERS)]
    }
}

pub(crate) async fn list(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let asked = filters.clone().with("workspaceId", &owner.id).with("limit", LIMIT);
    let path = format!("/v1/platform/questions{}", asked.query(&FILTERS));
    let QuestionPage { items, next_cursor } = visit.read("listQuestions", &path).await?;
    let shell = frame(&visit, &owner, "Questions", "Questions").await?;
    let next = next_cursor.map(|cursor| filters.clone().with("cursor", &cursor).query(&FILTERS));
    Ok(page(&QuestionsPage { shell, owner, questions: items, filters, next }))
}

pub(crate) async fn show(visit: Visit, owner: Owner, ids: Ids) -> Page {
    detail(&visit, owner, ids.get("question"), None).await
}

async fn detail(visit: &Visit, owner: Owner, id: &str, preview: Option<Regrading>) -> Page {
    let path = format!("/v1/platform/questions/{id}");
    let question = visit.read("getQuestion", &path).await?;
    let limit = if preview.is_some() { MOST_ANSWERS } else { SHOWN_ANSWERS };
    let queue_path = format!("{path}/review-queue?limit={limit}");
    let queue = visit.read("getReviewQueue", &queue_path).await?;
    if preview.is_none() && visit.me().await?.teaches(&owner) {
        visit.note(&regrade_operation(&format!("{path}/regrade"), true, ""));
    }
    let shell = frame(visit, &owner, "Questions", "Question").await?.crumb("Questions", &owner.page("/questions"));
    let idempotency_key = visit.idempotency_key();
    Ok(page(&QuestionDetail { shell, owner, question, queue, preview, idempotency_key }))
}

fn regrade_operation<'a>(path: &'a str, dry_run: bool, key: &'a str) -> Operation<'a> {
    let body = Some(json!({ "dryRun": dry_run, "limit": REGRADE_LIMIT }));
    let method = Method::POST;
    Operation { id: "regradeQuestion", method, path, body, idempotency_key: Some(key), ..Operation::default() }
}

/// Shows what grading again would change, or does it.
pub(crate) async fn regrade(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let id = ids.get("question");
    let path = format!("/v1/platform/questions/{id}/regrade");
    let is_applied = fields.has("apply", "yes");
    let outcome: Regrading = visit.send(regrade_operation(&path, !is_applied, fields.get("key"))).await?;
    if is_applied {
        return Ok(visit.done(&owner.page(&format!("/questions/{id}")), "regraded"));
    }
    detail(&visit, owner, id, Some(outcome)).await
}
