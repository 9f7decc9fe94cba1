//! A module: its content, and a quiz that the same page checks.

use askama::Template;

use super::Markup;
use super::course::Position;
use super::questions::{Input, Item, Judged, Question, Summary};
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
        let judged: Option<Vec<Judged<'_>>> =
            answers.map(|answers| module.items.iter().map(|item| item.judge(answers)).collect());
        let question = |(at, item)| {
            let judged = judged.as_ref().map(|judged: &Vec<_>| &judged[at]);
            Question::new(shell.texts, item, at + 1, judged)
        };
        let questions: Vec<Question> = module.items.iter().enumerate().map(question).collect();
        let summary = judged.map(|judged| summary(&shell, &module.items, &questions, &judged));
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
fn summary(shell: &Shell, items: &[Item], questions: &[Question], judged: &[Judged<'_>]) -> Summary {
    let verdicts: Vec<Verdict> = items
        .iter()
        .zip(judged)
        .filter(|(item, _)| item.shows_feedback && item.kind.is_graded())
        .map(|(_, judged)| judged.verdict)
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
