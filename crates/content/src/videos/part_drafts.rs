//! `POST /v1/content/classrooms/{classroomId}/videos/{videoId}/part-drafts`: another version of one scene.
//!
//! [`draft_by_link`] is the same for whoever has the video's edit link.

use std::sync::Arc;

use edge::answer::Answer;
use edge::body::{Body, list, nested};
use edge::problem::{ContentErrorBody, Problem};
use edge::rate::RateSubject;
use engine::{Part, PartContent, SceneDraft};
use kernel::id::VideoId;
use kernel::json::JsonText;
use serde::Serialize;
use store::Tx;

use super::Video;
use super::scenes::MOST_SCENES;
use super::scenes::fields::script;
use crate::Content;
use crate::generation::generated::Generated;
use crate::generation::part_drafts::{
    self, DraftCredit, DraftPart, HasParts, MOST_WAITING_BY_LINK, PartDrafting, WantedPart, earlier, instruction,
    place, take_out,
};
use crate::resources::find_by_id;

pub use crate::generation::part_drafts::MOST_EARLIER;

/// A link is no key, and a model costs its operator money.
const DRAFTS_BY_LINK_PER_MINUTE: u32 = 20;

/// A scene of a video to draft another version of.
#[derive(Body)]
pub struct DraftSceneRequest {
    /// The scene's place in the video, from 0; the place behind the last one for a further scene.
    #[field(place(), example = 0)]
    place: i64,
    /// All scenes as they stand with the caller, in playing order; the stored ones when they are absent.
    #[field(list(0..=MOST_SCENES, nested()))]
    scenes: Option<Vec<PresentScene>>,
    /// Versions of the scene that were shown before, which are not to come again.
    #[field(earlier(nested()), default)]
    earlier_scenes: Vec<PresentScene>,
    /// What the person wants of the new version. A language model follows it; the built-in generator does not.
    #[field(instruction(), default, example = "Tell it in shorter sentences.")]
    instruction: String,
}

/// A scene as it stands, as far as it tells what is said.
#[derive(Body)]
pub(crate) struct PresentScene {
    /// What is spoken; empty when it is absent.
    #[field(script(), default, example = "The nucleus keeps the DNA.")]
    script: String,
}

/// A drafted scene. Nothing is stored: the caller puts it in its place with the change of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftedScene {
    /// The place that was asked for.
    pub place: i64,
    /// The scene.
    pub scene: SceneTextDraft,
    /// The generator.
    #[serde(flatten)]
    pub credit: DraftCredit,
}

/// A scene as the change of a scene takes it.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SceneTextDraft {
    /// What is spoken.
    pub script: String,
    /// What stands on the screen.
    pub display_text: String,
    /// In seconds.
    pub duration: f64,
}

/// Drafts another version of one scene of a video.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/part-drafts", tag = "Videos",
    operation_id = "draftScene", security(("contentKey" = [])), request_body = DraftSceneRequest,
    responses(
        (status = 200, description = "The draft; nothing is stored", body = DraftedScene),
        (status = 409, description = "The source gives no other scene, or the video is still being generated", body = ContentErrorBody),
        (status = 503, description = "The generator is away or took too long; try again", body = ContentErrorBody),
    )
)]
pub async fn draft(request: DraftPart) -> Result<Answer, Problem> {
    part_drafts::draft::<Video>(request).await
}

/// Drafts another version of one scene for whoever has the video's edit link, if the request could be read.
///
/// # Errors
/// As [`draft`] documents; 404 for a video that is gone, 429 beyond twenty drafts of the video a minute.
pub async fn draft_by_link(
    content: &Content,
    id: VideoId,
    request: Result<DraftSceneRequest, Problem>,
) -> Result<DraftedScene, Problem> {
    let (links, request) = (content.links.clone(), request.map(Arc::new));
    let read = move |tx: &mut Tx<'_>| {
        let video = find_by_id::<Video>(tx, &links, id)?.ok_or(Problem::NotFound("Video"))?;
        PartDrafting::of(tx, video, request.clone()?)
    };
    let drafting = content.door.store.read("videos.draft_part_by_link", read).await?;
    let video = RateSubject { id: id.uuid(), limit: DRAFTS_BY_LINK_PER_MINUTE };
    content.door.count(video, "Too many drafts were asked for by the video's link.").await?;
    drafting.draft(content, MOST_WAITING_BY_LINK).await
}

impl HasParts for Video {
    type Request = DraftSceneRequest;
    type Answer = DraftedScene;
    const DRAFT_PART: &'static str = "videos.draft_part";

    fn subject(&self) -> String {
        self.topic()
    }

    fn metadata(&self) -> &JsonText {
        &self.metadata
    }

    fn wanted(&self, request: &DraftSceneRequest) -> Result<WantedPart, Problem> {
        let scenes: Vec<Part> = match &request.scenes {
            Some(scenes) => scenes.iter().map(|scene| Part::Scene(scene.script.clone())).collect(),
            None => self.scenes.iter().map(|scene| Part::Scene(scene.script.clone())).collect(),
        };
        let before = request.earlier_scenes.iter().map(|scene| Part::Scene(scene.script.clone()));
        let (present, others) = take_out(request.place, scenes, before, Part::Scene(String::new()))?;
        Ok(WantedPart { present, others, question_kinds: Vec::new(), instruction: request.instruction.clone() })
    }

    fn answer(&self, request: &DraftSceneRequest, content: PartContent, credit: DraftCredit) -> DraftedScene {
        let PartContent::Scene(scene) = content else { unreachable!("the gate lets only scenes through") };
        let SceneDraft { script, display_text, duration_seconds } = scene;
        let scene = SceneTextDraft { script, display_text, duration: duration_seconds };
        DraftedScene { place: request.place, scene, credit }
    }
}
