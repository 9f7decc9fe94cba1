//! Grade sync: the score of an evaluation or a submission that belongs to a launch goes to the gradebook of the platform
//! (platform-api section 3).
//!
//! Each score is a row, and the rows are the queue. [`follow`] plans the sync in the transaction that ends the evaluation or
//! grades the submission. Then come three steps: claim (a short transaction that leases the row), send (no transaction is open),
//! record (one transaction, fenced by the lease: the new state and the event). After a crash the lease lapses, and the
//! same score is sent again with the same time, by which the platform knows it. [`order`] keeps the scores of one learner and
//! link in order. `syncer.rs` is the loop around it.

mod claim;
mod fault;
mod follow;
mod line_items;
mod order;
mod outcome;
pub mod resend;
pub mod resend_link;
mod results;
mod send;
mod syncer;

use events::platform::{PlatformEvent, PlatformFact, record_for_workspace};
use kernel::id::{EvaluationId, RegistrationId, SubjectId, SubmissionId, WorkspaceId};
use kernel::json::plain_number;
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::{Group as _, Record, StoreError, Tx, sql};

use self::order::SyncCell;
use crate::evaluations::EvaluationRow;

pub use self::claim::lapse_all;
pub(super) use self::follow::registration_ends;
pub(crate) use self::follow::{GradedScore, follow, follow_submission, resend_submission};
pub(crate) use self::order::supersede;
pub use self::syncer::{Syncer, SyncerOptions};

/// How far a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema, store::Words)]
#[serde(rename_all = "lowercase")]
#[schema(as = LtiSyncStatus)]
pub enum Status {
    /// It waits for a reviewer.
    Waiting,
    /// It is sent, or will be.
    Pending,
    /// The gradebook has it.
    Synced,
    /// It was given up.
    Failed,
    /// It is not sent: a newer score of the learner took its place.
    Superseded,
}

/// The kind of thing that a score is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, store::Words)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Subject {
    /// One graded answer.
    Evaluation,
    /// A test that was handed in.
    Submission,
}

/// A row of `lti_sync`.
#[derive(Clone, Debug, Record)]
#[record(table = "lti_sync")]
pub(crate) struct SyncRow {
    /// The evaluation or the submission.
    #[column(key)]
    pub(crate) subject_id: SubjectId,
    #[column(fixed)]
    subject: Subject,
    #[column(fixed)]
    workspace_id: WorkspaceId,
    pub(crate) session_id: String,
    /// `None` where the launch is unknown, or the registration was deleted.
    registration_id: Option<RegistrationId>,
    resource_link_id: Option<String>,
    user_id: Option<String>,
    status: Status,
    /// The version of the evaluation or submission that the score is of.
    version: i64,
    score_given: f64,
    score_maximum: f64,
    comment: Option<String>,
    /// The score's time for the platform, which rises from score to score.
    scored_at: Timestamp,
    submitted_at: Timestamp,
    /// Attempts that failed.
    attempts: u32,
    /// How often it was claimed, also by processes that died.
    leases: u32,
    /// Attempts that may have reached the platform although it gave no answer.
    unanswered: u32,
    /// When it is due, or the lease ends.
    next_attempt_at: Timestamp,
    lease_token: Option<String>,
    error: Option<String>,
    /// The column of the gradebook that took it.
    pub(crate) line_item: Option<String>,
    synced_at: Option<Timestamp>,
    /// What the launch is part of; `None` for launches of before there were traces.
    pub(crate) trace_id: Option<String>,
    #[column(fixed)]
    created_at: Timestamp,
}

/// How far a score is on its way to the gradebook of the platform that launched.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LtiSync {
    /// `waiting` for a reviewer, `pending`, `synced`, `failed`, or `superseded` by a newer score of the learner.
    status: Status,
    /// The launch that the evaluation names.
    session_id: String,
    /// The registration of the platform; null where the launch is unknown or the registration was deleted.
    #[schema(required)]
    lti_registration_id: Option<RegistrationId>,
    /// The link that was launched.
    #[schema(required)]
    resource_link_id: Option<String>,
    /// The learner, as the platform names them; null for an anonymous launch.
    #[schema(required)]
    user_id: Option<String>,
    /// The version of the evaluation or submission that the score is of.
    #[schema(example = 1)]
    version: i64,
    /// The points that are sent.
    #[serde(serialize_with = "plain_number")]
    score_given: f64,
    /// The points of a perfect answer.
    #[serde(serialize_with = "plain_number")]
    score_maximum: f64,
    /// Attempts that failed.
    #[schema(example = 0)]
    attempts: u32,
    /// When it is tried next, or the attempt under way ends at the latest; null unless `pending`.
    #[schema(required)]
    next_attempt_at: Option<Timestamp>,
    /// When the platform took the score; null unless it did.
    #[schema(required)]
    synced_at: Option<Timestamp>,
    /// Why the last attempt failed, or why there is none; null where none failed.
    #[schema(required)]
    error: Option<String>,
}

impl LtiSync {
    /// How far an evaluation's score is; `None` for an evaluation that names no launch.
    pub(crate) fn of(tx: &mut Tx<'_>, evaluation: &EvaluationRow) -> Result<Option<Self>, StoreError> {
        if evaluation.launch_session().is_none() {
            return Ok(None);
        }
        Self::of_subject(tx, SubjectId::of(evaluation.id))
    }

