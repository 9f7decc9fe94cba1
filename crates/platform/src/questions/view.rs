//! A question as its workspace sees it.

use kernel::id::QuestionId;
use kernel::json::plain_number;
use kernel::time::Timestamp;
use serde::Serialize;

use super::row::Question;
use super::statistics::QuestionStatistics;
use crate::evaluations::{EvaluationType, RubricCriterion};

/// A question that learners' answers are evaluated for.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Question)]
pub(super) struct ShownQuestion {
    /// Its id: the `questionId` of its evaluations.
    id: QuestionId,
    /// How answers to it are judged.
    evaluation_type: EvaluationType,
    /// What is asked.
    question_text: String,
    /// The reference answer; null without one.
    #[schema(required)]
    reference_answer: Option<String>,
    /// The criteria of its rubric; none where the rubric is a file, or absent.
    criteria: Vec<QuestionCriterion>,
    /// The language of its first evaluation.
    #[schema(example = "en")]
    language: String,
    /// The points of a perfect answer in its first evaluation.
    #[serde(serialize_with = "plain_number")]
    max_score: f64,
    /// What its answers and their grades come to. Only `GET` of one question says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<QuestionStatistics>,
    /// When it was first asked.
    created_at: Timestamp,
}

/// A criterion of a question's rubric.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuestionCriterion {
    /// Its name.
    name: String,
    /// What it looks for.
    description: String,
    /// Its points.
    #[serde(serialize_with = "plain_number")]
    max_score: f64,
}

impl From<Question> for ShownQuestion {
    fn from(question: Question) -> Self {
        let criterion = |criterion: RubricCriterion| QuestionCriterion {
            name: criterion.name,
            description: criterion.description,
            max_score: criterion.max_score,
        };
        Self {
            id: question.id,
            evaluation_type: question.evaluation_type,
            question_text: question.question_text,
            reference_answer: question.reference_answer,
            criteria: question.criteria.into_iter().map(criterion).collect(),
            language: question.language,
            max_score: question.max_score,
            statistics: None,
            created_at: question.created_at,
        }
    }
}

impl ShownQuestion {
    pub(super) fn with_statistics(self, statistics: QuestionStatistics) -> Self {
        Self { statistics: Some(statistics), ..self }
    }
}
