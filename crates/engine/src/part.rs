//! One part of a resource, of which somebody who edits the resource wants another version.
//!
//! A part is a question, a section of a module, a slide or a scene. The request holds the part as it stands, what the other
//! parts say, and the material. The draft is one part that can stand in its place; nothing here stores it.
//! [`crate::checks::check_part`] is the gate that every draft passes. Start reading at [`crate::Generator::part`].

use std::collections::HashSet;

use language::normal::normal;
use unicode_segmentation::UnicodeSegmentation;

use crate::drafts::{QuizItem, QuizItemKind, SceneDraft};
use crate::reading::blocks::Body;
use crate::reading::flat::each_text;
use crate::reading::pointer::Pointer;
use crate::reading::read_text;
use crate::request::SourceModule;
use crate::source::SourceLevel;

/// Two questions with this share of their words in common ask the same, and with the lower one if their keys agree.
const SAME: f64 = 0.9;
const ALIKE: f64 = 0.6;

/// A request for another version of one part.
#[derive(Debug, Clone, PartialEq)]
pub struct PartRequest {
    /// What the resource is about: its title and description, or the prompts of a test. May be blank.
    pub topic: String,
    /// BCP 47 tag of the resource.
    pub language: String,
    /// What the part is made from.
    pub material: PartMaterial,
    /// The types that a question of the resource can have, at least one. Other parts don't use them.
    pub question_kinds: Vec<QuizItemKind>,
    /// The part as it stands. It may be blank, where the part is new.
    pub present: Part,
    /// What must not be repeated: the resource's other parts, and earlier versions of this one.
    pub others: Vec<Part>,
    /// What the person wants of the new version, in their own words. Mostly blank.
    pub instruction: String,
}

/// What a part is made from.
#[derive(Debug, Clone, PartialEq)]
pub enum PartMaterial {
    /// The level that an expansion made the resource from.
    Level(SourceLevel),
    /// Modules of the classroom, the most relevant first. There may be none.
    Modules(Vec<SourceModule>),
}

/// A part as it stands. All parts of one request are of one variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A question of a module or a test.
    Question(PresentQuestion),
    /// A section of a module: HTML, or Markdown.
    Section(String),
    /// A slide of a deck: HTML, or Markdown.
    Slide(String),
    /// A scene of a video, by its script.
    Scene(String),
}

/// A question with its key, as far as it tells what is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresentQuestion {
    /// How it is answered.
    pub kind: QuizItemKind,
    /// Plain text. May be blank.
    pub question: String,
    /// The key. May be empty.
    pub correct_answers: Vec<String>,
}

/// One part that can stand in the place of another.
#[derive(Debug, Clone, PartialEq)]
pub struct PartDraft {
    /// The part.
    pub content: PartContent,
    /// The request had an instruction, and this generator follows none.
    pub ignores_instruction: bool,
}

/// The content of a drafted part.
#[derive(Debug, Clone, PartialEq)]
pub enum PartContent {
    /// A question.
    Question {
        /// The question with its key.
        item: QuizItem,
        /// The title of the lesson that it is about, in plain text; blank where that is not known.
        lesson: String,
    },
    /// A section of a module, as an HTML fragment with a heading. It has the id of the present one, where that has one.
    Section(String),
    /// A slide, as one `<section class="slide">`.
    Slide(String),
    /// A scene.
    Scene(SceneDraft),
}

impl Part {
    /// What it is called.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Question(_) => "question",
            Self::Section(_) => "section",
            Self::Slide(_) => "slide",
            Self::Scene(_) => "scene",
        }
    }

    /// Its texts, in order and without markup. The first one of a section or a slide is mostly its heading.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut found = Vec::new();
        match self {
            Self::Question(asked) => {
                found.push(asked.question.clone());
                found.extend(asked.correct_answers.iter().cloned());
            }
            Self::Scene(script) => found.push(script.clone()),
            Self::Section(content) | Self::Slide(content) => {
                for block in read_text(content, &Pointer::root(""), 1) {
                    each_text(&block.body, &mut |text| found.push(text.to_owned()));
                }
            }
        }
        found.retain(|text| text.chars().any(char::is_alphanumeric));
        found
    }

    /// The heading that a section or a slide begins with.
    pub(crate) fn heading(&self) -> Option<String> {
        let (Self::Section(content) | Self::Slide(content)) = self else { return None };
        let first = read_text(content, &Pointer::root(""), 1).into_iter().next()?;
        match first.body {
            Body::Heading { text, .. } => Some(text).filter(|text| text.chars().any(char::is_alphanumeric)),
            _ => None,
        }
    }
}

impl PartRequest {
    /// All questions that are asked already.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &PresentQuestion> {
        std::iter::once(&self.present).chain(&self.others).filter_map(|part| match part {
            Part::Question(asked) => Some(asked),
            _ => None,
        })
    }

    /// What the part is about: its own text, or the resource's topic where it has none.
    pub(crate) fn subject(&self) -> String {
        let own = self.present.texts().join("\n");
        if own.is_empty() { self.topic.clone() } else { own }
    }
}

impl PresentQuestion {
    /// Its type, text and key, by which it is told from other questions.
    pub(crate) fn identity(&self) -> QuestionIdentity<'_> {
        QuestionIdentity { kind: self.kind, question: &self.question, correct_answers: &self.correct_answers }
    }

    /// Whether another question asks the same.
    pub(crate) fn is_asked_by(&self, other: &QuizItem) -> bool {
        let QuizItem { kind, question, correct_answers, .. } = other;
        self.identity().asks_the_same(QuestionIdentity { kind: *kind, question, correct_answers })
    }
}

/// A question as far as it tells what is asked.
#[derive(Clone, Copy)]
pub(crate) struct QuestionIdentity<'a> {
    pub(crate) kind: QuizItemKind,
    pub(crate) question: &'a str,
    pub(crate) correct_answers: &'a [String],
}

impl QuestionIdentity<'_> {
    /// Whether another question asks the same: in nearly the same words, or in similar ones with the same key.
    pub(crate) fn asks_the_same(self, other: QuestionIdentity<'_>) -> bool {
        let (own, others) = (self.words(), other.words());
        let common = own.intersection(&others).count() as f64;
        let share = common / own.union(&others).count().max(1) as f64;
        let has_same_key = self.kind == other.kind && self.kind != QuizItemKind::TrueFalse && self.key() == other.key();
        share >= SAME || share >= ALIKE && has_same_key
    }

    fn words(self) -> HashSet<String> {
        normal(self.question).unicode_words().map(str::to_owned).collect()
    }

    fn key(self) -> HashSet<String> {
        self.correct_answers.iter().map(|answer| normal(answer)).collect()
    }
}
