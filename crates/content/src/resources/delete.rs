//! Deleting one resource.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;
use serde::Serialize;
use store::Tx;
use utoipa::ToSchema;

use super::{Resource, change};
use crate::{Content, ContentKey};

/// The deletion of a kind of resource, with all that goes with it, and its answer.
pub(crate) trait Delete: Resource {
    /// The body of the answer; `()` where there is none.
    type Answer: Serialize + ToSchema;
    /// The operation's summary in the document.
    const SUMMARY: &'static str;
    /// The answer's description in the document.
    const ANSWER: &'static str;
    /// The answer's status.
    const STATUS: StatusCode = StatusCode::OK;

    /// Deletes it.
    ///
    /// # Errors
    /// Those of the store.
    fn delete(self, tx: &mut Tx<'_>) -> Result<Self::Answer, Problem>;
}

/// Deletes the resource that a path's classroom and id name.
pub(crate) async fn delete<R: Delete>(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
) -> Result<Answer, Problem> {
    change::<R, _>(content, key, R::TRANSACTIONS.delete, path, expected, Ok(()), |tx, resource, ()| {
        let deleted = resource.delete(tx)?;
        Ok(match R::STATUS {
            StatusCode::NO_CONTENT => Answer::empty(StatusCode::NO_CONTENT),
            status => Answer::json(status, &deleted),
        })
    })
    .await
}
