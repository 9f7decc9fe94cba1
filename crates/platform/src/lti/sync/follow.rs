//! Decides what will be sent, in the transaction that grades or reviews.

use std::time::Duration;

use kernel::id::{LaunchId, RegistrationId, SubjectId, WorkspaceId};
use kernel::time::Timestamp;
use lti::ags::{GradeService, SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY, SCOPE_SCORE};
use store::{KeyedRecord as _, Queue, Record as _, StoreError, Tx, sql};

use super::fault::Obstacle;
use super::{LtiSync, Status, Subject, SyncRow};
use crate::evaluations::{self, EvaluationRow};
use crate::lti::registrations::{self, OnReview, Registration};
use crate::lti::sessions::LaunchSession;

/// The least time between two scores of one learner and link. Some platforms count whole seconds.
const STEP: Duration = Duration::from_secs(1);
/// What a score says that a person may still change, where the registration has no words of its own.
const COMMENT: &str = "This score is provisional: a person will look at the answer.";

/// A score that is to be sent.
#[derive(Clone, Debug)]
pub(crate) struct GradedScore<'a> {
    /// What it is of.
    pub(crate) subject: (Subject, SubjectId),
    /// Whose it is.
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
        Some(score) => plan(tx, &score, Asked::ByGrade).map(|_| ()),
        None => Ok(()),
    }
}

/// Syncs the score of a submission that is graded. Each new version is synced again.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn follow_submission(tx: &mut Tx<'_>, score: &GradedScore<'_>) -> Result<(), StoreError> {
    plan(tx, score, Asked::ByGrade).map(|_| ())
}

/// Syncs the score of a submission once more, for a person who asked.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn resend_submission(tx: &mut Tx<'_>, score: &GradedScore<'_>) -> Result<LtiSync, StoreError> {
    plan(tx, score, Asked::ByPerson).map(LtiSync::from)
}

/// Who wants a score to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// There is a new grade.
    ByGrade,
    /// A person, who need not wait for a reviewer.
    ByPerson,
}

/// Writes what will be sent.
pub(super) fn plan(tx: &mut Tx<'_>, score: &GradedScore<'_>, asked: Asked) -> Result<SyncRow, StoreError> {
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
            if settings.on_review == OnReview::Hold && asked == Asked::ByGrade {
                sync.status = Status::Waiting;
            }
        }
        Ok(_) => {}
    }
    sync.scored_at = match &former {
        // The platform may have it although nobody heard so.
        Some(former) if former.version == sync.version && former.status != Status::Synced => former.scored_at,
        _ => after_the_last(tx, &sync)?,
    };
    match former {
        Some(_) => sync.update(tx)?,
        None => sync.insert(tx)?,
    }
    match sync.status {
        Status::Pending => tx.wake(Queue::GradeSyncs),
        Status::Failed => sync.tell(tx)?,
        Status::Waiting | Status::Synced => {}
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

/// A time after that of each score that this learner got in this link.
fn after_the_last(tx: &mut Tx<'_>, sync: &SyncRow) -> Result<Timestamp, StoreError> {
    let last = sql!(
        "SELECT max(scored_at) FROM lti_sync WHERE registration_id = {sync.registration_id}
            AND resource_link_id = {sync.resource_link_id} AND user_id = {sync.user_id}"
    )
    .find(tx, |row| row.get::<Option<Timestamp>>(0))?
    .flatten();
    Ok(last.map_or(tx.now(), |last| tx.now().max(last.plus(STEP))))
}

/// Gives up what was to be sent to a registration that is deleted in this transaction, and tells so.
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
