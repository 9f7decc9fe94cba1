//! From a generator's draft to a resource that can be stored.

use engine::{
    Citation, GenerationError, Generator, ModuleDraft, QuizDraft, SourceLevel, VideoDraft, Workbench, check_citations,
    check_module, check_quiz, check_video,
};
use kernel::ambient::Ambient;
use kernel::json::JsonText;
use serde_json::{Map, json};
use store::{Record as _, StoreError, Tx};

use super::super::rows::{Expansion, OutputKind, StoredManifest};
use crate::generation::announce::Ending;
use crate::generation::credit::Credit;
use crate::generation::generated::pass;
use crate::generation::parts;
use crate::links::Links;
use crate::modules::Module;
use crate::tests::Test;
use crate::videos::{self, Video};

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
    bench: &dyn Workbench,
) -> Result<Generated, GenerationError> {
    Ok(match kind {
        OutputKind::InteractiveModule => {
            let draft = generator.module(level, bench).await?;
            pass(bench, || check_module(&draft).and_then(|()| check_citations(&draft.citations, level)))?;
            Generated::Module(draft)
        }
        OutputKind::SummaryVideo => {
            let draft = generator.video(level, bench).await?;
            pass(bench, || check_video(&draft).and_then(|()| check_citations(&draft.citations, level)))?;
            Generated::Video(draft)
        }
        OutputKind::ExpandedQuiz => {
            let draft = generator.quiz(level, bench).await?;
            pass(bench, || check_quiz(&draft).and_then(|()| check_citations(&draft.citations, level)))?;
            Generated::Quiz(draft)
        }
    })
}

/// A resource with its id, and what its manifest will say.
pub(super) struct Drafted {
    resource: Resource,
    pub(super) resource_id: String,
    pub(super) manifest: StoredManifest,
}

enum Resource {
    Module(Module),
    Video(Video),
    Test(Test),
}

impl Drafted {
    pub(super) fn new(generated: Generated, ambient: &Ambient, expansion: &Expansion, credit: &Credit) -> Self {
        match generated {
            Generated::Module(draft) => Self::module(draft, ambient, expansion, credit),
            Generated::Video(draft) => Self::video(draft, ambient, expansion, credit),
            Generated::Quiz(draft) => Self::test(draft, ambient, expansion, credit),
        }
    }

    /// Writes the resource.
    pub(super) fn insert(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        match &self.resource {
            Resource::Module(module) => module.insert(tx),
            Resource::Video(video) => videos::insert(tx, video),
            Resource::Test(test) => test.insert(tx),
        }
    }

    /// The news of it. Nobody but the classroom sees it yet.
    pub(super) fn ending<'a>(&'a self, links: &'a Links) -> Ending<'a> {
        Ending::Made { resource_id: &self.resource_id, title: &self.manifest.title, is_public: false, links }
    }

    fn module(draft: ModuleDraft, ambient: &Ambient, expansion: &Expansion, credit: &Credit) -> Self {
        let place = (expansion.organization_id, expansion.classroom_id);
        let module = parts::module(ambient, place, &draft, origin(expansion, credit, &draft.citations));
        let mut raw = json!({
            "title": module.title,
            "language": module.language,
            "hasQuiz": !draft.quizzes.is_empty(),
            "id": module.id,
        });
        credit.sign_manifest(&mut raw, false);
        Self {
            resource_id: module.id.to_string(),
            manifest: StoredManifest { title: module.title.clone(), description: module.description.clone(), raw },
            resource: Resource::Module(module),
        }
    }

    fn video(draft: VideoDraft, ambient: &Ambient, expansion: &Expansion, credit: &Credit) -> Self {
        let place = (expansion.organization_id, expansion.classroom_id);
        let video = Video {
            scenes: parts::scenes(ambient, &draft.scenes),
            description: draft.description,
            aspect_ratio: draft.aspect_ratio,
            metadata: origin(expansion, credit, &draft.citations),
            ..Video::new(ambient, place, draft.title, draft.language)
        };
        let mut raw = json!({
            "sceneCount": video.scenes.len(),
            "aspectRatio": video.aspect_ratio,
            "targetDurationSeconds": draft.target_duration_seconds,
            "id": video.id,
        });
        credit.sign_manifest(&mut raw, true);
        Self {
            resource_id: video.id.to_string(),
            manifest: StoredManifest { title: video.title.clone(), description: video.description.clone(), raw },
            resource: Resource::Video(video),
        }
    }

    fn test(draft: QuizDraft, ambient: &Ambient, expansion: &Expansion, credit: &Credit) -> Self {
        let place = (expansion.organization_id, expansion.classroom_id);
        let test = Test {
            items: JsonText::of(&parts::test_items(ambient, &draft.items)),
            description: draft.description,
            subject: draft.subject,
            level: draft.level,
            time_limit: f64::from(draft.time_limit_minutes),
            passing_value: f64::from(draft.passing_percentage),
            metadata: origin(expansion, credit, &draft.citations),
            ..Test::new(ambient, place, draft.name, draft.language)
        };
        let mut raw = json!({
            "subject": test.subject,
            "itemCount": draft.items.len(),
            "timeLimit": draft.time_limit_minutes,
            "id": test.id,
        });
        if !draft.omitted.is_empty() {
            raw["omitted"] = json!(draft.omitted);
        }
        credit.sign_manifest(&mut raw, true);
        Self {
            resource_id: test.id.to_string(),
            manifest: StoredManifest { title: test.name.clone(), description: test.description.clone(), raw },
            resource: Resource::Test(test),
        }
    }
}

/// Where a resource came from: the expansion, the generator, and for each part the payload's pieces it was made of.
fn origin(expansion: &Expansion, credit: &Credit, citations: &[Citation]) -> JsonText {
    let mut metadata = Map::from_iter([("expansionId".to_owned(), json!(expansion.id))]);
    credit.sign(&mut metadata);
    metadata.insert("sources".to_owned(), json!(citations));
    JsonText::of(&metadata)
}
