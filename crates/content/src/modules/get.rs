//! `GET /v1/content/classrooms/{classroomId}/modules/{moduleId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};

use super::Module;
use crate::{ContentKey, classroom_param, organization_of};

/// One module with its content and quiz items.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}", tag = "Modules",
    operation_id = "getModule", security(("contentKey" = [])),
    params(("classroomId" = String, Path), ("moduleId" = String, Path)),
    responses(
        (status = 200, body = Module),
        (status = 400, description = "The classroom id is no UUID", body = ContentErrorBody),
        (status = 401, description = "The key is invalid or missing", body = ContentErrorBody),
        (status = 404, description = "There is no such classroom or module", body = ContentErrorBody),
        (status = 429, description = "The key's rate limit is exceeded", body = ContentErrorBody),
    )
)]
pub async fn get(
    State(door): State<Door>,
    key: ContentKey,
    Params((classroom, module)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.read_by_key(key, "modules.get", move |tx, caller| {
        const UNKNOWN: Problem = Problem::NotFound("Module");
        let classroom = classroom_param(&classroom)?;
        let id = module.parse().map_err(|_| UNKNOWN)?;
        let found = super::find(tx, organization_of(caller)?, classroom, id)?;
        Ok(Answer::ok(&found.ok_or(UNKNOWN)?))
    })
    .await
}
