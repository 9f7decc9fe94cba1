//! `GET /v1/content/classrooms/{classroomId}/courses` (content-api section 4).

use axum::extract::State;
use axum::response::Response;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::Problem;

use super::Course;
use crate::{Content, ContentKey, resources};

/// A page of a classroom's courses, newest first.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/courses", tag = "Courses",
    operation_id = "listCourses", security(("contentKey" = [])),
    responses((status = 200, description = "The courses of the page", body = Vec<Course>))
)]
pub async fn list(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    query: PageQuery,
) -> Result<Response, Problem> {
    resources::list::<Course>(content, key, "courses.list", classroom, query).await
}
