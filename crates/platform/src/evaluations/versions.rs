//! Further versions of a grade: a person's, or what grading again gave. The newest counts, and earlier ones are kept.
//!
//! A new version costs nothing and is no usage: what was paid for is that the service graded once.

use edge::answer::Answer;
use edge::idempotency::{Claim, Idempotency, Kept};
use edge::problem::Problem;
use http::StatusCode;
use store::{StoreError, Tx, sql};

use super::Status;
use super::grade::Graded;
use super::records::KeptRecord;
use super::row::EvaluationRow;

/// Versions of an evaluation, so that nobody fills the database with opinions on one answer.
pub(super) const MOST_VERSIONS: i64 = 100;

/// A row with its next version, and what only the database keeps of that.
pub(super) struct NextVersion {
    row: EvaluationRow,
    record: KeptRecord,
    reviewer: Option<String>,
}

impl NextVersion {
    /// The version that a grade makes; `reviewer` is the person, as a review names them.
    pub(super) fn of(mut row: EvaluationRow, graded: Graded, reviewer: Option<String>) -> Self {
        let Graded { score, confidence, feedback, record } = graded;
        row.version += 1;
        row.status = Status::Completed;
        row.failure = None;
        row.graded_by = Some(record.graded_by());
        (row.score, row.confidence, row.feedback) = (Some(score), Some(confidence), Some(feedback));
        Self { row, record, reviewer }
    }

    /// Puts the version in the place of the one that there is, which is kept.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn save(self, tx: &mut Tx<'_>) -> Result<EvaluationRow, StoreError> {
        let Self { row, record, reviewer } = self;
        supersede(tx, &row)?;
        let (now, feedback, record) = (tx.now(), store::Value::json(&row.feedback)?, store::Value::json(&record)?);
        // What had failed was not paid for, and is not because a person did the work.
        sql!(
            "UPDATE evaluation SET is_unpaid = CASE WHEN status = 'FAILED' THEN 1 ELSE is_unpaid END, status = {row.status},
                version = {row.version}, graded_by = {row.graded_by}, reviewer = {reviewer}, reviewed_at = {now},
                score = {row.score}, confidence = {row.confidence}, feedback = {feedback}, error_code = NULL,
                error_message = NULL, record = {record}, question_id = {row.question}
             WHERE id = {row.id}"
        )
        .execute_later(tx)?;
        Ok(row)
    }
}

/// Keeps the version that there is. Its record may be large: it stays in the database.
fn supersede(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<(), StoreError> {
    tx.execute_later(
        "INSERT INTO evaluation_grade (evaluation_id, version, graded_by, score, confidence, feedback, error_code, error_message,
            reviewer, graded_at, record)
         SELECT id, version, graded_by, score, confidence, feedback, error_code, error_message, reviewer,
            COALESCE(reviewed_at, completed_at), record
         FROM evaluation WHERE id = $1",
        &[&row.id],
    )
}

/// Makes a version once, whatever is repeated. What `make` says; `None` where an earlier request with the claim did it.
///
/// # Errors
/// Any [`StoreError`]; 409 where the key was used for another request.
pub(super) fn once<T>(
    tx: &mut Tx<'_>,
    idempotency: &Idempotency,
    claim: Option<&Claim>,
    make: impl FnOnce(&mut Tx<'_>) -> Result<T, Problem>,
) -> Result<Option<T>, Problem> {
    let mut made = None;
    idempotency.once(tx, claim, |tx| {
        made = Some(make(tx)?);
        // What is said of a learner is kept where the learner's erasure finds it, and nowhere else.
        Ok((Answer::empty(StatusCode::OK), Kept::Same))
    })?;
    Ok(made)
}
