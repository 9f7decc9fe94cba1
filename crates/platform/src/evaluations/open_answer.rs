//! Evaluations of a test's open answers, which the service begins itself when a learner hands the test in.
//!
//! Each is an evaluation like any other: paid for, graded in the background, recorded, reviewed. What can't be graded ends as
//! `FAILED` at once, which costs nothing, so that a person's review can give the points.

use billing::catalog::PriceSnapshot;
use kernel::id::{EvaluationId, SubmissionId, WorkspaceId};
use kernel::secret::sha256_hex;
use serde_json::json;
use store::{StoreError, Tx, jobs};

use super::end::Ending;
use super::request::Asked;
use super::row::{EvaluationRow, Failure};
use super::work::GradeAnswer;
use super::{EvaluationType, Mode, ProcessingMode, Status};
use crate::payments::{Unpaid, reserve_without_payment};
use crate::questions;

/// The member of `clientMetadata` that names the submission.
const SUBMISSION_ID: &str = "submissionId";

/// An open answer of a test.
#[derive(Clone, Debug)]
pub(crate) struct OpenAnswer<'a> {
    pub(crate) workspace: WorkspaceId,
    pub(crate) submission: SubmissionId,
    pub(crate) item_id: &'a str,
    pub(crate) test_id: &'a str,
    pub(crate) question: &'a str,
    pub(crate) answer: &'a str,
    pub(crate) reference: Option<String>,
    pub(crate) language: &'a str,
    pub(crate) subject: Option<String>,
    pub(crate) price: PriceSnapshot,
    pub(crate) max_score: f64,
    pub(crate) learner_id: Option<String>,
    /// Why a person has to grade it; `None` where the service does.
    pub(crate) ungraded: Option<Ungraded>,
}

/// Why the service does not grade an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ungraded {
    /// The page took no answer.
    HandedInElsewhere,
    /// Nobody could get the score, and whoever launches again would have it graded again.
    Anonymous,
}

impl Ungraded {
    const fn failure(self) -> (&'static str, &'static str) {
        match self {
            Self::HandedInElsewhere => {
                ("handed_in_elsewhere", "The item asks for work that the page does not take. A person has to grade it.")
            }
            Self::Anonymous => ("anonymous_launch", "The launch was anonymous. A person can grade the answer."),
        }
    }
}

/// Begins an evaluation: queued with its price set aside, or ended without a grade where nobody can pay or grade.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn begin(tx: &mut Tx<'_>, answer: &OpenAnswer<'_>) -> Result<EvaluationId, StoreError> {
    let mut row = answer.row(tx);
    questions::assign(tx, &mut row)?;
    let id = row.id;
    if let Some(ungraded) = answer.ungraded {
        let (code, message) = ungraded.failure();
        fail(tx, row, code, message)?;
        return Ok(id);
    }
    match reserve_without_payment(tx, &row)? {
        Ok(()) => {
            row.add(tx)?;
            jobs::enqueue(tx, row.workspace, &GradeAnswer::new(row.id))?;
        }
        Err(Unpaid { code, message }) => fail(tx, row, code, message)?,
    }
    Ok(id)
}

fn fail(tx: &mut Tx<'_>, row: EvaluationRow, code: &str, message: &str) -> Result<(), StoreError> {
    let failure = Failure { code: code.to_owned(), message: message.to_owned() };
    row.ended(tx, Ending::from(failure)).insert(tx, None).map(|_| ())
}

impl OpenAnswer<'_> {
    fn row(&self, tx: &Tx<'_>) -> EvaluationRow {
        let named = json!({ SUBMISSION_ID: self.submission, "testId": self.test_id, "itemId": self.item_id });
        EvaluationRow {
            id: tx.ambient().id(),
            workspace: self.workspace,
            question: None,
            evaluation_type: EvaluationType::OpenEnded,
            mode: Mode::Async,
            status: Status::Pending,
            idempotency_key: None,
            request_hash: sha256_hex(named.to_string().as_bytes()),
            asked: Some(Asked {
                question_text: self.question.to_owned(),
                learner_answer: self.answer.to_owned(),
                reference_answer: self.reference.clone(),
                criteria: Vec::new(),
                language: self.language.to_owned(),
                subject: self.subject.clone(),
                grade_level: None,
                difficulty: None,
                learner_name: None,
                concept_tags: Vec::new(),
                tone: None,
                detail_level: None,
                processing_mode: ProcessingMode::Auto,
                client_metadata: Some(named),
            }),
            price: self.price.clone(),
            learner_id: self.learner_id.clone(),
            max_score: self.max_score,
            files: Vec::new(),
            file_count: 0,
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

impl EvaluationRow {
    /// Whether the evaluation says that it is of a submission. A client may say so, too: only the submission knows.
    pub(crate) fn claims_submission(&self) -> bool {
        let metadata = self.asked.as_ref().and_then(|asked| asked.client_metadata.as_ref());
        metadata.is_some_and(|metadata| metadata.get(SUBMISSION_ID).is_some())
    }
}
