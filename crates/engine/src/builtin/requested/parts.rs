//! The parts of what was asked for: a topic each, with what the prompt tells of it and the sections of
//! the material that have to do with it.

use std::collections::HashMap;

use language::normal::normal;

use crate::builtin::material::speakable;
use crate::reading::blocks::{LessonReading, Origin};
use crate::reading::modules::pointer_of;
use crate::request::SourceModule;

use super::brief::{Tongue, title_of};
use super::sections::Sections;
use super::topics;

/// How much a section must have to do with a topic to be put under it.
const CLOSE: f64 = 0.3;

/// A part in the making.
pub(super) struct Part {
    pub(super) title: String,
    pub(super) lessons: Vec<LessonReading>,
}

impl Part {
    /// A part of one lesson; `title` heads it where the lesson has none.
    pub(super) fn of(lesson: LessonReading, title: &str) -> Self {
        Self { title: lesson.title.clone().unwrap_or_else(|| title.to_owned()), lessons: vec![lesson] }
    }

    /// What the prompt tells goes together with a section of the same title, and a topic of which
    /// nothing is told gives way to the sections on it. Without any it becomes a lesson of questions, and is `untold`.
    fn settle(&mut self, questions: usize, tongue: &Tongue, untold: &mut Vec<String>) {
        let told = self.lessons.iter().any(|lesson| !lesson.blocks.is_empty());
        self.lessons.retain(|lesson| !told || !lesson.blocks.is_empty());
        let mut settled: Vec<LessonReading> = Vec::new();
        let mut by_title: HashMap<String, usize> = HashMap::new();
        for mut lesson in std::mem::take(&mut self.lessons) {
            if lesson.blocks.is_empty() {
                let topic = lesson.title.clone().unwrap_or_else(|| self.title.clone());
                if !speakable(&topic) {
                    continue;
                }
                lesson.blocks = topics::questions(&lesson.pointer, &topic, questions, tongue.phrases());
                untold.push(topic);
            }
            let form = normal(lesson.title.as_deref().unwrap_or_default());
            match by_title.get(&form).filter(|_| !form.is_empty()) {
                Some(at) => merge(&mut settled[*at], lesson),
                None => {
                    by_title.insert(form, settled.len());
                    settled.push(lesson);
                }
            }
        }
        self.lessons = settled;
    }
}

fn merge(into: &mut LessonReading, other: LessonReading) {
    into.blocks.extend(other.blocks);
    into.fields.extend(other.fields);
    if other.origin == Origin::Lesson {
        into.origin = Origin::Lesson;
    }
}

/// Puts each section under the topic that it has most to do with, and those that have to do with none
/// behind them, a part for each module. A topic of which nothing is known is asked about, with so many
/// `questions`, and named beside the parts.
pub(super) fn filled(mut parts: Vec<Part>, sections: Sections<'_>, questions: usize) -> (Vec<Part>, Vec<String>) {
    let (index, material, tongue) = (sections.index(), sections.material, sections.tongue);
    let mut best: Vec<Option<(usize, f64)>> = vec![None; sections.readings.len()];
    for (at, part) in parts.iter().enumerate() {
        for found in index.rank(&part.title) {
            let better = best[found.index].is_none_or(|(_, score)| found.score > score);
            if better && found.score >= CLOSE {
                best[found.index] = Some((at, found.score));
            }
        }
    }
    let mut rest = Vec::new();
    for (section, best) in sections.readings.into_iter().zip(best) {
        match best {
            Some((at, _)) => parts[at].lessons.push(section),
            None => rest.push(section),
        }
    }
    by_module(&mut parts, rest, material);
    let mut untold = Vec::new();
    parts.iter_mut().for_each(|part| part.settle(questions, tongue, &mut untold));
    parts.retain(|part| !part.lessons.is_empty());
    (parts, untold)
}

fn by_module(parts: &mut Vec<Part>, sections: Vec<LessonReading>, material: &[SourceModule]) {
    let titles: HashMap<String, String> =
        material.iter().map(|module| (pointer_of(module), title_of(&module.title))).collect();
    let mut last = String::new();
    for section in sections {
        let pointer = section.pointer.written();
        match parts.last_mut() {
            Some(part) if pointer == last => part.lessons.push(section),
            _ => {
                let title = titles.get(&pointer).filter(|title| speakable(title)).cloned();
                let title = title.or_else(|| section.title.clone()).unwrap_or_default();
                parts.push(Part { title, lessons: vec![section] });
            }
        }
        last = pointer;
    }
}
