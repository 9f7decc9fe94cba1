//! Questions with options and keys: the sense that quiz items of modules and items of tests must make.
//!
//! A check goes on after a fault, so that one answer names all of them, each with its path:
//! `quizzes[1].correctAnswers[0]`. Nothing is repaired but what is absent.

use std::collections::HashMap;

use edge::body::{At, Fields, integer, label, list, text};
use serde_json::Value;

/// The longest question, in characters.
const LONGEST_QUESTION: usize = 5_000;
/// The longest option or accepted answer, in characters.
const LONGEST_ANSWER: usize = 2_000;
/// The longest id that a caller may give, in characters.
const LONGEST_ID: usize = 100;
/// The highest place that a caller may give.
pub(crate) const HIGHEST_SEQUENCE: i64 = 1_000_000;
/// The most options, and the most keys.
const MOST_OPTIONS: usize = 50;
/// What a true-false question offers when it names no options, as its key is written.
const TRUE_FALSE: [[&str; 2]; 3] = [["True", "False"], ["true", "false"], ["TRUE", "FALSE"]];

/// An option of a question, or an accepted answer.
#[derive(utoipa::ToSchema)]
#[schema(min_length = 1, max_length = 2000)]
#[expect(dead_code, reason = "documents a text of bodies, which are read field by field")]
pub(crate) struct AnswerText(String);

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// By choosing among options; the keys are options.
    Select,
    /// By choosing one of two; the key is one of them.
    TrueFalse,
    /// By filling in a text; the keys are the accepted ones, options a bank of words.
    Blank,
    /// Freely, in one's own words or works: there is nothing to choose from, and keys are model answers.
    Free,
}

/// The options of a question and which of them, or which texts, are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) options: Vec<String>,
    pub(crate) correct_answers: Vec<String>,
}

/// What is asked.
pub(crate) fn question(value: &Value, at: &mut At<'_>) -> Option<String> {
    text(1..=LONGEST_QUESTION)(value, at)
}

/// An item's id, where the caller gives one.
pub(crate) fn item_id(value: &Value, at: &mut At<'_>) -> Option<String> {
    label(1..=LONGEST_ID)(value, at)
}

/// An item's place, where the caller gives one.
pub(crate) fn sequence(value: &Value, at: &mut At<'_>) -> Option<i64> {
    integer(0..=HIGHEST_SEQUENCE)(value, at)
}

/// Reads `options` and `correctAnswers` of an item. Without a form (its type was wrong) only their types are judged.
pub(crate) fn key(fields: &mut Fields<'_>, form: Option<Form>) -> Option<Key> {
    let texts = || list(0..=MOST_OPTIONS, text(1..=LONGEST_ANSWER));
    let options = fields.optional("options", texts());
    let answers = fields.optional("correctAnswers", texts());
    let (form, options, answers) = (form?, options?, answers?);
    let mut key = Key { options: options.unwrap_or_default(), correct_answers: answers.unwrap_or_default() };
    if form == Form::TrueFalse && key.options.is_empty() {
        key.options = true_and_false(&key.correct_answers);
    }
    let has_sense = [check_options(fields, form, &key), check_answers(fields, form, &key)];
    has_sense.iter().all(|check| *check).then_some(key)
}

/// Absent options are `True` and `False`, or as the key is written.
fn true_and_false(answers: &[String]) -> Vec<String> {
    let is_written = |pair: &&[&str; 2]| answers.iter().any(|answer| pair.contains(&answer.as_str()));
    TRUE_FALSE.iter().find(is_written).unwrap_or(&TRUE_FALSE[0]).map(str::to_owned).to_vec()
}

fn check_options(fields: &mut Fields<'_>, form: Form, key: &Key) -> bool {
    let mut at = fields.at().member("options");
    let count = key.options.len();
    let is_enough = match form {
        Form::Select if count < 2 => at.refuse::<()>("must have at least 2 items").is_some(),
        Form::TrueFalse if count != 2 => at.refuse::<()>("must have 2 items").is_some(),
        Form::Free if count > 0 => at.refuse::<()>("must have no items: it is answered freely").is_some(),
        _ => true,
    };
    refuse_repeated(&mut at, &key.options) && is_enough
}

fn check_answers(fields: &mut Fields<'_>, form: Form, key: &Key) -> bool {
    let mut at = fields.at().member("correctAnswers");
    let count = key.correct_answers.len();
    let is_enough = match form {
        Form::Select | Form::Blank if count == 0 => at.refuse::<()>("must have at least 1 item(s)").is_some(),
        Form::TrueFalse if count != 1 => at.refuse::<()>("must have 1 item").is_some(),
        _ => true,
    };
    let mut are_options = true;
    if matches!(form, Form::Select | Form::TrueFalse) {
        for (index, _) in key.correct_answers.iter().enumerate().filter(|(_, answer)| !key.options.contains(answer)) {
            are_options = at.item(index).refuse::<()>("must be one of the options").is_some();
        }
    }
    refuse_repeated(&mut at, &key.correct_answers) && is_enough && are_options
}

/// Two texts that differ in white space only are the same to a learner.
fn refuse_repeated(at: &mut At<'_>, texts: &[String]) -> bool {
    let mut seen = HashMap::new();
    let mut is_unique = true;
    for (index, text) in texts.iter().enumerate() {
        let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(first) = seen.insert(shown, index) {
            is_unique = at.item(index).refuse::<()>(format!("is the same as item {first}")).is_some();
        }
    }
    is_unique
}

/// Whether ids and sequences of an array's items are each there once; faults are noted, whatever else is wrong with
/// the items. Sequences are given with every item or with none.
pub(crate) fn check_identities(value: &Value, at: &mut At<'_>) -> bool {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    let has_unique_ids = refuse_repeated_member(items, "id", at);
    let has_unique_sequences = refuse_repeated_member(items, "sequence", at);
    let without = |item: &Value| item.is_object() && item.get("sequence").is_none_or(Value::is_null);
    let mut is_complete = true;
    if !items.iter().all(without) {
        for (index, _) in items.iter().enumerate().filter(|(_, item)| without(item)) {
            let mut item = at.item(index);
            is_complete = item.member("sequence").refuse::<()>("is required where other items have one").is_some();
        }
    }
    has_unique_ids && has_unique_sequences && is_complete
}

fn refuse_repeated_member(items: &[Value], name: &str, at: &mut At<'_>) -> bool {
    let mut seen = HashMap::new();
    let mut is_unique = true;
    for (index, item) in items.iter().enumerate() {
        let identity = match item.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.as_f64().unwrap_or_default().to_string(),
            _ => continue,
        };
        if let Some(first) = seen.insert(identity, index) {
            is_unique =
                at.item(index).member(name).refuse::<()>(format!("is the same as that of item {first}")).is_some();
        }
    }
    is_unique
}

/// Puts items in the order of their sequences, which they keep; without any they are numbered from 1 as they stand.
pub(crate) fn in_order<T>(mut items: Vec<(Option<i64>, T)>) -> impl Iterator<Item = (u32, T)> {
    items.sort_by_key(|(sequence, _)| *sequence);
    let given = |sequence: i64| u32::try_from(sequence).expect("the range check leaves a small number");
    (1_u32..).zip(items).map(move |(place, (sequence, item))| (sequence.map_or(place, given), item))
}
