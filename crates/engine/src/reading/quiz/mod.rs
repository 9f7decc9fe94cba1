//! The quizzes of sources, in the formats of common systems and as authors write them.
//!
//! Formats are recognised by their shape and by the names of their members: options with flags, shares of points, indices,
//! letters or texts; true and false; pairs; orders; gaps; H5P; Moodle's XML as JSON; GIFT and Cloze in texts. What a quiz
//! knows ends up in [`Question`] and nowhere else: keys in its answers, reasons in its explanation. Feedback, hints, notes,
//! points and ids are dropped. A key that can mean two things is no key. Start at [`of_object`] and [`of_array`].

mod draft;
mod gaps;
mod h5p;
mod keys;
mod names;
mod text;
mod values;

use serde_json::{Map, Value};

use super::blocks::{Body, Question};
use super::names::{Role, has_role};
use super::pointer::Pointer;
use crate::phrases::Phrases;
use draft::Draft;

/// Most questions in which the shape of a quiz is looked for.
const MOST_LOOKED_AT: usize = 50;

pub(super) use gaps::{Gaps, without_answers};
pub(super) use text::{Segment, answer_in_brackets, parted};

/// What an object that is a question or a set of them comes to; none where it is neither.
pub(super) fn of_object(
    object: &Map<String, Value>,
    at: &Pointer,
    in_quiz: bool,
    phrases: &Phrases,
) -> Option<Vec<(Pointer, Body)>> {
    if h5p::is_content(object) {
        return Some(h5p::read(object, at, phrases));
    }
    let draft = Draft::read(object, at, in_quiz)?;
    Some(ask(vec![(at.clone(), draft)], phrases))
}

/// What the members of an object come to that is a question; none where it is none.
pub(super) fn of_members<'v>(
    members: impl Iterator<Item = (&'v str, &'v Value, Pointer)>,
    at: &Pointer,
    phrases: &Phrases,
) -> Option<Vec<(Pointer, Body)>> {
    let draft = Draft::of_members(members, false)?;
    Some(ask(vec![(at.clone(), draft)], phrases))
}

/// Whether an object is content of H5P.
pub(super) fn is_h5p(object: &Map<String, Value>) -> bool {
    h5p::is_content(object)
}

/// Whether a member beside a question is no part of it.
pub(super) fn is_apart(name: &str) -> bool {
    names::part(name) == names::Part::Other && !has_role(name, Role::Hint)
}

/// Whether a member beside a quiz holds its keys.
pub(super) fn is_key(name: &str) -> bool {
    names::part(name) == names::Part::Key && !has_role(name, Role::Question)
}

/// What an array of objects comes to; none where it is no quiz. Of a quiz, what is not understood is left out.
pub(super) fn of_array(
    values: &[Value],
    at: &Pointer,
    in_quiz: bool,
    phrases: &Phrases,
) -> Option<Vec<(Pointer, Body)>> {
    let objects = || values.iter().enumerate().filter_map(|(index, value)| Some((at.index(index), value.as_object()?)));
    objects().next()?;
    if objects().any(|(_, object)| h5p::is_content(object)) {
        return Some(objects().flat_map(|(at, object)| h5p::read(object, &at, phrases)).collect());
    }
    let count = objects().count();
    let drafts = |all: Vec<(Pointer, Draft)>| Some(all).filter(|all| !all.is_empty() && all.len() * 10 >= count * 8);
    let named = objects().filter_map(|(at, object)| Some((at.clone(), Draft::read(object, &at, in_quiz)?))).collect();
    let found = drafts(named).or_else(|| {
        let shape = Shape::of(objects().map(|(_, object)| object))?;
        drafts(objects().filter_map(|(at, object)| Some((at.clone(), shape.draft(object, &at)?))).collect())
    })?;
    Some(ask(found, phrases))
}

/// The members of a quiz whose names nobody knows, told by their values: one of them is a list, and another one names a
/// value of it.
struct Shape<'v> {
    question: &'v str,
    options: &'v str,
    key: &'v str,
}

impl<'v> Shape<'v> {
    fn of(objects: impl Iterator<Item = &'v Map<String, Value>> + Clone) -> Option<Self> {
        let (options, key) = objects.clone().take(MOST_LOOKED_AT).find_map(|object| {
            let lists = object.iter().filter_map(|(name, value)| Some((name, value.as_array()?)));
            lists.filter(|(_, list)| list.len() > 1 && list.iter().all(Value::is_string)).find_map(|(options, list)| {
                let named = object.iter().find(|(_, value)| value.is_string() && list.contains(value));
                named.map(|(key, _)| (options.as_str(), key.as_str()))
            })
        })?;
        let worded = |value: &Value| {
            let text = value.as_str().unwrap_or_default();
            let code = text.contains(|digit: char| digit.is_ascii_digit()) && !text.contains(char::is_whitespace);
            text.chars().filter(|letter| letter.is_alphabetic()).count() > 3 && !(code && text.contains(['-', '_']))
        };
        let first = objects.clone().next()?;
        let question = first.iter().find(|(name, value)| ![options, key].contains(&name.as_str()) && worded(value))?.0;
        let everywhere = objects.clone().all(|object| object.get(question).is_some_and(worded));
        everywhere.then_some(Self { question, options, key })
    }

    fn draft(&self, object: &Map<String, Value>, at: &Pointer) -> Option<Draft> {
        let members = [(self.question, "question"), (self.options, "options"), (self.key, "answer")];
        let found = members.iter().filter_map(|(name, part)| Some((*part, object.get(*name)?, at.key(name))));
        Draft::of_members(found, true)
    }
}

/// The questions of a quiz, which are understood together: one that counts from 0 says how the others count.
fn ask(drafts: Vec<(Pointer, Draft)>, phrases: &Phrases) -> Vec<(Pointer, Body)> {
    let all: Vec<(&[values::Choice], &[keys::Key])> =
        drafts.iter().map(|(_, draft)| (&draft.choices[..], &draft.keys[..])).collect();
    let base = keys::base(&all);
    let mut found: Vec<(Pointer, Body)> = Vec::new();
    for (at, draft) in drafts {
        let (beside, questions) = draft.finish(&at, base, phrases);
        found.extend(beside.into_iter().map(|body| (at.clone(), body)));
        match found.last_mut() {
            Some((_, Body::Questions(asked))) => asked.extend(questions),
            _ if questions.is_empty() => {}
            _ => found.push((at, Body::Questions(questions))),
        }
    }
    found
}

/// Gives an answer that stands apart to a question. With options it has to name one of them.
pub(super) fn answer(question: &mut Question, text: &str) {
    let text = text.trim();
    if text.is_empty() || !question.answers.is_empty() {
        return;
    }
    if question.options.is_empty() {
        question.answers = vec![text.to_owned()];
        return;
    }
    let choices: Vec<values::Choice> = values::choices(&Value::from(question.options.clone()));
    let key = keys::Key::new("answer", &Value::from(text));
    let right = keys::right(&choices, &[key], None);
    question.answers = right.into_iter().map(|at| question.options[at].clone()).collect();
}

#[cfg(test)]
mod tests;
