//! What the answers to a question come to: how many there are, what graders and people gave, and how far the two agree.
//!
//! The figures are worked out when they are asked for, of the newest answers, a bounded number of them: nothing is counted while
//! answers come in.

use grading::metrics::QUARTER;
use kernel::id::QuestionId;
use kernel::json::plain_number_or_null;
use serde::Serialize;
use store::{Group as _, StoreError, Tx, sql};

/// Answers that the figures are of, at most: the newest.
const MOST_ANSWERS: i64 = 10_000;

/// What the answers to a question come to, of its newest 10,000. Shares are from 0 to 1.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuestionStatistics {
    /// Evaluations of answers.
    #[schema(example = 30)]
    answers: i64,
    /// Those that have a grade.
    graded: i64,
    /// Those whose newest grade is a person's.
    reviewed: i64,
    /// Those that need a review.
    to_review: i64,
    /// Whether there are more answers than these figures are of.
    has_more: bool,
    /// The mean share of the points that graders gave, where their grade is the newest; null where there is none.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    mean_grader_share: Option<f64>,
    /// The mean share of the points that people gave; null where there is none.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    mean_reviewer_share: Option<f64>,
    /// How far graders agree with people.
    agreement: GraderAgreement,
}

/// How far graders agree with people: each reviewed answer's last grade by a grader, against the person's newest.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GraderAgreement {
    /// Answers that have both grades.
    compared: i64,
    /// The share of them whose two grades differ by at most a quarter of the points; null without any.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    within_quarter: Option<f64>,
    /// The mean difference of the two grades as a share of the points; null without any.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    mean_absolute_error: Option<f64>,
    /// The graders' mean confidence: of well calibrated grades it is near `withinQuarter`. Null without any.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    mean_confidence: Option<f64>,
}

#[derive(store::Record)]
struct Counts {
    answers: i64,
    graded: i64,
    reviewed: i64,
    mean_grader_share: Option<f64>,
    mean_reviewer_share: Option<f64>,
}

#[derive(store::Record)]
struct Compared {
    compared: i64,
    within_quarter: Option<f64>,
    mean_absolute_error: Option<f64>,
    mean_confidence: Option<f64>,
}

/// Works the figures of a question out.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn load(tx: &mut Tx<'_>, question: QuestionId) -> Result<QuestionStatistics, StoreError> {
    let Counts { answers, graded, reviewed, mean_grader_share, mean_reviewer_share } = counts(tx, question)?;
    let more = sql!("SELECT 1 FROM evaluation WHERE question_id = {question} LIMIT 1 OFFSET {MOST_ANSWERS}");
    let has_more = more.find(tx, |_| Ok(()))?.is_some();
    let to_review = sql!(
        "SELECT count(*) AS to_review FROM (
            SELECT 1 FROM evaluation_to_review WHERE question_id = {question} LIMIT {MOST_ANSWERS}) AS open"
    )
    .find(tx, |row| row.get(0))?;
    let Compared { compared, within_quarter, mean_absolute_error, mean_confidence } = compared(tx, question)?;
    let agreement = GraderAgreement {
        compared,
        within_quarter: within_quarter.map(thousandths),
        mean_absolute_error: mean_absolute_error.map(thousandths),
        mean_confidence: mean_confidence.map(thousandths),
    };
    Ok(QuestionStatistics {
        answers,
        graded,
        reviewed,
        to_review: to_review.unwrap_or_default(),
        has_more,
        mean_grader_share: mean_grader_share.map(thousandths),
        mean_reviewer_share: mean_reviewer_share.map(thousandths),
        agreement,
    })
}

fn counts(tx: &mut Tx<'_>, question: QuestionId) -> Result<Counts, StoreError> {
    let counted = sql!(
        "SELECT count(*) AS answers, count(score) AS graded, count(*) FILTER (WHERE graded_by = 'reviewer') AS reviewed,
            avg(score / max_score) FILTER (WHERE COALESCE(graded_by, '') <> 'reviewer') AS mean_grader_share,
            avg(score / max_score) FILTER (WHERE graded_by = 'reviewer') AS mean_reviewer_share
         FROM (SELECT graded_by, score, max_score FROM evaluation WHERE question_id = {question}
               ORDER BY created_at DESC, id DESC LIMIT {MOST_ANSWERS}) AS newest"
    );
    counted.find(tx, |row| Counts::read_at(row, 0))?.ok_or_else(no_row)
}

fn compared(tx: &mut Tx<'_>, question: QuestionId) -> Result<Compared, StoreError> {
    let compared = sql!(
        "SELECT count(*) AS compared, avg(CAST(CASE WHEN difference <= {QUARTER} THEN 1 ELSE 0 END AS DOUBLE PRECISION)) AS within_quarter,
            avg(difference) AS mean_absolute_error, avg(confidence) AS mean_confidence
         FROM (
            SELECT abs(given.score - newest.score) / newest.max_score AS difference, given.confidence AS confidence
            FROM (SELECT id, graded_by, score, max_score FROM evaluation WHERE question_id = {question}
                  ORDER BY created_at DESC, id DESC LIMIT {MOST_ANSWERS}) AS newest
            JOIN evaluation_grade given ON given.evaluation_id = newest.id
            WHERE newest.graded_by = 'reviewer' AND given.score IS NOT NULL
                AND COALESCE(given.graded_by, '') <> 'reviewer' AND NOT EXISTS (
                    SELECT 1 FROM evaluation_grade later WHERE later.evaluation_id = given.evaluation_id
                        AND later.version > given.version AND later.score IS NOT NULL
                        AND COALESCE(later.graded_by, '') <> 'reviewer')) AS pairs"
    );
    compared.find(tx, |row| Compared::read_at(row, 0))?.ok_or_else(no_row)
}

fn no_row() -> StoreError {
    StoreError::Unexpected("an aggregate without a row".into())
}

fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
