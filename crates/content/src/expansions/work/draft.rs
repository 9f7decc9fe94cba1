//! From a generator's draft to a resource that can be stored.

use engine::{Citation, GenerationError, Generator, ModuleDraft, QuizDraft, SourceLevel, VideoDraft};
use kernel::ambient::Ambient;
use kernel::id::ItemId;
use serde_json::{Value, json};
use store::{StoreError, Tx};

use super::super::rows::{Expansion, OutputKind, StoredManifest};
use crate::modules::{self, ModuleQuizItem, NewModule};
use crate::resources::{Status, Visibility};
use crate::tests::{self, NewTest, PassingValueType, TestItem};
use crate::videos::{self, NewVideo, Scene};

/// The label of generated modules, whose content is HTML within Markdown.
const MODULE_TYPE: &str = "markdown";

/// What a generator made.
pub(super) enum Generated {
    Module(ModuleDraft),
    Video(VideoDraft),
    Quiz(QuizDraft),
}

/// Asks the generator for one kind of output. Whoever made a draft, it passes the engine's gate.
pub(super) async fn generate(
    generator: &dyn Generator,
    kind: OutputKind,
    level: &SourceLevel,
) -> Result<Generated, GenerationError> {
    let (generated, checked) = match kind {
        OutputKind::InteractiveModule => {
            let draft = generator.module(level).await?;
            let checked = engine::check_module(&draft).and(engine::check_citations(&draft.citations, level));
            (Generated::Module(draft), checked)
        }
        OutputKind::SummaryVideo => {
            let draft = generator.video(level).await?;
            let checked = engine::check_video(&draft).and(engine::check_citations(&draft.citations, level));
            (Generated::Video(draft), checked)
        }
        OutputKind::ExpandedQuiz => {
            let draft = generator.quiz(level).await?;
            let checked = engine::check_quiz(&draft).and(engine::check_citations(&draft.citations, level));
            (Generated::Quiz(draft), checked)
        }
    };
    checked.map_err(|defects| GenerationError::draft_invalid(&defects))?;
    Ok(generated)
}

/// A resource with its id, and what its manifest will say.
pub(super) struct Drafted {
    resource: Resource,
    pub(super) resource_id: String,
    pub(super) manifest: StoredManifest,
}

enum Resource {
    Module(NewModule),
    Video(NewVideo),
    Test(NewTest),
}

impl Drafted {
    pub(super) fn new(generated: Generated, ambient: &Ambient, expansion: &Expansion, mode: &'static str) -> Self {
        match generated {
            Generated::Module(draft) => Self::module(draft, ambient, expansion, mode),
            Generated::Video(draft) => Self::video(draft, ambient, expansion, mode),
            Generated::Quiz(draft) => Self::test(draft, ambient, expansion, mode),
        }
    }

    /// Writes the resource.
    pub(super) fn insert(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        match &self.resource {
            Resource::Module(module) => modules::insert(tx, module),
            Resource::Video(video) => videos::insert(tx, video),
            Resource::Test(test) => tests::insert(tx, test),
        }
    }

    fn module(draft: ModuleDraft, ambient: &Ambient, expansion: &Expansion, mode: &'static str) -> Self {
        let quizzes = draft.quizzes.into_iter().map(|quiz| ModuleQuizItem {
            id: ambient.id::<ItemId>().to_string(),
            sequence: quiz.sequence,
            title: quiz.title,
            question: quiz.question,
            kind: word(&quiz.kind),
            options: quiz.options,
            correct_answers: quiz.correct_answers,
            show_feedback: quiz.show_feedback,
        });
        let module = NewModule {
            id: ambient.id(),
            organization: expansion.organization_id,
            classroom: expansion.classroom_id,
            quizzes: quizzes.collect(),
            title: draft.title,
            description: draft.description,
            kind: MODULE_TYPE.to_owned(),
            is_public: false,
            language: draft.language,
            content: draft.content_html,
            metadata: origin(expansion, mode, &draft.citations),
        };
        let raw = json!({
            "title": module.title,
            "language": module.language,
            "hasQuiz": !module.quizzes.is_empty(),
            "id": module.id,
        });
        Self {
            resource_id: module.id.to_string(),
            manifest: StoredManifest { title: module.title.clone(), description: module.description.clone(), raw },
            resource: Resource::Module(module),
        }
    }

    fn video(draft: VideoDraft, ambient: &Ambient, expansion: &Expansion, mode: &'static str) -> Self {
        let scenes = (1_i64..).zip(draft.scenes).map(|(sequence, scene)| Scene {
            id: ambient.id(),
            sequence,
            script: scene.script,
            display_text: scene.display_text,
            duration: scene.duration_seconds,
        });
        let video = NewVideo {
            id: ambient.id(),
            organization: expansion.organization_id,
            classroom: expansion.classroom_id,
            scenes: scenes.collect(),
            title: draft.title,
            description: draft.description,
            status: Status::Completed,
            visibility: Visibility::Private,
            language: draft.language,
            aspect_ratio: draft.aspect_ratio,
            wanted_duration_seconds: None,
            metadata: origin(expansion, mode, &draft.citations),
        };
        let raw = json!({
            "sceneCount": video.scenes.len(),
            "aspectRatio": video.aspect_ratio,
            "targetDurationSeconds": draft.target_duration_seconds,
            "id": video.id,
            "mode": mode,
        });
        Self {
            resource_id: video.id.to_string(),
            manifest: StoredManifest { title: video.title.clone(), description: video.description.clone(), raw },
            resource: Resource::Video(video),
        }
    }

    fn test(draft: QuizDraft, ambient: &Ambient, expansion: &Expansion, mode: &'static str) -> Self {
        let items = (1_u32..).zip(draft.items).map(|(sequence, item)| TestItem {
            id: ambient.id::<ItemId>().to_string(),
            sequence,
            question: item.question,
            kind: word(&item.kind),
            options: item.options,
            correct_answers: item.correct_answers,
            explanation: item.explanation,
            score: item.score,
        });
        let test = NewTest {
            id: ambient.id(),
            organization: expansion.organization_id,
            classroom: expansion.classroom_id,
            items: items.collect(),
            name: draft.name,
            description: draft.description,
            status: Status::Completed,
            visibility: Visibility::Private,
            topic_prompt: None,
            target_prompt: None,
            subject: draft.subject,
            language: draft.language,
            level: draft.level,
            time_limit_minutes: i64::from(draft.time_limit_minutes),
            passing_value_type: PassingValueType::Percentage,
            passing_value: f64::from(draft.passing_percentage),
            metadata: origin(expansion, mode, &draft.citations),
        };
        let raw = json!({
            "subject": test.subject,
            "itemCount": test.items.len(),
            "timeLimit": test.time_limit_minutes,
            "id": test.id,
            "mode": mode,
        });
        Self {
            resource_id: test.id.to_string(),
            manifest: StoredManifest { title: test.name.clone(), description: test.description.clone(), raw },
            resource: Resource::Test(test),
        }
    }
}

/// Where a resource came from: the expansion, the generator, and for each part the payload's pieces it was made of.
fn origin(expansion: &Expansion, mode: &str, citations: &[Citation]) -> Value {
    json!({ "expansionId": expansion.id, "generator": mode, "sources": citations })
}

/// The engine's enumerations name their variants as the wire does.
fn word(kind: &impl serde::Serialize) -> String {
    match serde_json::to_value(kind) {
        Ok(Value::String(word)) => word,
        _ => unreachable!("item types serialize as words"),
    }
}
