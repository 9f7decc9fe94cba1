//! A level prepared for teaching: each lesson with its sentences, its terms and their definitions.
//!
//! The content of a lesson is never cut here. What is bounded is the analysis: questions, key terms
//! and summaries are looked for in at most [`MAX_ANALYSED`] bytes, spread evenly over the lessons, so
//! that a huge source costs no more than reading it.

use std::collections::HashMap;

use language::fill;
use language::normal::{normal, shorten};
use language::profile;
use language::script::direction;

use crate::generator::GenerationError;
use crate::phrases::{self, Phrases, Spoken};
use crate::reading::blocks::LessonReading;
use crate::reading::flat::each_text;
use crate::reading::inline::squeeze;
use crate::reading::read_lessons;
use crate::source::{DEFAULT_CATEGORY_TITLE, SourceLevel};

use super::lesson::{Frame, Lesson};

/// Most text that is analysed, in bytes over all lessons.
const MAX_ANALYSED: usize = 160_000;
/// Least that is analysed of each lesson, in bytes.
const MIN_ANALYSED: usize = 400;
/// Most titles in which terms are looked for.
const MAX_TITLES: usize = 200;

/// Everything that the drafts are made from.
pub(crate) struct Material {
    pub(crate) language: String,
    pub(crate) direction: &'static str,
    pub(crate) spoken: Spoken,
    /// The level's title, at most 150 characters.
    pub(crate) title: String,
    pub(crate) category: String,
    pub(crate) lessons: Vec<Lesson>,
}

impl Material {
    /// Reads and analyses a level.
    pub(crate) fn prepare(source: &SourceLevel) -> Result<Self, GenerationError> {
        let spoken = phrases::for_language(&source.language);
        let level = source.level_title.as_deref().map(squeeze).unwrap_or_default();
        let category = Some(squeeze(&source.category_title)).filter(|title| title != DEFAULT_CATEGORY_TITLE);
        Self::assemble(&source.language, level, category.unwrap_or_default(), read_lessons(source, spoken.phrases))
            .ok_or_else(GenerationError::source_empty)
    }

    /// Analyses what was read; nothing when there is no text in it. The titles are on one line and may
    /// be blank.
    pub(crate) fn assemble(
        language: &str,
        level: String,
        category: String,
        readings: Vec<LessonReading>,
    ) -> Option<Self> {
        let spoken = phrases::for_language(language);
        let readings: Vec<LessonReading> =
            readings.into_iter().filter(|reading| reading.title.is_some() || !reading.blocks.is_empty()).collect();
        if !readings.iter().any(holds_text) {
            return None;
        }
        let share = (MAX_ANALYSED / readings.len()).max(MIN_ANALYSED);
        let title = Some(level.clone()).filter(|title| readings.len() == 1 && speakable(title));
        let all = readings.iter().filter_map(|reading| reading.title.as_deref()).take(MAX_TITLES);
        let titles = normal(&all.chain([level.as_str()]).collect::<Vec<_>>().join(" | "));
        let frame = Frame { titles, share, declared: profile::of(language), phrases: spoken.phrases, title };
        let mut lessons: Vec<Lesson> =
            readings.into_iter().enumerate().map(|(at, reading)| Lesson::prepare(reading, at, &frame)).collect();
        rank(&mut lessons);
        let language = Some(squeeze(language)).filter(|tag| !tag.is_empty()).unwrap_or_else(|| "en".to_owned());
        let title = [level, category.clone(), lessons[0].short.clone()]
            .iter()
            .map(|title| shorten(title, 40, 140))
            .find(|title| speakable(title))
            .unwrap_or_default();
        Some(Self {
            direction: direction(&language),
            language,
            spoken,
            category: if category.is_empty() { title.clone() } else { shorten(&category, 40, 140) },
            title,
            lessons,
        })
    }

    pub(crate) fn phrases(&self) -> &'static Phrases {
        self.spoken.phrases
    }

    /// A description by template, with the first topics; says when the language has no phrases.
    pub(crate) fn description(&self, template: &str) -> String {
        let topics = self.lessons.iter().map(|lesson| lesson.short.as_str());
        described(&self.spoken, template, &self.title, topics)
    }
}

/// A description by template, with the first of the topics; says when the language has no phrases.
pub(crate) fn described<'t>(
    spoken: &Spoken,
    template: &str,
    title: &str,
    topics: impl Iterator<Item = &'t str>,
) -> String {
    let mut shown: Vec<&str> = Vec::new();
    let mut count = 0;
    for topic in topics {
        count += 1;
        if shown.len() < 4 && !shown.contains(&topic) {
            shown.push(topic);
        }
    }
    let described = if shown.is_empty() || shown == [title] {
        tidy(&fill(&without_topics(template), &[("title", title)]))
    } else {
        let mut topics = spoken.phrases.join(&shown);
        if count > 4 {
            topics.push_str(" …");
        }
        tidy(&fill(template, &[("title", title), ("topics", &topics)]))
    };
    noted(spoken, described)
}

/// Says when the language has no phrases.
pub(crate) fn noted(spoken: &Spoken, description: String) -> String {
    if spoken.fallback { format!("{description} {}", phrases::FALLBACK_NOTE) } else { description }
}

/// A description's template without its list of topics: the only topic is the title itself.
fn without_topics(template: &str) -> String {
    let (before, after) = template.split_once("{topics}").unwrap_or((template, ""));
    format!("{}{after}", before.trim_end_matches([' ', '\u{A0}', ':', '：']))
}

/// Two closing marks in a row (a title that ends in one) become one.
pub(crate) fn tidy(text: &str) -> String {
    let mut text = text.to_owned();
    for (doubled, single) in [("?.", "?"), ("!.", "!"), ("….", "…"), ("。。", "。"), ("？。", "？"), ("..", ".")]
    {
        if text.ends_with(doubled) && !text.ends_with("...") {
            text.truncate(text.len() - doubled.len());
            text.push_str(single);
        }
    }
    text
}

/// Holds something to say; signs alone make no title.
pub(crate) fn speakable(title: &str) -> bool {
    title.chars().any(char::is_alphanumeric)
}

fn holds_text(reading: &LessonReading) -> bool {
    let mut found = reading.title.as_ref().is_some_and(|title| title.chars().any(char::is_alphanumeric));
    for block in &reading.blocks {
        each_text(&block.body, &mut |text| found |= text.chars().any(char::is_alphanumeric));
        if found {
            break;
        }
    }
    found
}

/// Terms that only one lesson has tell more of it than terms that all have.
fn rank(lessons: &mut [Lesson]) {
    let mut lessons_with: HashMap<String, usize> = HashMap::new();
    for lesson in lessons.iter() {
        for term in &lesson.terms {
            *lessons_with.entry(term.text.to_lowercase()).or_default() += 1;
        }
    }
    for lesson in lessons.iter_mut() {
        let defined = lesson.definitions.len().min(lesson.terms.len());
        lesson.terms[defined..]
            .sort_by_key(|term| lessons_with.get(&term.text.to_lowercase()).copied().unwrap_or(1).min(3));
    }
}
