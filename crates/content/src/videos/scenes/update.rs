//! `PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;
use kernel::id::VideoId;
use store::{StoreError, Tx};

use super::fields::{display_text, duration, script};
use super::{check_editable, check_length, scene_of, touch};
use crate::resources;
use crate::videos::{Scene, Video};
use crate::{Content, ContentKey};

/// What to change of a scene; what is absent stays.
#[derive(Body)]
#[body(changes = Scene)]
pub struct UpdateSceneRequest {
    /// What is spoken.
    #[field(script())]
    script: Option<String>,
    /// What stands on the screen.
    #[field(display_text())]
    display_text: Option<String>,
    /// In seconds: more than 0, at most 3600.
    #[field(duration(), example = 8.5)]
    duration: Option<f64>,
}

/// Changes a scene of a video.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}", tag = "Videos",
    operation_id = "updateScene", security(("contentKey" = [])), request_body = UpdateSceneRequest,
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
    let change = move |tx: &mut Tx<'_>, video: Video, changes: &UpdateSceneRequest| {
        let organization = video.organization_id;
        let mut changed = scene_of(&video, &scene)?.clone();
        changes.apply(&mut changed);
        check_editable(&video)?;
        check_length(&video, &changed)?;
        touch(tx, organization, video.id)?;
        save(tx, video.id, &changed)?;
        resources::stored(tx, &links, &video, StatusCode::OK)
    };
    resources::change(content, key, "scenes.update", (classroom, video), expected, body.read(), change).await
}

fn save(tx: &mut Tx<'_>, video: VideoId, scene: &Scene) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE scene SET script = $3, display_text = $4, duration_seconds = $5 WHERE id = $1 AND video_id = $2",
        &[&scene.id, &video, &scene.script, &scene.display_text, &scene.duration],
    )
}
