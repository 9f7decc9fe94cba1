//! The material of a request: which sections of the classroom's modules are worth using.

use std::collections::HashSet;

use language::normal::normal;

use crate::reading::blocks::{Body, LessonReading};
use crate::reading::flat::each_text;
use crate::reading::modules::{self, pointer_of};
use crate::relevance::{Candidate, Index};
use crate::request::SourceModule;

use super::brief::Tongue;

/// Most modules that are read.
const MAX_MODULES: usize = 40;
/// Most of a section that is compared with the topic, in bytes.
const MAX_COMPARED: usize = 2_000;
/// What has less than this share of the best section's relevance is beside the point.
const NEAR: f64 = 0.4;

/// The sections of the classroom's modules that are not in the prompt already, each once.
pub(super) struct Sections<'m> {
    pub(super) readings: Vec<LessonReading>,
    pub(super) material: &'m [SourceModule],
    pub(super) tongue: &'m Tongue,
}

impl<'m> Sections<'m> {
    /// All sections, in order, without what the prompt (`told`) or an earlier section says in the same words: a
    /// classroom may hold a module beside its copy, and a prompt may quote both.
    pub(super) fn read(material: &'m [SourceModule], told: &[LessonReading], tongue: &'m Tongue) -> Self {
        let mut seen: HashSet<String> =
            told.iter().flat_map(|lesson| &lesson.blocks).map(|block| form(&block.body)).collect();
        let mut readings: Vec<LessonReading> =
            material.iter().take(MAX_MODULES).flat_map(|module| modules::read(module, tongue.phrases())).collect();
        readings.retain_mut(|section| leave_out_repeated(section, &mut seen));
        Self { readings, material, tongue }
    }

    /// Keeps those that have to do with `topic`, at most `most`. Where none has, their modules do: they were chosen
    /// for the topic, and the first sections are kept.
    pub(super) fn keep_near(&mut self, topic: &str, most: usize) {
        let ranked = self.index().rank(topic);
        let least = ranked.first().map_or(0.0, |best| best.score * NEAR);
        let near = ranked.into_iter().filter(|relevance| relevance.score >= least);
        let mut chosen: Vec<usize> = near.map(|relevance| relevance.index).take(most).collect();
        if chosen.is_empty() {
            chosen.extend((0..self.readings.len()).take(most));
        }
        let mut at = 0;
        self.readings.retain(|_| {
            at += 1;
            chosen.contains(&(at - 1))
        });
    }

    /// The sections made ready to be asked about topics. What the module's title says, each of its sections is about.
    pub(super) fn index(&self) -> Index {
        let texts: Vec<String> = self.readings.iter().map(|section| self.beginning(section)).collect();
        let candidates: Vec<Candidate<'_>> = self
            .readings
            .iter()
            .zip(&texts)
            .map(|(section, text)| Candidate {
                title: section.title.as_deref().unwrap_or_default(),
                description: text,
                html: "",
            })
            .collect();
        Index::new(&candidates, self.tongue.profile)
    }

    /// The title of a section's module, and how the section begins.
    fn beginning(&self, section: &LessonReading) -> String {
        let pointer = section.pointer.written();
        let module = self.material.iter().find(|module| pointer_of(module) == pointer);
        let mut text = module.map_or_else(String::new, |module| format!("{}\n", module.title));
        let most = text.len() + MAX_COMPARED;
        for block in &section.blocks {
            each_text(&block.body, &mut |part| {
                if text.len() < most {
                    text.push_str(&part[..part.floor_char_boundary(MAX_COMPARED)]);
                    text.push(' ');
                }
            });
        }
        text
    }
}

/// Takes out of a section what was seen. Whether anything is left that was not.
fn leave_out_repeated(section: &mut LessonReading, seen: &mut HashSet<String>) -> bool {
    if section.blocks.iter().any(|block| tells(&block.body)) {
        section.blocks.retain(|block| !tells(&block.body) || seen.insert(form(&block.body)));
        section.blocks.iter().any(|block| tells(&block.body))
    } else {
        seen.insert(section.blocks.iter().map(|block| form(&block.body)).collect())
    }
}

/// Whether a block says something by itself. Headings, formulas, pictures and code belong to what stands beside them.
fn tells(body: &Body) -> bool {
    !matches!(body, Body::Heading { .. } | Body::Formula(_) | Body::Picture(_) | Body::Code(_))
}

/// The text of a block in normal form, by which repetitions are told.
fn form(body: &Body) -> String {
    let mut text = String::new();
    each_text(body, &mut |part| {
        text.push_str(&normal(part));
        text.push('\n');
    });
    text
}
