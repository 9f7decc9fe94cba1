//! A module: its content, and a quiz that the same page checks.

use askama::Template;

use super::Markup;
use super::course::Position;
use super::questions::{Input, Item, Question, Summary};
use super::shell::Shell;
use crate::answers::{AnswerForm, Verdict};
use crate::texts::fill;

/// A module as it is stored, its content made safe.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) content: Markup,
    pub(crate) items: Vec<Item>,
}

/// So many headings make a table of contents.
const FEWEST_HEADINGS: usize = 3;

/// A line of the table of contents.
#[derive(Clone, Debug)]
pub(crate) struct HeadingLink {
    pub(crate) level: u8,
    pub(crate) id: String,
    pub(crate) text: Markup,
}

impl HeadingLink {
    fn of(heading: markup::Heading) -> Self {
        Self { level: heading.level, id: heading.id, text: Markup(heading.text) }
    }
}

/// A part of the content with the questions about it.
pub(crate) struct AskedPart {
    pub(crate) html: Markup,
    pub(crate) questions: Vec<Question>,
}

impl AskedPart {
    /// The parts of a content with their questions, and those that belong to none. A question belongs to the section whose
    /// heading its item's title names, wholly or by its beginning.
    fn divide(content: &markup::SafeHtml, items: &[Item], questions: Vec<Question>) -> (Vec<Self>, Vec<Question>) {
        let mut rest: Vec<(&Item, Question)> = items.iter().zip(questions).collect();
        let parts = content.parts().into_iter().map(|part| {
            let names = |title: &str| match title.strip_suffix('…') {
                Some(beginning) => !beginning.is_empty() && part.title.starts_with(beginning),
                None => !title.is_empty() && part.title == title,
            };
            let (own, others) = std::mem::take(&mut rest).into_iter().partition(|(item, _)| names(item.title.trim()));
            rest = others;
            Self { html: Markup(part.html), questions: own.into_iter().map(|(_, question)| question).collect() }
        });
        let parts = parts.collect();
        (parts, rest.into_iter().map(|(_, question)| question).collect())
    }
}

#[derive(Template)]
#[template(path = "module.html")]
pub(crate) struct ModulePage {
    pub(crate) shell: Shell,
    /// What the browser remembers as done.
    pub(crate) part_id: String,
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    /// The content in parts, each with the questions that follow it.
    pub(crate) parts: Vec<AskedPart>,
    /// The table of contents; empty where a reader sees the whole at once.
    pub(crate) headings: Vec<HeadingLink>,
    /// The questions that belong to no section.
    pub(crate) questions: Vec<Question>,
    pub(crate) has_questions: bool,
    pub(crate) summary: Option<Summary>,
    pub(crate) position: Option<Position>,
}

impl ModulePage {
    /// Whether there is nothing to read and nothing to answer.
    fn is_empty(&self) -> bool {
        !self.has_questions && self.parts.iter().all(|part| part.html.0.is_empty())
    }

    /// The page, to be answered or, with a form, with what came of it.
    pub(crate) fn new(mut shell: Shell, module: Module, position: Option<Position>, form: Option<&AnswerForm>) -> Self {
        shell.is_answered = form.is_some();
        let texts = shell.texts;
        let questions = match form {
            None => {
                let numbered = (1..).zip(&module.items);
                numbered.map(|(number, item)| Question::unanswered(texts, item, number, None)).collect()
            }
            Some(form) => Question::of_form(texts, &module.items, form),
        };
        let questions: Vec<_> =
            questions.into_iter().zip(&module.items).map(|(question, item)| question.with_own_button(item)).collect();
        let is_whole = |form: &&AnswerForm| form.checked_of(questions.iter().map(|one| one.id.as_str())).is_none();
        let summary = form.filter(is_whole).map(|form| summary(&shell, &module.items, &questions, form));
        let (content, headings) = module.content.0.with_regions(&texts.regions()).with_headings();
        let headings: Vec<_> = headings.into_iter().map(HeadingLink::of).collect();
        let has_questions = !questions.is_empty();
        let (parts, questions) = AskedPart::divide(&content, &module.items, questions);
        Self {
            part_id: module.id,
            kind: texts.module,
            title: module.title,
            description: module.description,
            parts,
            headings: if headings.len() < FEWEST_HEADINGS { Vec::new() } else { headings },
            questions,
            has_questions,
            summary,
            position,
            shell,
        }
    }
}

/// Counts only the items that give feedback: the others' results are not for the learner.
fn summary(shell: &Shell, items: &[Item], questions: &[Question], form: &AnswerForm) -> Summary {
    let counted = items.iter().filter(|item| item.shows_feedback && item.kind.is_graded());
    let verdicts: Vec<Verdict> = counted.map(|item| item.judge(&form.answers, &form.grades).mark.verdict).collect();
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
