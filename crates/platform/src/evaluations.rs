//! Evaluations: a learner's answer is graded, now or later, and paid for when there is a grade (platform-api sections
//! 2 to 4).
//!
//! What code can judge at once is judged before the transaction that stores it, so that such an evaluation is one
//! commit. Everything else is begun in one transaction (its price set aside, its job leased to this process or queued),
//! graded with none open, and ended in another. Start at [`create`]; [`work`] grades, [`end`] writes how it ended,
//! [`records`] keep how that came about, [`reviews`] are what people make of it, and [`regrade`] grades an answer again in the light
//! of reviews. What evaluations have in common, their question, is in [`crate::questions`].

mod calibration;
pub mod create;
mod document;
pub mod download;
mod end;
pub(crate) mod erase;
pub(crate) mod files;
mod form;
pub mod get;
mod grade;
mod graders;
mod index;
pub mod list;
pub(crate) mod locate;
pub(crate) mod open_answer;
pub mod records;
pub(crate) mod regrade;
mod request;
pub mod reviews;
mod row;
mod unrecorded;
mod versions;
mod view;
mod wait;
pub mod work;

pub use calibration::{LONGEST_ANSWER as LONGEST_REVIEWED_ANSWER, MOST_ANSWERS as MOST_REVIEWED_ANSWERS};
pub(crate) use calibration::{key_of as question_key_of, list as reviewed_answers};
pub(crate) use grade::Graded;
pub use graders::{Graders, Processors};
pub(crate) use list::READ_AT_ONCE;
pub(crate) use request::{Asked, RubricCriterion};
pub(crate) use reviews::text_of_answer;
pub(crate) use row::EvaluationRow;
pub use row::{CriterionScore, Failure};
pub use unrecorded::UnrecordedGrade;
pub use view::{Evaluation, EvaluationFile};

use std::time::Duration;

use edge::problem::Problem;
use serde::{Deserialize, Serialize};
use store::Words;
use utoipa::ToSchema;

pub(crate) const NOT_FOUND: Problem = Problem::NotFound("Evaluation");

/// How long the link of a file holds.
const LINK_LIFE: Duration = Duration::from_secs(3600);

/// How an answer is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvaluationType {
    /// Against the question, and a reference answer where there is one.
    OpenEnded,
    /// Against a rubric.
    RubricShortAnswer,
    /// Equal in value to the reference answer or not.
    Exact,
}

/// Whether the caller waits for the grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EvaluationMode)]
pub enum Mode {
    /// It does.
    Sync,
    /// It asks again, or is told by a webhook.
    Async,
}

/// How far an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = EvaluationStatus)]
pub enum Status {
    /// Queued.
    Pending,
    /// Being graded.
    Processing,
    /// Graded.
    Completed,
    /// Not graded, for good; nothing was charged.
    Failed,
}

impl Status {
    /// Whether it stays so.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

/// Who grades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessingMode {
    /// A model where one is configured, else the built-in grader.
    Auto,
    /// The built-in grader.
    Builtin,
    /// A model.
    Model,
}

impl From<EvaluationType> for grading::EvaluationType {
    fn from(evaluation_type: EvaluationType) -> Self {
        match evaluation_type {
            EvaluationType::OpenEnded => Self::OpenEnded,
            EvaluationType::RubricShortAnswer => Self::RubricShortAnswer,
            EvaluationType::Exact => Self::Exact,
        }
    }
}

/// The origin of a grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words, ToSchema)]
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

impl From<grading::GradedBy> for GradedBy {
    fn from(graded_by: grading::GradedBy) -> Self {
        match graded_by {
            grading::GradedBy::Exact => Self::Exact,
            grading::GradedBy::Builtin => Self::Builtin,
            grading::GradedBy::Model => Self::Model,
            grading::GradedBy::Reviewer => Self::Reviewer,
        }
    }
}

/// What a file is to an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FileRole)]
pub enum Role {
    /// It describes the rubric.
    Rubric,
    /// It is part of the answer.
    Answer,
}
