//! Evaluations of a workspace: the list with its filters, and one evaluation with all that is known of it.

use std::sync::Arc;

use askama::Template;
use http::{HeaderMap, Method};
use serde_json::{Value, json};

use super::organizations::frame;
use super::{FormState, Page};
use crate::api::evaluations::{Evaluation, EvaluationPage, Record, Submission};
use crate::api::identity::MemberWorkspace;
use crate::api::questions::Question;
use crate::api::workspaces::Workspace;
use crate::fields::{Fields, Filters, query};
use crate::format;
use crate::live::{self, Progress};
use crate::markup::{Html, marked, quotations};
use crate::owner::{Ids, Kind, Owner};
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page, page_with};

/// Evaluations of a page.
const LIMIT: &str = "25";
const FILTERS: [&str; 13] = [
    "workspaceId",
    "limit",
    "cursor",
    "status",
    "evaluationType",
    "needsReview",
    "learnerId",
    "conceptTag",
    "questionId",
    "minConfidence",
    "maxConfidence",
    "createdAfter",
    "createdBefore",
];

#[derive(Template)]
#[template(path = "evaluations.html")]
struct EvaluationsPage {
    shell: Shell,
    owner: Owner,
    rows: Vec<Row>,
    filters: Fields,
    /// Whether one of the filters is set that are out of sight otherwise.
    has_more_filters: bool,
    next: Option<String>,
}

/// An evaluation with the text of its question.
struct Row {
    evaluation: Evaluation,
    question: String,
}

#[derive(Template)]
#[template(path = "choose_workspace.html")]
struct ChoicePage {
    shell: Shell,
    workspaces: Vec<Choice>,
    rest: &'static str,
}

/// A workspace to choose.
struct Choice {
    id: String,
    name: String,
    /// A further name, because workspaces may share the first.
    detail: String,
}

#[derive(Template)]
#[template(path = "evaluation.html")]
struct EvaluationDetail {
    shell: Shell,
    owner: Owner,
    form: FormState,
    evaluation: Evaluation,
    record: Record,
    submission: Submission,
    /// The answer, with the passages that the feedback quotes.
    answer: Html,
    /// The next page of the queue, where the reviewer works through it.
    queue: Option<String>,
    idempotency_key: String,
}

/// Leads to the evaluations of a workspace: of any for an operator, of those of their organizations for members.
pub(crate) async fn choose(visit: Visit) -> Page {
    choice(&visit, "Evaluations", Section::Evaluations, "/evaluations").await
}

/// The page where somebody chooses a workspace. With one workspace there is no choice.
pub(super) async fn choice(visit: &Visit, title: &str, section: Section, rest: &'static str) -> Page {
    let workspaces = choices(visit).await?;
    if let [only] = workspaces.as_slice() {
        return Ok(visit.redirect(&Owner { kind: Kind::Workspace, id: only.id.clone() }.page(rest)));
    }
    let shell = visit.shell(title, section).await?;
    Ok(page(&ChoicePage { shell, workspaces, rest }))
}

/// All workspaces for an operator, for members those of their organizations.
async fn choices(visit: &Visit) -> Result<Vec<Choice>, ApiProblem> {
    let me = visit.me().await?;
    if me.is_operator {
        let all: Vec<Workspace> = visit.read("listWorkspaces", "/v1/platform/workspaces").await?;
        let choice = |Workspace { id, name, slug, .. }| Choice { id, name, detail: slug };
        return Ok(all.into_iter().map(choice).collect());
    }
    let choices = me.organizations.into_iter().flat_map(|organization| {
        let detail = organization.name;
        let choice = move |MemberWorkspace { id, name }| Choice { id, name, detail: detail.clone() };
        organization.workspaces.into_iter().map(choice)
    });
    Ok(choices.collect())
}

