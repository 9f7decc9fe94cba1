//! `DELETE /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;
use store::Tx;

use super::{check_editable, close_gap, scene_of, touch};
use crate::resources;
use crate::videos::Video;
use crate::{Content, ContentKey};

/// Deletes a scene of a video. Later scenes move down.
#[utoipa::path(
    delete, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}", tag = "Videos",
    operation_id = "deleteScene", security(("contentKey" = [])),
    responses(
        (status = 200, description = "The video without the scene", body = Video),
        (status = 409, description = "The video is still being generated", body = edge::problem::ContentErrorBody),
    )
)]
pub async fn delete(
    State(content): State<Content>,
    key: ContentKey,
    Params((classroom, video, scene)): Params<(String, String, String)>,
    expected: IfMatch,
) -> Result<Answer, Problem> {
    let links = content.links.clone();
    let delete = move |tx: &mut Tx<'_>, video: Video, (): &()| {
        let organization = video.organization_id;
        let scene = scene_of(&video, &scene)?;
        check_editable(&video)?;
        touch(tx, organization, video.id)?;
        tx.execute_later("DELETE FROM scene WHERE id = $1 AND video_id = $2", &[&scene.id, &video.id])?;
        close_gap(tx, video.id, scene.sequence)?;
        resources::stored(tx, &links, &video, StatusCode::OK)
    };
    resources::change(content, key, "scenes.delete", (classroom, video), expected, Ok(()), delete).await
}
