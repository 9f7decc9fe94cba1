//! The quizzes of sources, in the formats of common systems and as authors write them.
//!
//! Formats are recognised by their shape and by the names of their members: options with flags, shares of points, indices,
//! letters or texts; true and false; pairs; orders; gaps; H5P; Moodle's XML as JSON; GIFT and Cloze in texts. What a quiz
//! knows ends up in [`Question`] and nowhere else: keys in its answers, reasons in its explanation. Feedback, hints, notes,
//! points and ids are dropped. A key that can mean two things is no key. Start at [`of_object`] and [`of_array`].

mod draft;
mod edx;
mod finish;
mod gaps;
mod h5p;
mod keys;
mod learned;
mod letters;
mod links;
mod names;
mod rows;
mod text;
mod values;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::blocks::{Body, Question};
use super::names::{Role, Roles, has_role, names_a_kind};
use super::pointer::Pointer;
use crate::phrases::Phrases;
use draft::Draft;
use finish::matched;
use learned::Learned;
use names::Part;

/// Most questions that others are compared with.
const MOST_ALIKE: usize = 8;
/// Most words of an answer behind which more is said, and fewest letters of the last of them: a shorter one is abbreviated.
const MOST_SHORT: usize = 4;
const SHORTEST_LAST: usize = 5;

pub(super) use gaps::{Gaps, is_gift, without_answers};
pub(super) use names::names_question_kind;
pub(super) use rows::{of_rows, of_sheet, of_tabbed, tabbed_rows};
pub(super) use text::{Segment, answer_in_brackets, parted, verdict_in_brackets};

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
    let draft = Draft::read(object, at, in_quiz, &Learned::of(std::iter::once(object), in_quiz))?;
    Some(ask(vec![(at.clone(), draft)], phrases))
}

/// What the members of an object come to that is a question; none where it is none.
pub(super) fn of_members<'v>(
    members: impl Iterator<Item = (&'v str, &'v Value, Pointer)>,
    at: &Pointer,
    phrases: &Phrases,
) -> Option<Vec<(Pointer, Body)>> {
    let draft = Draft::of_members(members, false, &Learned::default())?;
    Some(ask(vec![(at.clone(), draft)], phrases))
}

/// Whether an object is content of H5P.
pub(super) fn is_h5p(object: &Map<String, Value>) -> bool {
    h5p::is_content(object)
}

/// Whether a word of a name says that it is a quiz: "serie_test". What has such a name may also be about tests.
pub(super) fn may_name_quiz(name: &str) -> bool {
    names::words(name).iter().any(|word| Roles::of_word(word).has(Role::Quiz))
}

/// Whether a member beside a question is no part of it.
pub(super) fn is_apart(name: &str) -> bool {
    let words = names::words(name);
    let told = words
        .iter()
        .map(|word| Roles::of_word(word))
        .any(|roles| roles.has(Role::Hint) || roles.has(Role::Explanation));
    names::part(name) == Part::Other && !has_role(name, Role::Hint) && !told
}

/// Whether a member beside a quiz holds its keys.
pub(super) fn is_key(name: &str) -> bool {
    names::part(name) == Part::Key && !has_role(name, Role::Question)
}

/// What an array of objects comes to; none where it is no quiz. Of a quiz, what is not understood is left out.
pub(super) fn of_array(
    values: &[Value],
    at: &Pointer,
    in_quiz: bool,
    phrases: &Phrases,
) -> Option<Vec<(Pointer, Body)>> {
    if in_quiz && values::is_matching(values) {
        let questions = matched("", &values::pairs(&Value::from(values)), at, phrases);
        return Some(vec![(at.clone(), Body::Questions(questions))]);
    }
    match of_records(values, at, in_quiz, phrases) {
        Asked::All(found) => Some(found),
        Asked::Each(_) | Asked::Nothing => None,
    }
}

/// What the objects of an array ask.
pub(super) enum Asked {
    /// They are a quiz.
    All(Vec<(Pointer, Body)>),
    /// Questions stand between pages of another kind; there is an entry for each value.
    Each(Vec<Option<Vec<(Pointer, Body)>>>),
    Nothing,
}

