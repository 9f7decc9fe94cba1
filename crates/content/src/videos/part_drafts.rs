//! `POST /v1/content/classrooms/{classroomId}/videos/{videoId}/part-drafts`: another version of one scene.

use edge::answer::Answer;
use edge::body::{Body, list, nested};
use edge::problem::{ContentErrorBody, Problem};
use engine::{Part, PartContent, SceneDraft};
use kernel::json::JsonText;
use serde::Serialize;

use super::Video;
use super::scenes::MOST_SCENES;
use super::scenes::fields::script;
use crate::generation::generated::Generated;
use crate::generation::part_drafts::{self, DraftPart, Made, Parted, Wanted, apart, earlier, instruction, place};

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
    /// Who made it: `builtin` or `model`.
    #[schema(example = "builtin")]
    pub generator: String,
    /// The generator that gave it up before, where the operator's fall-back made it. Else absent.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_from: Option<String>,
    /// Whether there was an instruction that the generator does not follow.
    pub instruction_ignored: bool,
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

impl Parted for Video {
    type Request = DraftSceneRequest;
    type Answer = DraftedScene;
    const DRAFT_PART: &'static str = "videos.draft_part";

    fn subject(&self) -> String {
        self.topic()
    }

    fn metadata(&self) -> &JsonText {
        &self.metadata
    }

    fn wanted(&self, request: &DraftSceneRequest) -> Result<Wanted, Problem> {
        let scenes: Vec<Part> = match &request.scenes {
            Some(scenes) => scenes.iter().map(|scene| Part::Scene(scene.script.clone())).collect(),
            None => self.scenes.iter().map(|scene| Part::Scene(scene.script.clone())).collect(),
        };
        let before = request.earlier_scenes.iter().map(|scene| Part::Scene(scene.script.clone()));
        let (present, others) = apart(request.place, scenes, before, Part::Scene(String::new()))?;
        Ok(Wanted { present, others, question_kinds: Vec::new(), instruction: request.instruction.clone() })
    }

    fn answer(&self, request: &DraftSceneRequest, content: PartContent, made: Made) -> DraftedScene {
        let PartContent::Scene(scene) = content else { unreachable!("the gate lets only scenes through") };
        let SceneDraft { script, display_text, duration_seconds } = scene;
        let scene = SceneTextDraft { script, display_text, duration: duration_seconds };
        let Made { generator, fallback_from, instruction_ignored } = made;
        DraftedScene { place: request.place, scene, generator, fallback_from, instruction_ignored }
    }
}
