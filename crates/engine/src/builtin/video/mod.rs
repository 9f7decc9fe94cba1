//! The summary video: what matters most of each lesson, in words that can be spoken.
//!
//! A video speaks at most a third of the words that the source teaches, and of no lesson longer than two minutes. Where a source
//! is so short that no sentence fits into a third, one sentence is told, because a video needs a scene. What a
//! prompt states for the video itself is told whole. Instructions and the source's questions are never told.
//! `budget` says how much may be spoken, `summary` chooses sentences, `telling` puts other blocks into sentences, `display` finds the
//! words for the screen. Nothing here makes up a statement.

mod budget;
mod display;
mod summary;
mod telling;

use language::fill;
use language::sentences::append;

use crate::drafts::{Citation, SceneDraft, VideoDraft};
use crate::reading::pointer::Pointer;

use super::lesson::Lesson;
use super::material::{Material, tidy};
use super::speech::{Voice, close};
use budget::{Allowance, Budget, words};

/// A scene is told in about so many seconds, and never in more.
const FULL_SCENE: f64 = 15.0;
const MAX_SCENE: f64 = 40.0;
/// What is shorter joins the scene before it, in seconds.
const SHORT_SCENE: f64 = 6.0;
/// Most places that a scene cites.
const MAX_POINTERS: usize = 12;

/// Something to say, where it came from and what the screen shows meanwhile.
pub(super) struct Line {
    said: String,
    pointer: Pointer,
    screen: Screen,
    /// The heading that it stands under.
    heading: Option<String>,
}

/// What a line has for the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Screen {
    /// A formula as plain text.
    Formula(String),
    /// A term with its meaning.
    Definition(String, String),
    /// Names of entries.
    List(Vec<String>),
    /// Nothing but the words that are said.
    Words,
}

/// Drafts the video of a level.
pub(super) fn draft(material: &Material) -> VideoDraft {
    let phrases = material.phrases();
    let voice = Voice::of(&material.language);
    let mut film = Film { material, voice: &voice, scenes: Vec::new(), citations: Vec::new() };
    film.tell();
    let sum: f64 = film.scenes.iter().map(|scene| scene.duration_seconds).sum();
    VideoDraft {
        title: fill(phrases.video_title, &[("title", &material.title)]),
        description: material.description(phrases.video_description),
        language: material.language.clone(),
        aspect_ratio: "16:9".to_owned(),
        target_duration_seconds: sum.round() as u32,
        scenes: film.scenes,
        citations: film.citations,
    }
}

/// One scene with sentences of a lesson of which none is known already; none where the lesson has no such sentence.
pub(super) fn scene(material: &Material, lesson: &Lesson, is_known: &dyn Fn(&str) -> bool) -> Option<SceneDraft> {
    let voice = Voice::of(&material.language);
    let lines = summary::unknown(lesson, &voice, is_known);
    let mut script = String::new();
    lines.iter().for_each(|line| append(&mut script, &line.said));
    let shown = (!script.is_empty()).then(|| display::of_scene(&lines, lesson, &voice))?;
    let display_text = display::fitted(&shown, &material.title);
    Some(SceneDraft { duration_seconds: voice.duration(&script), script, display_text })
}

struct Film<'m> {
    material: &'m Material,
    voice: &'m Voice,
    scenes: Vec<SceneDraft>,
    citations: Vec<Citation>,
}

