//! A course: a module for each lesson.

use std::collections::HashSet;

use crate::drafts::CourseDraft;
use crate::generator::GenerationError;
use crate::source::SourceLevel;
use crate::text::normal::normal;

use super::material::Material;
use super::module;

/// Drafts a course with a module for each lesson of a level.
pub(super) fn draft(level: &SourceLevel, label: &str) -> Result<CourseDraft, GenerationError> {
    let whole = Material::prepare(level)?;
    let mut modules = Vec::new();
    let mut seen = HashSet::new();
    for lesson in level.lessons.iter().take(60) {
        let single = SourceLevel { lessons: vec![lesson.clone()], ..level.clone() };
        let draft = module::draft(&Material::prepare(&single)?);
        if seen.insert(normal(&draft.title)) {
            modules.push(draft);
        }
    }
    Ok(CourseDraft {
        title: whole.title.clone(),
        description: whole.description(whole.phrases().module_description),
        level: if label.trim().is_empty() { "MEDIUM" } else { label.trim() }.to_owned(),
        language: whole.language,
        modules,
    })
}
