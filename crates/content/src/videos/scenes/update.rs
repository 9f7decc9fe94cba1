//! `PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;
use kernel::id::VideoId;
use store::{StoreError, Tx};

use super::fields::SceneFields;
use super::{check_editable, check_length, scene_of, touch};
use crate::resources;
use crate::videos::{Scene, Video};
use crate::{Content, ContentKey};

/// What to change of a scene; what is absent stays.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase", min_properties = 1)]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct UpdateSceneRequest {
    /// What is spoken.
    #[schema(max_length = 10000, nullable = false)]
    script: Option<String>,
    /// What stands on the screen.
    #[schema(max_length = 2000, nullable = false)]
    display_text: Option<String>,
    /// In seconds: more than 0, at most 3600.
    #[schema(exclusive_minimum = 0.0, maximum = 3600, nullable = false, example = 8.5)]
    duration: Option<f64>,
}

/// Changes a scene of a video.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}", tag = "Videos",
    operation_id = "updateScene", security(("contentKey" = [])), request_body = UpdateSceneRequest,
    params(("classroomId" = String, Path), ("videoId" = String, Path), ("sceneId" = String, Path)),
    responses(
        (status = 200, description = "The video with its changed scene", body = Video),
        (status = 409, description = "The video is still being generated, or has no room for more text", body = edge::problem::ContentErrorBody),
    )
)]
pub async fn update(
    State(content): State<Content>,
    key: ContentKey,
    Params((classroom, video, scene)): Params<(String, String, String)>,
    expected: IfMatch,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let links = content.links.clone();
    let (path, changes) = ((classroom, video), body.read_changes(SceneFields::read_changes));
    resources::change::<Video, _>(content, key, "scenes.update", path, expected, changes, move |tx, video, changes| {
        let organization = video.organization_id;
        let changed = changes.applied(scene_of(&video, &scene)?);
        check_editable(&video)?;
        check_length(&video, &changed)?;
        touch(tx, organization, video.id)?;
        save(tx, video.id, &changed)?;
        resources::stored::<Video>(tx, &links, (organization, video.classroom_id), video.id, StatusCode::OK)
    })
    .await
}

fn save(tx: &mut Tx<'_>, video: VideoId, scene: &Scene) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE scene SET script = $3, display_text = $4, duration_seconds = $5 WHERE id = $1 AND video_id = $2",
        &[&scene.id, &video, &scene.script, &scene.display_text, &scene.duration],
    )
}
