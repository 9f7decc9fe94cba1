//! Adds up a submission's points: in the transaction that hands it in, and in each that grades or reviews an open answer.

use kernel::id::{SubjectId, SubmissionId};
use store::{Group as _, KeyedRecord as _, Record, StoreError, Tx, sql};

use super::Status;
use super::row::{Submission, rounded};
use crate::evaluations::{self, EvaluationRow};
use crate::lti::{sessions, sync};

/// How an open answer stands.
#[derive(Clone, Debug, Record)]
struct OpenScore {
    status: evaluations::Status,
    score: Option<f64>,
    #[column(json)]
    feedback: Option<ReviewReasons>,
}

#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReviewReasons {
    review_reasons: Vec<String>,
}

/// Lets the submission that an evaluation belongs to follow its grade, where it belongs to one.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn follow(tx: &mut Tx<'_>, evaluation: &EvaluationRow) -> Result<(), StoreError> {
    if !evaluation.claims_submission() {
        return Ok(());
    }
    let found = sql!("SELECT submission_id FROM submission_evaluation WHERE evaluation_id = {evaluation.id}")
        .find(tx, |row| row.get::<SubmissionId>(0))?;
    let Some(id) = found else { return Ok(()) };
    // Two answers of one submission that are graded at once are counted one after the other.
    let held = sql!("UPDATE submission SET version = version WHERE id = {id} RETURNING {Submission::*}");
    let Some(mut submission) = held.find(tx, Submission::from_row)? else { return Ok(()) };
    settle(tx, &mut submission)?;
    submission.update(tx)
}

/// Brings status and score to what the items have, and sends a score that changed.
pub(super) fn settle(tx: &mut Tx<'_>, submission: &mut Submission) -> Result<(), StoreError> {
    let open = sql!(
        "SELECT e.status, e.score, e.feedback FROM submission_evaluation s JOIN evaluation e ON e.id = s.evaluation_id
         WHERE s.submission_id = {submission.id}"
    )
    .query(tx, |row| OpenScore::read_at(row, 0))?;
    let before = (submission.score, submission.needs_review);
    submission.needs_review =
        open.iter().any(|one| one.feedback.as_ref().is_some_and(|feedback| !feedback.review_reasons.is_empty()));
    submission.status = if open.iter().any(|one| !one.status.is_terminal()) {
        Status::Grading
    } else if open.iter().any(|one| one.score.is_none()) {
        Status::Incomplete
    } else {
        Status::Graded
    };
    if submission.status != Status::Graded {
        return Ok(());
    }
    let given = submission.items.iter().filter_map(|item| item.score).chain(open.iter().filter_map(|one| one.score));
    submission.score = Some(rounded(given.sum()));
    submission.graded_at.get_or_insert(tx.now());
    if before == (submission.score, submission.needs_review) {
        return Ok(());
    }
    submission.version += 1;
    if submission.course.is_some() {
        // Tests of one learner's course that are handed in or graded at once are counted one after the other.
        sessions::hold_learner(tx, submission.session_id)?;
    }
    if is_superseded(tx, submission)? {
        return Ok(());
    }
    supersede_others(tx, submission)?;
    let session = submission.session_id.to_string();
    match submission.graded_score(tx, &session)? {
        Some(score) => sync::follow_submission(tx, &score),
        None => Ok(()),
    }
}

/// Whether a later attempt of the learner has a score: the newest one counts, whenever an older one is graded or reviewed.
pub(super) fn is_superseded(tx: &mut Tx<'_>, submission: &Submission) -> Result<bool, StoreError> {
    let Submission { registration_id, resource_link_id, taker, test_id, attempt_number, .. } = submission;
    let newer = sql!(
        "SELECT 1 FROM submission WHERE registration_id = {registration_id} AND resource_link_id = {resource_link_id}
            AND taker = {taker} AND test_id = {test_id} AND attempt_number > {attempt_number} AND score IS NOT NULL LIMIT 1"
    )
    .find(tx, |_| Ok(()))?;
    Ok(newer.is_some())
}

/// Ends the scores of the learner's other submissions that are still on their way: of earlier attempts, and those that the
/// course had before this one.
fn supersede_others(tx: &mut Tx<'_>, submission: &Submission) -> Result<(), StoreError> {
    let Submission { id, registration_id, resource_link_id, taker, .. } = submission;
    let others = sql!(
        "SELECT id FROM submission WHERE registration_id = {registration_id} AND resource_link_id = {resource_link_id}
            AND taker = {taker} AND id <> {id}"
    )
    .query(tx, |row| row.get::<SubjectId>(0))?;
    sync::supersede(tx, &others)
}
