//! A course on request: a module for each topic that the description names, filled from the material
//! that has to do with it, then the material that belongs to none of them.
//!
//! A topic of which neither says anything becomes a module of questions; nothing is made up.

use std::collections::HashSet;

use language::normal::normal;

use crate::builtin::material::{Material, described, speakable};
use crate::builtin::module;
use crate::drafts::{CourseDraft, ModuleDraft};
use crate::generator::GenerationError;
use crate::reading::blocks::LessonReading;
use crate::request::CourseRequest;

use super::Requested;
use super::brief::{Brief, Tongue, summary, title_of};
use super::parts::{self, Part};
use super::sections::Sections;
use super::{teaching, topics};

/// Most modules; what would make more goes into the last one.
const MAX_MODULES: usize = 60;
/// Most sections of the material that are used.
const MAX_SECTIONS: usize = 240;
/// Questions on a topic of which nothing is known.
const QUESTIONS: usize = 4;

/// Drafts the course.
pub(super) fn draft(request: &CourseRequest) -> Result<Requested<CourseDraft>, GenerationError> {
    let tongue = Tongue::of(&request.language, &[&request.title, &request.description]);
    let brief = Brief::read(&request.description, &tongue);
    let own = title_of(&request.title);
    let title = if speakable(&own) { own.as_str() } else { &brief.title };
    let told = named(&brief, &request.description, title, &tongue);
    let mut sections = Sections::read(&request.material, &told, &tongue);
    sections.readings.truncate(MAX_SECTIONS);
    let mut parts: Vec<Part> = told.into_iter().map(|lesson| Part::of(lesson, title)).collect();
    if parts.is_empty() && sections.readings.is_empty() && speakable(title) {
        let name = if speakable(&own) { "/title" } else { "/description" };
        parts.push(Part::of(topics::lesson(name, title, &[]), title));
    }
    merge_surplus(&mut parts);
    let (mut parts, untold) = parts::filled(parts, sections, QUESTIONS);
    merge_surplus(&mut parts);
    let modules = modules(parts, title, &tongue);
    let first = modules.first().map(|module| &module.title).ok_or_else(GenerationError::request_empty)?;
    let title = if speakable(title) { title.to_owned() } else { first.clone() };
    let template = tongue.phrases().course_description;
    let description = summary(&request.description, &tongue).unwrap_or_else(|| {
        described(&tongue.spoken, template, &title, modules.iter().map(|module| module.title.as_str()))
    });
    let level = super::label_of(&request.level);
    Ok(Requested { draft: CourseDraft { title, description, level, language: tongue.language, modules }, untold })
}

/// The lessons that the description names: its labels with the lines below them, or the statements that it makes.
fn named(brief: &Brief, description: &str, title: &str, tongue: &Tongue) -> Vec<LessonReading> {
    if brief.nodes.iter().any(|node| !node.prose) {
        topics::lessons("/description", title, &brief.nodes, MAX_MODULES)
    } else {
        teaching::lessons("/description", description, title, tongue)
    }
}

/// What is too much goes into the last module.
fn merge_surplus(parts: &mut Vec<Part>) {
    if parts.len() > MAX_MODULES {
        let surplus = parts.split_off(MAX_MODULES);
        if let Some(last) = parts.last_mut() {
            last.lessons.extend(surplus.into_iter().flat_map(|part| part.lessons));
        }
    }
}

/// The drafts of the parts, each title once.
fn modules(parts: Vec<Part>, course: &str, tongue: &Tongue) -> Vec<ModuleDraft> {
    let mut seen = HashSet::new();
    let mut modules = Vec::with_capacity(parts.len());
    for part in parts {
        let assembled = Material::assemble(&tongue.language, part.title, course.to_owned(), part.lessons);
        let Some(material) = assembled else { continue };
        let mut draft = module::draft(&material);
        let title = draft.title.clone();
        let mut count = 1;
        while !seen.insert(normal(&draft.title)) {
            count += 1;
            draft.title = format!("{title} ({count})");
        }
        modules.push(draft);
    }
    modules
}
