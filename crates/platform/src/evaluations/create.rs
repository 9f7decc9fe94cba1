//! `POST /v1/platform/evaluations` (platform-api section 4).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use billing::ledger::{self, Funding, Spending};
use edge::answer::{Answer, IDEMPOTENT_REPLAYED};
use edge::body::JsonBody;
use edge::idempotency::IdempotencyKey;
use edge::problem::Problem;
use engine::grading::{GradingError, ReadAnswer};
use http::{HeaderMap, HeaderValue, StatusCode};
use kernel::id::{FileId, JobId, SubjectId, WorkspaceId};
use serde_json::json;
use store::Tx;
use store::jobs::{self, ClaimedJob, NewJob};

use super::document::{CreateEvaluationForm, CreateEvaluationRequest};
use super::end::{Ending, refusal};
use super::files::{self, FileRow, drop_all};
use super::form::{EvaluationBody, Upload, read_body};
use super::grade::Graded;
use super::graders;
use super::request::{NewEvaluation, care, read};
use super::row::{EvaluationRow, Failure};
use super::wait::Awaited;
use super::work::{Case, JobPayload, KIND, LEASE, PRIORITY};
use super::{Evaluation, EvaluationType, Mode, Role, Status, calibration, storage_problem};
use crate::Platform;
use crate::callers::{self, Caller, Credential};
use crate::named::NamedInQuery;

/// What a client is told to wait where the grader does not say.
const NOT_READY: Duration = Duration::from_secs(5);

/// Grades an answer: at once, or in the background when `mode` is `async`.
#[utoipa::path(
    post, path = "/v1/platform/evaluations", tag = "Evaluations", operation_id = "createEvaluation",
    security(("operatorSession" = []), ("platformKey" = [])),
    request_body(content((CreateEvaluationRequest = "application/json"), (CreateEvaluationForm = "multipart/form-data"))),
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
    request: Request,
) -> Result<Answer, Problem> {
    let header_key = IdempotencyKey::from_headers(&headers);
    let (body, reading) = read_body(&platform, &credential, request).await?;
    let order = Order::read(&platform, header_key, body);
    let order = Arc::new(Problem::both(order, named.optional()));
    let kept = keep_files(&platform, credential.clone(), order.clone()).await?;
    drop(reading);
    let is_ended_at_once = !matches!(&*order, Ok((order, _)) if order.compared.is_none());
    let work = carry_out(platform, credential, order, kept);
    if is_ended_at_once {
        return work.await;
    }
    // What has begun goes on when the client goes away.
    tokio::spawn(work).await.map_err(Problem::unexpected)?
}

async fn carry_out(
    platform: Platform,
    credential: Credential,
    order: Arc<Result<(Order, Option<WorkspaceId>), Problem>>,
    kept: Option<(WorkspaceId, Vec<FileId>)>,
) -> Result<Answer, Problem> {
    let waits = matches!(&*order, Ok((order, _)) if order.compared.is_none() && order.new.mode == Mode::Sync);
    let _place = waits.then(|| platform.grading.place()).transpose()?;
    let asked = order.clone();
    let open = move |tx: &mut Tx<'_>, caller: &Caller| {
        let (order, named) = asked.as_ref().as_ref().map_err(Clone::clone)?;
        let workspace = caller.paying_workspace(tx, *named)?;
        order.open(tx, workspace)
    };
    let (door, name) = (&platform.door, "evaluations.create");
    let (opened, read_answer) = match &*order {
        Ok((order, _)) if waits => {
            // The caller is not told of what is begun before it has ended, and then it is durable.
            let opening = callers::delayed_claim(door, credential, name, open);
            // Polled first, so that the store is at work while this thread reads.
            tokio::join!(biased; opening, async { order.read_answer(&platform) })
        }
        _ => (callers::claim(door, credential, name, open).await, None),
    };
    // The files of a request are not kept in memory for as long as a model takes.
    drop(order);
    // Of a commit that may have come through, the files stay: what nothing names is swept.
    let is_named = matches!(opened, Ok(Opened::Stored(_) | Opened::Begun(..)) | Err(Problem::Unavailable(_)));
    if let Some((workspace, files)) = kept.filter(|_| !is_named) {
        drop_all(&platform.files, workspace, files).await;
    }
    answer(&platform, opened?, read_answer).await
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
        let (order, named) = asked.as_ref().as_ref().map_err(Clone::clone)?;
        let workspace = caller.paying_workspace(tx, *named)?;
        if order.unready.is_some() {
            order.earlier(tx, workspace)?;
        }
        Ok(workspace)
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
    /// What the reviewed answers to its question are found by, where somebody is waiting for a grade that they calibrate. Worked
    /// out before the transaction: questions may be long, and there is one writer.
    question_key: Option<String>,
    /// The grade of an answer that code has compared already.
    compared: Option<Result<Graded, Failure>>,
    /// Why a caller who waits would wait in vain. What is queued may wait for better times.
    unready: Option<GradingError>,
}

