//! Submissions: tests that learners took in a launch from a learning platform and handed in, alone or as a part of a course.
//!
//! [`hand_in`] stores a submission with its answers in one transaction. Items with a key have their points at once; each open
//! answer becomes an evaluation. [`follow`] adds up the points whenever one of those has a grade, a review's too, and lets the
//! score go to the gradebook. A score is never sent while an answer lacks its points. A linked [`course`] has one score for all its
//! tests.

mod course;
pub(crate) mod erase;
mod follow;
pub mod get;
pub mod hand_in;
pub mod list;
pub mod resend;
mod row;
#[cfg(test)]
pub(crate) mod tests;
mod view;

pub use course::{CourseTests, TestPoints};
pub(crate) use follow::follow;
pub use row::{Submission, SubmittedItem};
pub use view::{GradedItem, GradedSubmission, SubmissionSummary};

use edge::problem::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const NOT_FOUND: Problem = Problem::NotFound("Submission");

/// How far a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, store::Words, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = SubmissionStatus)]
pub enum Status {
    /// Open answers are being graded.
    Grading,
    /// Every item has its points.
    Graded,
    /// A person has to give the points of an item: its evaluation failed, and a review of that evaluation helps.
    Incomplete,
}