impl Film<'_> {
    fn tell(&mut self) {
        let material = self.material;
        let mut budget = Budget::of(material);
        let opening = self.opening(&mut budget);
        let closing = self.closing(&mut budget);
        let introductions: Vec<Option<String>> =
            (0..material.lessons.len()).map(|at| self.introduction(at, &mut budget)).collect();
        let mut told: Vec<Vec<Line>> = Vec::new();
        for at in 0..material.lessons.len() {
            let mut allowance = budget.of_lesson(at);
            let lines = summary::lines(&material.lessons[at], &mut allowance, self.voice, material.phrases());
            budget.keep_rest(&allowance);
            told.push(lines);
        }
        for (at, lines) in told.iter_mut().enumerate().filter(|(_, lines)| lines.is_empty()) {
            let mut allowance = budget.rest();
            lines.extend(summary::central(&material.lessons[at], &mut allowance, self.voice));
            budget.spend_rest(&allowance);
        }
        if let Some(script) = opening {
            self.scene(script, &material.title, self.cited());
        }
        let lessons = material.lessons.iter().zip(introductions).zip(told);
        for ((lesson, introduction), lines) in lessons.filter(|(_, lines)| !lines.is_empty()) {
            self.lesson(lesson, introduction, lines);
        }
        if let Some((script, shown)) = closing {
            self.scene(script, &shown, self.cited());
        }
        if self.scenes.is_empty() {
            self.least();
        }
    }

    fn scene(&mut self, script: String, display: &str, pointers: Vec<String>) {
        let display_text = display::fitted(display, &self.material.title);
        self.citations.push(Citation::new("scenes", self.scenes.len(), pointers));
        self.scenes.push(SceneDraft { duration_seconds: self.voice.duration(&script), script, display_text });
    }

    fn sentence(&self, template: &str, name: &str, value: &str) -> Option<String> {
        self.voice.say(&tidy(&fill(template, &[(name, value)])))
    }

    fn cited(&self) -> Vec<String> {
        self.material.lessons.iter().take(6).map(|lesson| lesson.reading.pointer.written()).collect()
    }

    /// The welcome, and the topics where they are several.
    fn opening(&self, budget: &mut Budget) -> Option<String> {
        let phrases = self.material.phrases();
        let mut script =
            self.sentence(phrases.video_welcome, "title", &self.material.title).filter(|said| budget.frames(said))?;
        let mut topics: Vec<&str> = self.material.lessons.iter().map(|lesson| lesson.short.as_str()).collect();
        topics.dedup();
        topics.truncate(6);
        if topics.len() > 1 {
            let said = self.sentence(phrases.video_topics, "topics", &phrases.join(&topics));
            if let Some(said) = said.filter(|said| budget.frames(said)) {
                append(&mut script, &said);
            }
        }
        Some(script)
    }

    /// The terms to keep in mind, with what the screen shows.
    fn closing(&self, budget: &mut Budget) -> Option<(String, String)> {
        let phrases = self.material.phrases();
        let defined = self.material.lessons.iter().filter_map(|lesson| lesson.definitions.first());
        let mut terms: Vec<&str> = defined.map(|definition| definition.term.as_str()).collect();
        terms.retain(|term| term.chars().count() <= 40);
        terms.truncate(6);
        if terms.len() > 1 {
            let said = self.sentence(phrases.video_remember, "terms", &phrases.join(&terms));
            let said = said.filter(|said| budget.frames(said))?;
            return Some((said, display::listed(&terms).unwrap_or_else(|| phrases.recap.to_owned())));
        }
        None
    }

    /// The sentence that names a lesson. Its title is not said where the welcome just said it.
    fn introduction(&self, at: usize, budget: &mut Budget) -> Option<String> {
        let lesson = &self.material.lessons[at];
        let phrases = self.material.phrases();
        if !lesson.named || lesson.title == self.material.title {
            return None;
        }
        let template = if at == 0 { phrases.video_first } else { phrases.video_next };
        self.sentence(template, "title", &lesson.short).filter(|said| budget.introduces(said))
    }

    fn lesson(&mut self, lesson: &Lesson, introduction: Option<String>, lines: Vec<Line>) {
        let mut pointers = vec![lesson.reading.pointer.written()];
        let mut script = introduction.unwrap_or_default();
        let mut shown: Vec<Line> = Vec::new();
        let total: f64 = lines.iter().map(|line| self.voice.seconds(&line.said)).sum();
        let mut left = total;
        for line in lines {
            let seconds = self.voice.seconds(&line.said);
            let so_far = self.voice.seconds(&script);
            let strong = line.screen != Screen::Words && shown.iter().any(|line| line.screen != Screen::Words);
            let full = so_far >= FULL_SCENE || strong && so_far >= SHORT_SCENE;
            if !shown.is_empty() && (so_far + seconds > MAX_SCENE || full && left > SHORT_SCENE) {
                let display = display::of_scene(&shown, lesson, self.voice);
                self.scene(std::mem::take(&mut script), &display, std::mem::take(&mut pointers));
                shown.clear();
            }
            left -= seconds;
            append(&mut script, &line.said);
            let pointer = line.pointer.written();
            if !pointers.contains(&pointer) && pointers.len() < MAX_POINTERS {
                pointers.push(pointer);
            }
            shown.push(line);
        }
        let display = display::of_scene(&shown, lesson, self.voice);
        self.scene(script, &display, pointers);
    }

    /// The least that is a video: the sentence that says most, else the first text, else the title.
    fn least(&mut self) {
        let material = self.material;
        let mut unlimited = Allowance::unlimited();
        let found = material.lessons.iter().find_map(|lesson| {
            let line = summary::central(lesson, &mut unlimited, self.voice)
                .or_else(|| telling::beginning(lesson, self.voice))?;
            Some((lesson, line))
        });
        if let Some((lesson, line)) = found {
            let said = self.voice.split(&line.said, MAX_SCENE).swap_remove(0);
            self.lesson(lesson, None, vec![Line { said, ..line }]);
            return;
        }
        let phrases = material.phrases();
        let named = self.sentence(phrases.video_welcome, "title", &material.title);
        let script = named.unwrap_or_else(|| close(phrases.video_practice));
        self.scene(script, &material.title, self.cited());
    }
}

/// How much a text counts against what may be spoken.
fn cost(said: &str) -> usize {
    words(said)
}