/// What a request came to in its transaction.
enum Opened {
    /// An earlier request made it.
    Replayed(EvaluationRow),
    /// It has ended, or waits in the queue.
    Stored(EvaluationRow),
    /// It is this process's to carry out.
    Begun(Case, ClaimedJob),
}

impl Order {
    fn read(
        platform: &Platform,
        header_key: Result<Option<IdempotencyKey>, Problem>,
        body: EvaluationBody,
    ) -> Result<Self, Problem> {
        let EvaluationBody { fields, files } = body;
        let has_rubric_files = files.iter().flatten().any(|upload| upload.role == Role::Rubric);
        let (files, new) = Problem::both(files, read(&fields, has_rubric_files))?;
        // Where the body has a key, the header does not count, whatever it holds.
        let idempotency_key = match &new.idempotency_key {
            Some(key) => Some(key.clone()),
            None => header_key?,
        };
        if !platform.graders.take(new.asked.processing_mode) {
            return Err(Problem::field("processingMode", "must not be model: no model is configured"));
        }
        let is_compared_now =
            new.evaluation_type == EvaluationType::Exact && new.mode == Mode::Sync && files.is_empty();
        let submission = is_compared_now.then(|| new.asked.submission(new.evaluation_type, new.max_score, new.tier));
        let compared = submission.as_ref().and_then(graders::compare_at_once);
        let unready = match new.mode {
            Mode::Sync => platform.graders.ready(new.asked.processing_mode, new.evaluation_type, care(new.tier)).err(),
            Mode::Async => None,
        };
        let request_hash = request_hash(&fields, &files)?;
        let row =
            |(position, upload): (usize, Upload)| (FileRow::of(platform.door.ambient.id(), position, &upload), upload);
        let uploads: Vec<_> = files.into_iter().enumerate().map(row).collect();
        let is_calibrated_now = new.mode == Mode::Sync && calibration::is_calibrated(new.evaluation_type);
        let rows = uploads.iter().map(|(row, _)| row);
        let question_key = is_calibrated_now.then(|| calibration::question_key(new.evaluation_type, &new.asked, rows));
        Ok(Self { request_hash, idempotency_key, new, uploads, question_key, compared, unready })
    }

    /// The answer as its grader reads it, where that is done beforehand.
    fn read_answer(&self, platform: &Platform) -> Option<ReadAnswer> {
        // There are no files in this submission: without them, what they hold would pass no guard. And who asks in vain, for all
        // that is known, makes no work.
        if !self.uploads.is_empty() || self.unready.is_some() {
            return None;
        }
        let new = &self.new;
        let submission = || new.asked.submission(new.evaluation_type, new.max_score, new.tier);
        let read = || platform.graders.read_answer(new.asked.processing_mode, new.evaluation_type, submission);
        // By now the evaluation may be stored. Whoever grades it meets the same panic, and knows what to do about it.
        catch_unwind(AssertUnwindSafe(read)).unwrap_or_default()
    }

