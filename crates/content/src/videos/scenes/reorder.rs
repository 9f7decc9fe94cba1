//! `PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/reorder` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody, any_text, list};
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;

use super::fields::order;
use super::{MOST_SCENES, arrange, check_editable, touch};
use crate::resources;
use crate::videos::Video;
use crate::{Content, ContentKey};

/// The id of a scene.
#[derive(utoipa::ToSchema)]
#[schema(value_type = String, format = Uuid)]
#[expect(dead_code, reason = "documents a text of bodies, which are read field by field")]
pub struct SceneIdText(String);

/// The order of a video's scenes.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct ReorderScenesRequest {
    /// All scenes of the video, each once, in the order to be played.
    #[schema(value_type = Vec<SceneIdText>, max_items = 2000)]
    scene_ids: Vec<String>,
}

/// Puts the scenes of a video in another order.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/reorder", tag = "Videos",
    operation_id = "reorderScenes", security(("contentKey" = [])), request_body = ReorderScenesRequest,
    params(("classroomId" = String, Path), ("videoId" = String, Path)),
    responses(
        (status = 200, description = "The video with its scenes in order", body = Video),
        (status = 409, description = "The video is still being generated", body = edge::problem::ContentErrorBody),
    )
)]
pub async fn reorder(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let links = content.links.clone();
    let ids = body.read(read);
    resources::change::<Video, _>(content, key, "scenes.reorder", path, expected, ids, move |tx, video, ids| {
        let organization = video.organization_id;
        check_editable(&video)?;
        let order = order(&video.scenes, ids)?;
        touch(tx, organization, video.id)?;
        arrange(tx, &video, &order)?;
        resources::stored::<Video>(tx, &links, (organization, video.classroom_id), video.id, StatusCode::OK)
    })
    .await
}

/// Which ids they must be is the video's business.
fn read(fields: &mut Fields<'_>) -> Option<Vec<String>> {
    fields.required("sceneIds", list(0..=MOST_SCENES, any_text))
}