    /// How far a score is; `None` where there is none to be sent.
    pub(crate) fn of_subject(tx: &mut Tx<'_>, subject: SubjectId) -> Result<Option<Self>, StoreError> {
        Ok(SyncRow::load(tx, subject)?.map(Self::from))
    }
}

impl LtiSync {
    /// Whether the gradebook has the score.
    pub fn is_synced(&self) -> bool {
        self.status == Status::Synced
    }

    /// How far the score is, in a word.
    pub fn state(&self) -> &'static str {
        self.status.as_str()
    }

    /// When the gradebook took the score; empty unless it did.
    pub fn synced_at_text(&self) -> String {
        self.synced_at.map(|at| at.to_string()).unwrap_or_default()
    }
}

impl From<SyncRow> for LtiSync {
    fn from(row: SyncRow) -> Self {
        Self {
            status: row.status,
            session_id: row.session_id,
            lti_registration_id: row.registration_id,
            resource_link_id: row.resource_link_id,
            user_id: row.user_id,
            version: row.version,
            score_given: row.score_given,
            score_maximum: row.score_maximum,
            attempts: row.attempts,
            next_attempt_at: (row.status == Status::Pending).then_some(row.next_attempt_at),
            synced_at: row.synced_at,
            error: row.error,
        }
    }
}

impl SyncRow {
    pub(crate) fn load(tx: &mut Tx<'_>, subject: SubjectId) -> Result<Option<Self>, StoreError> {
        sql!("SELECT {SyncRow::*} FROM lti_sync WHERE subject_id = {subject}").find(tx, Self::from_row)
    }

    /// Whether the score is being sent.
    fn is_leased(&self, now: Timestamp) -> bool {
        self.status == Status::Pending && self.lease_token.is_some() && self.next_attempt_at > now
    }

    /// The id, where the score is of such a subject.
    fn id_of(&self, subject: Subject) -> Option<SubjectId> {
        (self.subject == subject).then_some(self.subject_id)
    }

    /// The evaluation that the score is of.
    pub(crate) fn evaluation(&self) -> Option<EvaluationId> {
        self.id_of(Subject::Evaluation).map(|id| id.uuid().into())
    }

    /// The submission that the score is of.
    pub(crate) fn submission(&self) -> Option<SubmissionId> {
        self.id_of(Subject::Submission).map(|id| id.uuid().into())
    }

    /// Tells the workspace how the sync ended (platform-api section 6).
    fn tell(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let mut fields = Map::new();
        let mut field = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        field("sessionId", json!(self.session_id));
        field("evaluationId", json!(self.id_of(Subject::Evaluation)));
        field("submissionId", json!(self.id_of(Subject::Submission)));
        field("ltiRegistrationId", json!(self.registration_id));
        field("resourceLinkId", json!(self.resource_link_id));
        field("traceId", json!(self.trace_id));
        let event = if self.status == Status::Synced {
            field("scoreGiven", number(self.score_given));
            field("scoreMaximum", number(self.score_maximum));
            field("userId", json!(self.user_id));
            field("syncedAt", json!(self.synced_at));
            PlatformEvent::LtiGradeSynced
        } else {
            field("error", json!(self.error));
            PlatformEvent::LtiGradeSyncFailed
        };
        let fact = PlatformFact { event, subject_id: self.subject_id.to_string(), fields };
        record_for_workspace(tx, &self.workspace_id.to_string(), &fact).map(|_| ())
    }
}

fn number(number: f64) -> Value {
    plain_number(&number, serde_json::value::Serializer).unwrap_or_else(|_| json!(number))
}

/// The fields of the events that [`SyncRow::tell`] told that are a learner's own.
pub(crate) const LEARNERS_FIELDS: [&str; 2] = ["scoreGiven", "userId"];

/// Forgets the scores of a platform's user, whatever they are of: their subjects.
pub(crate) fn erase_user(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    registration: RegistrationId,
    user: &str,
) -> Result<Vec<String>, StoreError> {
    sql!(
        "DELETE FROM lti_gradebook_cell WHERE registration_id = {registration} AND user_id = {user}
            AND EXISTS (SELECT 1 FROM lti_registration WHERE id = {registration} AND workspace_id = {workspace})"
    )
    .execute_later(tx)?;
    sql!(
        "DELETE FROM lti_sync WHERE registration_id = {registration} AND user_id = {user} AND workspace_id = {workspace}
         RETURNING subject_id"
    )
    .query(tx, |row| row.get(0))
}

/// Forgets what a learner's evaluations or submissions sent, and the launches of the workspace that they name: those name the
/// learner.
pub(crate) fn erase(tx: &mut Tx<'_>, subjects: &[String]) -> Result<(), StoreError> {
    let named = tx.query_each(
        subjects,
        |id| sql!("DELETE FROM lti_sync WHERE subject_id = {*id} RETURNING session_id, workspace_id, registration_id, resource_link_id, user_id"),
        |row| Ok((row.get::<String>(0)?, row.get::<WorkspaceId>(1)?, SyncCell::read_at(row, 2)?)),
    )?;
    named.iter().try_for_each(|(.., cell)| cell.forget(tx))?;
    // A client may write anything where a session belongs, also the launch of another workspace.
    named.iter().try_for_each(|(session, workspace, _)| {
        tx.execute_later("DELETE FROM lti_launch WHERE id = $1 AND workspace_id = $2", &[session, workspace])
    })
}

#[cfg(test)]
mod tests;
