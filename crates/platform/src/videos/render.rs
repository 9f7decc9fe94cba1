//! `POST /v1/platform/videos/edit/{editToken}/render` (platform-api section 4).

use axum::extract::State;
use content::videos::renderings::request::Settings;
use content::videos::renderings::{self, Resolution};
use edge::answer::Answer;
use edge::body::{Body, OptionalJsonBody, one_of};
use edge::problem::{PlatformErrorBody, Problem};
use http::StatusCode;
use kernel::id::VideoId;
use store::Tx;

use super::{Edited, VideoRendering};
use crate::Platform;

/// How a video is to be rendered. The body may be absent.
#[derive(Body)]
pub struct RenderVideoRequest {
    /// How large the picture is: its shorter side. `720p` when it is absent.
    #[field(one_of(Resolution::WORDS), default = Resolution::Hd)]
    resolution: Resolution,
    /// Whether the picture shows the captions; false when it is absent. The file of captions is made in any case.
    #[field(default)]
    burn_captions: bool,
}

/// Has a video rendered. A rendering that is under way is replaced by the new one.
///
/// Anybody who has the edit link may call it: the token is the credential.
#[utoipa::path(
    post, path = "/v1/platform/videos/edit/{editToken}/render", tag = "Videos", operation_id = "renderVideo", security(()),
    request_body = RenderVideoRequest,
    responses(
        (status = 202, description = "The rendering waits for its turn", body = VideoRendering),
        (status = 400, description = "The request is invalid; every fault is named", body = PlatformErrorBody),
        (status = 404, description = "There is no such video, or the token is not its own: which of them is not told",
            body = PlatformErrorBody),
        (status = 409, description = "The video is still being generated, has no scenes or is too long", body = PlatformErrorBody),
        (status = 429, description = "The organization has as many renderings under way as it can have", body = PlatformErrorBody),
    )
)]
pub async fn render(
    State(platform): State<Platform>,
    Edited(id): Edited,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Answer, Problem> {
    let wanted = body.read::<RenderVideoRequest>();
    let settings = wanted
        .map(|RenderVideoRequest { resolution, burn_captions }| Settings { resolution, burns_captions: burn_captions });
    let rendering = request(&platform, id, settings).await?;
    Ok(Answer::json(StatusCode::ACCEPTED, &rendering))
}

/// Has a video rendered, if the settings could be read.
///
/// # Errors
/// As [`render`] documents.
pub async fn request(
    platform: &Platform,
    id: VideoId,
    settings: Result<Settings, Problem>,
) -> Result<VideoRendering, Problem> {
    let parts = platform.clone();
    let write = move |tx: &mut Tx<'_>| {
        let video = super::load(tx, &parts, id)?;
        renderings::request::request(tx, &video, settings.clone()?)?;
        Ok::<_, Problem>(VideoRendering::load(tx, &parts, &video)?)
    };
    platform.door.store.write("videos.render", write).await
}
