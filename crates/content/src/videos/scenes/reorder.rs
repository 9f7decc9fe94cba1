//! `PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/reorder` (content-api section 4).

use edge::answer::Answer;
use edge::body::{Body, Check as _, any_text, list};
use edge::problem::Problem;
use http::StatusCode;
use store::Tx;

use super::fields::order;
use super::{MOST_SCENES, arrange, check_editable, touch};
use crate::links::Links;
use crate::resources::{self, Update};
use crate::videos::Video;

/// The order of a video's scenes.
#[derive(Body)]
pub struct ReorderScenesRequest {
    /// All scenes of the video, each once, in the order to be played.
    #[field(list(0..=MOST_SCENES, any_text().format("uuid").named("SceneIdText", "The id of a scene.")))]
    scene_ids: Vec<String>,
}

/// Puts the scenes of a video in another order.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/reorder", tag = "Videos",
    operation_id = "reorderScenes", security(("contentKey" = [])), request_body = ReorderScenesRequest,
    responses(
        (status = 200, description = "The video with its scenes in order", body = Video),
        (status = 409, description = "The video is still being generated", body = edge::problem::ContentErrorBody),
    )
)]
pub async fn reorder(request: Update) -> Result<Answer, Problem> {
    let change = |tx: &mut Tx<'_>, links: &Links, video: Video, wanted: &ReorderScenesRequest| {
        let organization = video.organization_id;
        check_editable(&video)?;
        let order = order(&video.scenes, &wanted.scene_ids)?;
        touch(tx, organization, video.id)?;
        arrange(tx, &video, &order)?;
        resources::stored(tx, links, &video, StatusCode::OK)
    };
    resources::update(request, "scenes.reorder", change).await
}
