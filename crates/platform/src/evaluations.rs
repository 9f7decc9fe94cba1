//! Evaluations: a learner's answer is graded, now or later, and paid for when there is a grade (platform-api sections
//! 2 to 4).
//!
//! What code can judge at once is judged before the transaction that stores it, so that such an evaluation is one
//! commit. Everything else is begun in one transaction (its price set aside, its job leased to this process or queued),
//! graded with none open, and ended in another. Start at [`create`]; [`work`] grades, [`end`] writes how it ended,
//! [`records`] keep how that came about, and [`reviews`] are what people make of it.

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
pub mod records;
mod request;
pub mod reviews;
mod row;
mod view;
mod wait;
pub mod work;

pub use graders::{Graders, Processors};
pub(crate) use row::EvaluationRow;
pub use row::{CriterionScore, Failure};
pub use view::{Evaluation, EvaluationFile};

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use ::files::StorageError;
use edge::problem::Problem;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

const NOT_FOUND: Problem = Problem::NotFound("Evaluation");

/// How long the link of a file holds.
const LINK_LIFE: Duration = Duration::from_secs(3600);

/// Links and retries for what the file store answers.
fn storage_problem(error: StorageError) -> Problem {
    match error {
        StorageError::NotFound => Problem::NotFound("File"),
        error @ StorageError::Unavailable { .. } => Problem::Unavailable(Arc::new(error)),
        error => Problem::unexpected(error),
    }
}

/// Enums of words that the API's document lists, too.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident as $schema:literal { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)*
        }

        store::words!($name { $($variant = $word,)* });

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new().schema_type(Type::String).enum_values(Some([$($word),*])).into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($schema)
            }
        }
    };
}

words! {
    /// How an answer is judged.
    EvaluationType as "EvaluationType" {
        /// Against the question, and a reference answer where there is one.
        OpenEnded = "open_ended",
        /// Against a rubric.
        RubricShortAnswer = "rubric_short_answer",
        /// Equal in value to the reference answer or not.
        Exact = "exact",
    }
}

words! {
    /// Whether the caller waits for the grade.
    Mode as "EvaluationMode" {
        /// It does.
        Sync = "sync",
        /// It asks again, or is told by a webhook.
        Async = "async",
    }
}

words! {
    /// How far an evaluation is.
    Status as "EvaluationStatus" {
        /// Queued.
        Pending = "PENDING",
        /// Being graded.
        Processing = "PROCESSING",
        /// Graded.
        Completed = "COMPLETED",
        /// Not graded, for good; nothing was charged.
        Failed = "FAILED",
    }
}

impl Status {
    /// Whether it stays so.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

words! {
    /// Who grades.
    ProcessingMode as "ProcessingMode" {
        /// A model where one is configured, else the built-in grader.
        Auto = "auto",
        /// The built-in grader.
        Builtin = "builtin",
        /// A model.
        Model = "model",
    }
}

impl From<EvaluationType> for engine::grading::EvaluationType {
    fn from(evaluation_type: EvaluationType) -> Self {
        match evaluation_type {
            EvaluationType::OpenEnded => Self::OpenEnded,
            EvaluationType::RubricShortAnswer => Self::RubricShortAnswer,
            EvaluationType::Exact => Self::Exact,
        }
    }
}

words! {
    /// Who gave a grade.
    GradedBy as "GradedBy" {
        /// The comparison of values.
        Exact = "exact",
        /// The built-in grader.
        Builtin = "builtin",
        /// A language model.
        Model = "model",
        /// A person.
        Reviewer = "reviewer",
    }
}

impl From<engine::grading::GradedBy> for GradedBy {
    fn from(graded_by: engine::grading::GradedBy) -> Self {
        match graded_by {
            engine::grading::GradedBy::Exact => Self::Exact,
            engine::grading::GradedBy::Builtin => Self::Builtin,
            engine::grading::GradedBy::Model => Self::Model,
            engine::grading::GradedBy::Reviewer => Self::Reviewer,
        }
    }
}

words! {
    /// What a file is to an evaluation.
    Role as "FileRole" {
        /// It describes the rubric.
        Rubric = "rubric",
        /// It is part of the answer.
        Answer = "answer",
    }
}
