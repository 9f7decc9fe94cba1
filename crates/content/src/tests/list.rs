//! `GET /v1/content/classrooms/{classroomId}/tests` (content-api section 4).

use axum::extract::State;
use axum::response::Response;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::Problem;

use super::Test;
use crate::{Content, ContentKey, resources};

/// A page of a classroom's tests, newest first.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/tests", tag = "Tests",
    operation_id = "listTests", security(("contentKey" = [])),
    responses((status = 200, description = "The tests of the page", body = Vec<Test>))
)]
pub async fn list(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    query: PageQuery,
) -> Result<Response, Problem> {
    resources::list::<Test>(content, key, "tests.list", classroom, query).await
}
