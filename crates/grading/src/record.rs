//! How a grade came about: enough to explain it later and to work it out again without asking anybody.

use std::time::Duration;

use kernel::model::{Call, ModelError, NoReply, ProviderFailure, Reply, Usage};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::{Grade, Submission};

/// The version of what this program grades by itself. The number behind the comma is raised whenever the same answer could be
/// graded otherwise.
const OWN_VERSION: &str = concat!("lectern ", env!("CARGO_PKG_VERSION"), ", grading 4");

/// A grade with how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The grade.
    pub grade: Grade,
    /// How it came about.
    pub record: Record,
}

/// The origin of a grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GradedBy {
    /// The comparison of values.
    Exact,
    /// The built-in grader.
    Builtin,
    /// A language model.
    Model,
    /// A person.
    Reviewer,
}

/// How a grade came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GradeRecord)]
pub struct Record {
    /// Who graded.
    pub graded_by: GradedBy,
    /// The grader's version; null for people.
    #[schema(required, example = "lectern 1.0.0")]
    pub version: Option<String>,
    /// SHA-256 of the rubric's criteria and files, in hex; null where there is none.
    #[schema(required)]
    pub rubric_sha256: Option<String>,
    /// How many reviewed answers to the same question it was calibrated by.
    #[schema(value_type = u64)]
    pub reviewed_answers: usize,
    /// What the model was asked; null where none was.
    #[schema(required)]
    pub prompt: Option<PromptRecord>,
    /// Each time that the model was asked in the run that ended the evaluation, in order: answers that were no use and calls
    /// without an answer too.
    #[schema(value_type = Vec<RecordedCall>)]
    pub calls: Vec<CallRecord>,
    /// The share of all points, from 0 to 1, that each judgement gave; the grade is their median.
    pub votes: Vec<f64>,
}

/// What a model was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedPrompt)]
pub struct PromptRecord {
    /// The version of the prompt's wording.
    pub version: String,
    /// SHA-256 of the whole prompt of the first call, in hex.
    pub sha256: String,
}

/// One time that a model was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallRecord {
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// How long it took, in milliseconds, with what was tried before.
    pub latency_ms: u64,
    /// How often it was tried, at all providers.
    pub tries: u32,
    /// The providers that were asked and gave no answer, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureRecord>,
}

/// One time that a model was asked. It has `provider`, `model`, `output` and `usage` where a model answered, and `failure`
/// where none did.
#[derive(ToSchema)]
#[expect(dead_code, reason = "documents a record that holds what came of its call")]
#[schema(rename_all = "camelCase")]
struct RecordedCall {
    /// The provider's name in the configuration.
    #[schema(nullable = false)]
    provider: Option<String>,
    /// The model as the provider names it.
    #[schema(nullable = false)]
    model: Option<String>,
    /// The model's text, unchanged.
    #[schema(nullable = false)]
    output: Option<String>,
    /// The tokens that the call used.
    #[schema(nullable = false)]
    usage: Option<Usage>,
    /// Why there is no answer.
    #[schema(nullable = false, example = "model_timeout")]
    failure: Option<String>,
    /// How long it took, in milliseconds, with what was tried before.
    latency_ms: u64,
    /// How often it was tried, at all providers.
    tries: u32,
    /// The providers that were asked and gave no answer, in order; absent where there are none.
    #[schema(nullable = false)]
    failures: Option<Vec<FailureRecord>>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome {
    /// A model answered.
    Answered {
        /// The provider's name in the configuration.
        provider: String,
        /// The model as the provider names it.
        model: String,
        /// The model's text, unchanged.
        output: String,
        /// The tokens that the call used.
        usage: Usage,
    },
    /// Nobody did.
    Failed {
        /// The code of the failure that is told, `model_timeout` and the like.
        failure: String,
    },
}

/// A provider that gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecordedFailure)]
pub struct FailureRecord {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model's name in the configuration.
    pub model: String,
    /// Why, the last time.
    #[schema(example = "model_unavailable")]
    pub failure: String,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// How often it was tried.
    pub tries: u32,
}

impl Record {
    /// The record of what this program graded by itself.
    #[must_use]
    pub fn own(graded_by: GradedBy, submission: &Submission) -> Self {
        Self {
            graded_by,
            version: Some(OWN_VERSION.to_owned()),
            rubric_sha256: rubric_sha256(submission),
            reviewed_answers: submission.reviewed.len(),
            prompt: None,
            calls: Vec::new(),
            votes: Vec::new(),
        }
    }

    /// What all calls cost.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let usages = self.calls.iter().filter_map(|call| match &call.outcome {
            Outcome::Answered { usage, .. } => Some(usage),
            Outcome::Failed { .. } => None,
        });
        usages.fold(Usage::default(), |sum, usage| Usage {
            input_tokens: sum.input_tokens.saturating_add(usage.input_tokens),
            output_tokens: sum.output_tokens.saturating_add(usage.output_tokens),
            cached_tokens: sum.cached_tokens.saturating_add(usage.cached_tokens),
        })
    }
}

impl CallRecord {
    /// What came of the call, as it did then. When to try again is not kept.
    pub(super) fn call(&self) -> Call {
        let (latency, tries) = (Duration::from_millis(self.latency_ms), self.tries);
        let failures = self.failures.iter().map(FailureRecord::failure).collect();
        match &self.outcome {
            Outcome::Answered { provider, model, output, usage } => Ok(Reply {
                text: output.clone(),
                usage: *usage,
                provider: provider.clone(),
                model: model.clone(),
                latency,
                tries,
                failures,
            }),
            Outcome::Failed { failure } => Err(NoReply { error: error(failure), failures, latency }),
        }
    }
}

impl From<Call> for CallRecord {
    fn from(call: Call) -> Self {
        match call {
            Ok(reply) => Self {
                outcome: Outcome::Answered {
                    provider: reply.provider,
                    model: reply.model,
                    output: reply.text,
                    usage: reply.usage,
                },
                latency_ms: millis(reply.latency),
                tries: reply.tries,
                failures: reply.failures.into_iter().map(FailureRecord::from).collect(),
            },
            Err(none) => Self {
                outcome: Outcome::Failed { failure: none.error.code().to_owned() },
                latency_ms: millis(none.latency),
                tries: none.failures.iter().map(|failure| failure.tries).sum(),
                failures: none.failures.into_iter().map(FailureRecord::from).collect(),
            },
        }
    }
}

impl FailureRecord {
    fn failure(&self) -> ProviderFailure {
        ProviderFailure {
            provider: self.provider.clone(),
            model: self.model.clone(),
            error: error(&self.failure),
            latency: Duration::from_millis(self.latency_ms),
            tries: self.tries,
        }
    }
}

impl From<ProviderFailure> for FailureRecord {
    fn from(failure: ProviderFailure) -> Self {
        Self {
            provider: failure.provider,
            model: failure.model,
            failure: failure.error.code().to_owned(),
            latency_ms: millis(failure.latency),
            tries: failure.tries,
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The failure of a recorded code; of one that this program does not know, one that it may pass.
fn error(code: &str) -> ModelError {
    ModelError::of_code(code).unwrap_or(ModelError::Unavailable { retry_after: None })
}

/// What identifies a rubric: names, descriptions and points, in order, and what was read of its files.
fn rubric_sha256(submission: &Submission) -> Option<String> {
    if submission.criteria.is_empty() && submission.rubric_files.is_empty() {
        return None;
    }
    let text = serde_json::to_vec(&(&submission.criteria, &submission.rubric_files)).unwrap_or_default();
    Some(hex::encode(Sha256::digest(text)))
}
