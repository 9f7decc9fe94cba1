//! `POST /v1/platform/lti/registrations/{id}/lti-sync`: beyond the document, in which nobody can ask for scores to be sent again.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check, JsonBody, label};
use edge::params::Params;
use edge::problem::Problem;
use lti::LONGEST_ID;
use serde::Serialize;
use store::{Queue, sql};

use super::order;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::registrations::Registration;

/// A body that names a link.
#[derive(Debug, Body)]
pub struct ResendLinkScoresRequest {
    /// The link in the course, as launches name it.
    #[field(link(), example = "link-12")]
    resource_link_id: String,
}

fn link() -> impl Check<Value = String> {
    label(1..=LONGEST_ID)
}

/// The scores that are sent again.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LinkScoresResent {
    /// How many scores.
    #[schema(example = 28)]
    scores: usize,
}

/// Sends the newest score of each learner of a link once more, whether the gradebook has it or not: for a column that was
/// lost. Scores that wait for a reviewer go on waiting.
#[utoipa::path(
    post, path = "/v1/platform/lti/registrations/{id}/lti-sync", tag = "LTI", operation_id = "resendLinkScores",
    request_body = ResendLinkScoresRequest,
    responses((status = 200, description = "How many scores are sent again", body = LinkScoresResent))
)]
pub async fn resend_link(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "lti_syncs.resend_link", move |tx, caller| {
        let registration = Registration::load(tx, caller, &id)?;
        let link = body.read::<ResendLinkScoresRequest>()?.resource_link_id;
        let now = tx.now();
        order::move_on(tx, registration.id, &link)?;
        // A score that is being sent keeps its lease: the same score follows when that attempt has ended.
        let resent = sql!(
            "UPDATE lti_sync SET attempts = 0, leases = 0, unanswered = 0, error = NULL, synced_at = NULL,
                next_attempt_at = CASE WHEN status = 'pending' AND lease_token IS NOT NULL AND next_attempt_at > {now}
                                       THEN next_attempt_at ELSE {now} END,
                lease_token = CASE WHEN status = 'pending' AND next_attempt_at > {now} THEN lease_token END,
                status = 'pending',
                scored_at = (SELECT cell.scored_at FROM lti_gradebook_cell cell
                             WHERE cell.registration_id = lti_sync.registration_id AND cell.user_id = lti_sync.user_id
                                AND cell.resource_link_id = lti_sync.resource_link_id)
             WHERE registration_id = {registration.id} AND resource_link_id = {link} AND user_id IS NOT NULL
                AND status <> 'waiting' AND NOT EXISTS (
                    SELECT 1 FROM lti_sync newer
                    WHERE newer.registration_id = lti_sync.registration_id AND newer.user_id = lti_sync.user_id
                        AND newer.resource_link_id = lti_sync.resource_link_id AND newer.scored_at > lti_sync.scored_at)
             RETURNING subject_id"
        )
        .query(tx, |row| row.get::<String>(0))?;
        tx.wake(Queue::GradeSyncs);
        Ok(Answer::ok(&LinkScoresResent { scores: resent.len() }))
    })
    .await
}
