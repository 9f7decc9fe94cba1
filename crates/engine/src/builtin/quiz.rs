//! The quiz: items of all types over all lessons, with scores and a time limit.

use language::fill;

use crate::drafts::{Citation, QuizDraft, QuizItem, QuizItemKind};

use super::items::{Workshop, for_quiz};
use super::material::Material;

/// Share of the score that passes.
pub(crate) const PASSING_PERCENTAGE: u32 = 60;
/// The time limit is a multiple of this, in minutes.
const TIME_STEP: u32 = 5;

/// Drafts the quiz of a level.
pub(super) fn draft(material: &Material) -> QuizDraft {
    let phrases = material.phrases();
    let workshop = Workshop::new(material);
    let found = for_quiz(&workshop);
    let citations = found.iter().enumerate();
    let citations = citations.map(|(at, item)| Citation::new("items", at, vec![item.pointer.written()])).collect();
    let items: Vec<_> = found.into_iter().map(|found| found.item).collect();
    QuizDraft {
        name: fill(phrases.quiz_name, &[("title", &material.title)]),
        description: material.description(phrases.quiz_description),
        subject: material.category.clone(),
        language: material.language.clone(),
        time_limit_minutes: time_limit_minutes(&items),
        level: "MEDIUM".to_owned(),
        passing_percentage: PASSING_PERCENTAGE,
        items,
        citations,
        omitted: workshop.omitted(),
    }
}

/// Time to answer everything, in minutes.
pub(crate) fn time_limit_minutes(items: &[QuizItem]) -> u32 {
    let seconds: u32 = items.iter().map(|item| seconds(item.kind)).sum();
    seconds.div_ceil(60 * TIME_STEP).max(1) * TIME_STEP
}

/// Time that an item takes a learner, in seconds.
fn seconds(kind: QuizItemKind) -> u32 {
    match kind {
        QuizItemKind::TrueFalse => 40,
        QuizItemKind::Select => 60,
        QuizItemKind::Blank => 75,
        QuizItemKind::OpenEnded => 240,
        QuizItemKind::Submission => 900,
    }
}
