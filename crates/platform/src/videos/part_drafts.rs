//! `POST /v1/platform/videos/edit/{editToken}/part-drafts`.

use axum::extract::State;
use content::videos::part_drafts::{DraftSceneRequest, DraftedScene, draft_by_link};
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::problem::{PlatformErrorBody, Problem};
use http::StatusCode;

use super::Edited;
use crate::Platform;

/// Drafts another version of one scene of a video. Nothing is stored: the caller puts it in its place with the change of the
/// video.
///
/// Anybody who has the edit link may call it: the token is the credential.
#[utoipa::path(
    post, path = "/v1/platform/videos/edit/{editToken}/part-drafts", tag = "Videos", operation_id = "draftSceneByLink",
    security(()), request_body = DraftSceneRequest,
    responses(
        (status = 200, description = "The draft; nothing is stored", body = DraftedScene),
        (status = 400, description = "The request is invalid; every fault is named", body = PlatformErrorBody),
        (status = 404, description = "There is no such video, or the token is not its own: which of them is not told",
            body = PlatformErrorBody),
        (status = 409, description = "The source gives no other scene, or the video is still being generated", body = PlatformErrorBody),
        (status = 429, description = "More than twenty drafts of the video were asked for in a minute, or too many of the organization are being made", body = PlatformErrorBody),
        (status = 503, description = "The generator is away or took too long; try again", body = PlatformErrorBody),
    )
)]
pub async fn draft(State(platform): State<Platform>, Edited(id): Edited, body: JsonBody) -> Result<Answer, Problem> {
    let drafted = draft_by_link(&platform.content, id, body.read()).await?;
    Ok(Answer::json(StatusCode::OK, &drafted))
}
