//! An evaluation as it is stored.

use billing::catalog::{PriceSnapshot, Tier};
use grading::GradingError;
use kernel::id::{EvaluationId, QuestionId, WorkspaceId};
use kernel::time::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::{Record, StoreError, Tx, sql};

use super::files::FileRow;
use super::index;
use super::records::KeptRecord;
use super::request::Asked;
use super::{EvaluationType, GradedBy, Mode, Status};
use crate::payments::row::PaymentReceipt;

/// A row of `evaluation`.
#[derive(Clone, Debug, Record)]
#[record(table = "evaluation")]
pub(crate) struct EvaluationRow {
    pub(crate) id: EvaluationId,
    #[column(name = "workspace_id")]
    pub(crate) workspace: WorkspaceId,
    /// `None` once the learner was erased, and for evaluations of earlier versions until maintenance has found it.
    #[column(name = "question_id")]
    pub(crate) question: Option<QuestionId>,
    pub(crate) evaluation_type: EvaluationType,
    pub(crate) mode: Mode,
    pub(crate) status: Status,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) request_hash: String,
    /// `None` once the learner was erased.
    #[column(name = "request", json)]
    pub(crate) asked: Option<Asked>,
    #[column(columns("price", "tier", "amount_micros"))]
    pub(crate) price: PriceSnapshot,
    pub(crate) learner_id: Option<String>,
    pub(crate) max_score: f64,
    pub(crate) score: Option<f64>,
    pub(crate) confidence: Option<f64>,
    #[column(json)]
    pub(crate) feedback: Option<Feedback>,
    #[column(columns("error_code", "error_message"))]
    pub(crate) failure: Option<Failure>,
    pub(crate) created_at: Timestamp,
    pub(crate) completed_at: Option<Timestamp>,
    #[column(skip)]
    pub(crate) files: Vec<FileRow>,
    /// Few evaluations have files: who has none is not asked for them.
    #[column(name = "files")]
    pub(crate) file_count: i64,
    /// How often it has ended: once, and once more with every review and every grade that took the place of another.
    pub(crate) version: i64,
    /// Who gave the newest grade; `None` without one.
    pub(crate) graded_by: Option<GradedBy>,
    /// The record of its grade, where it is stored with one. The operation that shows records reads it.
    #[column(json, unread)]
    pub(super) record: Option<KeptRecord>,
    /// The receipt of the payment that this process has just had settled for it.
    #[column(skip)]
    pub(crate) receipt: Option<PaymentReceipt>,
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
    /// What the answer tried besides answering, by [`grading::IntegrityFlag`]'s words.
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
#[derive(Clone, Debug, PartialEq, Eq, Record, Serialize, utoipa::ToSchema)]
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

impl EvaluationRow {
    /// Adds the row with its files.
    ///
    /// # Errors
    /// [`StoreError::Unique`] when the workspace used the idempotency key before.
    pub(super) fn add(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        self.insert(tx)?;
        self.files.iter().try_for_each(|file| file.insert(tx, self))?;
        index::add_concepts(tx, self)
    }

    /// An evaluation by its id.
    pub(crate) fn find(tx: &mut Tx<'_>, id: EvaluationId) -> Result<Option<Self>, StoreError> {
        let found = sql!("SELECT {EvaluationRow::*} FROM evaluation WHERE id = {id}").find(tx, Self::from_row)?;
        found.map(|row| row.with_files(tx)).transpose()
    }

    /// An evaluation by its id, which nobody else changes until this transaction ends: an erasure or a review at the same
    /// moment comes before it or after it.
    pub(crate) fn hold(tx: &mut Tx<'_>, id: EvaluationId) -> Result<Option<Self>, StoreError> {
        let held = sql!("UPDATE evaluation SET files = files WHERE id = {id} RETURNING {EvaluationRow::*}");
        let found = held.find(tx, Self::from_row)?;
        found.map(|row| row.with_files(tx)).transpose()
    }

    /// The evaluation that a workspace's idempotency key made.
    pub(crate) fn find_by_key(
        tx: &mut Tx<'_>,
        workspace: WorkspaceId,
        idempotency_key: &str,
    ) -> Result<Option<Self>, StoreError> {
        let found = sql!(
            "SELECT {EvaluationRow::*} FROM evaluation
             WHERE workspace_id = {workspace} AND idempotency_key = {idempotency_key}"
        )
        .find(tx, Self::from_row)?;
        found.map(|row| row.with_files(tx)).transpose()
    }

    /// Evaluations in the order of their ids.
    pub(crate) fn find_all(tx: &mut Tx<'_>, ids: &[String]) -> Result<Vec<Self>, StoreError> {
        let found = tx.query_each(
            ids,
            |id| sql!("SELECT {EvaluationRow::*} FROM evaluation WHERE id = {*id}"),
            Self::from_row,
        )?;
        found.into_iter().map(|row| row.with_files(tx)).collect()
    }

    /// Why a person should look at the grade; nothing where nobody needs to.
    pub(crate) fn review_reasons(&self) -> &[String] {
        self.feedback.as_ref().map(|feedback| feedback.review_reasons.as_slice()).unwrap_or_default()
    }

    /// The LTI launch that `clientMetadata` names as `ltiLaunchSessionId`.
    pub(crate) fn launch_session(&self) -> Option<&str> {
        self.asked.as_ref()?.client_metadata.as_ref()?.get("ltiLaunchSessionId")?.as_str()
    }

    fn with_files(mut self, tx: &mut Tx<'_>) -> Result<Self, StoreError> {
        if self.file_count > 0 {
            self.files = FileRow::list(tx, self.id)?;
        }
        Ok(self)
    }

    /// The tier that it was priced at.
    pub(crate) fn tier(&self) -> Tier {
        self.price.tier
    }
}

pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Unexpected(Box::new(error)))
}
