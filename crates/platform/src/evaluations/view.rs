//! An evaluation as its workspace sees it (platform-api section 2).

use billing::catalog::{PriceSnapshot, Tier};
use edge::openapi::AnyObject;
use files::FileKey;
use kernel::id::{EvaluationId, QuestionId};
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::files::FileRow;
use super::grade::hundredths;
use super::row::{CriterionScore, EvaluationRow, Failure};
use super::{EvaluationType, GradedBy, LINK_LIFE, Mode, Role, Status};
use crate::Platform;
use crate::lti::sync::LtiSync;
use kernel::json::{plain_number, plain_number_or_null};

/// How long a client waits before it asks again, in milliseconds.
const POLL_AFTER_MS: u32 = 1000;

/// An evaluation.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// Its id.
    id: EvaluationId,
    /// How far it is.
    status: Status,
    /// The question that is answered: evaluations with one type, question, reference and rubric share it. Null once the learner
    /// was erased, and for up to a day after an update from a version without questions.
    #[schema(required)]
    question_id: Option<QuestionId>,
    /// How the answer is judged.
    evaluation_type: EvaluationType,
    /// The client's key.
    #[schema(required)]
    idempotency_key: Option<String>,
    /// Whether this answer is about an evaluation that an earlier request made.
    idempotent_replay: bool,
    /// Whether the caller waits.
    mode: Mode,
    /// The tier that it is priced at.
    tier: Tier,
    /// The price of the request's time.
    price_snapshot: PriceSnapshot,
    /// The points; null until it is graded.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    score: Option<f64>,
    /// The points of a perfect answer.
    #[serde(serialize_with = "plain_number")]
    max_score: f64,
    /// The points from 0 to 100.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    normalized_score: Option<f64>,
    /// How sure the grader is, from 0 to 1.
    #[schema(required)]
    #[serde(serialize_with = "plain_number_or_null")]
    confidence: Option<f64>,
    /// Criterion by criterion; for rubrics only.
    #[schema(required)]
    rubric_breakdown: Option<Vec<CriterionScore>>,
    /// What is good.
    strengths: Vec<String>,
    /// What is wrong or missing.
    mistakes: Vec<String>,
    /// What to change.
    suggestions: Vec<String>,
    /// The feedback in short.
    #[schema(required)]
    feedback_summary: Option<String>,
    /// What to do next.
    #[schema(required)]
    next_step: Option<String>,
    /// What the answer tried besides answering: `addresses_grader`, `repeats_prompt`, `not_sentences`, `hidden_text`.
    integrity_flags: Vec<String>,
    /// Whether a person should look at the grade. A review makes it false.
    needs_review: bool,
    /// Why: `addresses_grader` or `hidden_text`; empty where nobody needs to look.
    #[schema(example = json!([]))]
    review_reasons: Vec<String>,
    /// Who gave the grade; null without one.
    #[schema(required)]
    graded_by: Option<GradedBy>,
    /// 1 for what the service said first; one more with every review, and every time that the question was graded again
    /// and this grade changed.
    #[schema(example = 1)]
    version: i64,
    /// The files of the rubric.
    rubric_files: Vec<EvaluationFile>,
    /// The files of the answer.
    answer_files: Vec<EvaluationFile>,
    /// Why there is no grade; null unless it failed.
    #[schema(required)]
    error: Option<Failure>,
    /// What the request gave as `clientMetadata`.
    #[schema(required, value_type = Option<AnyObject>)]
    client_metadata: Option<Value>,
    /// How far the score is on its way to a gradebook. Only `GET` of one evaluation says it, of one that names an LTI launch
    /// session and was graded.
    #[serde(skip_serializing_if = "Option::is_none")]
    lti_sync: Option<LtiSync>,
    /// Whether it stays as it is.
    is_terminal: bool,
    /// After how many milliseconds to ask again; null when there is nothing to wait for.
    #[schema(required)]
    poll_after_ms: Option<u32>,
    /// When it was asked for.
    created_at: Timestamp,
    /// When it was graded, or failed.
    #[schema(required)]
    completed_at: Option<Timestamp>,
}

/// A file of an evaluation.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationFile {
    /// Where it can be fetched for a while, without a key; `None` in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = "uri")]
    pub(super) url: Option<String>,
    /// Its name.
    pub(super) file_name: String,
    /// Its type, found out from its content.
    pub(super) mime_type: String,
    /// Its length in bytes.
    pub(super) size: i64,
    /// The SHA-256 of its content, in hex.
    pub(super) sha256: String,
}

impl Platform {
    /// An evaluation as its workspace sees it, its files with links that hold for a while.
    pub(super) fn show(&self, row: EvaluationRow) -> Evaluation {
        let expires = self.door.ambient.now().plus(LINK_LIFE);
        let workspace = row.workspace;
        Evaluation::of(row, |file| Some(self.files.links.url(FileKey { workspace, file: file.id }, expires).into()))
    }
}

impl Evaluation {
    /// The evaluation with its files, each with the address that `url_of` gives it.
    pub(super) fn of(mut row: EvaluationRow, url_of: impl Fn(&FileRow) -> Option<String>) -> Self {
        let files = std::mem::take(&mut row.files);
        let of_role = |role: Role| {
            let shown = |file: &FileRow| EvaluationFile {
                url: url_of(file),
                file_name: file.file_name.clone(),
                mime_type: file.mime_type.clone(),
                size: file.size_bytes,
                sha256: file.sha256.clone(),
            };
            files.iter().filter(|file| file.role == role).map(shown).collect()
        };
        let feedback = row.feedback.clone().unwrap_or_default();
        let is_graded = row.feedback.is_some();
        let is_terminal = row.status.is_terminal();
        Self {
            tier: row.tier(),
            id: row.id,
            question_id: row.question,
            status: row.status,
            evaluation_type: row.evaluation_type,
            idempotency_key: row.idempotency_key,
            idempotent_replay: false,
            mode: row.mode,
            normalized_score: row.score.map(|score| hundredths(score / row.max_score * 100.0)),
            score: row.score,
            max_score: row.max_score,
            confidence: row.confidence,
            rubric_breakdown: match row.evaluation_type {
                EvaluationType::RubricShortAnswer => feedback.rubric_breakdown,
                EvaluationType::OpenEnded | EvaluationType::Exact => None,
            },
            strengths: feedback.strengths,
            mistakes: feedback.mistakes,
            suggestions: feedback.suggestions,
            feedback_summary: is_graded.then_some(feedback.feedback_summary),
            next_step: is_graded.then_some(feedback.next_step),
            integrity_flags: feedback.integrity,
            needs_review: !feedback.review_reasons.is_empty(),
            review_reasons: feedback.review_reasons,
            graded_by: row.graded_by,
            version: row.version,
            rubric_files: of_role(Role::Rubric),
            answer_files: of_role(Role::Answer),
            error: row.failure,
            client_metadata: row.asked.and_then(|asked| asked.client_metadata),
            lti_sync: None,
            is_terminal,
            poll_after_ms: (!is_terminal).then_some(POLL_AFTER_MS),
            created_at: row.created_at,
            completed_at: row.completed_at,
            price_snapshot: row.price,
        }
    }

    pub(super) fn with_sync(self, lti_sync: Option<LtiSync>) -> Self {
        Self { lti_sync, ..self }
    }

    pub(super) fn into_replay(self) -> Self {
        Self { idempotent_replay: true, ..self }
    }

    pub(super) fn is_replay(&self) -> bool {
        self.idempotent_replay
    }
}