    /// What an earlier request with the same key made; an error where there is none and there would be no grade now.
    fn earlier(&self, tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<Option<EvaluationRow>, Problem> {
        if let Some(key) = &self.idempotency_key
            && let Some(found) = EvaluationRow::find_by_key(tx, workspace, key.as_str())?
        {
            return if found.request_hash == self.request_hash {
                Ok(Some(found))
            } else {
                Err(Problem::Conflict("This idempotency key was already used with a different request."))
            };
        }
        self.unready.as_ref().map_or(Ok(None), |error| Err(not_ready(error)))
    }

    fn open(&self, tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<Opened, Problem> {
        if let Some(found) = self.earlier(tx, workspace)? {
            return Ok(Opened::Replayed(found));
        }
        let row = self.row(tx, workspace);
        match &self.compared {
            Some(Ok(graded)) => self.complete(tx, row, graded.clone()),
            Some(Err(failure)) => {
                let failed = row.ended(tx, failure.clone().into());
                Ok(Opened::Stored(failed.insert(tx, None)?))
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
            version: 1,
            graded_by: None,
        }
    }

    /// Stores an evaluation with its grade and its payment.
    fn complete(&self, tx: &mut Tx<'_>, row: EvaluationRow, graded: Graded) -> Result<Opened, Problem> {
        let paid = ledger::charge(tx, &spending(&row)).map_err(refusal)?;
        let graded = row.ended(tx, Ending::Graded(Box::new(graded)));
        Ok(Opened::Stored(graded.insert(tx, Some(&paid))?))
    }

    /// Sets the price aside, and begins the work or queues it.
    fn begin(&self, tx: &mut Tx<'_>, row: EvaluationRow) -> Result<Opened, Problem> {
        // Before the balance is touched, on which others wait.
        let reviewed = match &self.question_key {
            Some(key) => calibration::list(tx, row.workspace, key)?,
            None => Vec::new(),
        };
        ledger::reserve(tx, &spending(&row)).map_err(refusal)?;
        row.insert(tx, None)?;
        let job = NewJob {
            kind: KIND,
            tenant: row.workspace.to_string(),
            payload: JobPayload::new(row.id).to_json(),
            run_at: tx.now(),
            priority: PRIORITY,
        };
        let id: JobId = tx.ambient().id();
        match row.mode {
            Mode::Sync => {
                let job = jobs::enqueue_claimed(tx, id, job, LEASE)?;
                Ok(Opened::Begun(Case { row, reviewed, read_answer: None }, job))
            }
            Mode::Async => {
                jobs::enqueue(tx, id, &job)?;
                Ok(Opened::Stored(row))
            }
        }
    }
}

/// Nothing was stored and nothing paid.
fn not_ready(error: &GradingError) -> Problem {
    let retry_after = error.retry_after.unwrap_or(NOT_READY);
    let message = "The grader is not available at the moment. Try again later, or ask with mode async.";
    Problem::NotReady { message, retry_after }
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

async fn answer(platform: &Platform, opened: Opened, read_answer: Option<ReadAnswer>) -> Result<Answer, Problem> {
    match opened {
        Opened::Stored(row) => Ok(Answer::json(StatusCode::CREATED, &platform.show(row))),
        Opened::Begun(case, job) => {
            let (status, row) = awaited(platform.grading.carry_out(Case { read_answer, ..case }, job).await?);
            Ok(Answer::json(status, &platform.show(row)))
        }
        Opened::Replayed(row) => {
            let (status, row) = match row.mode {
                Mode::Sync if !row.status.is_terminal() => awaited(platform.grading.wait(row.id).await?),
                Mode::Sync | Mode::Async => (StatusCode::CREATED, row),
            };
            let answer = Answer::json(status, &platform.show(row).into_replay());
            Ok(answer.with_header(IDEMPOTENT_REPLAYED.clone(), HeaderValue::from_static("true")))
        }
    }
}

/// The evaluation when it has ended, or as it is when a request may wait no longer.
fn awaited(awaited: Awaited) -> (StatusCode, EvaluationRow) {
    match awaited {
        Awaited::Ended(row) => (StatusCode::CREATED, row),
        Awaited::Running(row) => (StatusCode::OK, row),
    }
}

#[cfg(test)]
mod tests;
