//! One item alone, with its verdict: what a page's script asks for when a learner checks an answer in place.

use askama::Template;

use super::questions::{Input, Question};
use super::shell::Shell;
use crate::answers::AnswerForm;

/// A document that holds nothing but the item.
#[derive(Template)]
#[template(path = "item.html")]
pub(crate) struct ItemPage<'a> {
    shell: &'a Shell,
    question: &'a Question,
}

impl<'a> ItemPage<'a> {
    /// The checked item of a page, where the form asks for it alone.
    pub(crate) fn asked_for(shell: &'a Shell, questions: &'a [Question], form: Option<&AnswerForm>) -> Option<Self> {
        let form = form.filter(|form| form.wants_item)?;
        let id = form.checked_of(questions.iter().map(|question| question.id.as_str()))?;
        let question = questions.iter().find(|question| question.id == id)?;
        Some(Self { shell, question })
    }
}
