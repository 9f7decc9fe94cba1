//! `POST /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, any_text};
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;

use super::fields::SceneFields;
use super::{MOST_SCENES, check_editable, check_length, insert, make_room, scene_of, touch};
use crate::resources;
use crate::videos::Video;
use crate::{Content, ContentKey};

/// A scene to add to a video.
#[derive(Body)]
pub struct CreateSceneRequest {
    /// The scene that it comes after; the first place when it is null or absent.
    #[field(any_text().format("uuid"))]
    insert_after_scene_id: Option<String>,
    #[field(flatten)]
    fields: SceneFields,
}

/// Adds a scene to a video. Later scenes move up.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/scenes", tag = "Videos",
    operation_id = "createScene", security(("contentKey" = [])), request_body = CreateSceneRequest,
    params(
        ("If-Match" = Option<String>, Header, description = "The versions of the video that may be changed, or `*`"),
    ),
    responses(
        (status = 201, description = "The video with its new scene", body = Video),
        (status = 412, description = "The video was changed since", body = edge::problem::ContentErrorBody),
    )
)]
pub async fn create(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    expected: IfMatch,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let keyed = resources::keyed(&repeatable, &path, &body);
    let input = expected.read().and_then(|expected| Ok((expected, body.read::<CreateSceneRequest>()?)));
    let links = content.links.clone();
    resources::post(content, key, "scenes.create", keyed, input, move |tx, organization, (expected, input)| {
        let video = resources::load::<Video>(tx, &links, organization, &path)?;
        expected.permit(video.version)?;
        let scene = input.fields.scene(tx.ambient().id(), place_of(&video, input)?);
        check_length(&video, &scene)?;
        touch(tx, organization, video.id)?;
        make_room(tx, video.id, scene.sequence)?;
        insert(tx, video.id, &[scene])?;
        resources::stored(tx, &links, &video, StatusCode::CREATED)
    })
    .await
}

/// The place that the new scene is to have.
fn place_of(video: &Video, input: &CreateSceneRequest) -> Result<i64, Problem> {
    let sequence = match &input.insert_after_scene_id {
        Some(id) => scene_of(video, id)?.sequence + 1,
        None => 1,
    };
    check_editable(video)?;
    if video.scenes.len() >= MOST_SCENES {
        return Err(Problem::Conflict("The video has as many scenes as a video can have."));
    }
    Ok(sequence)
}
