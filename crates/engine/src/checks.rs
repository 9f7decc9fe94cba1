//! The validity gate: what every draft has to pass before it may be stored, whoever made it.
//!
//! A check reports all defects and repairs none. It trusts nothing: the same gate stands behind the
//! built-in generator and behind model output. Rules for questions are in `answers`, for HTML in
//! `html`, for decks in `slides`, for where things came from in `citations`.

mod answers;
mod citations;
pub(crate) mod html;
mod parts;
mod slides;

use std::collections::HashSet;
use std::fmt;

use crate::drafts::{
    CourseDraft, ModuleDraft, ModuleQuizKind, QuizDraft, QuizItem, QuizItemKind, SceneDraft, VideoDraft,
};

use answers::Asked;
pub use citations::{Citable, check_citations};
use language::normal::normal;
pub use parts::check_part;
pub use slides::check_slide;

/// Longest text on a scene, in characters.
const MAX_DISPLAY: usize = 80;
/// Longest title or name, in characters.
const MAX_TITLE: usize = 200;
/// Most modules of a course.
const MAX_MODULES: usize = 100;

/// Something wrong with a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// The part, as citations name it (`items/4`), or a field of the draft (`title`).
    pub part: String,
    /// The rule that is broken, for programs: `key_not_an_option`, …
    pub rule: &'static str,
    /// What is wrong, for people.
    pub message: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} ({})", self.part, self.message, self.rule)
    }
}

/// Collects defects.
#[derive(Default)]
struct Report(Vec<Defect>);

impl Report {
    fn add(&mut self, part: &str, rule: &'static str, message: impl Into<String>) {
        self.0.push(Defect { part: part.to_owned(), rule, message: message.into() });
    }

    fn require(&mut self, holds: bool, part: &str, rule: &'static str, message: &str) {
        if !holds {
            self.add(part, rule, message);
        }
    }

    fn finish(self) -> Result<(), Vec<Defect>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}

/// Checks a module.
///
/// # Errors
/// All defects that were found.
pub fn check_module(draft: &ModuleDraft) -> Result<(), Vec<Defect>> {
    let mut report = Report::default();
    module(&mut report, "", draft);
    report.finish()
}

/// Checks a course: the rules for its own fields, and those for a module for each of its modules.
///
/// # Errors
/// All defects that were found; those of a module have parts like `modules/2/quizzes/0`.
pub fn check_course(draft: &CourseDraft) -> Result<(), Vec<Defect>> {
    let mut report = Report::default();
    title(&mut report, "title", &draft.title);
    text(&mut report, "description", &draft.description);
    text(&mut report, "level", &draft.level);
    text(&mut report, "language", &draft.language);
    let count = draft.modules.len();
    report.require((1..=MAX_MODULES).contains(&count), "modules", "modules_count", "a course has 1 to 100 modules");
    let mut seen = HashSet::new();
    for (at, draft) in draft.modules.iter().enumerate() {
        module(&mut report, &format!("modules/{at}/"), draft);
        if !seen.insert(normal(&draft.title)) {
            report.add(&format!("modules/{at}"), "title_repeated", "another module has the same title");
        }
    }
    report.finish()
}

/// The rules for a module; `within` stands in front of the parts.
fn module(report: &mut Report, within: &str, draft: &ModuleDraft) {
    title(report, &format!("{within}title"), &draft.title);
    text(report, &format!("{within}description"), &draft.description);
    text(report, &format!("{within}language"), &draft.language);
    let sections = html::check(report, &format!("{within}content_html"), &draft.content_html);
    for (at, quiz) in draft.quizzes.iter().enumerate() {
        let part = format!("{within}quizzes/{at}");
        let expected = u32::try_from(at + 1).unwrap_or(u32::MAX);
        report.require(quiz.sequence == expected, &part, "sequence", "sequences count 1, 2, 3 without gaps");
        text(report, &part, &quiz.title);
        let kind = match quiz.kind {
            ModuleQuizKind::Select => QuizItemKind::Select,
            ModuleQuizKind::Blank => QuizItemKind::Blank,
            ModuleQuizKind::TrueFalse => QuizItemKind::TrueFalse,
        };
        let asked = Asked {
            kind,
            question: &quiz.question,
            options: &quiz.options,
            keys: &quiz.correct_answers,
            explanation: "",
        };
        answers::check(report, &part, &asked);
    }
    let questions = draft.quizzes.iter().map(|quiz| quiz.question.as_str());
    distinct_questions(report, &format!("{within}quizzes"), questions);
    let lists = [("sections", sections), ("quizzes", draft.quizzes.len())];
    citations::parts(report, within, &draft.citations, &lists);
}

