//! `GET /v1/content/classrooms/{classroomId}/courses/{courseId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfNoneMatch;

use super::Course;
use crate::{Content, ContentKey, resources};

/// One course with its contents in order.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/courses/{courseId}", tag = "Courses",
    operation_id = "getCourse", security(("contentKey" = [])),
    responses((status = 200, description = "The course", body = Course))
)]
pub async fn get(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    known: IfNoneMatch,
) -> Result<Answer, Problem> {
    resources::get::<Course>(content, key, "courses.get", path, known).await
}
