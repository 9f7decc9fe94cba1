//! `GET /v1/content/classrooms/{classroomId}/videos/{videoId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};

use super::Video;
use crate::{ContentKey, classroom_param, organization_of};

/// One video with its scenes in order.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}", tag = "Videos",
    operation_id = "getVideo", security(("contentKey" = [])),
    params(("classroomId" = String, Path), ("videoId" = String, Path)),
    responses(
        (status = 200, body = Video),
        (status = 400, description = "The classroom id is no UUID", body = ContentErrorBody),
        (status = 401, description = "The key is invalid or missing", body = ContentErrorBody),
        (status = 404, description = "There is no such classroom or video", body = ContentErrorBody),
        (status = 429, description = "The key's rate limit is exceeded", body = ContentErrorBody),
    )
)]
pub async fn get(
    State(door): State<Door>,
    key: ContentKey,
    Params((classroom, video)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.read_by_key(key, "videos.get", move |tx, caller| {
        const UNKNOWN: Problem = Problem::NotFound("Video");
        let classroom = classroom_param(&classroom)?;
        let id = video.parse().map_err(|_| UNKNOWN)?;
        let found = super::find(tx, organization_of(caller)?, classroom, id)?;
        Ok(Answer::ok(&found.ok_or(UNKNOWN)?))
    })
    .await
}
