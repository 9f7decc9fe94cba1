//! How a grade came about: enough to explain it later and to work it out again without asking anybody.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Grade, Submission};
use crate::model::{Reply, Usage};

/// The version of what this program grades by itself. The number behind the comma is raised whenever the same answer could be
/// graded otherwise.
const OWN_VERSION: &str = concat!("lectern ", env!("CARGO_PKG_VERSION"), ", grading 1");

/// A grade with how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The grade.
    pub grade: Grade,
    /// How it came about.
    pub record: Record,
}

/// Who graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Who graded.
    pub graded_by: GradedBy,
    /// The grader's version; null for people.
    pub version: Option<String>,
    /// SHA-256 of the rubric's criteria and files, in hex; null where there is none.
    pub rubric_sha256: Option<String>,
    /// How many reviewed answers to the same question it was calibrated by.
    pub reviewed_answers: usize,
    /// What the model was asked; null where none was.
    pub prompt: Option<PromptRecord>,
    /// What the model said, in order.
    pub calls: Vec<CallRecord>,
    /// The share of all points, from 0 to 1, that each judgement gave; the grade is their median.
    pub votes: Vec<f64>,
}

/// What a model was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptRecord {
    /// The version of the prompt's wording.
    pub version: String,
    /// SHA-256 of the whole prompt of the first call, in hex.
    pub sha256: String,
}

/// One answer of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallRecord {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model as the provider names it.
    pub model: String,
    /// What it said, as it came.
    pub output: String,
    /// What it cost.
    pub usage: Usage,
    /// How long it took, in milliseconds, with what was tried before.
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
        self.calls.iter().fold(Usage::default(), |sum, call| Usage {
            input_tokens: sum.input_tokens.saturating_add(call.usage.input_tokens),
            output_tokens: sum.output_tokens.saturating_add(call.usage.output_tokens),
            cached_tokens: sum.cached_tokens.saturating_add(call.usage.cached_tokens),
        })
    }
}

impl From<Reply> for CallRecord {
    fn from(reply: Reply) -> Self {
        Self {
            provider: reply.provider,
            model: reply.model,
            output: reply.text,
            usage: reply.usage,
            latency_ms: u64::try_from(reply.latency.as_millis()).unwrap_or(u64::MAX),
            tries: reply.tries,
        }
    }
}

/// What identifies a rubric: names, descriptions and points, in order, and what was read of its files.
fn rubric_sha256(submission: &Submission) -> Option<String> {
    if submission.criteria.is_empty() && submission.rubric_files.is_empty() {
        return None;
    }
    let text = serde_json::to_vec(&(&submission.criteria, &submission.rubric_files)).unwrap_or_default();
    Some(hex::encode(Sha256::digest(text)))
}
