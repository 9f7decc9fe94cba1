//! An evaluation as it is stored.

use billing::catalog::{PriceSnapshot, Tier};
use engine::grading::GradingError;
use kernel::id::{EvaluationId, WorkspaceId};
use kernel::time::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::{Row, StoreError, ToColumn, Tx};

use super::files::FileRow;
use super::index;
use super::records::KeptRecord;
use super::request::Asked;
use super::{EvaluationType, GradedBy, Mode, Status};

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
    /// How often it has ended: once, and once more with every review.
    pub(crate) version: i64,
    /// Who gave the newest grade; `None` without one.
    pub(crate) graded_by: Option<GradedBy>,
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
    /// Why a person should look at the grade; empty where nobody needs to, and once somebody did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) review_reasons: Vec<String>,
}

/// One criterion's part of a grade (platform-api section 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriterionScore {
    /// The criterion's name.
    pub(super) criterion: String,
    /// Its points.
    #[serde(serialize_with = "kernel::json::plain_number")]
    pub(super) score: f64,
    /// Its maximum.
    #[serde(serialize_with = "kernel::json::plain_number")]
    pub(super) max_score: f64,
    /// Why.
    pub(super) feedback: String,
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

/// What [`EvaluationRow::from_row`] reads, in its order.
macro_rules! columns {
    () => {
        "id, workspace_id, evaluation_type, mode, status, idempotency_key, request_hash, request, price, learner_id, max_score, \
         score, confidence, feedback, error_code, error_message, created_at, completed_at, files, \
         version, graded_by"
    };
}

impl EvaluationRow {
    /// Adds the row, with how its grade came about where it has one already.
    ///
    /// # Errors
    /// [`StoreError::Unique`] when the workspace used the idempotency key before.
    pub(super) fn insert(&self, tx: &mut Tx<'_>, record: Option<&KeptRecord>) -> Result<(), StoreError> {
        tx.execute_later(
            "INSERT INTO evaluation (id, workspace_id, evaluation_type, mode, tier, status, idempotency_key, request_hash,
                request, price, amount_micros, learner_id, max_score, score, confidence, feedback, error_code,
                error_message, created_at, completed_at, files, graded_by, record)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)",
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
                &self.graded_by,
                &record.map(json).transpose()?,
            ],
        )?;
        self.files.iter().try_for_each(|file| file.insert(tx, self.workspace, self.id))?;
        index::add_concepts(tx, self)
    }

    /// An evaluation by its id.
    pub(crate) fn find(tx: &mut Tx<'_>, id: EvaluationId) -> Result<Option<Self>, StoreError> {
        let found =
            tx.find(concat!("SELECT ", columns!(), " FROM evaluation WHERE id = $1"), &[&id], Self::from_row)?;
        Self::with_files(tx, found)
    }

    /// An evaluation by its id, which nobody else changes until this transaction ends: an erasure or a review at the same
    /// moment comes before it or after it.
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

    /// Evaluations in the order of their ids.
    pub(super) fn find_all(tx: &mut Tx<'_>, ids: &[String]) -> Result<Vec<Self>, StoreError> {
        let each: Vec<Vec<&dyn ToColumn>> = ids.iter().map(|id| -> Vec<&dyn ToColumn> { vec![id] }).collect();
        let sql = concat!("SELECT ", columns!(), " FROM evaluation WHERE id = $1");
        let found = tx.query_each(sql, &each, Self::from_row)?;
        let with_files = |row| Self::with_files(tx, Some(row)).map(Option::into_iter);
        let rows: Vec<_> = found.into_iter().map(with_files).collect::<Result<_, _>>()?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// Why a person should look at the grade; nothing where nobody needs to.
    pub(super) fn review_reasons(&self) -> &[String] {
        self.feedback.as_ref().map(|feedback| feedback.review_reasons.as_slice()).unwrap_or_default()
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
            version: row.get(19)?,
            graded_by: row.get(20)?,
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

pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Unexpected(Box::new(error)))
}
