//! `POST /v1/platform/evaluations` (platform-api section 4).
//!
//! There are three [`Way`]s, each in a file of its own: an exact answer is [`compared`] immediately, any other is graded while
//! the caller waits ([`awaited`]) or [`queued`]. A compared answer that a payment pays for is awaited, too, with its grade at hand. What they have in common is here: the request is read, its files are kept,
//! and one transaction finds the evaluation of an earlier request or stores a new one.

mod awaited;
mod compared;
mod kept_files;
mod paid;
mod queued;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use billing::catalog::{Catalog, PriceSnapshot};
use edge::answer::{Answer, IDEMPOTENT_REPLAYED};
use edge::body::JsonBody;
use edge::idempotency::IdempotencyKey;
use edge::problem::Problem;
use grading::GradingError;
use http::{HeaderMap, HeaderValue, StatusCode};
use kernel::id::WorkspaceId;
use serde_json::json;
use store::Tx;

use self::kept_files::KeptFiles;
use self::paid::{judge_payment, with_receipt};
use super::document::{CreateEvaluationForm, PaymentRequiredBody};
use super::files::FileRow;
use super::form::{EvaluationBody, Upload, read_body};
use super::grade::Graded;
use super::graders;
use super::request::{CreateEvaluationRequest, NewEvaluation, care, read};
use super::row::{EvaluationRow, Failure};
use super::wait::Awaited;
use super::{Evaluation, EvaluationType, Mode, Role, Status, calibration};
use crate::callers::{self, Caller, Credential};
use crate::named::NamedInQuery;
use crate::payments::Means;
use crate::{Platform, payments, questions};

/// The name of the transactions.
const NAME: &str = "evaluations.create";
/// What a client is told to wait where the grader does not say.
const NOT_READY: Duration = Duration::from_secs(5);

