//! `GET /v1/content/classrooms/{classroomId}/videos` (content-api section 4).

use axum::extract::State;
use axum::response::Response;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::Problem;

use super::Video;
use crate::{Content, ContentKey, resources};

/// A page of a classroom's videos, newest first.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/videos", tag = "Videos",
    operation_id = "listVideos", security(("contentKey" = [])),
    responses((status = 200, description = "The videos of the page", body = Vec<Video>))
)]
pub async fn list(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    query: PageQuery,
) -> Result<Response, Problem> {
    resources::list::<Video>(content, key, "videos.list", classroom, query).await
}
