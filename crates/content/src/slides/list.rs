//! `GET /v1/content/classrooms/{classroomId}/slides` (content-api section 4).

use axum::extract::State;
use axum::response::Response;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::Problem;

use super::Slide;
use crate::{Content, ContentKey, resources};

/// A page of a classroom's slides, newest first.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/slides", tag = "Slides",
    operation_id = "listSlides", security(("contentKey" = [])),
    responses((status = 200, description = "The slides of the page", body = Vec<Slide>))
)]
pub async fn list(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    query: PageQuery,
) -> Result<Response, Problem> {
    resources::list::<Slide>(content, key, "slides.list", classroom, query).await
}
