//! `DELETE /v1/platform/videos/edit/{editToken}/render`.

use axum::extract::State;
use content::videos::renderings::request;
use edge::answer::Answer;
use edge::problem::{PlatformErrorBody, Problem};
use kernel::id::VideoId;
use store::Tx;

use super::{Edited, VideoRendering};
use crate::Platform;

/// Cancels the rendering that is under way; nothing happens where there is none. What was rendered before stays.
///
/// Anybody who has the edit link may call it: the token is the credential.
#[utoipa::path(
    delete, path = "/v1/platform/videos/edit/{editToken}/render", tag = "Videos", operation_id = "cancelRendering",
    security(()),
    responses(
        (status = 200, description = "How the video stands now", body = VideoRendering),
        (status = 404, description = "There is no such video, or the token is not its own: which of them is not told",
            body = PlatformErrorBody),
    )
)]
pub async fn cancel(State(platform): State<Platform>, Edited(id): Edited) -> Result<Answer, Problem> {
    Ok(Answer::ok(&end(&platform, id).await?))
}

/// Cancels what is under way.
///
/// # Errors
/// 404 for a video that is gone.
pub async fn end(platform: &Platform, id: VideoId) -> Result<VideoRendering, Problem> {
    let parts = platform.clone();
    let write = move |tx: &mut Tx<'_>| {
        let video = super::load(tx, &parts, id)?;
        request::cancel(tx, &video)?;
        Ok::<_, Problem>(VideoRendering::load(tx, &parts, &video)?)
    };
    platform.door.store.write("videos.cancel_rendering", write).await
}
