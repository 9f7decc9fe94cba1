//! `GET /v1/platform/evaluations/{id}/record`: beyond the document, which shows grades and not how they came about.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use grading::{Record, Submission};
use kernel::id::{EvaluationId, QuestionId};
use kernel::json::plain_number;
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Group as _, StoreError, Tx};

use super::{AnswerVersion, KeptRecord, attach};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::calibration;
use crate::evaluations::files::FileRow;
use crate::evaluations::grade::hundredths;
use crate::evaluations::row::{CriterionScore, EvaluationRow, Failure, Feedback};
use crate::evaluations::{EvaluationType, GradedBy, NOT_FOUND, Role, Status};

const RUNNING: Problem = Problem::Conflict("The evaluation has not ended yet.");

/// How the grades of an evaluation came about.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationRecord {
    /// Of which evaluation.
    evaluation_id: EvaluationId,
    /// The question that is answered; null once the learner was erased, and for up to a day after an update from a version without
    /// questions.
    #[schema(required)]
    question_id: Option<QuestionId>,
    /// How far it is.
    status: Status,
    /// How the answer is judged.
    evaluation_type: EvaluationType,
    /// The version that counts.
    #[schema(example = 1)]
    version: i64,
    /// Whether a person should look at it.
    needs_review: bool,
    /// Why; empty where nobody needs to look.
    review_reasons: Vec<String>,
    /// Every version, the newest first; none once the learner was erased.
    versions: Vec<GradeVersion>,
    /// What was graded, as the grader saw it; null once the learner was erased.
    #[schema(required)]
    submission: Option<Submission>,
    /// The files that were sent, in their order. Those in `submission` follow them, with what was read.
    files: Vec<RecordedFile>,
    /// Whose reviewed answers `submission.reviewed` has.
    calibrated_by: Vec<AnswerVersion>,
    /// Whether `submission` is all that the grader saw, so that its grade can be worked out again. It is not where the text of
    /// files was not kept, or where a reviewed answer was erased since.
    is_replayable: bool,
}

/// What was said of an answer at a time.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct GradeVersion {
    /// 1 for what the service said; one more with every review.
    #[schema(example = 1)]
    version: i64,
    /// Who graded; null where that failed.
    #[schema(required)]
    graded_by: Option<GradedBy>,
    /// The person, as the review named them.
    #[schema(required)]
    reviewer: Option<String>,
    /// When.
    graded_at: Timestamp,
    /// The grade; null where that failed.
    #[schema(required)]
    grade: Option<RecordedGrade>,
    /// Why there is no grade.
    #[schema(required)]
    error: Option<Failure>,
    /// How it came about; null where it failed before anybody was asked, or was graded before records were kept.
    #[schema(required)]
    record: Option<Record>,
}

/// A grade, with the evaluation's words.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecordedGrade {
    #[serde(serialize_with = "plain_number")]
    score: f64,
    #[serde(serialize_with = "plain_number")]
    max_score: f64,
    #[serde(serialize_with = "plain_number")]
    normalized_score: f64,
    #[serde(serialize_with = "plain_number")]
    confidence: f64,
    #[schema(required)]
    rubric_breakdown: Option<Vec<CriterionScore>>,
    strengths: Vec<String>,
    mistakes: Vec<String>,
    suggestions: Vec<String>,
    feedback_summary: String,
    next_step: String,
    integrity_flags: Vec<String>,
    /// Why a person should have looked at this grade.
    review_reasons: Vec<String>,
}

/// A file that was sent.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecordedFile {
    role: Role,
    file_name: String,
    /// Found out from its content.
    mime_type: String,
    /// In bytes.
    size: i64,
    /// Of the bytes that were graded.
    sha256: String,
}

/// How the grade of an evaluation came about: who graded and in which version, what a model was asked and what it said, what
/// was graded, and every earlier grade. For whoever has to explain a grade; `lectern grade --replay` works it out again.
#[utoipa::path(
    get, path = "/v1/platform/evaluations/{id}/record", tag = "Evaluations", operation_id = "getEvaluationRecord",
    responses(
        (status = 200, description = "The record", body = EvaluationRecord),
        (status = 409, description = "The evaluation has not ended yet", body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential.or_reviewer(), "evaluations.record", move |tx, caller| {
        let id: EvaluationId = id.parse().map_err(|_| NOT_FOUND)?;
        let row = EvaluationRow::find(tx, id)?.filter(|row| caller.sees(row.workspace)).ok_or(NOT_FOUND)?;
        if !row.status.is_terminal() {
            return Err(RUNNING);
        }
        Ok(Answer::ok(&EvaluationRecord::load(tx, row)?))
    })
    .await
}

