//! What a generator hands back: drafts of a module, a video, a quiz, a slide deck and a course.
//!
//! A draft is data only. It becomes a resource after it passed [`crate::checks`]; nothing may store
//! one that did not.

use serde::{Deserialize, Serialize};

/// A structured lesson text with embedded quiz items (output `interactive_module`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModuleDraft {
    /// Plain text, at most 200 characters.
    pub title: String,
    /// One or two sentences of plain text.
    pub description: String,
    /// Language tag, as the payload or the request gave it.
    pub language: String,
    /// An HTML fragment: one `<article>` of `<section>`s, no scripts, styles or event handlers.
    pub content_html: String,
    /// Items to try while reading, in lesson order.
    pub quizzes: Vec<ModuleQuiz>,
    /// Where each section (`sections/N`) and item (`quizzes/N`) came from.
    pub citations: Vec<Citation>,
}

/// A quiz item inside a module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModuleQuiz {
    /// Position, from 1 without gaps.
    pub sequence: u32,
    /// Plain text: the lesson that the item belongs to.
    pub title: String,
    /// Plain text.
    pub question: String,
    /// How it is answered.
    #[serde(rename = "type")]
    pub kind: ModuleQuizKind,
    /// The choices; empty for `blank`.
    pub options: Vec<String>,
    /// The key: options verbatim, or the accepted words of a `blank`.
    pub correct_answers: Vec<String>,
    /// Whether the learner is told at once.
    pub show_feedback: bool,
}

/// The item types that a module can embed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModuleQuizKind {
    /// Choose from options.
    Select,
    /// Write the missing words.
    Blank,
    /// Judge a statement; two options.
    TrueFalse,
}

/// An editable video structure (output `summary_video`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VideoDraft {
    /// Plain text, at most 200 characters.
    pub title: String,
    /// One or two sentences of plain text.
    pub description: String,
    /// Language tag, as the payload or the request gave it.
    pub language: String,
    /// Width to height, `16:9`.
    pub aspect_ratio: String,
    /// The scenes' durations summed and rounded, in seconds.
    pub target_duration_seconds: u32,
    /// In playing order.
    pub scenes: Vec<SceneDraft>,
    /// Where each scene (`scenes/N`) came from.
    pub citations: Vec<Citation>,
}

/// One scene of a video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SceneDraft {
    /// Complete sentences to be spoken, without markup.
    pub script: String,
    /// What stands on the screen: at most 12 words and 80 characters.
    pub display_text: String,
    /// How long the script takes to speak, in seconds, one decimal, at least 3.
    pub duration_seconds: f64,
}

/// A quiz of its own (output `expanded_quiz`, or a test from prompts).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuizDraft {
    /// Plain text, at most 200 characters.
    pub name: String,
    /// One or two sentences of plain text.
    pub description: String,
    /// What it is about: the category's title, or the prompt's topic.
    pub subject: String,
    /// Language tag, as the payload or the request gave it.
    pub language: String,
    /// Time to answer everything, in minutes.
    pub time_limit_minutes: u32,
    /// Difficulty label: `MEDIUM`, or what was asked for.
    pub level: String,
    /// Share of the score that passes, 1 to 100.
    pub passing_percentage: u32,
    /// In order.
    pub items: Vec<QuizItem>,
    /// Where each item (`items/N`) came from.
    pub citations: Vec<Citation>,
    /// What could have been asked and was not, because a sound item could not be made of it.
    #[serde(default)]
    pub omitted: Vec<Omission>,
}

/// How many items of a type were not made for a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Omission {
    /// The type that they would have had.
    #[serde(rename = "type")]
    pub kind: QuizItemKind,
    /// Why they were not made.
    pub reason: OmissionReason,
    /// How many.
    pub count: usize,
}

/// Why no item was made of something that could have been asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OmissionReason {
    /// The question would hold its own answer.
    GivesAway,
    /// The source has too few other values of the same slot.
    FewRivals,
    /// Another value may be right as well.
    SeveralKeys,
    /// The sentence tells learners what to do, or speaks of the course.
    NoStatement,
    /// The number is vague, part of a range, or one of many.
    VagueNumber,
    /// The source's own question has no key that can be told for sure.
    UnknownKey,
    /// The finished item did not pass the gate.
    Unsound,
}

/// An item of a quiz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuizItem {
    /// Plain text.
    pub question: String,
    /// How it is answered.
    #[serde(rename = "type")]
    pub kind: QuizItemKind,
    /// The choices of `select` and `true-false`; else empty.
    pub options: Vec<String>,
    /// The key: options verbatim, accepted words, or model answers.
    pub correct_answers: Vec<String>,
    /// Why the key is right, quoting the source.
    pub explanation: String,
    /// Points, more than 0.
    pub score: f64,
}

/// The item types of a quiz.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuizItemKind {
    /// Choose from options.
    Select,
    /// Judge a statement; two options.
    TrueFalse,
    /// Write the missing words.
    Blank,
    /// Write an answer.
    OpenEnded,
    /// Hand in work.
    Submission,
}

/// A slide resource: a deck of one or more slides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlideDraft {
    /// Plain text, at most 200 characters.
    pub title: String,
    /// One or two sentences of plain text.
    pub description: String,
    /// Language tag.
    pub language: String,
    /// An HTML fragment: `<section class="slide">`s side by side, each with an `<h2>` headline of at
    /// most 120 characters and a few short points. What is too long for the screen stands whole in the
    /// slide's `<aside class="notes">`, which is for the speaker.
    pub content_html: String,
    /// Where each slide (`slides/N`) came from.
    pub citations: Vec<Citation>,
}

/// A course: its modules in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CourseDraft {
    /// Plain text, at most 200 characters.
    pub title: String,
    /// One or two sentences of plain text.
    pub description: String,
    /// Difficulty label.
    pub level: String,
    /// Language tag.
    pub language: String,
    /// At least one, no two with the same title.
    pub modules: Vec<ModuleDraft>,
}

impl CourseDraft {
    /// The citations of all modules, in order.
    pub fn citations(&self) -> impl Iterator<Item = &Citation> {
        self.modules.iter().flat_map(|module| &module.citations)
    }
}

/// Where in the source a part of a draft came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The part, counted from 0: `sections/2` (the module's `<section>`s in order), `quizzes/3`,
    /// `scenes/1`, `items/4`, `slides/5`.
    pub part: String,
    /// JSON pointers into the payload or the request (see [`crate::checks::Citable`]); at least one.
    pub pointers: Vec<String>,
}

impl Citation {
    /// Of the part with this place in a list of the draft.
    pub(crate) fn new(list: &str, at: usize, pointers: Vec<String>) -> Self {
        Self { part: format!("{list}/{at}"), pointers }
    }
}
