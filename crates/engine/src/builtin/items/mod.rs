//! Questions about a lesson, each with its key, its explanation and the place it came from.
//!
//! Every maker in here answers with candidates; a candidate that would not pass the gate, or whose
//! question holds its own answer, is dropped before anyone sees it. Choosing among them is the work
//! of [`choose`].

mod choose;
mod definitions;
mod open;
mod options;
mod own;
mod records;
mod statements;
mod tasks;

use language::normal::{mentions, normal};

use crate::checks::is_sound;
use crate::drafts::{QuizItem, QuizItemKind};
use crate::phrases::Phrases;
use crate::reading::blocks::Origin;
use crate::reading::pointer::Pointer;

use super::lesson::{Lesson, Sentence};
use super::material::Material;
use definitions::Pool;

pub(super) use choose::{for_module, for_quiz, for_test};
pub(super) use tasks::{Subject, Told, tasks};

/// The gap in a sentence.
pub(crate) const GAP: &str = "____";
/// Longest statement or definition that is shown in a question, in characters.
const MAX_SHOWN: usize = 320;
/// Longest option, in characters.
const MAX_OPTION: usize = 180;

/// A question that may be asked.
pub(super) struct Item {
    pub(super) lesson: usize,
    pub(super) pointer: Pointer,
    /// What it tests; no two items test the same fact.
    pub(super) fact: String,
    pub(super) item: QuizItem,
}

/// What the makers need to know.
pub(super) struct Workshop<'m> {
    pub(super) material: &'m Material,
    pool: Pool<'m>,
}

impl<'m> Workshop<'m> {
    pub(super) fn new(material: &'m Material) -> Self {
        Self { material, pool: Pool::new(material) }
    }

    fn phrases(&self) -> &'static Phrases {
        self.material.phrases()
    }

    fn lesson(&self, at: usize) -> &'m Lesson {
        &self.material.lessons[at]
    }

    /// All questions about a lesson, the best of each sort first.
    pub(super) fn candidates(&self, lesson: usize) -> Vec<Item> {
        let mut items = Vec::new();
        self.own_questions(lesson, &mut items);
        self.about_definitions(lesson, &mut items);
        self.about_records(lesson, &mut items);
        self.about_statements(lesson, &mut items);
        self.open_questions(lesson, &mut items);
        items.retain(|item| is_sound(&item.item) && !gives_away(&item.item));
        items
    }

    /// An item with one right answer among its options.
    fn choice(&self, evidence: Evidence<'_>, question: String, options: Vec<String>, key: String) -> Item {
        self.item(evidence, QuizItemKind::Select, question, options, vec![key])
    }

    /// An item that is answered in writing.
    fn free(&self, evidence: Evidence<'_>, kind: QuizItemKind, question: String, key: String) -> Item {
        self.item(evidence, kind, question, Vec::new(), vec![key])
    }

    /// Puts an item together; its explanation quotes the source.
    fn item(
        &self,
        evidence: Evidence<'_>,
        kind: QuizItemKind,
        question: String,
        options: Vec<String>,
        correct_answers: Vec<String>,
    ) -> Item {
        let Evidence { lesson, pointer, quote, fact } = evidence;
        let explanation = quoted(quote, self.lesson(lesson).reading.origin, self.phrases());
        let item = QuizItem { question, kind, options, correct_answers, explanation, score: score(kind) };
        Item { lesson, pointer: pointer.clone(), fact, item }
    }
}

/// Says where a text stands, and quotes it.
pub(super) fn quoted(quote: &str, origin: Origin, phrases: &Phrases) -> String {
    let says = match origin {
        Origin::Lesson => phrases.source_says,
        Origin::Prompt => phrases.prompt_says,
    };
    language::fill(says, &[("quote", quote)])
}

/// What an item is made from.
struct Evidence<'a> {
    lesson: usize,
    /// The place in the source.
    pointer: &'a Pointer,
    /// What the item's explanation quotes.
    quote: &'a str,
    /// What the item tests: see [`Item::fact`].
    fact: String,
}

impl<'a> Evidence<'a> {
    fn of_sentence(lesson: usize, sentence: &'a Sentence, fact: &str) -> Self {
        Self { lesson, pointer: &sentence.pointer, quote: &sentence.text, fact: fact.to_owned() }
    }
}

/// What an item of a type is worth, in points.
pub(crate) fn score(kind: QuizItemKind) -> f64 {
    match kind {
        QuizItemKind::Select | QuizItemKind::TrueFalse => 1.0,
        QuizItemKind::Blank => 2.0,
        QuizItemKind::OpenEnded => 4.0,
        QuizItemKind::Submission => 8.0,
    }
}

/// Whether the question itself says what its answer is. A choice between parts of a given text may.
fn gives_away(item: &QuizItem) -> bool {
    let question = normal(&item.question);
    let choice = matches!(item.kind, QuizItemKind::Select | QuizItemKind::Blank);
    choice && item.correct_answers.iter().any(|key| mentions(&question, &normal(key)))
}

/// Short enough to be shown whole.
fn fits(text: &str, characters: usize) -> bool {
    text.len() <= characters || text.chars().take(characters + 1).count() <= characters
}
