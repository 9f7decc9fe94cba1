//! The material of a request: which sections of the classroom's modules are worth using.

use crate::reading::blocks::LessonReading;
use crate::reading::flat::each_text;
use crate::reading::modules;
use crate::relevance::{Candidate, Index};
use crate::request::SourceModule;

use super::brief::Tongue;

/// Most modules that are read.
const MAX_MODULES: usize = 40;
/// Most of a section that is compared with the topic, in bytes.
const MAX_COMPARED: usize = 2_000;
/// What has less than this share of the best section's relevance is beside the point.
const NEAR: f64 = 0.4;

/// The sections that have to do with `topic`, at most `most`, in the order of the material. Where none
/// has, the caller's choice of modules stands, and the first of their sections are taken.
pub(super) fn sections(material: &[SourceModule], topic: &str, tongue: &Tongue, most: usize) -> Vec<LessonReading> {
    let mut sections = all_sections(material, tongue);
    let ranked = index(&sections, tongue).rank(topic);
    let least = ranked.first().map_or(0.0, |best| best.score * NEAR);
    let near = ranked.into_iter().filter(|relevance| relevance.score >= least);
    let mut chosen: Vec<usize> = near.map(|relevance| relevance.index).collect();
    if chosen.is_empty() {
        chosen.extend(0..sections.len());
    }
    chosen.truncate(most);
    let mut at = 0;
    sections.retain(|_| {
        at += 1;
        chosen.contains(&(at - 1))
    });
    sections
}

/// All sections of the modules, in order.
pub(super) fn all_sections(material: &[SourceModule], tongue: &Tongue) -> Vec<LessonReading> {
    material.iter().take(MAX_MODULES).flat_map(|module| modules::read(module, tongue.phrases())).collect()
}

/// The sections made ready to be asked about topics.
pub(super) fn index(sections: &[LessonReading], tongue: &Tongue) -> Index {
    let texts: Vec<String> = sections.iter().map(text_of).collect();
    let candidates: Vec<Candidate<'_>> = sections
        .iter()
        .zip(&texts)
        .map(|(section, text)| Candidate {
            title: section.title.as_deref().unwrap_or_default(),
            description: text,
            html: "",
        })
        .collect();
    Index::new(&candidates, tongue.profile)
}

/// How a section begins.
fn text_of(section: &LessonReading) -> String {
    let mut text = String::new();
    for block in &section.blocks {
        each_text(&block.body, &mut |part| {
            if text.len() < MAX_COMPARED {
                text.push_str(&part[..part.floor_char_boundary(MAX_COMPARED)]);
                text.push(' ');
            }
        });
    }
    text
}