/// Checks a video.
///
/// # Errors
/// All defects that were found.
pub fn check_video(draft: &VideoDraft) -> Result<(), Vec<Defect>> {
    let mut report = Report::default();
    title(&mut report, "title", &draft.title);
    text(&mut report, "description", &draft.description);
    text(&mut report, "language", &draft.language);
    report.require(!draft.scenes.is_empty(), "scenes", "empty", "a video needs a scene");
    let ratio = draft
        .aspect_ratio
        .split_once(':')
        .is_some_and(|(wide, high)| [wide, high].iter().all(|side| side.parse::<u32>().is_ok_and(|side| side > 0)));
    report.require(ratio, "aspect_ratio", "aspect_ratio", "an aspect ratio is two numbers with a colon");
    for (at, scene) in draft.scenes.iter().enumerate() {
        self::scene(&mut report, &format!("scenes/{at}"), scene);
    }
    let sum: f64 = draft.scenes.iter().map(|scene| scene.duration_seconds).sum();
    let target = f64::from(draft.target_duration_seconds);
    report.require(
        (sum - target).abs() <= 1.0,
        "target_duration_seconds",
        "duration",
        "the target is the sum of the scenes",
    );
    citations::parts(&mut report, "", &draft.citations, &[("scenes", draft.scenes.len())]);
    report.finish()
}

/// The rules for a scene.
fn scene(report: &mut Report, part: &str, scene: &SceneDraft) {
    text(report, part, &scene.script);
    text(report, part, &scene.display_text);
    report.require(
        !html::has_tag(&scene.script) && !html::has_tag(&scene.display_text),
        part,
        "markup",
        "a scene holds no markup",
    );
    report.require(
        scene.display_text.chars().count() <= MAX_DISPLAY,
        part,
        "display_text_length",
        "the text on a scene is at most 80 characters",
    );
    report.require(
        scene.duration_seconds.is_finite() && scene.duration_seconds > 0.0,
        part,
        "duration",
        "a duration is more than 0 seconds",
    );
}

/// Checks a quiz.
///
/// # Errors
/// All defects that were found.
pub fn check_quiz(draft: &QuizDraft) -> Result<(), Vec<Defect>> {
    let mut report = Report::default();
    title(&mut report, "name", &draft.name);
    for (part, value) in [
        ("description", &draft.description),
        ("subject", &draft.subject),
        ("language", &draft.language),
        ("level", &draft.level),
    ] {
        text(&mut report, part, value);
    }
    report.require(
        draft.time_limit_minutes > 0,
        "time_limit_minutes",
        "time_limit",
        "a time limit is more than 0 minutes",
    );
    report.require(
        (1..=100).contains(&draft.passing_percentage),
        "passing_percentage",
        "passing_percentage",
        "a percentage is 1 to 100",
    );
    report.require(!draft.items.is_empty(), "items", "empty", "a quiz needs an item");
    for (at, item) in draft.items.iter().enumerate() {
        self::item(&mut report, &format!("items/{at}"), item);
    }
    let questions = draft.items.iter().map(|item| item.question.as_str());
    distinct_questions(&mut report, "items", questions);
    citations::parts(&mut report, "", &draft.citations, &[("items", draft.items.len())]);
    report.finish()
}

/// The rules for an item of a quiz.
fn item(report: &mut Report, part: &str, item: &QuizItem) {
    text(report, part, &item.explanation);
    report.require(item.score.is_finite() && item.score > 0.0, part, "score", "a score is more than 0");
    answers::check(report, part, &Asked::of(item));
}

/// Whether one item passes the rules for items by itself.
pub(crate) fn is_sound(item: &QuizItem) -> bool {
    item_defects(item).is_empty()
}

/// What is wrong with one item by itself.
pub(crate) fn item_defects(item: &QuizItem) -> Vec<Defect> {
    let mut report = Report::default();
    text(&mut report, "item", &item.explanation);
    answers::check(&mut report, "item", &Asked::of(item));
    report.0
}

fn title(report: &mut Report, part: &str, value: &str) {
    text(report, part, value);
    report.require(value.chars().count() <= MAX_TITLE, part, "length", "a title is at most 200 characters");
}

fn text(report: &mut Report, part: &str, value: &str) {
    report.require(!value.trim().is_empty(), part, "blank", "a text is missing");
    report.require(
        !value.contains(|character: char| character.is_control() && character != '\n'),
        part,
        "control",
        "a text holds control characters",
    );
}

fn distinct_questions<'a>(report: &mut Report, list: &str, questions: impl Iterator<Item = &'a str>) {
    let mut seen = HashSet::new();
    for (at, question) in questions.enumerate() {
        if !seen.insert(normal(question)) {
            report.add(&format!("{list}/{at}"), "question_repeated", "the question was asked before");
        }
    }
}

#[cfg(test)]
#[path = "checks/tests.rs"]
mod tests;
