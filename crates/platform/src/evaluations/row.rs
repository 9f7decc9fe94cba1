//! An evaluation as it is stored.

use billing::catalog::{PriceSnapshot, Tier};
use engine::grading::{CriterionGrade, Grade, GradingError};
use kernel::id::{EvaluationId, WorkspaceId};
use kernel::time::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::{Row, StoreError, Tx};

use super::files::FileRow;
use super::request::Asked;
use super::{EvaluationType, Mode, Status};

/// A row of `evaluation`.
#[derive(Clone, Debug)]
pub(crate) struct EvaluationRow {
    pub(crate) id: EvaluationId,
    pub(crate) workspace: WorkspaceId,
    pub(crate) evaluation_type: EvaluationType,
    pub(crate) mode: Mode,
    pub(crate) status: Status,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) request_hash: String,
    /// `None` once the learner was erased.
    pub(crate) asked: Option<Asked>,
    pub(crate) price: PriceSnapshot,
    pub(crate) learner_id: Option<String>,
    pub(crate) max_score: f64,
    pub(crate) files: Vec<FileRow>,
    pub(crate) score: Option<f64>,
    pub(crate) confidence: Option<f64>,
    pub(crate) feedback: Option<Feedback>,
    pub(crate) failure: Option<Failure>,
    pub(crate) created_at: Timestamp,
    pub(crate) completed_at: Option<Timestamp>,
}

/// What was said to the learner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Feedback {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rubric_breakdown: Option<Vec<CriterionScore>>,
    pub(crate) strengths: Vec<String>,
    pub(crate) mistakes: Vec<String>,
    pub(crate) suggestions: Vec<String>,
    pub(crate) feedback_summary: String,
    pub(crate) next_step: String,
    /// What the answer tried besides answering, by [`engine::grading::IntegrityFlag`]'s words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) integrity: Vec<String>,
}

/// One criterion's part of a grade (platform-api section 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriterionScore {
    /// The criterion's name.
    criterion: String,
    /// Its points.
    #[serde(serialize_with = "kernel::json::plain_number")]
    score: f64,
    /// Its maximum.
    #[serde(serialize_with = "kernel::json::plain_number")]
    max_score: f64,
    /// Why.
    feedback: String,
}

/// Why there is no grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Failure {
    /// For programs.
    #[schema(example = "model_unavailable")]
    pub(crate) code: String,
    /// For people.
    pub(crate) message: String,
}

impl From<GradingError> for Failure {
    fn from(error: GradingError) -> Self {
        Self { code: error.code.to_owned(), message: error.message }
    }
}

/// A grade, as it is stored.
#[derive(Clone, Debug)]
pub(super) struct Graded {
    pub(crate) score: f64,
    pub(crate) confidence: f64,
    pub(crate) feedback: Feedback,
}

impl Graded {
    /// Scores are rounded to what their maximum makes worth writing, and none lies outside its range, whoever judged.
    /// Where there are parts, the total is what they add up to.
    ///
    /// # Errors
    /// A grade with what is no number.
    pub(crate) fn of(grade: Grade, max_score: f64) -> Result<Self, GradingError> {
        let parts: Option<Vec<CriterionGrade>> = grade.rubric_breakdown;
        let numbers = parts.iter().flatten().flat_map(|part| [part.score, part.max_score]);
        if !numbers.chain([grade.score, grade.confidence]).all(f64::is_finite) {
            return Err(GradingError::lasting("grade_invalid", "The grader gave no number."));
        }
        let share = parts.as_deref().and_then(share_of_parts);
        let criterion = |part: CriterionGrade| CriterionScore {
            score: points(part.score, part.max_score),
            criterion: part.criterion,
            max_score: part.max_score,
            feedback: part.feedback,
        };
        let flag = |flag| serde_json::to_value(flag).ok()?.as_str().map(str::to_owned);
        Ok(Self {
            score: points(share.map_or(grade.score, |share| share * max_score), max_score),
            confidence: hundredths(grade.confidence.clamp(0.0, 1.0)),
            feedback: Feedback {
                rubric_breakdown: parts.map(|parts| parts.into_iter().map(criterion).collect()),
                strengths: grade.strengths,
                mistakes: grade.mistakes,
                suggestions: grade.suggestions,
                feedback_summary: grade.feedback_summary,
                next_step: grade.next_step,
                integrity: grade.integrity.into_iter().filter_map(flag).collect(),
            },
        })
    }
}

