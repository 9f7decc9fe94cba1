//! `GET /v1/platform/videos/edit/{editToken}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::problem::{PlatformErrorBody, Problem};
use kernel::id::VideoId;
use store::Tx;

use super::{Edited, VideoReview};
use crate::Platform;

/// A video with its scenes, and how far its rendering is: poll it until `renderStatus` is `completed` or `failed`.
///
/// Anybody who has the edit link may call it: the token is the credential.
#[utoipa::path(
    get, path = "/v1/platform/videos/edit/{editToken}", tag = "Videos", operation_id = "getVideoReview", security(()),
    responses(
        (status = 200, description = "The video", body = VideoReview, headers(("ETag" = String, description = "The video's version"))),
        (status = 404, description = "There is no such video, or the token is not its own: which of them is not told",
            body = PlatformErrorBody),
    )
)]
pub async fn get(State(platform): State<Platform>, Edited(id): Edited) -> Result<Answer, Problem> {
    let review = find(&platform, id).await?;
    Ok(Answer::ok(&review).with_version(review.version))
}

/// The video as its reviewer sees it.
///
/// # Errors
/// 404 for a video that is gone.
pub async fn find(platform: &Platform, id: VideoId) -> Result<VideoReview, Problem> {
    let parts = platform.clone();
    let read = move |tx: &mut Tx<'_>| {
        let video = super::load(tx, &parts, id)?;
        Ok::<_, Problem>(VideoReview::load(tx, &parts, video)?)
    };
    platform.door.store.read("videos.review", read).await
}
