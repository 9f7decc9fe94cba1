//! Playgrounds: send a source to a classroom, or an answer to be graded, as a program would.

use askama::Template;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::classrooms::{explained, of};
use super::expansions::EXPANSIONS;
use super::organizations::frame;
use super::{FormState, Page};
use crate::api::content::Expansion;
use crate::api::evaluations::Evaluation;
use crate::fields::{Fields, query};
use crate::owner::Owner;
use crate::problem::{ApiProblem, FieldProblem};
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page_with};

/// A source that shows what the service makes of one.
pub(super) const SAMPLE: &str = r#"{
  "category": "Biology",
  "level": {
    "title": "Cells",
    "lessons": [
      { "title": "The cell", "text": "A cell is the smallest unit of life. The nucleus holds the DNA." },
      { "title": "Photosynthesis", "text": "Chloroplasts turn light, water and carbon dioxide into sugar and oxygen." }
    ]
  }
}"#;

/// A question with an answer that can be graded.
pub(super) const SAMPLE_ANSWER: [(&str, &str); 3] = [
    ("questionText", "Why are leaves green?"),
    ("referenceAnswer", "Chlorophyll absorbs red and blue light and reflects green light."),
    ("learnerAnswer", "Because the chlorophyll in them reflects green light."),
];

/// Values and words of a choice.
type Choices = Vec<(String, String)>;

#[derive(Template)]
#[template(path = "playground_content.html")]
struct ContentPlayground {
    shell: Shell,
    owner: Owner,
    form: FormState,
    classrooms: Choices,
    idempotency_key: String,
}

#[derive(Template)]
#[template(path = "playground_grading.html")]
struct GradingPlayground {
    shell: Shell,
    owner: Owner,
    form: FormState,
    kinds: Choices,
    tiers: Choices,
    idempotency_key: String,
}

fn choices(pairs: &[(&str, &str)]) -> Choices {
    pairs.iter().map(|(value, text)| ((*value).to_owned(), (*text).to_owned())).collect()
}

pub(crate) async fn content(visit: Visit, owner: Owner) -> Page {
    let form = FormState::filled(Fields::default().with("payload", SAMPLE));
    content_page(&visit, owner, form).await
}

async fn content_page(visit: &Visit, owner: Owner, form: FormState) -> Page {
    let classrooms: Choices = of(visit, &owner).await?.into_iter().map(|room| (room.id, room.name)).collect();
    let classroom = classrooms.first().map_or("", |(id, _)| id);
    let payload: Value = serde_json::from_str(SAMPLE).unwrap_or_default();
    visit.note(&expansion_operation(&owner.id, json!({ "classroomId": classroom, "payload": payload }), ""));
    let shell = frame(visit, &owner, "Playground", "Playground").await?;
    let (status, idempotency_key) = (form.status(), visit.idempotency_key());
    Ok(page_with(status, &ContentPlayground { shell, owner, form, classrooms, idempotency_key }))
}

pub(super) fn expansion_operation<'a>(organization: &'a str, body: Value, key: &'a str) -> Operation<'a> {
    Operation {
        id: "createExpansion",
        method: Method::POST,
        path: EXPANSIONS,
        body: Some(body),
        idempotency_key: Some(key),
        organization: Some(organization),
        ..Operation::default()
    }
}

pub(crate) async fn send_expansion(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let Ok(payload) = serde_json::from_str::<Value>(fields.get("payload")) else {
        let problem = wrong_field("payload", "must be JSON");
        return content_page(&visit, owner, FormState::refused(fields, problem)?).await;
    };
    let mut body = json!({ "classroomId": fields.get("classroomId"), "payload": payload });
    let outputs = fields.all("outputs");
    if !outputs.is_empty() {
        body["requestedOutputs"] = json!(outputs);
    }
    let sent = visit.send::<Expansion>(expansion_operation(&owner.id, body, fields.get("key"))).await;
    match sent.map_err(explained(&visit)) {
        Ok(job) => Ok(visit.done(&owner.page(&format!("/expansions/{}", job.id)), "expansion-sent")),
        Err(problem) => content_page(&visit, owner, FormState::refused(fields, problem)?).await,
    }
}

fn wrong_field(path: &str, message: &str) -> ApiProblem {
    let mut problem = ApiProblem::new(StatusCode::BAD_REQUEST, "The request is invalid.");
    problem.details.push(FieldProblem { path: path.to_owned(), message: message.to_owned() });
    problem
}

pub(crate) async fn grading(visit: Visit, owner: Owner) -> Page {
    let pairs: Vec<_> = SAMPLE_ANSWER.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    grading_page(&visit, owner, FormState::filled(Fields::from(pairs))).await
}

async fn grading_page(visit: &Visit, owner: Owner, form: FormState) -> Page {
    let path = grading_path(&owner);
    let body = json!({ "evaluationType": "open_ended", "questionText": "Why are leaves green?", "learnerAnswer": "…" });
    visit.note(&grading_operation(&path, body, ""));
    let shell = frame(visit, &owner, "Playground", "Playground").await?;
    let kinds = choices(&[
        ("open_ended", "Open: judged as a whole"),
        ("rubric_short_answer", "Short answer with a rubric"),
        ("exact", "Exact: compared with the reference"),
    ]);
    let tiers = choices(&[("fast", "Fast"), ("standard", "Standard"), ("advanced", "Advanced")]);
    let (status, idempotency_key) = (form.status(), visit.idempotency_key());
    Ok(page_with(status, &GradingPlayground { shell, owner, form, kinds, tiers, idempotency_key }))
}

pub(super) fn grading_path(owner: &Owner) -> String {
    format!("/v1/platform/evaluations{}", query([("workspaceId", owner.id.as_str())]))
}

pub(super) fn grading_operation<'a>(path: &'a str, body: Value, key: &'a str) -> Operation<'a> {
    let (id, method, idempotency_key) = ("createEvaluation", Method::POST, Some(key));
    Operation { id, method, path, body: Some(body), idempotency_key, ..Operation::default() }
}

pub(crate) async fn send_answer(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let path = grading_path(&owner);
    let body = Value::Object(answer_body(&fields));
    match visit.send::<Evaluation>(grading_operation(&path, body, fields.get("key"))).await {
        Ok(evaluation) => Ok(visit.redirect(&owner.page(&format!("/evaluations/{}", evaluation.id)))),
        Err(problem) => grading_page(&visit, owner, FormState::refused(fields, problem)?).await,
    }
}

fn answer_body(fields: &Fields) -> Map<String, Value> {
    let names = ["evaluationType", "tier", "questionText", "referenceAnswer", "learnerAnswer", "language"];
    let mut body = fields.texts(&names);
    body.extend(fields.number("maxScore").map(|points| ("maxScore".to_owned(), points)));
    // Lines such as `Names light: 4`.
    let criteria = fields.get("criteria").lines().filter_map(|line| {
        let (name, points) = line.rsplit_once(':')?;
        Some(json!({ "name": name.trim(), "maxScore": points.trim().parse::<f64>().ok()? }))
    });
    let criteria: Vec<Value> = criteria.collect();
    if !criteria.is_empty() {
        body.insert("rubricCriteria".to_owned(), Value::from(criteria));
    }
    body
}