/// What of all points the criteria's points are; `None` where there are none to get.
fn share_of_parts(parts: &[CriterionGrade]) -> Option<f64> {
    let most: f64 = parts.iter().map(|part| part.max_score).sum();
    let reached: f64 = parts.iter().map(|part| part.score.clamp(0.0, part.max_score.max(0.0))).sum();
    (most > 0.0).then(|| reached / most)
}

/// Two decimals, or three digits where the maximum is below 1; but the maximum itself where that is reached: it may have
/// more.
fn points(score: f64, max_score: f64) -> f64 {
    if score >= max_score {
        return max_score;
    }
    let finer = if max_score < 1.0 { max_score.log10().floor().max(-290.0) } else { 0.0 };
    let unit = 10_f64.powf(2.0 - finer);
    ((score.max(0.0) * unit).round() / unit).min(max_score)
}

pub(super) fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// What [`EvaluationRow::from_row`] reads, in its order.
macro_rules! columns {
    () => {
        "id, workspace_id, evaluation_type, mode, status, idempotency_key, request_hash, request, price, learner_id, max_score, \
         score, confidence, feedback, error_code, error_message, created_at, completed_at, files"
    };
}

impl EvaluationRow {
    /// Adds the row.
    ///
    /// # Errors
    /// [`StoreError::Unique`] when the workspace used the idempotency key before.
    pub(crate) fn insert(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        tx.execute_later(
            "INSERT INTO evaluation (id, workspace_id, evaluation_type, mode, tier, status, idempotency_key, request_hash,
                request, price, amount_micros, learner_id, max_score, score, confidence, feedback, error_code,
                error_message, created_at, completed_at, files)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)",
            &[
                &self.id,
                &self.workspace,
                &self.evaluation_type,
                &self.mode,
                &self.price.tier,
                &self.status,
                &self.idempotency_key,
                &self.request_hash,
                &json(&self.asked)?,
                &json(&self.price)?,
                &self.price.amount,
                &self.learner_id,
                &self.max_score,
                &self.score,
                &self.confidence,
                &self.feedback.as_ref().map(json).transpose()?,
                &self.failure.as_ref().map(|failure| failure.code.as_str()),
                &self.failure.as_ref().map(|failure| failure.message.as_str()),
                &self.created_at,
                &self.completed_at,
                &i64::try_from(self.files.len()).unwrap_or(i64::MAX),
            ],
        )?;
        self.files.iter().try_for_each(|file| file.insert(tx, self.workspace, self.id))
    }

    /// An evaluation by its id.
    pub(crate) fn find(tx: &mut Tx<'_>, id: EvaluationId) -> Result<Option<Self>, StoreError> {
        let found =
            tx.find(concat!("SELECT ", columns!(), " FROM evaluation WHERE id = $1"), &[&id], Self::from_row)?;
        Self::with_files(tx, found)
    }

    /// An evaluation by its id, which nobody else changes until this transaction ends: an erasure at the same moment
    /// comes before it or after it.
    pub(crate) fn hold(tx: &mut Tx<'_>, id: EvaluationId) -> Result<Option<Self>, StoreError> {
        let found = tx.find(
            concat!("UPDATE evaluation SET files = files WHERE id = $1 RETURNING ", columns!()),
            &[&id],
            Self::from_row,
        )?;
        Self::with_files(tx, found)
    }

    /// The evaluation that a workspace's idempotency key made.
    pub(crate) fn find_by_key(
        tx: &mut Tx<'_>,
        workspace: WorkspaceId,
        idempotency_key: &str,
    ) -> Result<Option<Self>, StoreError> {
        let found = tx.find(
            concat!("SELECT ", columns!(), " FROM evaluation WHERE workspace_id = $1 AND idempotency_key = $2"),
            &[&workspace, &idempotency_key],
            Self::from_row,
        )?;
        Self::with_files(tx, found)
    }

    /// Few evaluations have files: the row says how many, and who has none is not asked for them.
    fn with_files(tx: &mut Tx<'_>, found: Option<(Self, i64)>) -> Result<Option<Self>, StoreError> {
        let Some((mut row, files)) = found else { return Ok(None) };
        if files > 0 {
            row.files = FileRow::list(tx, row.id)?;
        }
        Ok(Some(row))
    }

    fn from_row(row: &Row<'_>) -> Result<(Self, i64), StoreError> {
        let error_code: Option<String> = row.get(14)?;
        let error_message: Option<String> = row.get(15)?;
        let evaluation = Self {
            id: row.get(0)?,
            workspace: row.get(1)?,
            evaluation_type: row.get(2)?,
            mode: row.get(3)?,
            status: row.get(4)?,
            idempotency_key: row.get(5)?,
            request_hash: row.get(6)?,
            asked: read(&row.get::<String>(7)?)?,
            price: read(&row.get::<String>(8)?)?,
            learner_id: row.get(9)?,
            max_score: row.get(10)?,
            score: row.get(11)?,
            confidence: row.get(12)?,
            feedback: row.get::<Option<String>>(13)?.as_deref().map(read).transpose()?,
            failure: error_code.map(|code| Failure { code, message: error_message.unwrap_or_default() }),
            created_at: row.get(16)?,
            completed_at: row.get(17)?,
            files: Vec::new(),
        };
        Ok((evaluation, row.get(18)?))
    }

    /// The tier that it was priced at.
    pub(crate) fn tier(&self) -> Tier {
        self.price.tier
    }
}

