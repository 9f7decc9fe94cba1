//! A module: its content, and a quiz that the same page checks.

use askama::Template;

use super::Markup;
use super::course::Position;
use super::questions::{Input, Item, Question, Summary};
use super::shell::Shell;
use crate::answers::{Answers, Verdict};
use crate::texts::fill;

/// A module as it is stored, its content made safe.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) content: Markup,
    pub(crate) items: Vec<Item>,
}

#[derive(Template)]
#[template(path = "module.html")]
pub(crate) struct ModulePage {
    pub(crate) shell: Shell,
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) content: Markup,
    pub(crate) questions: Vec<Question>,
    pub(crate) summary: Option<Summary>,
    pub(crate) position: Option<Position>,
}

impl ModulePage {
    /// The page, to be answered or, with answers, with what came of them.
    pub(crate) fn new(mut shell: Shell, module: Module, position: Option<Position>, answers: Option<&Answers>) -> Self {
        shell.is_answered = answers.is_some();
        let numbered = (1..).zip(&module.items);
        let questions: Vec<Question> =
            numbered.map(|(number, item)| Question::new(shell.texts, item, number, answers)).collect();
        let summary = answers.map(|answers| summary(&shell, &module.items, &questions, answers));
        Self {
            kind: shell.texts.module,
            title: module.title,
            description: module.description,
            content: module.content,
            questions,
            summary,
            position,
            shell,
        }
    }
}

/// Counts only the items that give feedback: the others' results are not for the learner.
fn summary(shell: &Shell, items: &[Item], questions: &[Question], answers: &Answers) -> Summary {
    let verdicts: Vec<Verdict> = items
        .iter()
        .filter(|item| item.shows_feedback && item.kind.is_graded())
        .map(|item| item.grade(answers))
        .collect();
    let count = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let (right, unanswered) = (count(Verdict::Right), count(Verdict::Unanswered));
    let mut lines = Vec::new();
    if unanswered > 0 {
        lines.push(fill(shell.texts.unanswered_count, &[("n", &unanswered.to_string())]));
    }
    let values = [("n", &*right.to_string()), ("total", &*verdicts.len().to_string())];
    Summary {
        tone: if !verdicts.is_empty() && right == verdicts.len() { "right" } else { "open" },
        verdict: if verdicts.is_empty() {
            shell.texts.withheld.to_owned()
        } else {
            fill(shell.texts.right_of, &values)
        },
        lines,
        look_again: Summary::worth_another_look(questions),
    }
}
