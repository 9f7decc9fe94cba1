//! `GET /v1/platform/videos/edit/{editToken}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::{PlatformErrorBody, Problem};
use store::Tx;

use super::VideoReview;
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
pub async fn get(State(platform): State<Platform>, Params(token): Params<String>) -> Result<Answer, Problem> {
    let review = find(&platform, token).await?;
    Ok(Answer::ok(&review).with_version(review.version))
}

/// The video that a token edits.
///
/// # Errors
/// 404 for a token that is no video's.
pub async fn find(platform: &Platform, token: String) -> Result<VideoReview, Problem> {
    let parts = platform.clone();
    let read = move |tx: &mut Tx<'_>| {
        let video = super::load(tx, &parts, &token)?;
        Ok::<_, Problem>(VideoReview::load(tx, &parts.base_url, &token, video)?)
    };
    platform.door.store.read("videos.review", read).await
}
