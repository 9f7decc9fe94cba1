//! Traces: what led to a score, and what came of a source.
//!
//! A trace begins with the expansion that a resource was made in, else with the resource, else with the launch. Its id is the
//! id of that beginning; links, launches, submissions and scores keep it. [`find`] follows it from any of their ids, up to where
//! it began and down to the gradebook. It reads and changes nothing.
//!
//! What content knows of a beginning is handed in as a function ([`FindOrigin`]): this surface reads no tables of content.

pub mod find;
pub mod get;
#[cfg(test)]
mod tests;

use billing::ledger::{Reservation, ReservationState};
use kernel::id::{
    EvaluationId, LaunchId, LinkId, OrganizationId, QuestionId, RegistrationId, SubmissionId, WorkspaceId,
};
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::Number;
use store::{StoreError, Tx};
use utoipa::ToSchema;

use crate::evaluations;
use crate::lti::sync::LtiSync;
use crate::submissions::SubmissionSummary;

/// Finds what an id of content began with, among an organization's content: an expansion's id, or a resource's.
pub type FindOrigin = fn(&mut Tx<'_>, OrganizationId, &str) -> Result<Option<Origin>, StoreError>;

/// What a trace began with.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The source; `None` for a resource that nobody expanded.
    pub source: Option<TracedSource>,
    /// What was made: of the source, or the resource itself.
    pub resources: Vec<TracedResource>,
}

/// Everything that is known around an id.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// The id of what the trace began with.
    #[schema(example = "0192aee1-5a3b-7c2d-8e4f-123456789abc")]
    pub trace_id: String,
    /// The workspace.
    pub platform_workspace_id: WorkspaceId,
    /// The source JSON; null where the trace began with something else.
    #[schema(required)]
    pub source: Option<TracedSource>,
    /// Modules, courses, videos and tests.
    pub resources: Vec<TracedResource>,
    /// Links that teachers picked.
    pub links: Vec<TracedLink>,
    /// Launches.
    pub launches: Vec<TracedLaunch>,
    /// Tests that were handed in.
    pub submissions: Vec<SubmissionSummary>,
    /// Graded answers.
    pub evaluations: Vec<TracedEvaluation>,
    /// Scores for gradebooks.
    pub scores: Vec<TracedScore>,
    /// Whether there are more than the newest 100 of something.
    pub is_cut: bool,
}

/// Source JSON that was expanded.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedSource {
    /// The expansion job.
    pub expansion_id: String,
    /// The classroom.
    pub classroom_id: String,
    /// The title of the source.
    pub title: String,
    /// The SHA-256 of the source JSON, in hex.
    pub sha256: String,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// A resource of a classroom.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedResource {
    /// `module`, `course`, `video` or `test`.
    #[schema(example = "test")]
    pub kind: String,
    /// Its id.
    pub id: String,
}

/// A link that a teacher picked.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedLink {
    /// Its id.
    pub id: LinkId,
    /// The platform; null once the registration was deleted.
    #[schema(required)]
    pub lti_registration_id: Option<RegistrationId>,
    /// What it leads to.
    pub resource_id: String,
    /// The resource's title as it was.
    pub title: String,
    /// The course, as the platform names it.
    #[schema(required)]
    pub context_id: Option<String>,
    /// When it was picked.
    pub created_at: Timestamp,
}

/// A launch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedLaunch {
    /// The launch session.
    pub session_id: LaunchId,
    /// The platform.
    pub lti_registration_id: RegistrationId,
    /// The link of this service that was launched; null for another one.
    #[schema(required)]
    pub link_id: Option<LinkId>,
    /// The link, as the platform names it.
    #[schema(required)]
    pub resource_link_id: Option<String>,
    /// Who launched, as the platform names them.
    #[schema(required)]
    pub user_id: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

/// A graded answer, and what it cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedEvaluation {
    /// The evaluation.
    pub id: EvaluationId,
    /// The submission that it belongs to; null for an answer of its own.
    #[schema(required)]
    pub submission_id: Option<SubmissionId>,
    /// The question that is answered; null once the learner was erased, and for up to a day after an update from a version without
    /// questions.
    #[schema(required)]
    pub question_id: Option<QuestionId>,
    /// How far it is.
    pub status: evaluations::Status,
    /// The points; null until it is graded.
    #[schema(required)]
    #[serde(serialize_with = "kernel::json::plain_number_or_null")]
    pub score: Option<f64>,
    /// The points of a perfect answer.
    #[serde(serialize_with = "kernel::json::plain_number")]
    pub max_score: f64,
    /// Whether a person should look at it.
    pub needs_review: bool,
    /// Why; empty where nobody needs to look.
    pub review_reasons: Vec<String>,
    /// The row of the ledger; null where nothing was to be paid.
    #[schema(required)]
    pub ledger: Option<TracedPayment>,
    /// When it was asked for.
    pub created_at: Timestamp,
}

/// A row of the ledger, named by the evaluation that it is for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedPayment {
    /// `open`, `settled` or `released`.
    #[schema(example = "settled")]
    pub state: &'static str,
    /// The price in US dollars.
    #[schema(value_type = f64, example = 0.05)]
    pub amount_usd: Number,
    /// What of it came from free credits, in US dollars.
    #[schema(value_type = f64, example = 0.05)]
    pub free_usd: Number,
    /// When the price was set aside.
    pub created_at: Timestamp,
    /// When it was paid or given back.
    #[schema(required)]
    pub ended_at: Option<Timestamp>,
}

/// A score for a gradebook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedScore {
    /// The evaluation that it is of; null where it is of a submission.
    #[schema(required)]
    pub evaluation_id: Option<EvaluationId>,
    /// The submission that it is of; null where it is of an evaluation.
    #[schema(required)]
    pub submission_id: Option<SubmissionId>,
    /// The column of the gradebook that took it; null until one did.
    #[schema(required)]
    pub line_item: Option<String>,
    /// How far it is.
    pub sync: LtiSync,
}

impl From<Reservation> for TracedPayment {
    fn from(reservation: Reservation) -> Self {
        Self {
            state: match reservation.state {
                ReservationState::Open => "open",
                ReservationState::Settled => "settled",
                ReservationState::Released => "released",
            },
            amount_usd: reservation.amount.to_usd_number(),
            free_usd: reservation.free.to_usd_number(),
            created_at: reservation.created_at,
            ended_at: reservation.ended_at,
        }
    }
}