impl EvaluationRecord {
    fn load(tx: &mut Tx<'_>, row: EvaluationRow) -> Result<Self, StoreError> {
        let (mut versions, mut machine, mut is_graded) = (Vec::new(), None, false);
        for (version, kept) in list_versions(tx, &row)? {
            // The newest that no person gave.
            if let Some(kept) = kept.filter(|kept| machine.is_none() && kept.graded_by() != GradedBy::Reviewer) {
                is_graded = version.grade.is_some();
                machine = Some(kept);
            }
            versions.push(version);
        }
        let KeptParts { files, calibrated_by } = machine.map(KeptParts::from).unwrap_or_default();
        let reviewed = calibration::find_all(tx, &calibrated_by)?;
        let is_whole = files.len() == row.files.len() && reviewed.len() == calibrated_by.len();
        let submission = row.asked.as_ref().map(|asked| {
            let mut submission = asked.submission(row.evaluation_type, row.max_score, row.tier());
            attach(&mut submission, &files);
            submission.reviewed = reviewed;
            submission
        });
        Ok(Self {
            evaluation_id: row.id,
            question_id: row.question,
            status: row.status,
            evaluation_type: row.evaluation_type,
            version: row.version,
            needs_review: !row.review_reasons().is_empty(),
            review_reasons: row.review_reasons().to_vec(),
            versions,
            is_replayable: is_graded && is_whole && submission.is_some(),
            submission,
            files: row.files.into_iter().map(RecordedFile::from).collect(),
            calibrated_by,
        })
    }
}

/// What of a machine's record belongs to the submission.
#[derive(Default)]
struct KeptParts {
    files: Vec<super::ReadFile>,
    calibrated_by: Vec<AnswerVersion>,
}

impl From<KeptRecord> for KeptParts {
    fn from(kept: KeptRecord) -> Self {
        Self { files: kept.files, calibrated_by: kept.calibrated_by }
    }
}

impl From<FileRow> for RecordedFile {
    fn from(row: FileRow) -> Self {
        let FileRow { role, file_name, mime_type, size_bytes, sha256, .. } = row;
        Self { role, file_name, mime_type, size: size_bytes, sha256 }
    }
}

/// Every version, the newest first, each with its record; none of an evaluation that was erased.
fn list_versions(
    tx: &mut Tx<'_>,
    evaluation: &EvaluationRow,
) -> Result<Vec<(GradeVersion, Option<KeptRecord>)>, StoreError> {
    if evaluation.asked.is_none() {
        return Ok(Vec::new());
    }
    tx.query(
        "SELECT version, graded_by, reviewer, COALESCE(reviewed_at, completed_at), score, confidence, feedback, error_code,
            error_message, record
         FROM evaluation WHERE id = $1
         UNION ALL
         SELECT version, graded_by, reviewer, graded_at, score, confidence, feedback, error_code, error_message, record
         FROM evaluation_grade WHERE evaluation_id = $1
         ORDER BY 1 DESC",
        &[&evaluation.id],
        |row| StoredGrade::read_at(row, 0).map(|grade| grade.version(evaluation)),
    )
}

/// A version as it is stored.
#[derive(store::Record)]
struct StoredGrade {
    version: i64,
    graded_by: Option<GradedBy>,
    reviewer: Option<String>,
    graded_at: Timestamp,
    score: Option<f64>,
    confidence: Option<f64>,
    #[column(json)]
    feedback: Option<Feedback>,
    #[column(group)]
    failure: Option<Failure>,
    #[column(json)]
    record: Option<KeptRecord>,
}

impl StoredGrade {
    fn version(self, evaluation: &EvaluationRow) -> (GradeVersion, Option<KeptRecord>) {
        let grade = self.score.zip(self.feedback);
        let version = GradeVersion {
            version: self.version,
            graded_by: self.graded_by,
            reviewer: self.reviewer,
            graded_at: self.graded_at,
            grade: grade
                .map(|(score, feedback)| RecordedGrade::of(score, evaluation.max_score, self.confidence, feedback)),
            error: self.failure,
            record: self.record.as_ref().map(|kept| kept.record.clone()),
        };
        (version, self.record)
    }
}

impl RecordedGrade {
    fn of(score: f64, max_score: f64, confidence: Option<f64>, feedback: Feedback) -> Self {
        Self {
            score,
            max_score,
            normalized_score: hundredths(score / max_score * 100.0),
            confidence: confidence.unwrap_or_default(),
            rubric_breakdown: feedback.rubric_breakdown,
            strengths: feedback.strengths,
            mistakes: feedback.mistakes,
            suggestions: feedback.suggestions,
            feedback_summary: feedback.feedback_summary,
            next_step: feedback.next_step,
            integrity_flags: feedback.integrity,
            review_reasons: feedback.review_reasons,
        }
    }
}

#[cfg(test)]
mod tests;
