//! The score of a linked course: one column of the gradebook has the points of all its tests.
//!
//! Each test of the course is a submission of its own. The learner's newest submission with a score counts for its test. A test
//! without one counts nothing. The newest submission says which tests the course has. Where to read next: [`super::follow`],
//! which sends the score.

use kernel::id::SubmissionId;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Group as _, Record, StoreError, Tx, sql};

use super::row::Submission;

/// The tests of a course, as they were when one of them was handed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CourseTests {
    /// The course.
    pub course_id: String,
    /// Its tests, each once.
    pub tests: Vec<TestPoints>,
}

/// A test of a course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestPoints {
    /// The test.
    pub test_id: String,
    /// The points of a perfect result.
    pub points: f64,
}

/// A learner's score of a course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CourseScore {
    /// The points.
    pub(super) given: f64,
    /// The points of a perfect course.
    pub(super) maximum: f64,
    /// A person should look at a grade that counts.
    pub(super) needs_review: bool,
    /// When the learner handed in last.
    pub(super) submitted_at: Timestamp,
}

/// What a submission counts for in its course.
#[derive(Clone, Debug, Record)]
struct TestResult {
    test_id: String,
    score: f64,
    max_score: f64,
    needs_review: bool,
    submitted_at: Timestamp,
}

/// The score of the course after a submission, which counts as it is given here; `None` for a linked test.
pub(super) fn score(tx: &mut Tx<'_>, submission: &Submission) -> Result<Option<CourseScore>, StoreError> {
    let Some(course) = newest_course(tx, submission)? else { return Ok(None) };
    let mut results = results_of_others(tx, submission)?;
    results.extend(submission.score.map(|score| TestResult {
        test_id: submission.test_id.clone(),
        score,
        max_score: submission.max_score,
        needs_review: submission.needs_review,
        submitted_at: submission.submitted_at,
    }));
    let mut sum = CourseScore { given: 0.0, maximum: 0.0, needs_review: false, submitted_at: submission.submitted_at };
    for test in &course.tests {
        match results.iter().find(|result| result.test_id == test.test_id) {
            Some(result) => {
                sum.given += result.score;
                sum.maximum += result.max_score;
                sum.needs_review |= result.needs_review;
                sum.submitted_at = sum.submitted_at.max(result.submitted_at);
            }
            None => sum.maximum += test.points,
        }
    }
    Ok(Some(sum))
}

/// The course as the learner's newest submission knows it.
fn newest_course(tx: &mut Tx<'_>, submission: &Submission) -> Result<Option<CourseTests>, StoreError> {
    if submission.course.is_none() {
        return Ok(None);
    }
    let Submission { registration_id, resource_link_id, taker, .. } = submission;
    let newest = sql!(
        "SELECT id FROM submission WHERE registration_id = {registration_id} AND resource_link_id = {resource_link_id}
            AND taker = {taker} AND course IS NOT NULL ORDER BY submitted_at DESC, id DESC LIMIT 1"
    )
    .find(tx, |row| row.get::<SubmissionId>(0))?;
    match newest.filter(|newest| *newest != submission.id) {
        Some(newest) => Ok(Submission::find(tx, newest)?.and_then(|newest| newest.course)),
        None => Ok(submission.course.clone()),
    }
}

/// The newest result of each other test.
fn results_of_others(tx: &mut Tx<'_>, submission: &Submission) -> Result<Vec<TestResult>, StoreError> {
    let Submission { registration_id, resource_link_id, taker, test_id, .. } = submission;
    sql!(
        "SELECT test_id, score, max_score, needs_review, submitted_at FROM submission
         WHERE registration_id = {registration_id} AND resource_link_id = {resource_link_id} AND taker = {taker}
            AND test_id <> {test_id} AND score IS NOT NULL
            AND NOT EXISTS (
                SELECT 1 FROM submission newer
                WHERE newer.registration_id = submission.registration_id
                    AND newer.resource_link_id = submission.resource_link_id AND newer.taker = submission.taker
                    AND newer.test_id = submission.test_id AND newer.attempt_number > submission.attempt_number
                    AND newer.score IS NOT NULL)"
    )
    .query(tx, |row| TestResult::read_at(row, 0))
}
