//! Reads a module's quiz items: every fault at once, each with its path.

use edge::body::{At, Fields, boolean, list, one_of, text};
use kernel::ambient::Ambient;
use kernel::id::ItemId;
use serde_json::Value;

use super::ModuleQuizItem;
use crate::questions::{Form, Key, check_identities, in_order, item_id, key, question, sequence};
use crate::resources::fields::LONGEST_TITLE;

/// The most quiz items of a module.
const MOST_ITEMS: usize = 200;

const TYPES: &[(&str, (&str, Form))] = &[
    ("select", ("select", Form::Select)),
    ("blank", ("blank", Form::Blank)),
    ("true-false", ("true-false", Form::TrueFalse)),
];

/// An array of quiz items. Ids are made where they are absent; sequences tell the order and are numbered from 1.
pub(super) fn quizzes(ambient: &Ambient) -> impl Fn(&Value, &mut At<'_>) -> Option<Vec<ModuleQuizItem>> + '_ {
    move |value, at| {
        let items = list(0..=MOST_ITEMS, |item, at| read(&mut at.object(item)?, ambient))(value, at);
        let has_identities = check_identities(value, at);
        let items = items.filter(|_| has_identities)?;
        Some(in_order(items).map(|(sequence, item)| ModuleQuizItem { sequence, ..item }).collect())
    }
}

/// An item, not yet numbered, with the sequence that it was given.
fn read(fields: &mut Fields<'_>, ambient: &Ambient) -> Option<(Option<i64>, ModuleQuizItem)> {
    let id = fields.optional("id", item_id);
    let sequence = fields.optional("sequence", sequence);
    let title = fields.optional("title", text(0..=LONGEST_TITLE));
    let question = fields.required("question", question);
    let kind = fields.required("type", one_of(TYPES));
    let key = key(fields, kind.map(|(_, form)| form));
    let show_feedback = fields.optional("showFeedback", boolean);
    let (kind, _) = kind?;
    let Key { options, correct_answers } = key?;
    let item = ModuleQuizItem {
        id: id?.unwrap_or_else(|| ambient.id::<ItemId>().to_string()),
        sequence: 0,
        title: title?.unwrap_or_default(),
        question: question?,
        kind: kind.to_owned(),
        options,
        correct_answers,
        show_feedback: show_feedback?.unwrap_or(true),
    };
    Some((sequence?, item))
}
