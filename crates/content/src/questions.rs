//! Questions with options and keys: the sense that quiz items of modules and items of tests must make.
//!
//! A check goes on after a fault, so that one answer names all of them, each with its path:
//! `quizzes[1].correctAnswers[0]`. Nothing is repaired but what is absent.

use std::borrow::Cow;
use std::collections::HashMap;

use edge::body::{At, Body, Check, Components, List, Nested, integer, label, list, nested, text};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// The longest question, in characters.
pub(crate) const LONGEST_QUESTION: usize = 5_000;
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

/// A question's text.
pub(crate) fn question() -> impl Check<Value = String> {
    text(1..=LONGEST_QUESTION)
}

/// An item's id, where the caller gives one.
pub(crate) fn item_id() -> impl Check<Value = String> {
    label(1..=LONGEST_ID)
}

/// An item's place, where the caller gives one.
pub(crate) fn sequence() -> impl Check<Value = i64> {
    integer(0..=HIGHEST_SEQUENCE)
}

/// Options of a question, or its accepted answers: at least `least`.
pub(crate) fn answers(least: usize) -> impl Check<Value = Vec<String>> {
    let text = text(1..=LONGEST_ANSWER).named("AnswerText", "An option of a question, or an accepted answer.");
    list(least..=MOST_OPTIONS, text)
}

/// The rule of an item: its options and its keys make sense together.
pub(crate) fn make_sense(at: &mut At<'_>, (_, form): &(&str, Form), options: &[String], answers: &[String]) {
    let options = options_of(*form, options, answers);
    check_options(&mut at.member("options"), *form, &options);
    check_answers(&mut at.member("correctAnswers"), *form, &options, answers);
}

/// The options that a question has. Absent ones of a true-false question are `True` and `False`, or as its key is written.
pub(crate) fn options_of<'a>(form: Form, options: &'a [String], answers: &[String]) -> Cow<'a, [String]> {
    if form != Form::TrueFalse || !options.is_empty() {
        return options.into();
    }
    let is_written = |pair: &&[&str; 2]| answers.iter().any(|answer| pair.contains(&answer.as_str()));
    TRUE_FALSE.iter().find(is_written).unwrap_or(&TRUE_FALSE[0]).map(str::to_owned).to_vec().into()
}

fn check_options(at: &mut At<'_>, form: Form, options: &[String]) {
    let count = options.len();
    match form {
        Form::Select if count < 2 => at.refuse::<()>("must have at least 2 items"),
        Form::TrueFalse if count != 2 => at.refuse("must have 2 items"),
        Form::Free if count > 0 => at.refuse("must have no items: it is answered freely"),
        _ => None,
    };
    refuse_repeated(at, options);
}

fn check_answers(at: &mut At<'_>, form: Form, options: &[String], answers: &[String]) {
    let count = answers.len();
    match form {
        Form::Select | Form::Blank if count == 0 => at.refuse::<()>("must have at least 1 item(s)"),
        Form::TrueFalse if count != 1 => at.refuse("must have 1 item"),
        _ => None,
    };
    if matches!(form, Form::Select | Form::TrueFalse) {
        for (index, _) in answers.iter().enumerate().filter(|(_, answer)| !options.contains(answer)) {
            at.item(index).refuse::<()>("must be one of the options");
        }
    }
    refuse_repeated(at, answers);
}

/// Two texts that differ in white space only are the same to a learner.
fn refuse_repeated(at: &mut At<'_>, texts: &[String]) {
    let mut seen = HashMap::new();
    for (index, text) in texts.iter().enumerate() {
        let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(first) = seen.insert(shown, index) {
            at.item(index).refuse::<()>(format!("is the same as item {first}"));
        }
    }
}

/// See [`identified`].
pub(crate) struct Identified<B>(List<Nested<B>>);

/// An array of at most so many items whose ids and sequences are each there once. Faults of these are noted, whatever else
/// is wrong with the items. Sequences are given with every item or with none.
pub(crate) fn identified<B: Body<Context = ()> + ToSchema>(most: usize) -> Identified<B> {
    Identified(list(0..=most, nested()))
}

impl<B: Body<Context = ()> + ToSchema> Check for Identified<B> {
    type Value = Vec<B>;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Vec<B>> {
        let items = self.0.read(value, at);
        let given = value.as_array().map_or(&[][..], Vec::as_slice);
        refuse_repeated_member(given, "id", at);
        refuse_repeated_member(given, "sequence", at);
        let without = |item: &Value| item.is_object() && item.get("sequence").is_none_or(Value::is_null);
        if !given.iter().all(without) {
            for (index, _) in given.iter().enumerate().filter(|(_, item)| without(item)) {
                at.item(index).member("sequence").refuse::<()>("is required where other items have one");
            }
        }
        items
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        self.0.schema(components)
    }
}

fn refuse_repeated_member(items: &[Value], name: &str, at: &mut At<'_>) {
    let mut seen = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let identity = match item.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.as_f64().unwrap_or_default().to_string(),
            _ => continue,
        };
        if let Some(first) = seen.insert(identity, index) {
            at.item(index).member(name).refuse::<()>(format!("is the same as that of item {first}"));
        }
    }
}

/// Puts items in the order of their sequences, which they keep; without any they are numbered from 1 as they stand.
pub(crate) fn in_order<T>(items: &[T], sequence: impl Fn(&T) -> Option<i64>) -> impl Iterator<Item = (u32, &T)> {
    let mut items: Vec<_> = items.iter().map(|item| (sequence(item), item)).collect();
    items.sort_by_key(|(sequence, _)| *sequence);
    let given = |sequence: i64| u32::try_from(sequence).expect("the range check leaves a small number");
    (1_u32..).zip(items).map(move |(place, (sequence, item))| (sequence.map_or(place, given), item))
}
