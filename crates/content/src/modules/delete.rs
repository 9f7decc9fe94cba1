//! `DELETE /v1/content/classrooms/{classroomId}/modules/{moduleId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;

use super::Module;
use crate::resources::{self, SUCCEEDED, Succeeded};
use crate::{Content, ContentKey, courses};

/// Deletes a module. The later modules of its course move up.
#[utoipa::path(
    delete, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}", tag = "Modules",
    operation_id = "deleteModule", security(("contentKey" = [])),
    params(("classroomId" = String, Path), ("moduleId" = String, Path)),
    responses((status = 200, description = "The module was deleted", body = Succeeded))
)]
pub async fn delete(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
) -> Result<Answer, Problem> {
    resources::change::<Module, _>(content, key, "modules.delete", path, expected, Ok(()), |tx, owned, ()| {
        let place = owned.resource.course_id.zip(owned.resource.sequence);
        if let Some((course, _)) = place {
            courses::touch(tx, owned.organization, course)?;
        }
        resources::remove(tx, &owned)?;
        if let Some((course, sequence)) = place {
            courses::close_gap(tx, owned.organization, course, sequence)?;
        }
        Ok(Answer::ok(&SUCCEEDED))
    })
    .await
}
