//! `PATCH /v1/platform/videos/edit/{editToken}`.

use axum::extract::State;
use content::videos::review::ReviewVideoRequest;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::problem::{PlatformErrorBody, Problem};
use edge::versions::{Expected, IfMatch};
use kernel::id::VideoId;
use store::Tx;

use super::{Edited, VideoReview};
use crate::Platform;

/// Changes a video's words and scenes. What was rendered stays until the video is rendered again.
///
/// Anybody who has the edit link may call it: the token is the credential.
#[utoipa::path(
    patch, path = "/v1/platform/videos/edit/{editToken}", tag = "Videos", operation_id = "reviewVideo", security(()),
    request_body = ReviewVideoRequest,
    params(("If-Match" = Option<String>, Header, description = "The version that the change is made to, such as `\"7\"`")),
    responses(
        (status = 200, description = "The changed video", body = VideoReview, headers(("ETag" = String, description = "The video's version"))),
        (status = 400, description = "The request is invalid; every fault is named", body = PlatformErrorBody),
        (status = 404, description = "There is no such video, or the token is not its own: which of them is not told",
            body = PlatformErrorBody),
        (status = 409, description = "The video is still being generated, or has no room for more text", body = PlatformErrorBody),
        (status = 412, description = "The video was changed since the version that If-Match names", body = PlatformErrorBody),
    )
)]
pub async fn update(
    State(platform): State<Platform>,
    Edited(id): Edited,
    expected: IfMatch,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let request = Problem::both(expected.read(), body.read());
    let review = change(&platform, id, request).await?;
    Ok(Answer::ok(&review).with_version(review.version))
}

/// Changes a video of one of the expected versions, if the request could be read.
///
/// # Errors
/// As [`update`] documents.
pub async fn change(
    platform: &Platform,
    id: VideoId,
    request: Result<(Expected, ReviewVideoRequest), Problem>,
) -> Result<VideoReview, Problem> {
    let parts = platform.clone();
    let write = move |tx: &mut Tx<'_>| {
        let video = super::load(tx, &parts, id)?;
        let (expected, changes) = request.as_ref().map_err(Clone::clone)?;
        expected.permit(video.version)?;
        changes.carry_out(tx, video)?;
        let video = super::load(tx, &parts, id)?;
        Ok::<_, Problem>(VideoReview::load(tx, &parts, video)?)
    };
    platform.door.store.write("videos.update_by_link", write).await
}
