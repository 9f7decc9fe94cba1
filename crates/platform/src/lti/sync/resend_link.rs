//! `POST /v1/platform/lti/registrations/{id}/lti-sync`: beyond the document, in which nobody can ask for scores to be sent again.

use std::time::Duration;

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check, JsonBody, label};
use edge::params::Params;
use edge::problem::Problem;
use lti::LONGEST_ID;
use serde::Serialize;
use store::{Queue, sql};

use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::registrations::Registration;

/// The later time of a score that the platform has.
const STEP: Duration = Duration::from_secs(1);

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

/// What is sent again.
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
        let (now, step) = (tx.now(), i64::try_from(STEP.as_millis()).unwrap_or(i64::MAX));
        let resent = sql!(
            "UPDATE lti_sync SET status = 'pending', attempts = 0, leases = 0, next_attempt_at = {now}, lease_token = NULL,
                error = NULL, synced_at = NULL,
                scored_at = CASE WHEN status <> 'synced' THEN scored_at
                                 WHEN scored_at + {step} > {now} THEN scored_at + {step} ELSE {now} END
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
