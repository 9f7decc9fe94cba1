//! A submission as it is stored.

use kernel::id::{LaunchId, LinkId, RegistrationId, SubjectId, SubmissionId, WorkspaceId};
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Record, StoreError, Tx, sql};

use super::Status;
use super::course::{self, CourseTests};
use crate::lti::sync::{GradedScore, Subject};

/// Sums of points differ from what a person would sum in their last bits.
const ROUNDING: f64 = 1e-9;
/// The parts of a point that a sum keeps.
const PRECISION: f64 = 1e6;

/// A test that a learner handed in.
#[derive(Clone, Debug, Record)]
#[record(table = "submission")]
pub struct Submission {
    /// Its id.
    #[column(key)]
    pub id: SubmissionId,
    /// Whose it is.
    #[column(fixed)]
    pub workspace_id: WorkspaceId,
    /// The launch in which the test was taken.
    #[column(fixed)]
    pub session_id: LaunchId,
    /// What tells two tries of one launch apart, and a form that was sent twice from both.
    #[column(fixed)]
    pub attempt_id: String,
    /// The platform.
    #[column(fixed)]
    pub registration_id: RegistrationId,
    /// The link that was launched.
    #[column(fixed)]
    pub link_id: LinkId,
    /// The link's id at the platform.
    #[column(fixed)]
    pub resource_link_id: String,
    /// Who took the test, as far as attempts are counted.
    #[column(fixed)]
    pub(crate) taker: String,
    /// From 1.
    #[column(fixed)]
    pub attempt_number: i64,
    /// The test.
    #[column(fixed)]
    pub test_id: String,
    /// Its version as it was taken.
    #[column(fixed)]
    pub test_version: i64,
    /// Its name.
    #[column(fixed)]
    pub title: String,
    /// Its language.
    #[column(fixed)]
    pub language: String,
    /// The learner, as evaluations name them; `None` for an anonymous launch.
    #[column(fixed)]
    pub learner_id: Option<String>,
    /// The items in their order, each with its answer.
    #[column(json, fixed)]
    pub items: Vec<SubmittedItem>,
    /// How far it is.
    pub status: Status,
    /// The points of all items; `None` until every item has its own.
    pub score: Option<f64>,
    /// The points of a perfect result.
    #[column(fixed)]
    pub max_score: f64,
    /// The points that it takes to pass.
    #[column(fixed)]
    pub passing_score: f64,
    /// Whether a person should look at the grade of an open answer.
    pub needs_review: bool,
    /// One higher with every change of the score.
    pub version: i64,
    /// The trace that it is part of.
    #[column(fixed)]
    pub trace_id: String,
    /// When the learner handed in.
    #[column(fixed)]
    pub submitted_at: Timestamp,
    /// When it had a score first.
    pub graded_at: Option<Timestamp>,
    /// The course that the test is a part of; `None` for a linked test.
    #[column(json, fixed)]
    pub course: Option<CourseTests>,
}

/// An item as it was when it was answered, and the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedItem {
    /// Its id in the test.
    pub item_id: String,
    /// `select`, `true-false`, `blank`, `open-ended` or `submission`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was asked.
    pub question: String,
    /// What there was to choose from.
    pub options: Vec<String>,
    /// The key.
    pub correct_answers: Vec<String>,
    /// Why the key is right.
    pub explanation: String,
    /// What the learner chose or wrote; empty where nothing was answered.
    pub answers: Vec<String>,
    /// The points, where code gave them; `None` where an evaluation does.
    pub score: Option<f64>,
    /// The points of a perfect answer.
    pub max_score: f64,
}

impl Submission {
    /// A submission by its id.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn find(tx: &mut Tx<'_>, id: SubmissionId) -> Result<Option<Self>, StoreError> {
        sql!("SELECT {Submission::*} FROM submission WHERE id = {id}").find(tx, Self::from_row)
    }

    /// The submission that a form of a launch made.
    pub(super) fn find_attempt(tx: &mut Tx<'_>, session: LaunchId, attempt: &str) -> Result<Option<Self>, StoreError> {
        sql!("SELECT {Submission::*} FROM submission WHERE session_id = {session} AND attempt_id = {attempt}")
            .find(tx, Self::from_row)
    }

    /// Whether the learner passed; `None` until every item has its points.
    pub(super) fn is_passed(&self) -> Option<bool> {
        self.score.map(|score| score + ROUNDING >= self.passing_score)
    }

    /// The score, where there is one, as gradebooks get it: of the whole course, where the test is a part of one.
    pub(super) fn graded_score<'a>(
        &self,
        tx: &mut Tx<'_>,
        session_id: &'a str,
    ) -> Result<Option<GradedScore<'a>>, StoreError> {
        let Some(own) = self.score else { return Ok(None) };
        let (given, maximum, needs_review, submitted_at) = match course::score(tx, self)? {
            Some(course) => (course.given, course.maximum, course.needs_review, course.submitted_at),
            None => (own, self.max_score, self.needs_review, self.submitted_at),
        };
        // A test without points has nothing to send.
        Ok((maximum > 0.0).then(|| GradedScore {
            subject: (Subject::Submission, SubjectId::of(self.id)),
            workspace: self.workspace_id,
            session_id,
            version: self.version,
            given: rounded(given),
            maximum: rounded(maximum),
            needs_review,
            submitted_at,
        }))
    }
}

/// A sum of points without what floating point adds to it.
pub(super) fn rounded(points: f64) -> f64 {
    (points * PRECISION).round() / PRECISION
}