/// What an array of records asks. Of a quiz, what is not understood is left out.
pub(super) fn of_records(values: &[Value], at: &Pointer, in_quiz: bool, phrases: &Phrases) -> Asked {
    let objects = || values.iter().enumerate().filter_map(|(index, value)| Some((at.index(index), value.as_object()?)));
    if objects().any(|(_, object)| h5p::is_content(object)) {
        return Asked::All(objects().flat_map(|(at, object)| h5p::read(object, &at, phrases)).collect());
    }
    if let Some(found) = rows::of_lines_in_records(values, at, phrases) {
        return Asked::All(found);
    }
    let named = objects().filter(|(_, object)| is_of_a_kind(object)).count();
    let in_quiz = in_quiz || named > 0 && named * 2 >= objects().count();
    let drafts = drafts(values, at, in_quiz);
    let found = drafts.iter().flatten().count();
    if found == 0 {
        return Asked::Nothing;
    }
    if found * 10 >= objects().count() * 8 {
        return Asked::All(ask(drafts.into_iter().flatten().collect(), phrases));
    }
    let base = base_of(drafts.iter().flatten());
    Asked::Each(drafts.into_iter().map(|draft| draft.map(|draft| finish(vec![draft], base, phrases))).collect())
}

/// Whether an object says that it is a question of some kind.
fn is_of_a_kind(object: &Map<String, Value>) -> bool {
    object.iter().any(|(name, value)| {
        value.as_str().is_some_and(names_question_kind) && (names_a_kind(name) || names::part(name) == Part::Type)
    })
}

/// Whether values ask something by themselves: some have a member that is called a question, or all are pairs with a left and a right side.
pub(super) fn ask_by_themselves(values: &[Value]) -> bool {
    names_questions(values) || values::is_matching(values)
}

/// Whether some of the objects have a member that is called a question.
pub(super) fn names_questions(values: &[Value]) -> bool {
    values
        .iter()
        .filter_map(Value::as_object)
        .any(|object| object.keys().any(|name| names::part(name) == Part::Question))
}

/// The questions among the values of an array. Where some are questions, so is what has the same members.
fn drafts(values: &[Value], at: &Pointer, in_quiz: bool) -> Vec<Option<(Pointer, Draft)>> {
    let objects: Vec<Option<&Map<String, Value>>> = values.iter().map(Value::as_object).collect();
    // Elsewhere than in a quiz a record alone says too little of what it is.
    let families = if in_quiz { families(&objects) } else { vec![0; objects.len()] };
    let mut of_family: BTreeMap<usize, Vec<&Map<String, Value>>> = BTreeMap::new();
    for (object, family) in objects.iter().zip(&families) {
        of_family.entry(*family).or_default().extend(object);
    }
    let learned: BTreeMap<usize, Learned<'_>> =
        of_family.iter().map(|(family, records)| (*family, Learned::of(records.iter().copied(), in_quiz))).collect();
    let read = |index: usize, in_quiz: bool| {
        let place = at.index(index);
        let draft = Draft::read(objects[index]?, &place, in_quiz, &learned[&families[index]])?;
        Some((place, draft))
    };
    let mut drafts: Vec<Option<(Pointer, Draft)>> = (0..values.len()).map(|index| read(index, in_quiz)).collect();
    let asking: Vec<(String, &Map<String, Value>)> = drafts
        .iter()
        .zip(&objects)
        .filter_map(|(draft, object)| Some((draft.as_ref()?.1.question_member()?, (*object)?)))
        .take(MOST_ALIKE)
        .collect();
    let alike = |object: &Map<String, Value>, learned: &Learned<'_>| {
        asking.iter().any(|(question, other)| {
            let shared = object.keys().filter(|name| other.contains_key(*name)).count();
            let text = object.get(question).map(values::text_of).unwrap_or_default();
            // A page of text has another kind, asks nothing and has no answer.
            let asked = learned::is_asked(&text);
            let of_one_kind = object.iter().all(|(name, value)| {
                !names_a_kind(name) || other.get(name).is_none_or(|theirs| theirs == value || asked)
            });
            let answered = object.keys().any(|name| {
                matches!(
                    learned.part(name),
                    Part::Options | Part::Key | Part::Pairs | Part::Accepted | Part::Explanation
                )
            });
            !text.is_empty() && of_one_kind && (answered || asked) && shared * 3 >= object.len() + other.len() - shared
        })
    };
    let some = drafts.iter().any(Option::is_some);
    for index in 0..values.len() {
        let learned = &learned[&families[index]];
        let asks = |object: &Map<String, Value>| {
            learned.asks_throughout()
                || (some || learned.wraps_deeply()) && learned.is_wrapped(object)
                || alike(object, learned)
        };
        if drafts[index].is_none() && objects[index].is_some_and(asks) {
            drafts[index] = read(index, true);
        }
    }
    drafts
}

