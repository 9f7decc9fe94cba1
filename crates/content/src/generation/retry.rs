//! `POST /v1/content/classrooms/{classroomId}/{courses|videos|slides|tests}/{id}/retry`: another try of a generation
//! that failed.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;
use serde_json::json;

use super::enqueue;
use super::generated::Generated;
use crate::resources::{self, Status};
use crate::{Content, ContentKey};

const NOT_FAILED: Problem = Problem::Conflict("Only what failed can be retried.");

/// Generates a resource again whose generation failed, from what it is made of now. A body is not read.
pub(crate) async fn retry<R: Generated>(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
    repeatable: Repeatable,
) -> Result<Answer, Problem> {
    let keyed = repeatable.key().map(|key| key.of(|| json!({ "path": path, "body": null })));
    let links = content.links.clone();
    resources::post(content, key, R::TRANSACTIONS.retry, keyed, expected.read(), move |tx, organization, expected| {
        let found: R = resources::load(tx, &links, organization, &path)?;
        expected.permit(found.version())?;
        let id = found.id();
        let moves = ([Status::Failed; 2], Status::Queued);
        if !R::move_status(tx, organization, &id.to_string(), moves, None)? {
            return Err(NOT_FAILED);
        }
        enqueue::<R>(tx, organization, id)?;
        resources::stored(tx, &links, &found, StatusCode::ACCEPTED)
    })
    .await
}

#[cfg(test)]
mod tests;
