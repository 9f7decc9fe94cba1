//! Questions, and grading their answers again.

use serde::Deserialize;

/// Questions, the newest first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct QuestionPage {
    pub(crate) items: Vec<Question>,
    pub(crate) next_cursor: Option<String>,
}

/// A question that was answered.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Question {
    pub(crate) id: String,
    pub(crate) question_text: String,
    pub(crate) reference_answer: Option<String>,
    pub(crate) evaluation_type: String,
    pub(crate) language: String,
    pub(crate) max_score: f64,
    pub(crate) created_at: String,
    pub(crate) statistics: Option<QuestionStatistics>,
}

/// How the answers to a question stand.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct QuestionStatistics {
    pub(crate) answers: i64,
    pub(crate) graded: i64,
    pub(crate) reviewed: i64,
    pub(crate) to_review: i64,
    pub(crate) has_more: bool,
    pub(crate) mean_grader_share: Option<f64>,
    pub(crate) mean_reviewer_share: Option<f64>,
}

/// The answers of a question whose review teaches most.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ReviewQueue {
    pub(crate) items: Vec<QueuedAnswer>,
}

/// An answer that waits for a review.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct QueuedAnswer {
    pub(crate) evaluation_id: String,
    pub(crate) learner_answer: String,
    pub(crate) score: Option<f64>,
    pub(crate) max_score: f64,
    pub(crate) confidence: Option<f64>,
    pub(crate) near_copies: i64,
    pub(crate) reason: String,
}

/// The changes that grading a question's answers again makes, or would make.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Regrading {
    pub(crate) answers: Vec<RegradedAnswer>,
    pub(crate) changed: i64,
    pub(crate) examined: i64,
    pub(crate) reviewed_answers: i64,
    pub(crate) next_cursor: Option<String>,
}

/// An answer before and after.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RegradedAnswer {
    pub(crate) evaluation_id: String,
    pub(crate) before: Option<GradeSummary>,
    pub(crate) after: Option<GradeSummary>,
    pub(crate) is_changed: bool,
    pub(crate) unchanged_because: Option<String>,
}

/// A grade in short.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct GradeSummary {
    pub(crate) score: f64,
    pub(crate) confidence: f64,
    pub(crate) needs_review: bool,
}

impl RegradedAnswer {
    /// How many points the answer gains.
    pub(crate) fn gain(&self) -> Option<f64> {
        Some(self.after.as_ref()?.score - self.before.as_ref()?.score)
    }
}