pub(crate) async fn list(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let asked = api_filters(&owner, &filters);
    let path = format!("/v1/platform/evaluations{}", asked.query(&FILTERS));
    let EvaluationPage { items, next_cursor } = visit.read("listEvaluations", &path).await?;
    let rows = with_questions(&visit, items).await;
    let shell = frame(&visit, &owner, "Evaluations", "Evaluations").await?;
    let next = next_cursor.map(|cursor| filters.clone().with("cursor", &cursor).query(&FILTERS));
    let has_more_filters = FILTERS[6..].iter().any(|name| *name != "questionId" && filters.given(name).is_some());
    Ok(page(&EvaluationsPage { shell, owner, rows, filters, has_more_filters, next }))
}

/// The filters of the page as the API takes them. Dates are whole days of UTC.
fn api_filters(owner: &Owner, filters: &Fields) -> Fields {
    let at_midnight = |name: &str| filters.given(name).map(|day| format!("{day}T00:00:00Z")).unwrap_or_default();
    let (after, before) = (at_midnight("createdAfter"), at_midnight("createdBefore"));
    let asked = filters.clone().with("createdAfter", &after).with("createdBefore", &before);
    asked.with("workspaceId", &owner.id).with("limit", LIMIT)
}

/// The evaluations with the texts of their questions, each of which is read once.
async fn with_questions(visit: &Visit, items: Vec<Evaluation>) -> Vec<Row> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for id in items.iter().filter_map(|item| item.question_id.clone()) {
        if texts.iter().all(|(known, _)| *known != id) {
            let path = format!("/v1/platform/questions/{id}");
            let read = visit.answer(Operation { path: &path, ..Operation::default() }).await.ok();
            let question: Option<Question> = read.and_then(|answer| serde_json::from_slice(&answer.body).ok());
            texts.push((id, question.map(|question| question.question_text).unwrap_or_default()));
        }
    }
    let text_of = |id: &Option<String>| {
        let found = texts.iter().find(|(known, _)| id.as_ref() == Some(known));
        found.map(|(_, text)| shortened(text)).filter(|text| !text.is_empty())
    };
    let rows = items.into_iter().map(|evaluation| {
        let question = text_of(&evaluation.question_id).unwrap_or_else(|| format::label(&evaluation.evaluation_type));
        Row { evaluation, question }
    });
    rows.collect()
}

/// The beginning of a text, for a row of a table.
pub(super) fn shortened(text: &str) -> String {
    const LENGTH: usize = 140;
    let short: String = text.chars().take(LENGTH).collect();
    if short.len() < text.len() { format!("{}…", short.trim_end()) } else { short }
}

pub(crate) async fn show(visit: Visit, owner: Owner, ids: Ids, Filters(filters): Filters) -> Page {
    detail(&visit, owner, ids.get("evaluation"), &filters, None).await
}

/// The page of one evaluation, with the form of a review.
pub(super) async fn detail(visit: &Visit, owner: Owner, id: &str, filters: &Fields, form: Option<FormState>) -> Page {
    let path = format!("/v1/platform/evaluations/{id}");
    let evaluation: Evaluation = visit.read("getEvaluation", &path).await?;
    let record = match visit.read::<Record>("getEvaluationRecord", &format!("{path}/record")).await {
        // The record of a running evaluation is not there yet.
        Err(problem) if problem.status.as_u16() == 409 => Record::default(),
        other => other?,
    };
    let review = format!("{path}/review");
    let body = Some(json!({ "score": evaluation.max_score, "feedbackSummary": "Right, and well explained." }));
    visit.note(&Operation {
        id: "reviewEvaluation",
        method: Method::POST,
        path: &review,
        body,
        idempotency_key: Some(""),
        ..Operation::default()
    });
    let submission = record.submission.clone().unwrap_or_default();
    let quotes: Vec<&str> = evaluation.feedback_texts().into_iter().flat_map(quotations).collect();
    let answer = marked(&submission.answer, &quotes);
    let queue = filters.has("queue", "1").then(|| {
        let cursor = filters.given("cursor").map(|cursor| ("cursor", cursor));
        owner.page(&format!("/evaluations/next{}", query(cursor)))
    });
    let mut shell = frame(visit, &owner, "Evaluations", "Evaluation").await?;
    let form = form.unwrap_or_else(|| FormState::filled(present(&evaluation).with("reviewer", shell.email())));
    shell = shell.crumb("Evaluations", &owner.page("/evaluations"));
    if evaluation.is_running() {
        shell = shell.following(&events_of(&owner, &evaluation));
    }
    let (status, idempotency_key) = (form.status(), visit.idempotency_key());
    let page = EvaluationDetail { shell, owner, form, evaluation, record, submission, answer, queue, idempotency_key };
    Ok(page_with(status, &page))
}

