//! `DELETE /v1/content/classrooms/{classroomId}/courses/{courseId}` (content-api section 4).

use edge::problem::Problem;
use kernel::id::CourseId;
use serde::Serialize;
use store::Tx;

use super::Course;
use crate::modules::places;
use crate::resources::{self, Delete};

/// A course that is no more.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedCourse {
    /// What named it.
    id: CourseId,
    /// The conversation that it was made in, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_session_id: Option<String>,
}

impl Delete for Course {
    type Answer = DeletedCourse;
    const SUMMARY: &'static str = "Deletes a course with its contents. The modules that they were copied from stay.";
    const ANSWER: &'static str = "The course was deleted";

    fn delete(self, tx: &mut Tx<'_>) -> Result<DeletedCourse, Problem> {
        super::touch(tx, self.organization_id, self.id)?;
        places::remove_all(tx, self.organization_id, self.id)?;
        resources::remove(tx, &self)?;
        Ok(DeletedCourse { id: self.id, chat_session_id: self.chat_session_id })
    }
}
