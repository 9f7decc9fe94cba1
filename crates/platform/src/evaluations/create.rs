//! `POST /v1/platform/evaluations` (platform-api section 4).

use std::sync::Arc;

use axum::extract::State;
use billing::ledger::{self, Funding, Spending};
use edge::answer::{Answer, IDEMPOTENT_REPLAYED};
use edge::body::JsonBody;
use edge::idempotency::IdempotencyKey;
use edge::problem::Problem;
use engine::grading::{Grade, GradingError};
use http::{HeaderMap, HeaderValue, StatusCode};
use kernel::id::{EvaluationId, FileId, JobId, SubjectId, WorkspaceId};
use serde_json::{Value, json};
use store::Tx;
use store::jobs::{self, ClaimedJob, NewJob};

use super::end::{Ending, refusal, tell};
use super::files::{self, FileRow, drop_all};
use super::form::{EvaluationBody, Upload};
use super::request::{NewEvaluation, read};
use super::row::{EvaluationRow, Failure, Graded};
use super::wait::Awaited;
use super::work::{JobPayload, KIND, LEASE, PRIORITY};
use super::{Evaluation, EvaluationType, Mode, Role, Status, storage_problem};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

/// What to grade.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreateEvaluationRequest {
    /// How the answer is judged.
    evaluation_type: EvaluationType,
    /// What was asked.
    #[schema(example = "What is the powerhouse of the cell?")]
    question_text: String,
    /// What the learner answered.
    #[schema(example = "The mitochondrion.")]
    learner_answer: String,
    /// `fast`, `standard` or `advanced`; by default `exact` gets `fast`, `rubric_short_answer` `standard` and `open_ended`
    /// `advanced`.
    tier: Option<String>,
    /// The language of the feedback and of number forms; `en` when it is absent.
    language: Option<String>,
    /// The points of a perfect answer, above 0; 10 when it is absent.
    max_score: Option<f64>,
    /// A good answer; required for `exact`.
    reference_answer: Option<String>,
    /// What is looked for; this or `rubricCriteria` is required for `rubric_short_answer`.
    rubric: Option<Rubric>,
    /// The criteria of `rubric` alone.
    rubric_criteria: Option<Vec<RubricCriterion>>,
    /// The school subject.
    subject: Option<String>,
    /// The learner's grade level.
    grade_level: Option<String>,
    /// How hard the question is meant to be.
    difficulty: Option<String>,
    /// Who answered.
    submitter: Option<Submitter>,
    /// Who answered, where `submitter` is absent.
    learner_external_id: Option<String>,
    /// What the question is about; with a learner, mastery of each is tracked.
    concept_tags: Option<Vec<String>>,
    /// How the feedback is to be written.
    feedback_options: Option<FeedbackOptions>,
    /// `auto` (default), `builtin` or `model`.
    processing_mode: Option<super::ProcessingMode>,
    /// A repeated request with the same key gets the first one's evaluation. It goes before the header.
    idempotency_key: Option<String>,
    /// `sync` (default) or `async`.
    mode: Option<Mode>,
    /// Anything; `ltiLaunchSessionId` links the evaluation to an LTI launch.
    #[schema(value_type = Option<Object>)]
    client_metadata: Option<Value>,
}

/// A rubric.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct Rubric {
    criteria: Vec<RubricCriterion>,
}

/// What a rubric looks for.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct RubricCriterion {
    #[schema(example = "Names the organelle")]
    name: String,
    #[schema(example = "The answer names the mitochondrion.")]
    description: Option<String>,
    #[schema(example = 5)]
    max_score: f64,
}

/// Who answered.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct Submitter {
    learner_id: String,
    learner_name: Option<String>,
}

/// How feedback is to be written.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct FeedbackOptions {
    /// `encouraging` (default) or `neutral`.
    tone: Option<String>,
    /// `detailed` (default) or `brief`.
    detail_level: Option<String>,
}

