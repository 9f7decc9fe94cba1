//! Another version of one part of a resource, made of the same material.
//!
//! A part is made of the lessons that have to do with it, the closest first. What the part itself or another one says already is
//! left out, sentence by sentence. Where nothing else is left, there is no draft: nothing is repeated, and nothing made up. The
//! instruction of the request is not read.

mod known;
mod question;
mod section;
mod slide;

use language::profile;

use super::material::Material;
use super::{requested, video};
use crate::checks::check_part;
use crate::generator::GenerationError;
use crate::part::{Part, PartContent, PartDraft, PartMaterial, PartRequest};
use crate::reading::flat::each_text;
use crate::relevance::{Candidate, Index};

use known::KnownSentences;
pub(crate) use section::in_place_of as section_in_place_of;

/// Most of a lesson that is compared with the part, in bytes.
const MAX_COMPARED: usize = 2_000;

/// Drafts the part.
pub(super) fn draft(request: &PartRequest) -> Result<PartDraft, GenerationError> {
    let nothing_else = || GenerationError::nothing_else(request.present.noun());
    let material = material(request).ok_or_else(nothing_else)?;
    let near = near(request, &material);
    let known = KnownSentences::of(request, profile::of(&material.language));
    let content = match &request.present {
        Part::Question(present) => question::draft(request, present, &material, near.first().copied()),
        Part::Section(_) => section::draft(request, material, &near, &known).map(PartContent::Section),
        Part::Slide(_) => slide::draft(request, &material, &near, &known).map(PartContent::Slide),
        Part::Scene(_) => {
            let lessons = near.iter().map(|at| &material.lessons[*at]);
            let scene = |lesson| video::scene(&material, lesson, &|text| known.contains(text));
            lessons.filter_map(scene).next().map(PartContent::Scene)
        }
    };
    let content = content.ok_or_else(nothing_else)?;
    let draft = PartDraft { content, ignores_instruction: !request.instruction.trim().is_empty() };
    check_part(&draft, request).map_err(|defects| GenerationError::draft_invalid(&defects))?;
    Ok(draft)
}

fn material(request: &PartRequest) -> Option<Material> {
    match &request.material {
        PartMaterial::Level(level) => Material::prepare(level).ok(),
        PartMaterial::Modules(modules) => {
            let sought = format!("{}\n{}", request.subject(), request.topic);
            requested::material_of(modules, &sought, &request.language)
        }
    }
}

/// The lessons that have to do with the part, the closest first; behind them those that have to do with the resource.
fn near(request: &PartRequest, material: &Material) -> Vec<usize> {
    let texts: Vec<String> = material.lessons.iter().map(|lesson| beginning(&lesson.reading.blocks)).collect();
    let candidates: Vec<Candidate<'_>> = material
        .lessons
        .iter()
        .zip(&texts)
        .map(|(lesson, text)| Candidate { title: &lesson.title, description: text, html: "" })
        .collect();
    let index = Index::new(&candidates, profile::of(&material.language));
    let ranked = [request.subject(), request.topic.clone()].into_iter().flat_map(|text| index.rank(&text));
    let mut near: Vec<usize> = Vec::new();
    for found in ranked {
        if !near.contains(&found.index) {
            near.push(found.index);
        }
    }
    near
}

fn beginning(blocks: &[crate::reading::blocks::Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        each_text(&block.body, &mut |part| {
            if text.len() < MAX_COMPARED {
                text.push_str(&part[..part.floor_char_boundary(MAX_COMPARED)]);
                text.push(' ');
            }
        });
    }
    text
}

#[cfg(test)]
mod tests;
