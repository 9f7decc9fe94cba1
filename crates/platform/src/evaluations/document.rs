//! The bodies of a request for an evaluation, as the API's document has them (platform-api section 4). They are read field
//! by field (see `request` and `form`), so nothing makes one.
#![expect(dead_code, reason = "documents what is read field by field")]

use edge::openapi::AnyObject;
use serde_json::Value;

use super::request::TierName;
use super::{EvaluationType, Mode, ProcessingMode};

/// A concept that a question is about.
#[derive(utoipa::ToSchema)]
#[schema(min_length = 1, max_length = 200)]
pub(super) struct ConceptTag(String);

/// What to grade.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct CreateEvaluationRequest {
    /// How the answer is judged.
    evaluation_type: EvaluationType,
    /// What was asked.
    #[schema(min_length = 1, max_length = 200000, example = "What is the powerhouse of the cell?")]
    question_text: String,
    /// What the learner answered.
    #[schema(max_length = 200000, example = "The mitochondrion.")]
    learner_answer: String,
    /// `fast`, `standard` or `advanced`; by default `exact` gets `fast`, `rubric_short_answer` `standard` and `open_ended`
    /// `advanced`.
    #[schema(value_type = Option<TierName>)]
    tier: Option<String>,
    /// The language of the feedback and of number forms; `en` when it is absent.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*$")]
    language: Option<String>,
    /// The points of a perfect answer, above 0; 10 when it is absent.
    #[schema(minimum = 0.000001, maximum = 1000000)]
    max_score: Option<f64>,
    /// A good answer; required for `exact`.
    #[schema(max_length = 200000)]
    reference_answer: Option<String>,
    /// What is looked for; this or `rubricCriteria` is required for `rubric_short_answer`.
    rubric: Option<Rubric>,
    /// The criteria of `rubric` alone.
    #[schema(max_items = 100)]
    rubric_criteria: Option<Vec<RubricCriterion>>,
    /// The school subject.
    #[schema(max_length = 200)]
    subject: Option<String>,
    /// The learner's grade level.
    #[schema(max_length = 200)]
    grade_level: Option<String>,
    /// How hard the question is meant to be.
    #[schema(max_length = 200)]
    difficulty: Option<String>,
    /// Who answered.
    submitter: Option<Submitter>,
    /// Who answered, where `submitter` is absent.
    #[schema(max_length = 255)]
    learner_external_id: Option<String>,
    /// What the question is about; with a learner, mastery of each is tracked.
    #[schema(value_type = Option<Vec<ConceptTag>>, max_items = 50)]
    concept_tags: Option<Vec<String>>,
    /// How the feedback is to be written.
    feedback_options: Option<FeedbackOptions>,
    /// `auto` (default), `builtin` or `model`.
    processing_mode: Option<ProcessingMode>,
    /// A repeated request with the same key gets the first one's evaluation. It goes before the header.
    #[schema(min_length = 1, max_length = 255, pattern = "^[!-~]+$")]
    idempotency_key: Option<String>,
    /// `sync` (default) or `async`.
    mode: Option<Mode>,
    /// Anything; `ltiLaunchSessionId` links the evaluation to an LTI launch.
    #[schema(value_type = Option<AnyObject>)]
    client_metadata: Option<Value>,
}

/// A rubric.
#[derive(utoipa::ToSchema)]
pub(super) struct Rubric {
    #[schema(min_items = 1, max_items = 100)]
    criteria: Vec<RubricCriterion>,
}

/// What a rubric looks for.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct RubricCriterion {
    #[schema(min_length = 1, max_length = 500, example = "Names the organelle")]
    name: String,
    #[schema(max_length = 20000, example = "The answer names the mitochondrion.")]
    description: Option<String>,
    #[schema(minimum = 0, maximum = 1000000, example = 5)]
    max_score: f64,
}

/// Who answered.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct Submitter {
    #[schema(min_length = 1, max_length = 255)]
    learner_id: String,
    #[schema(max_length = 255)]
    learner_name: Option<String>,
}

/// How feedback is to be written.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct FeedbackOptions {
    /// `encouraging` (default) or `neutral`.
    #[schema(max_length = 50)]
    tone: Option<String>,
    /// `detailed` (default) or `brief`.
    #[schema(max_length = 50)]
    detail_level: Option<String>,
}

/// The same as a form: objects are JSON texts, and files come beside them.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct CreateEvaluationForm {
    /// The other fields, each as a field of the form.
    #[serde(flatten)]
    request: CreateEvaluationRequest,
    /// Files that describe the rubric: at most 10, of 10 MiB each.
    #[schema(max_items = 10, format = Binary, content_media_type = "application/octet-stream")]
    rubric_files: Option<Vec<String>>,
    /// Files that are part of the answer: at most 10, of 10 MiB each.
    #[schema(max_items = 10, format = Binary, content_media_type = "application/octet-stream")]
    answer_files: Option<Vec<String>>,
}