/// Grades an answer: at once, or in the background when `mode` is `async`.
#[utoipa::path(
    post, path = "/v1/platform/evaluations", tag = "Evaluations", operation_id = "createEvaluation",
    security(("operatorSession" = []), ("platformKey" = [])), request_body = CreateEvaluationRequest,
    params(
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses(
        (status = 200, description = "It takes longer than a request may: ask again", body = Evaluation),
        (status = 201, description = "Graded, failed or queued", body = Evaluation),
    )
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential,
    named: NamedInQuery,
    headers: HeaderMap,
    body: EvaluationBody,
) -> Result<Answer, Problem> {
    let header_key = IdempotencyKey::from_headers(&headers);
    let order = Order::read(&platform, header_key, body).await;
    let order = Arc::new(Problem::both(order, named.optional()));
    let kept = keep_files(&platform, credential.clone(), order.clone()).await?;
    let opened = callers::claim(&platform.door, credential, "evaluations.create", move |tx, caller| {
        let (order, named) = order.as_ref().as_ref().map_err(Clone::clone)?;
        let workspace = caller.workspace(tx, *named)?;
        order.open(tx, workspace)
    })
    .await;
    let is_new = matches!(opened, Ok(Opened::Stored(_) | Opened::Begun(..)));
    if let Some((workspace, files)) = kept.filter(|_| !is_new) {
        drop_all(&platform.files, workspace, files).await;
    }
    answer(&platform, opened?).await
}

/// Keeps the files of a request that is right so far, before the transaction that names them. For whom, and which.
async fn keep_files(
    platform: &Platform,
    credential: Credential,
    order: Arc<Result<(Order, Option<WorkspaceId>), Problem>>,
) -> Result<Option<(WorkspaceId, Vec<FileId>)>, Problem> {
    if !matches!(&*order, Ok((order, _)) if !order.uploads.is_empty()) {
        return Ok(None);
    }
    let asked = order.clone();
    let workspace = callers::read(&platform.door, credential, "evaluations.admit", move |tx, caller| {
        let (_, named) = asked.as_ref().as_ref().map_err(Clone::clone)?;
        caller.workspace(tx, *named)
    })
    .await?;
    let Ok((order, _)) = &*order else { return Ok(None) };
    files::keep(&platform.files, workspace, &order.uploads).await.map_err(storage_problem)?;
    Ok(Some((workspace, order.uploads.iter().map(|(row, _)| row.id).collect())))
}

/// A request that can be carried out, and what was found out about it before its transaction.
struct Order {
    new: NewEvaluation,
    idempotency_key: Option<IdempotencyKey>,
    request_hash: String,
    /// The files, each with the row that it will have.
    uploads: Vec<(FileRow, Upload)>,
    /// The grade of an answer that code has compared already.
    compared: Option<Result<Grade, GradingError>>,
}

/// What a request came to in its transaction.
enum Opened {
    /// An earlier request made it.
    Replayed(EvaluationRow),
    /// It has ended, or waits in the queue.
    Stored(EvaluationRow),
    /// It is this process's to carry out.
    Begun(EvaluationRow, ClaimedJob),
}

impl Order {
    async fn read(
        platform: &Platform,
        header_key: Result<Option<IdempotencyKey>, Problem>,
        body: EvaluationBody,
    ) -> Result<Self, Problem> {
        let EvaluationBody { fields, files } = body;
        let has_rubric_files = files.iter().flatten().any(|upload| upload.role == Role::Rubric);
        let (files, new) = Problem::both(files, read(&fields, has_rubric_files))?;
        let (header_key, ()) = Problem::both(header_key, Ok(()))?;
        if !platform.graders.take(new.asked.processing_mode) {
            return Err(Problem::field("processingMode", "must not be model: no model is configured"));
        }
        let is_compared_now =
            new.evaluation_type == EvaluationType::Exact && new.mode == Mode::Sync && files.is_empty();
        let compared = if is_compared_now {
            let submission = new.asked.submission(new.evaluation_type, new.max_score);
            Some(platform.graders.compare(None, submission).await)
        } else {
            None
        };
        let idempotency_key = new.idempotency_key.clone().or(header_key);
        let request_hash = request_hash(&fields, &files)?;
        let row =
            |(position, upload): (usize, Upload)| (FileRow::of(platform.door.ambient.id(), position, &upload), upload);
        let uploads = files.into_iter().enumerate().map(row).collect();
        Ok(Self { request_hash, idempotency_key, new, uploads, compared })
    }

