//! Evaluations and the records of how they came about.

use serde::Deserialize;

use super::content::Failure;

/// Evaluations, the newest first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct EvaluationPage {
    pub(crate) items: Vec<Evaluation>,
    pub(crate) next_cursor: Option<String>,
}

/// An evaluation of an answer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Evaluation {
    pub(crate) id: String,
    pub(crate) status: String,
    pub(crate) question_id: Option<String>,
    pub(crate) evaluation_type: String,
    pub(crate) tier: String,
    pub(crate) price_snapshot: Option<Price>,
    pub(crate) score: Option<f64>,
    pub(crate) max_score: f64,
    pub(crate) confidence: Option<f64>,
    pub(crate) rubric_breakdown: Option<Vec<CriterionScore>>,
    pub(crate) strengths: Vec<String>,
    pub(crate) mistakes: Vec<String>,
    pub(crate) suggestions: Vec<String>,
    pub(crate) feedback_summary: Option<String>,
    pub(crate) next_step: Option<String>,
    pub(crate) integrity_flags: Vec<String>,
    pub(crate) needs_review: bool,
    pub(crate) review_reasons: Vec<String>,
    pub(crate) graded_by: Option<String>,
    pub(crate) version: i64,
    pub(crate) answer_files: Vec<AnswerFile>,
    pub(crate) error: Option<Failure>,
    pub(crate) created_at: String,
    pub(crate) completed_at: Option<String>,
}

/// The price of an evaluation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Price {
    pub(crate) amount_usd: f64,
}

/// The points of a criterion.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CriterionScore {
    pub(crate) criterion: String,
    pub(crate) score: f64,
    pub(crate) max_score: f64,
    pub(crate) feedback: String,
}

impl CriterionScore {
    pub(crate) fn share(&self) -> f64 {
        share(self.score, self.max_score)
    }
}

/// A file that is part of an answer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AnswerFile {
    pub(crate) file_name: String,
    pub(crate) mime_type: String,
    pub(crate) size: i64,
}

impl Evaluation {
    /// The points, of one.
    pub(crate) fn share(&self) -> f64 {
        share(self.score.unwrap_or(0.0), self.max_score)
    }

    pub(crate) fn points(&self) -> Option<String> {
        self.score.map(crate::format::decimal)
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.status.as_str(), "PENDING" | "PROCESSING")
    }

    pub(crate) fn is_completed(&self) -> bool {
        self.status == "COMPLETED"
    }

    pub(crate) fn criteria(&self) -> &[CriterionScore] {
        self.rubric_breakdown.as_deref().unwrap_or_default()
    }

    /// All texts that may quote the answer.
    pub(crate) fn feedback_texts(&self) -> Vec<&str> {
        let lists = [&self.strengths, &self.mistakes, &self.suggestions].into_iter().flatten();
        let criteria = self.criteria().iter().map(|criterion| &criterion.feedback);
        lists.chain(criteria).chain(&self.feedback_summary).map(String::as_str).collect()
    }
}

fn share(score: f64, max_score: f64) -> f64 {
    if max_score > 0.0 { score / max_score } else { 0.0 }
}

/// How an evaluation came about.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Record {
    pub(crate) submission: Option<Submission>,
    pub(crate) versions: Vec<Version>,
    pub(crate) is_replayable: bool,
}

/// The question, the answer and their context.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Submission {
    pub(crate) question: String,
    pub(crate) answer: String,
    pub(crate) reference_answer: Option<String>,
    pub(crate) language: String,
}

/// A grade of the history.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Version {
    pub(crate) version: i64,
    pub(crate) graded_by: Option<String>,
    pub(crate) reviewer: Option<String>,
    pub(crate) graded_at: String,
    pub(crate) grade: Option<Grade>,
    pub(crate) record: Option<GradeRecord>,
    pub(crate) error: Option<Failure>,
}

/// The points of a version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Grade {
    pub(crate) score: f64,
    pub(crate) max_score: f64,
    pub(crate) confidence: f64,
    pub(crate) feedback_summary: String,
}

/// The grader of a version, and the calls that it made.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct GradeRecord {
    pub(crate) version: Option<String>,
    pub(crate) reviewed_answers: i64,
    pub(crate) calls: Vec<ModelCall>,
    pub(crate) votes: Vec<f64>,
}

/// A call of a language model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ModelCall {
    pub(crate) provider: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) latency_ms: i64,
    pub(crate) tries: i64,
    pub(crate) failure: Option<String>,
    pub(crate) usage: Option<ModelUsage>,
}

/// The tokens of a call.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ModelUsage {
    pub(crate) input_tokens: i64,
    pub(crate) output_tokens: i64,
}