/// Grades an answer: at once, or in the background when `mode` is `async`.
#[utoipa::path(
    post, path = "/v1/platform/evaluations", tag = "Evaluations", operation_id = "createEvaluation",
    request_body(content((CreateEvaluationRequest = "application/json"), (CreateEvaluationForm = "multipart/form-data"))),
    params(
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses(
        (status = 402, description = "Nothing that the workspace has pays for it. Where payments are taken, the answer says how to \
            pay (`x402`, `accepts` and the header `PAYMENT-REQUIRED`); send it again with the payment as `X-PAYMENT` or \
            `PAYMENT-SIGNATURE`", body = PaymentRequiredBody),
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
    let presented = payments::presented(&headers).filter(|_| platform.x402.is_some());
    let (body, reading) = read_body(&platform, &credential, request).await?;
    let request = Problem::both(Order::read(&platform, header_key, body), named.optional());
    let ((order, way), named) = callers::accept(&platform.door, &credential, NAME, request).await?;
    let order = Arc::new(order);
    let verified = match presented {
        Some(presented) => judge_payment(&platform, &credential, &order, named, presented).await?,
        None => None,
    };
    let files = KeptFiles::keep(&platform, &credential, &order, named).await?;
    drop(reading);
    let means = Means { x402: platform.x402.clone(), verified };
    let way = way.taken_with(&means);
    let arrival = Arrival { platform, credential, named, order, files, means };
    // What has begun goes on when the client goes away.
    let begun = match way {
        Way::Compared(grade) => return compared::create(arrival, grade).await,
        Way::Awaited(grade) => tokio::spawn(awaited::create(arrival, grade)),
        Way::Queued => tokio::spawn(queued::create(arrival)),
    };
    begun.await.map_err(Problem::unexpected)?
}

/// The three ways to a grade.
enum Way {
    /// Code has compared the answer already.
    Compared(Box<Result<Graded, Failure>>),
    /// It is graded while the caller waits, or has its grade and is settled while the caller waits.
    Awaited(Option<Box<Graded>>),
    /// It waits in the queue.
    Queued,
}

impl Way {
    /// A payment is settled between the grade and its end, which one transaction can't wait for. A failure is not paid for.
    fn taken_with(self, means: &Means) -> Self {
        match self {
            Self::Compared(grade) if means.verified.is_some() => match *grade {
                Ok(graded) => Self::Awaited(Some(Box::new(graded))),
                failure => Self::Compared(Box::new(failure)),
            },
            way => way,
        }
    }
}

/// A request without faults, and the facts that were found out before its transaction.
struct Order {
    new: NewEvaluation,
    idempotency_key: Option<IdempotencyKey>,
    request_hash: String,
    prices: Catalog,
    /// What identifies its question. Worked out before the transaction: questions may be long, and there is one writer.
    question_key: String,
    /// The files, each with the row that it will have.
    uploads: Vec<(FileRow, Upload)>,
    /// Why a caller who waits would wait in vain. What is queued may wait for better times.
    unready: Option<GradingError>,
}

/// An order on its way into the store.
struct Arrival {
    platform: Platform,
    credential: Credential,
    /// The workspace that the request names.
    named: Option<WorkspaceId>,
    order: Arc<Order>,
    files: KeptFiles,
    /// What pays for it.
    means: Means,
}

/// What a request came to in its transaction.
enum Opened<T> {
    /// An earlier request made it.
    Replayed(Box<EvaluationRow>),
    /// It is stored.
    New(T),
}

impl Order {
    fn read(
        platform: &Platform,
        header_key: Result<Option<IdempotencyKey>, Problem>,
        body: EvaluationBody,
    ) -> Result<(Self, Way), Problem> {
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
        let unready = match new.mode {
            Mode::Sync => platform.graders.ready(new.asked.processing_mode, new.evaluation_type, care(new.tier)).err(),
            Mode::Async => None,
        };
        let request_hash = request_hash(&fields, &files)?;
        let row =
            |(position, upload): (usize, Upload)| (FileRow::of(platform.door.ambient.id(), position, &upload), upload);
        let uploads: Vec<(FileRow, Upload)> = files.into_iter().enumerate().map(row).collect();
        let rows = uploads.iter().map(|(row, _)| row);
        let question_key = calibration::question_key(new.evaluation_type, &new.asked, rows);
        let prices = platform.prices.clone();
        let order = Self { new, idempotency_key, request_hash, prices, question_key, uploads, unready };
        let way = order.way();
        Ok((order, way))
    }

    fn way(&self) -> Way {
        let new = &self.new;
        if new.mode == Mode::Async {
            return Way::Queued;
        }
        let is_compared = new.evaluation_type == EvaluationType::Exact && self.uploads.is_empty();
        if is_compared && let Some(grade) = graders::compare_at_once(&new.submission()) {
            return Way::Compared(Box::new(grade));
        }
        Way::Awaited(None)
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

    /// The evaluation of an earlier request, or what `store` makes of a new row for the caller's workspace.
    fn open<T>(
        &self,
        tx: &mut Tx<'_>,
        caller: &Caller,
        named: Option<WorkspaceId>,
        store: impl FnOnce(&mut Tx<'_>, EvaluationRow) -> Result<T, Problem>,
    ) -> Result<Opened<T>, Problem> {
        let workspace = caller.paying_workspace(tx, named)?;
        if let Some(found) = self.earlier(tx, workspace)? {
            return Ok(Opened::Replayed(Box::new(found)));
        }
        let mut row = self.row(tx, workspace);
        // Before the balance is touched, on which others wait.
        row.question = Some(questions::find_or_add(tx, &row, &self.new.asked, &self.question_key)?);
        store(tx, row).map(Opened::New)
    }

    /// What it costs now.
    fn price(&self, tx: &Tx<'_>) -> PriceSnapshot {
        self.prices.evaluation(self.new.tier, tx.now())
    }

    fn row(&self, tx: &Tx<'_>, workspace: WorkspaceId) -> EvaluationRow {
        let new = &self.new;
        EvaluationRow {
            id: tx.ambient().id(),
            workspace,
            question: None,
            evaluation_type: new.evaluation_type,
            mode: new.mode,
            status: if new.mode == Mode::Sync { Status::Processing } else { Status::Pending },
            idempotency_key: self.idempotency_key.as_ref().map(|key| key.as_str().to_owned()),
            request_hash: self.request_hash.clone(),
            asked: Some(new.asked.clone()),
            price: self.price(tx),
            learner_id: new.learner_id.clone(),
            max_score: new.max_score,
            files: self.uploads.iter().map(|(row, _)| row.clone()).collect(),
            file_count: i64::try_from(self.uploads.len()).unwrap_or(i64::MAX),
            score: None,
            confidence: None,
            feedback: None,
            failure: None,
            created_at: tx.now(),
            completed_at: None,
            version: 1,
            graded_by: None,
            record: None,
            receipt: None,
        }
    }
}

/// Nothing was stored and nothing paid.
fn not_ready(error: &GradingError) -> Problem {
    let retry_after = error.retry_after.unwrap_or(NOT_READY);
    let message = "The grader is not available at the moment. Try again later, or ask with mode async.";
    Problem::NotReady { message, retry_after }
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

/// An evaluation that this request made.
fn created(platform: &Platform, row: EvaluationRow) -> Answer {
    Answer::json(StatusCode::CREATED, &platform.show(row))
}

/// The evaluation that an earlier request made, when it has ended where the caller waits for it.
async fn replayed(platform: &Platform, row: EvaluationRow) -> Result<Answer, Problem> {
    let (status, row) = match row.mode {
        Mode::Sync if !row.status.is_terminal() => awaited(platform.grading.wait(row.id).await?),
        Mode::Sync | Mode::Async => (StatusCode::CREATED, row),
    };
    if let (Some(x402), Some(failure)) = (&platform.x402, &row.failure)
        && failure.code == payments::PAYMENT_FAILED
    {
        // It waited for an evaluation whose payment was not settled: the key is free again.
        return Err(x402.failed(&x402.offer(&row.price, row.mode), "settlement_failed", failure.message.clone()));
    }
    let (id, is_graded) = (row.id, row.status == Status::Completed);
    let answer = Answer::json(status, &platform.show(row).into_replay());
    let answer = if is_graded { with_receipt(platform, answer, id).await? } else { answer };
    Ok(answer.with_header(IDEMPOTENT_REPLAYED.clone(), HeaderValue::from_static("true")))
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