    fn open(&self, tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<Opened, Problem> {
        if let Some(key) = &self.idempotency_key
            && let Some(found) = EvaluationRow::find_by_key(tx, workspace, key.as_str())?
        {
            return if found.request_hash == self.request_hash {
                Ok(Opened::Replayed(found))
            } else {
                Err(Problem::Conflict("This idempotency key was already used with a different request."))
            };
        }
        let row = self.row(tx, workspace);
        match &self.compared {
            Some(Ok(grade)) => self.complete(tx, row, grade),
            Some(Err(error)) => {
                let failure = Failure { code: error.code.to_owned(), message: error.message.clone() };
                let row = row.ended(tx, Ending::Failed(failure));
                row.insert(tx)?;
                tell(tx, &row, None)?;
                Ok(Opened::Stored(row))
            }
            None => self.begin(tx, row),
        }
    }

    fn row(&self, tx: &Tx<'_>, workspace: WorkspaceId) -> EvaluationRow {
        let new = &self.new;
        EvaluationRow {
            id: tx.ambient().id(),
            workspace,
            evaluation_type: new.evaluation_type,
            mode: new.mode,
            status: if new.mode == Mode::Sync { Status::Processing } else { Status::Pending },
            idempotency_key: self.idempotency_key.as_ref().map(|key| key.as_str().to_owned()),
            request_hash: self.request_hash.clone(),
            asked: Some(new.asked.clone()),
            price: billing::catalog::evaluation(new.tier),
            learner_id: new.learner_id.clone(),
            max_score: new.max_score,
            files: self.uploads.iter().map(|(row, _)| row.clone()).collect(),
            score: None,
            confidence: None,
            feedback: None,
            failure: None,
            created_at: tx.now(),
            completed_at: None,
        }
    }

    /// Stores an evaluation with its grade and its payment.
    fn complete(&self, tx: &mut Tx<'_>, row: EvaluationRow, grade: &Grade) -> Result<Opened, Problem> {
        let paid = ledger::charge(tx, &spending(&row)).map_err(refusal)?;
        let graded = Graded::of(grade.clone(), row.max_score);
        let row = row.ended(tx, Ending::Graded(graded));
        row.insert(tx)?;
        tell(tx, &row, Some(&paid))?;
        Ok(Opened::Stored(row))
    }

    /// Sets the price aside, and begins the work or queues it.
    fn begin(&self, tx: &mut Tx<'_>, row: EvaluationRow) -> Result<Opened, Problem> {
        ledger::reserve(tx, &spending(&row)).map_err(refusal)?;
        row.insert(tx)?;
        let job = NewJob {
            kind: KIND,
            tenant: row.workspace.to_string(),
            payload: JobPayload::new(row.id).to_json(),
            run_at: tx.now(),
            priority: PRIORITY,
        };
        let id: JobId = tx.ambient().id();
        match row.mode {
            Mode::Sync => Ok(Opened::Begun(row, jobs::enqueue_claimed(tx, id, job, LEASE)?)),
            Mode::Async => {
                jobs::enqueue(tx, id, &job)?;
                Ok(Opened::Stored(row))
            }
        }
    }
}

fn spending(row: &EvaluationRow) -> Spending {
    Spending {
        workspace: row.workspace,
        subject: SubjectId::of(row.id),
        amount: row.price.amount,
        funding: Funding::Balance,
    }
}

/// The key itself is no part of what was asked: it may come in the body or in a header.
fn request_hash(fields: &JsonBody, files: &[Upload]) -> Result<String, Problem> {
    let mut request = fields.value()?.clone();
    if !files.is_empty() {
        let file = |upload: &Upload| json!([upload.role, upload.incoming.file_name, upload.incoming.sha256]);
        request["files"] = files.iter().map(file).collect();
    }
    if let Some(members) = request.as_object_mut() {
        members.shift_remove("idempotencyKey");
    }
    Ok(kernel::json::canonical_sha256(&request))
}

async fn answer(platform: &Platform, opened: Opened) -> Result<Answer, Problem> {
    match opened {
        Opened::Stored(row) => Ok(Answer::json(StatusCode::CREATED, &platform.show(row))),
        Opened::Begun(row, job) => {
            platform.grading.adopt(job);
            let (status, row) = awaited(platform, row.id).await?;
            Ok(Answer::json(status, &platform.show(row)))
        }
        Opened::Replayed(row) => {
            let (status, row) = match row.mode {
                Mode::Sync if !row.status.is_terminal() => awaited(platform, row.id).await?,
                Mode::Sync | Mode::Async => (StatusCode::CREATED, row),
            };
            let answer = Answer::json(status, &platform.show(row).into_replay());
            Ok(answer.with_header(IDEMPOTENT_REPLAYED.clone(), HeaderValue::from_static("true")))
        }
    }
}

/// The evaluation when it has ended, or as it is when a request may wait no longer.
async fn awaited(platform: &Platform, id: EvaluationId) -> Result<(StatusCode, EvaluationRow), Problem> {
    Ok(match platform.grading.wait(id).await? {
        Awaited::Ended(row) => (StatusCode::CREATED, row),
        Awaited::Running(row) => (StatusCode::OK, row),
    })
}

#[cfg(test)]
mod tests;
