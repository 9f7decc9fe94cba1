//! `GET /v1/content/classrooms/{classroomId}/tests/{testId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};

use super::Test;
use crate::{ContentKey, classroom_param, organization_of};

/// One test with its items.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/tests/{testId}", tag = "Tests",
    operation_id = "getTest", security(("contentKey" = [])),
    params(("classroomId" = String, Path), ("testId" = String, Path)),
    responses(
        (status = 200, body = Test),
        (status = 400, description = "The classroom id is no UUID", body = ContentErrorBody),
        (status = 401, description = "The key is invalid or missing", body = ContentErrorBody),
        (status = 404, description = "There is no such classroom or test", body = ContentErrorBody),
        (status = 429, description = "The key's rate limit is exceeded", body = ContentErrorBody),
    )
)]
pub async fn get(
    State(door): State<Door>,
    key: ContentKey,
    Params((classroom, test)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.read_by_key(key, "tests.get", move |tx, caller| {
        const UNKNOWN: Problem = Problem::NotFound("Test");
        let classroom = classroom_param(&classroom)?;
        let id = test.parse().map_err(|_| UNKNOWN)?;
        let found = super::find(tx, organization_of(caller)?, classroom, id)?;
        Ok(Answer::ok(&found.ok_or(UNKNOWN)?))
    })
    .await
}
