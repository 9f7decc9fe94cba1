//! What is exchanged, whatever the format: tests, modules and courses as plain data.
//!
//! Text fields hold plain text unless they say HTML. Nothing here knows of XML, ZIP or HTTP. How a
//! format holds each field is said at the top of `qti`, `cartridge` and `page`.

use serde::{Deserialize, Serialize};

/// A test that a learner takes as a whole (content-api section 4).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestContent {
    /// What it is called.
    pub title: String,
    /// What it is about; empty when nothing is said.
    pub description: String,
    /// A language tag such as `en` or `pt-BR`; empty when unknown.
    pub language: String,
    /// The field it belongs to, such as `Biology`; empty when unknown.
    pub subject: String,
    /// How hard it is, such as `MEDIUM`; empty when unknown.
    pub level: String,
    /// Minutes to answer everything, more than 0; none when there is no limit.
    pub time_limit_minutes: Option<f64>,
    /// What it takes to pass; none when nothing is said.
    pub passing: Option<Passing>,
    /// In order.
    pub items: Vec<Item>,
}

/// What it takes to pass a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type", content = "value")]
pub enum Passing {
    /// A share of the points, 0 to 100.
    Percentage(f64),
    /// Points, 0 or more.
    Points(f64),
}

/// One question of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Unique within the test.
    pub id: String,
    /// What is asked.
    pub question: String,
    /// How it is answered.
    #[serde(rename = "type")]
    pub kind: ItemKind,
    /// The choices of `select` and `true-false`; else empty.
    pub options: Vec<String>,
    /// Each equal to an option; for `blank` the accepted texts; else model answers.
    pub correct_answers: Vec<String>,
    /// Why the key is right; empty when nothing is said.
    pub explanation: String,
    /// Points, 0 or more.
    pub score: f64,
}

/// How a question of a test is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemKind {
    /// Choose one or several options.
    Select,
    /// Write a word or a few; any accepted text is right.
    Blank,
    /// Write an answer.
    OpenEnded,
    /// Judge a statement.
    TrueFalse,
    /// Hand in a file.
    Submission,
}

impl ItemKind {
    /// The name that the API and the formats' extensions use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Blank => "blank",
            Self::OpenEnded => "open-ended",
            Self::TrueFalse => "true-false",
            Self::Submission => "submission",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Select, Self::Blank, Self::OpenEnded, Self::TrueFalse, Self::Submission]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// Whether the answer is one or several of the options.
    pub fn has_options(self) -> bool {
        matches!(self, Self::Select | Self::TrueFalse)
    }
}

/// A lesson text with questions to try while reading (content-api section 4).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModuleContent {
    /// What it is called.
    pub title: String,
    /// The label of its type, such as `markdown`; empty when nothing is said.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is about; empty when nothing is said.
    pub description: String,
    /// A language tag; empty when unknown.
    pub language: String,
    /// HTML or Markdown. It goes out and comes in as the safe HTML that [`markup`] makes of it.
    pub html: String,
    /// In order.
    pub quizzes: Vec<QuizItem>,
    /// Whatever the caller stored with it: a JSON object as text, so that its numbers stay as they are written.
    pub metadata: String,
}

/// A question inside a module (content-api section 4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuizItem {
    /// Unique within the module.
    pub id: String,
    /// Position, from 1.
    pub sequence: u32,
    /// A heading; empty when there is none.
    pub title: String,
    /// What is asked.
    pub question: String,
    /// How it is answered.
    #[serde(rename = "type")]
    pub kind: QuizKind,
    /// The choices of `select` and `true-false`; else empty.
    pub options: Vec<String>,
    /// Each equal to an option, or the accepted texts of a `blank`.
    pub correct_answers: Vec<String>,
    /// Whether the learner is told at once.
    pub show_feedback: bool,
}

/// How a question inside a module is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuizKind {
    /// Choose one or several options.
    Select,
    /// Write a word or a few.
    Blank,
    /// Judge a statement.
    TrueFalse,
}

/// A course: modules, tests and links in the order in which they are worked through.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CourseContent {
    /// What it is called.
    pub title: String,
    /// What it is about; empty when nothing is said.
    pub description: String,
    /// How hard it is or whom it is for; empty when unknown.
    pub level: String,
    /// A language tag; empty when unknown.
    pub language: String,
    /// In order.
    pub entries: Vec<Entry>,
}

/// One step of a course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum Entry {
    /// Something to read.
    Module(ModuleContent),
    /// Something to take.
    Test(TestContent),
    /// Something elsewhere.
    Link(Link),
}

/// A page elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// What it is called.
    pub title: String,
    /// An `http` or `https` address.
    pub url: String,
}
