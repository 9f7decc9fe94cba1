//! `GET /v1/platform/videos/edit/{editToken}/scenes/{sceneId}/picture`: a scene as the rendered video will show it.
//!
//! A picture is drawn when it is asked for and kept nowhere. Browsers ask again, and hear that the video has not changed.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use content::resources::{Resource as _, find_by_id};
use content::videos::Video;
use content::videos::renderings::Resolution;
use content::videos::renderings::renderer::{DrawScene, RenderInput};
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::{PlatformErrorBody, Problem};
use edge::versions::{IfNoneMatch, etag};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, X_CONTENT_TYPE_OPTIONS};
use kernel::id::{OrganizationId, SceneId};
use kernel::turns::{FairTurn, FairTurns};
use serde::Deserialize;
use store::Tx;

use super::{Edited, UNKNOWN};
use crate::Platform;

/// Pictures that are drawn at a time: they compute.
const AT_ONCE: usize = 2;
/// Pictures of an organization that wait for their turn: as many as a video has scenes that can be rendered.
const MOST_WAITING: usize = 200;
const WAIT: std::time::Duration = std::time::Duration::from_secs(5);

/// Draws pictures of scenes, a few at a time, in fair turns between organizations.
pub(crate) struct ScenePictures {
    draw: DrawScene,
    turns: FairTurns<OrganizationId>,
}

impl ScenePictures {
    pub(crate) fn new(draw: DrawScene) -> Self {
        Self { draw, turns: FairTurns::new(AT_ONCE) }
    }

    /// The turn to draw a picture.
    ///
    /// # Errors
    /// 429 where too many of the organization wait.
    async fn turn(&self, organization: OrganizationId) -> Result<FairTurn<OrganizationId>, Problem> {
        if self.turns.waiting(&organization) >= MOST_WAITING {
            let message = "Too many pictures are being drawn for the organization.";
            return Err(Problem::TooManyRequests { message, retry_after: WAIT });
        }
        Ok(self.turns.take(organization).await)
    }

    async fn draw(&self, turn: FairTurn<OrganizationId>, video: RenderInput, scene: usize) -> Result<Vec<u8>, Problem> {
        let draw = self.draw;
        let drawing = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            draw(&video, scene)
        });
        drawing.await.map_err(Problem::unexpected)?.map_err(|failure| match failure.is_passing {
            true => Problem::unexpected(failure),
            false => Problem::Conflict("The video is too large to be rendered."),
        })
    }
}

/// The scene that a path names beside the video.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScenePath {
    scene_id: String,
}

/// A scene as the rendered video will show it, as a picture whose shorter side has 360 pixels.
///
/// Anybody who has the edit link may call it: the token is the credential.
#[utoipa::path(
    get, path = "/v1/platform/videos/edit/{editToken}/scenes/{sceneId}/picture", tag = "Videos", operation_id = "getScenePicture",
    security(()),
    params(("If-None-Match" = Option<String>, Header, description = "The `ETag` of the picture that the client has")),
    responses(
        (
            status = 200, description = "The picture, a PNG file", content_type = "application/octet-stream",
            headers(("ETag" = String, description = "The video's version"))
        ),
        (status = 304, description = "The client has the picture", headers(("ETag" = String, description = "The video's version"))),
        (status = 404, description = "There is no such scene or video, or the token is not its own: which of them is not told",
            body = PlatformErrorBody),
        (status = 409, description = "The video is too large to be rendered", body = PlatformErrorBody),
        (status = 429, description = "Too many pictures are being drawn for the organization", body = PlatformErrorBody),
    )
)]
pub async fn get(
    State(platform): State<Platform>,
    Edited(id): Edited,
    Params(ScenePath { scene_id }): Params<ScenePath>,
    known: IfNoneMatch,
) -> Result<Response, Problem> {
    let (known, scene_id) = Problem::both(known.read(), scene_id.parse::<SceneId>().map_err(|_| UNKNOWN))?;
    let links = platform.content.links.clone();
    let find = move |tx: &mut Tx<'_>| {
        let video: Video = find_by_id(tx, &links, id)?.ok_or(UNKNOWN)?;
        let scene = video.scenes.iter().position(|scene| scene.id == scene_id).ok_or(UNKNOWN)?;
        Ok::<_, Problem>((video, scene))
    };
    let (organization, version) = {
        let (video, _) = platform.door.store.read("videos.find_scene", find.clone()).await?;
        (video.organization_id(), video.version)
    };
    if known.has(version) {
        return Ok(Answer::not_modified(version).into_response());
    }
    let turn = platform.scene_pictures.turn(organization).await?;
    // Nothing is held while a picture waits for its turn: a video may be long.
    let (video, scene) = platform.door.store.read("videos.find_scene", find).await?;
    let input = RenderInput::of(&video, Resolution::Hd, false);
    let picture = platform.scene_pictures.draw(turn, input, scene).await?;
    let fixed = |value| HeaderValue::from_static(value);
    let headers = [
        (CONTENT_TYPE, fixed("image/png")),
        (ETAG, etag(video.version)),
        (CACHE_CONTROL, fixed("private, no-cache")),
        (X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
    ];
    Ok((headers, picture).into_response())
}
