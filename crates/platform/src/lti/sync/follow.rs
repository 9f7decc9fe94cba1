//! Plans the sync of a score in the transaction that grades or reviews: the points, the comment, the time, and whether the score
//! can arrive at all.

use kernel::id::{LaunchId, RegistrationId, SubjectId, WorkspaceId};
use kernel::time::Timestamp;
use lti::ags::{GradeService, SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY, SCOPE_SCORE};
use store::{KeyedRecord as _, Queue, Record as _, StoreError, Tx, sql};

use super::fault::Obstacle;
use super::{LtiSync, Status, Subject, SyncRow, order};
use crate::evaluations::{self, EvaluationRow};
use crate::lti::registrations::{self, OnReview, Registration};
use crate::lti::sessions::LaunchSession;

/// The comment on a score that a person may still change, where the registration has none of its own.
const COMMENT: &str = "This score is provisional: a person will look at the answer.";

/// A score that is to be sent.
#[derive(Clone, Debug)]
pub(crate) struct GradedScore<'a> {
    /// The evaluation or the submission.
    pub(crate) subject: (Subject, SubjectId),
    /// The workspace of the evaluation or the submission.
    pub(crate) workspace: WorkspaceId,
    /// The launch that it belongs to; a client may write anything there.
    pub(crate) session_id: &'a str,
    /// A higher one takes the place of a lower one.
    pub(crate) version: i64,
    /// The points.
    pub(crate) given: f64,
    /// The points of a perfect answer.
    pub(crate) maximum: f64,
    /// A person may still change it.
    pub(crate) needs_review: bool,
    /// When the learner handed in.
    pub(crate) submitted_at: Timestamp,
}

impl<'a> GradedScore<'a> {
    /// The score of an evaluation; `None` where it has none, or names no launch.
    pub(super) fn of(evaluation: &'a EvaluationRow) -> Option<Self> {
        let score = evaluation.score.filter(|_| evaluation.status == evaluations::Status::Completed)?;
        Some(Self {
            subject: (Subject::Evaluation, SubjectId::of(evaluation.id)),
            workspace: evaluation.workspace,
            session_id: evaluation.launch_session()?,
            version: evaluation.version,
            given: score,
            maximum: evaluation.max_score,
            needs_review: !evaluation.review_reasons().is_empty(),
            submitted_at: evaluation.created_at,
        })
    }
}

/// Syncs the score of an evaluation that has one and names a launch. Each new version is synced again.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn follow(tx: &mut Tx<'_>, evaluation: &EvaluationRow) -> Result<(), StoreError> {
    match GradedScore::of(evaluation) {
        Some(score) => plan(tx, &score, Cause::Grade).map(|_| ()),
        None => Ok(()),
    }
}

/// Syncs the score of a submission that is graded. Each new version is synced again.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn follow_submission(tx: &mut Tx<'_>, score: &GradedScore<'_>) -> Result<(), StoreError> {
    plan(tx, score, Cause::Grade).map(|_| ())
}

/// Syncs the score of a submission once more, for a person who asked.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn resend_submission(tx: &mut Tx<'_>, score: &GradedScore<'_>) -> Result<LtiSync, StoreError> {
    plan(tx, score, Cause::Person).map(LtiSync::from)
}

/// Why a score is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A new grade.
    Grade,
    /// The request of a person, who need not wait for a reviewer.
    Person,
}

