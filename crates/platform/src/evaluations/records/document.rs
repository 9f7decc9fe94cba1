//! What the engine's parts of a record look like in the API's document. The engine makes and reads them
//! (`engine::grading`), so nothing makes one of these; a test holds every record against them.
#![expect(dead_code, reason = "documents what the engine writes")]

use billing::catalog::Tier;

use crate::evaluations::{EvaluationType, GradedBy};

/// How a grade came about.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct GradeRecord {
    /// Who graded.
    graded_by: GradedBy,
    /// The grader's version; null for people.
    #[schema(required, example = "lectern 1.0.0")]
    version: Option<String>,
    /// SHA-256 of the rubric's criteria, in hex; null where there is none.
    #[schema(required)]
    rubric_sha256: Option<String>,
    /// How many reviewed answers to the same question it was calibrated by.
    reviewed_answers: u64,
    /// What the model was asked; null where none was.
    #[schema(required)]
    prompt: Option<RecordedPrompt>,
    /// Each time that the model was asked in the run that ended the evaluation, in order: answers that were no use and calls
    /// without an answer too.
    calls: Vec<RecordedCall>,
    /// The share of all points, from 0 to 1, that each judgement gave; the grade is their median.
    votes: Vec<f64>,
}

/// What a model was asked.
#[derive(utoipa::ToSchema)]
struct RecordedPrompt {
    /// The version of the prompt's wording.
    version: String,
    /// SHA-256 of the whole prompt of the first call, in hex.
    sha256: String,
}

/// One time that a model was asked. It has `provider`, `model`, `output` and `usage` where a model answered, and `failure`
/// where none did.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
struct RecordedCall {
    /// The provider's name in the configuration.
    #[schema(nullable = false)]
    provider: Option<String>,
    /// The model as the provider names it.
    #[schema(nullable = false)]
    model: Option<String>,
    /// What it said, as it came.
    #[schema(nullable = false)]
    output: Option<String>,
    /// What it cost.
    #[schema(nullable = false)]
    usage: Option<RecordedUsage>,
    /// Why there is no answer.
    #[schema(nullable = false, example = "model_timeout")]
    failure: Option<String>,
    /// How long it took, in milliseconds, with what was tried before.
    latency_ms: u64,
    /// How often it was tried, at all providers.
    tries: u32,
    /// The providers that were asked and gave no answer, in order; absent where there are none.
    #[schema(nullable = false)]
    failures: Option<Vec<RecordedFailure>>,
}

/// A provider that gave no answer.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
struct RecordedFailure {
    /// The provider's name in the configuration.
    provider: String,
    /// The model's name in the configuration.
    model: String,
    /// Why, the last time.
    #[schema(example = "model_unavailable")]
    failure: String,
    /// How long it took, in milliseconds.
    latency_ms: u64,
    /// How often it was tried.
    tries: u32,
}

/// Tokens that a provider counted; 0 where it did not say.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
struct RecordedUsage {
    /// Of the prompt, kept ones included.
    input_tokens: u64,
    /// Of the answer.
    output_tokens: u64,
    /// Of the prompt, those that the provider had kept from an earlier one.
    cached_tokens: u64,
}

/// What was graded.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct RecordedSubmission {
    /// How the answer is judged.
    evaluation_type: EvaluationType,
    /// What was asked.
    question: String,
    /// What the learner answered.
    answer: String,
    /// A good answer.
    #[schema(required)]
    reference_answer: Option<String>,
    /// Other good answers.
    other_references: Vec<String>,
    /// The rubric.
    criteria: Vec<RecordedCriterion>,
    /// What was read of the rubric's files.
    rubric_files: Vec<RecordedAttachment>,
    /// What was read of the answer's files.
    answer_files: Vec<RecordedAttachment>,
    /// The points of a perfect answer.
    max_score: f64,
    /// The language of the feedback and of number forms.
    language: String,
    /// The school subject.
    #[schema(required)]
    subject: Option<String>,
    /// The learner's grade level.
    #[schema(required)]
    grade_level: Option<String>,
    /// How hard the question is meant to be.
    #[schema(required)]
    difficulty: Option<String>,
    /// How the feedback was to be written.
    feedback: RecordedFeedbackOptions,
    /// How much care was paid for: `fast`, `standard`, `advanced`.
    #[schema(value_type = Tier)]
    tier: String,
    /// Other answers to the same question that a person had graded, the newest first.
    reviewed: Vec<RecordedReview>,
}

/// A criterion of the rubric.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
struct RecordedCriterion {
    name: String,
    description: String,
    max_score: f64,
}

/// A file as the grader saw it.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
struct RecordedAttachment {
    /// Its name.
    file_name: String,
    /// What was read from it.
    text: RecordedText,
    /// It also holds text that a reader of it does not see, which is not in `text`.
    hides_text: bool,
    /// The picture that a model saw.
    #[schema(required)]
    picture: Option<RecordedPicture>,
}

/// What could be read from a file.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
enum RecordedText {
    /// Its text, whole.
    Whole(String),
    /// The beginning of its text.
    Cut(RecordedCut),
    /// Nothing: why.
    Unread(String),
}

/// The beginning of a text.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
struct RecordedCut {
    /// The beginning.
    text: String,
    /// Characters that are missing.
    omitted_characters: u64,
}

/// A picture that a model saw.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
struct RecordedPicture {
    /// Its type.
    mime_type: String,
    /// The SHA-256 of the file, in hex.
    sha256: String,
}

/// How the feedback was to be written.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
struct RecordedFeedbackOptions {
    /// `encouraging` or `neutral`.
    tone: String,
    /// `brief` or `detailed`.
    detail_level: String,
}

/// An answer that a person has graded.
#[derive(utoipa::ToSchema)]
struct RecordedReview {
    /// What the learner wrote, its first 8000 characters.
    answer: String,
    /// The share of all points that it earned, from 0 to 1.
    share: f64,
    /// The share of each criterion's points, in the rubric's order.
    criteria: Vec<f64>,
    /// What the person said to the learner.
    feedback: String,
}
