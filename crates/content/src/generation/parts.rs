//! From the parts of drafts to the parts of resources, each with an id of its own.

use engine::{ModuleDraft, QuizItem, QuizItemKind, SceneDraft};
use kernel::ambient::Ambient;
use kernel::id::{ClassroomId, ItemId, OrganizationId};
use kernel::json::JsonText;
use serde_json::Value;

use crate::modules::{Module, ModuleQuizItem};
use crate::tests::TestItem;
use crate::videos::Scene;

/// A module of a classroom.
pub(crate) fn module(
    ambient: &Ambient,
    place: (OrganizationId, ClassroomId),
    draft: &ModuleDraft,
    metadata: JsonText,
) -> Module {
    let quizzes = draft.quizzes.iter().map(|quiz| ModuleQuizItem {
        id: ambient.id::<ItemId>().to_string(),
        sequence: quiz.sequence,
        title: quiz.title.clone(),
        question: quiz.question.clone(),
        kind: word(&quiz.kind),
        options: quiz.options.clone(),
        correct_answers: quiz.correct_answers.clone(),
        show_feedback: quiz.show_feedback,
    });
    Module {
        quizzes: JsonText::of(&quizzes.collect::<Vec<_>>()),
        description: draft.description.clone(),
        content: draft.content_html.clone(),
        metadata,
        ..Module::new(ambient, place, draft.title.clone(), draft.language.clone())
    }
}

/// The scenes of a video, in playing order.
pub(crate) fn scenes(ambient: &Ambient, drafts: &[SceneDraft]) -> Vec<Scene> {
    let scenes = (1_i64..).zip(drafts).map(|(sequence, scene)| Scene {
        id: ambient.id(),
        sequence,
        script: scene.script.clone(),
        display_text: scene.display_text.clone(),
        duration: scene.duration_seconds,
    });
    scenes.collect()
}

/// The items of a test, in order.
pub(crate) fn test_items(ambient: &Ambient, drafts: &[QuizItem]) -> Vec<TestItem> {
    let items = (1_u32..).zip(drafts).map(|(sequence, item)| TestItem {
        id: ambient.id::<ItemId>().to_string(),
        sequence,
        question: item.question.clone(),
        kind: word(&item.kind),
        options: item.options.clone(),
        correct_answers: item.correct_answers.clone(),
        explanation: item.explanation.clone(),
        score: item.score,
    });
    items.collect()
}

/// A question's type by its word; what is no type is a choice.
pub(crate) fn kind_of(word: &str) -> QuizItemKind {
    serde_json::from_value(Value::from(word)).unwrap_or(QuizItemKind::Select)
}

/// The engine's enumerations name their variants as the wire does.
pub(crate) fn word(kind: &impl serde::Serialize) -> String {
    match serde_json::to_value(kind) {
        Ok(Value::String(word)) => word,
        _ => unreachable!("item types serialize as words"),
    }
}