/// Where the progress of a grade is told.
pub(super) fn events_of(owner: &Owner, evaluation: &Evaluation) -> String {
    owner.page(&format!("/evaluations/{}/events", evaluation.id))
}

/// The progress of a grade.
pub(crate) async fn events(visit: Visit, ids: Ids, headers: HeaderMap) -> Page {
    let (visit, path) = (Arc::new(visit), format!("/v1/platform/evaluations/{}", ids.get("evaluation")));
    let read = move || {
        let (visit, path) = (visit.clone(), path.clone());
        async move { Ok(progress(visit.read("getEvaluation", &path).await?)) }
    };
    live::follow(&headers, read).await
}

fn progress(evaluation: Evaluation) -> Progress {
    let words = match evaluation.status.as_str() {
        "PENDING" => "The answer waits to be graded.",
        "PROCESSING" => "The answer is being graded.",
        "COMPLETED" => "The answer is graded.",
        _ => "The answer could not be graded.",
    };
    Progress { words: words.to_owned(), has_ended: !evaluation.is_running(), state: evaluation.status }
}

/// The present grade as the fields of a review.
fn present(evaluation: &Evaluation) -> Fields {
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    let mut pairs = vec![
        ("score".to_owned(), evaluation.points().unwrap_or_default()),
        ("feedbackSummary".to_owned(), optional(&evaluation.feedback_summary)),
        ("strengths".to_owned(), evaluation.strengths.join("\n")),
        ("mistakes".to_owned(), evaluation.mistakes.join("\n")),
        ("suggestions".to_owned(), evaluation.suggestions.join("\n")),
        ("nextStep".to_owned(), optional(&evaluation.next_step)),
    ];
    for (index, criterion) in evaluation.criteria().iter().enumerate() {
        pairs.push((format!("points-{index}"), format::decimal(criterion.score)));
        pairs.push((format!("words-{index}"), criterion.feedback.clone()));
    }
    Fields::from(pairs)
}

/// The body of a review, as the form has it.
pub(super) fn review_body(evaluation: &Evaluation, fields: &Fields) -> Value {
    let mut body = fields.texts(&["feedbackSummary", "nextStep", "reviewer"]);
    if evaluation.criteria().is_empty() {
        body.extend(fields.number("score").map(|score| ("score".to_owned(), score)));
    } else {
        let criteria = evaluation.criteria().iter().enumerate().map(|(index, criterion)| {
            json!({
                "criterion": criterion.criterion,
                "score": fields.number(&format!("points-{index}")),
                "feedback": fields.given(&format!("words-{index}")),
            })
        });
        body.insert("criteria".to_owned(), criteria.collect());
    }
    for name in ["strengths", "mistakes", "suggestions"] {
        let lines = fields.get(name).lines().map(str::trim).filter(|line| !line.is_empty());
        body.insert(name.to_owned(), lines.map(Value::from).collect());
    }
    Value::Object(body)
}

/// Reads an evaluation without its page.
pub(super) async fn load(visit: &Visit, id: &str) -> Result<Evaluation, ApiProblem> {
    visit.read("getEvaluation", &format!("/v1/platform/evaluations/{id}")).await
}