/// The family of each record, by the place of its first one. Records that share no member's name but that of an id are of different making, as in
/// a list that its author wrote on several days, and are understood apart.
fn families(objects: &[Option<&Map<String, Value>>]) -> Vec<usize> {
    let mut families: Vec<usize> = (0..objects.len()).collect();
    let mut known: HashMap<&str, usize> = HashMap::new();
    // Each look halves the way to the first one.
    let root = |families: &mut [usize], mut at: usize| {
        while families[at] != at {
            families[at] = families[families[at]];
            at = families[at];
        }
        at
    };
    let says_nothing = |name: &str| names::is_id(name) || names::part(name) == Part::Type;
    for (at, object) in objects.iter().enumerate() {
        for name in object.iter().flat_map(|object| object.keys()).filter(|name| !says_nothing(name)) {
            let (one, other) = (root(&mut families, at), root(&mut families, *known.entry(name).or_insert(at)));
            families[one.max(other)] = one.min(other);
        }
    }
    (0..objects.len()).map(|at| root(&mut families, at)).collect()
}

/// The questions of a quiz, which are understood together: one that counts from 0 says how the others count.
fn ask(drafts: Vec<(Pointer, Draft)>, phrases: &Phrases) -> Vec<(Pointer, Body)> {
    let base = base_of(drafts.iter());
    finish(drafts, base, phrases)
}

fn base_of<'d>(drafts: impl Iterator<Item = &'d (Pointer, Draft)>) -> Option<keys::Base> {
    let all: Vec<(&[values::Choice], &[keys::Key])> =
        drafts.map(|(_, draft)| (&draft.choices[..], &draft.keys[..])).collect();
    keys::base(&all)
}

fn finish(drafts: Vec<(Pointer, Draft)>, base: Option<keys::Base>, phrases: &Phrases) -> Vec<(Pointer, Body)> {
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

/// Gives an answer that stands apart to a question, and what is said behind it: "b. Nobody reads a man." With options it has
/// to name one of them.
pub(super) fn answer(question: &mut Question, text: &str) {
    let text = text.trim();
    if text.is_empty() || !question.answers.is_empty() {
        return;
    }
    // "St. Petersburg" and "2(x + 3)" are whole.
    let short = |first: &str| {
        let last = first.split_whitespace().next_back().unwrap_or_default();
        let whole = last.chars().count() >= SHORTEST_LAST || last.bytes().all(|byte| byte.is_ascii_digit());
        whole && first.split_whitespace().count() <= MOST_SHORT || keys::verdict_of(first).is_some()
    };
    let ends = text.match_indices(['.', '!', '。']).find(|(at, end)| {
        let behind = text[at + end.len()..].trim_start_matches('*');
        let mut rest = behind.chars();
        *end == "。" || rest.next() == Some(' ') && rest.next().is_some_and(char::is_uppercase)
    });
    let parted = ends.map(|(at, end)| (text[..at].trim(), text[at + end.len()..].trim_start_matches('*').trim()));
    if question.options.is_empty() {
        let (told, rest) = parted.filter(|(first, rest)| short(first) && !rest.is_empty()).unwrap_or((text, ""));
        // "P(A|B)" and "ls | wc" are whole.
        let word = |part: &str| {
            !part.is_empty()
                && part.trim() == part
                && part.chars().all(|sign| sign.is_alphanumeric() || " -'’.".contains(sign))
        };
        let parts: Vec<String> = if told.split('|').all(word) {
            told.split('|').map(str::to_owned).collect()
        } else {
            vec![told.to_owned()]
        };
        question.answers = parts;
        question.explanation = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
        return;
    }
    let choices: Vec<values::Choice> = values::choices(&Value::from(question.options.clone()));
    let named = |text: &str| {
        let key = keys::Key::new("answer", &Value::from(text));
        keys::right(&choices, &[key], None)
    };
    let (mut right, mut rest) = (named(text), "");
    if let (true, Some((first, behind))) = (right.is_empty(), parted) {
        (right, rest) = (named(first), behind);
    }
    question.explanation = Some(rest.to_owned()).filter(|rest| !rest.is_empty() && !right.is_empty());
    question.answers = right.into_iter().map(|at| question.options[at].clone()).collect();
}

#[cfg(test)]
mod tests;
