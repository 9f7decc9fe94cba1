//! `DELETE /v1/content/classrooms/{classroomId}/courses/{courseId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use kernel::id::CourseId;
use serde::Serialize;

use super::Course;
use crate::{Content, ContentKey, resources};

/// A course that is no more.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedCourse {
    /// What named it.
    #[schema(value_type = String, format = Uuid)]
    id: CourseId,
    /// The conversation that it was made in, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_session_id: Option<String>,
}

/// Deletes a course with its contents. The modules that they were copied from stay.
#[utoipa::path(
    delete, path = "/v1/content/classrooms/{classroomId}/courses/{courseId}", tag = "Courses",
    operation_id = "deleteCourse", security(("contentKey" = [])),
    params(("classroomId" = String, Path), ("courseId" = String, Path)),
    responses((status = 200, description = "The course was deleted", body = DeletedCourse))
)]
pub async fn delete(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
) -> Result<Answer, Problem> {
    resources::change::<Course, _>(content, key, "courses.delete", path, expected, Ok(()), |tx, owned, ()| {
        let course = &owned.resource;
        super::touch(tx, owned.organization, course.id)?;
        super::remove_contents(tx, owned.organization, course.id)?;
        resources::remove(tx, &owned)?;
        Ok(Answer::ok(&DeletedCourse { id: course.id, chat_session_id: course.chat_session_id.clone() }))
    })
    .await
}