pub(super) fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Unexpected(Box::new(error)))
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Unexpected(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(score: f64, parts: &[(f64, f64)]) -> Grade {
        let part = |(score, max_score): &(f64, f64)| CriterionGrade {
            criterion: "One".to_owned(),
            score: *score,
            max_score: *max_score,
            feedback: String::new(),
        };
        Grade {
            score,
            confidence: 0.5,
            rubric_breakdown: (!parts.is_empty()).then(|| parts.iter().map(part).collect()),
            strengths: Vec::new(),
            mistakes: Vec::new(),
            suggestions: Vec::new(),
            feedback_summary: String::new(),
            next_step: String::new(),
            integrity: Vec::new(),
        }
    }

    fn score(grade: Grade, max_score: f64) -> f64 {
        Graded::of(grade, max_score).unwrap().score
    }

    #[test]
    fn the_total_is_what_the_criteria_add_up_to_whatever_the_grader_says() {
        assert_eq!(score(grade(10.0, &[(1.0, 4.0), (3.0, 6.0)]), 10.0), 4.0);
        assert_eq!(score(grade(0.0, &[(9.0, 4.0), (-3.0, 6.0)]), 20.0), 8.0, "each within its range");
        assert_eq!(score(grade(7.0, &[(0.0, 0.0)]), 10.0), 7.0, "criteria without points add up to nothing");
    }

    #[test]
    fn scores_lie_in_their_range_and_small_maxima_keep_their_digits() {
        assert_eq!((score(grade(-1.0, &[]), 10.0), score(grade(11.0, &[]), 10.0)), (0.0, 10.0));
        assert_eq!((score(grade(3.33333, &[]), 10.0), score(grade(0.002, &[]), 0.004)), (3.33, 0.002));
        assert_eq!((score(grade(1e-320, &[]), 4e-320), score(grade(2.0, &[]), 1.0 / 3.0)), (0.0, 1.0 / 3.0));
    }

    #[test]
    fn what_is_no_number_is_no_grade() {
        for wrong in [grade(f64::NAN, &[]), grade(1.0, &[(f64::INFINITY, 1.0)]), grade(1.0, &[(1.0, f64::NAN)])] {
            assert_eq!(Graded::of(wrong, 10.0).unwrap_err().code, "grade_invalid");
        }
    }
}