/// Puts a score into the queue, in the place of the subject's former one.
pub(super) fn plan(tx: &mut Tx<'_>, score: &GradedScore<'_>, cause: Cause) -> Result<SyncRow, StoreError> {
    let (subject, subject_id) = score.subject;
    let former = SyncRow::load(tx, subject_id)?;
    let launch = launch(tx, score)?;
    let session = launch.as_ref().map(|(session, _)| session);
    let mut sync = SyncRow {
        subject_id,
        subject,
        workspace_id: score.workspace,
        session_id: score.session_id.to_owned(),
        registration_id: session.map(|session| session.registration_id),
        resource_link_id: session.and_then(|session| session.resource_link_id.clone()),
        user_id: session.and_then(|session| session.user_id.clone()),
        status: Status::Pending,
        version: score.version,
        score_given: score.given,
        score_maximum: score.maximum,
        comment: None,
        scored_at: tx.now(),
        submitted_at: score.submitted_at,
        attempts: 0,
        leases: 0,
        unanswered: 0,
        next_attempt_at: tx.now(),
        lease_token: None,
        error: None,
        line_item: None,
        synced_at: None,
        trace_id: session.map(LaunchSession::trace),
        created_at: tx.now(),
    };
    match launch.ok_or(Obstacle::UnknownSession).and_then(|(session, registration)| judge(&session, registration)) {
        Err(obstacle) => (sync.status, sync.error) = (Status::Failed, Some(obstacle.to_string())),
        Ok(settings) if score.needs_review => {
            sync.comment = Some(settings.comment.unwrap_or_else(|| COMMENT.to_owned()));
            if settings.on_review == OnReview::Hold && cause == Cause::Grade {
                sync.status = Status::Waiting;
            }
        }
        Ok(_) => {}
    }
    sync.scored_at = order::next_time(tx, &sync)?;
    match former {
        Some(former) => {
            // The former version is being sent: this one follows when that attempt has ended.
            if former.is_leased(tx.now()) {
                (sync.lease_token, sync.next_attempt_at) = (former.lease_token, former.next_attempt_at);
            }
            sync.update(tx)?;
        }
        None => sync.insert(tx)?,
    }
    match sync.status {
        Status::Pending => tx.wake(Queue::GradeSyncs),
        Status::Failed => sync.tell(tx)?,
        Status::Waiting | Status::Synced | Status::Superseded => {}
    }
    Ok(sync)
}

fn launch(tx: &mut Tx<'_>, score: &GradedScore<'_>) -> Result<Option<(LaunchSession, Registration)>, StoreError> {
    let Ok(id) = score.session_id.parse::<LaunchId>() else { return Ok(None) };
    let session =
        sql!("SELECT {LaunchSession::*} FROM lti_launch WHERE id = {id} AND workspace_id = {score.workspace}")
            .find(tx, LaunchSession::from_row)?;
    let Some(session) = session else { return Ok(None) };
    let registration = Registration::find(tx, session.registration_id)?;
    Ok(registration.map(|registration| (session, registration)))
}

/// Whether a score of the launch can arrive at all, and how the registration wants it.
fn judge(session: &LaunchSession, registration: Registration) -> Result<registrations::GradeSync, Obstacle> {
    if registration.status == registrations::Status::Inactive {
        return Err(Obstacle::Inactive);
    }
    if session.resource_link_id.is_none() {
        return Err(Obstacle::NoResourceLink);
    }
    if session.user_id.is_none() {
        return Err(Obstacle::Anonymous);
    }
    check_grades(session.grades.as_ref())?;
    Ok(registration.settings().grade_sync.unwrap_or_default())
}

/// Whether the tool may send a score to the gradebook that a launch offered.
pub(super) fn check_grades(grades: Option<&GradeService>) -> Result<(), Obstacle> {
    let grades = grades.ok_or(Obstacle::NoGradeService)?;
    if !grades.allows(SCOPE_SCORE) {
        return Err(Obstacle::NoScoreScope);
    }
    let may_look = grades.allows(SCOPE_LINE_ITEM) || grades.allows(SCOPE_LINE_ITEM_READONLY);
    if grades.lineitem.is_none() && !(grades.lineitems.is_some() && may_look) {
        return Err(Obstacle::NoLineItemScope);
    }
    Ok(())
}

/// Ends the syncs of a registration that is deleted in this transaction, and tells the workspace.
///
/// # Errors
/// Any [`StoreError`].
pub(in crate::lti) fn registration_ends(tx: &mut Tx<'_>, registration: RegistrationId) -> Result<(), StoreError> {
    let error = Obstacle::Deleted.to_string();
    let ended = sql!(
        "UPDATE lti_sync SET status = 'failed', lease_token = NULL, error = {error}
         WHERE registration_id = {registration} AND status IN ('waiting', 'pending') RETURNING {SyncRow::*}"
    )
    .query(tx, SyncRow::from_row)?;
    ended.iter().try_for_each(|sync| sync.tell(tx))
}
