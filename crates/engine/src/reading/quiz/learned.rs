//! Members of a quiz whose names nobody knows, told by their values: one of them is a list, and another one names a value
//! of it. What may be a number of points or of a page is no key.

use language::sentences::asks;
use serde_json::{Map, Value};

use super::super::names::{Role, Roles};
use super::keys::Key;
use super::letters::{in_one_line, names_place};
use super::names::{Part, is_flag, is_id, is_index, is_ordinal, part};
use super::values::{Choice, choices};

/// Most questions that are looked at.
const MOST_LOOKED_AT: usize = 50;
/// Most members of a question.
const MOST_MEMBERS: usize = 40;
/// Most options of a question.
const MOST_OPTIONS: usize = 12;

/// What the members of a quiz are whose names say nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Learned<'v> {
    question: Option<&'v str>,
    options: Option<&'v str>,
    key: Option<&'v str>,
    /// Is called answers, and holds the options.
    answers: Option<&'v str>,
    is_certain: bool,
}

impl<'v> Learned<'v> {
    /// Of the objects of an array. Elsewhere than `in_quiz` something must be asked: a list of cities beside a capital is no
    /// quiz.
    pub(super) fn of(objects: impl Iterator<Item = &'v Map<String, Value>>, in_quiz: bool) -> Self {
        let objects: Vec<&Map<String, Value>> = objects.take(MOST_LOOKED_AT).collect();
        if objects.iter().any(|object| object.len() > MOST_MEMBERS) {
            return Self::default();
        }
        let unknown = unknown(&objects);
        let texts = |name: &str| objects.iter().filter_map(|object| object.get(name)?.as_str()).collect::<Vec<_>>();
        let asking = |name: &&str| {
            let asked = texts(name).iter().filter(|text| asks(text) || text.contains("__")).count();
            asked > 0 && asked * 2 >= objects.len()
        };
        let names = |wanted: Part| {
            let named = |name: &&String| part(name) == wanted;
            objects.iter().flat_map(|object| object.keys()).find(named).map(String::as_str)
        };
        let mut learned = Self::default();
        let asked = names(Part::Question);
        if asked.is_none() && !in_quiz && !unknown.iter().any(asking) {
            return learned;
        }
        // A list of answers may be the options of a key that has another name, or that nobody knows.
        let answers = objects.iter().flat_map(|object| object.keys()).find(|name| {
            let mut values = objects.iter().filter_map(|object| object.get(name.as_str()));
            part(name) == Part::Key && values.all(|value| options_of(value).is_some())
        });
        let answers = answers.map(String::as_str);
        let key = objects.iter().flat_map(|object| object.keys()).map(String::as_str);
        let key = key.clone().find(|name| part(name) == Part::Key && answers != Some(*name));
        let listed = names(Part::Options).or(answers);
        if let Some(options) = listed {
            learned.key = if key.is_none() { key_of(&objects, &unknown, options) } else { None };
            learned.is_certain =
                key.or(learned.key).is_some_and(|key| named_by(&objects, options, key) != Names::Nothing);
            learned.answers = answers.filter(|_| learned.is_certain && names(Part::Options).is_none());
        } else {
            let lists = unknown.iter().copied().filter(|name| {
                let mut values = objects.iter().filter_map(|object| object.get(*name)).peekable();
                values.peek().is_some() && values.all(|value| options_of(value).is_some())
            });
            let flagged = |list: &str| {
                let values = objects.iter().filter_map(|object| object.get(list));
                let mut listed = values.map(choices).peekable();
                listed.peek().is_some() && listed.all(|choices| choices.iter().any(|choice| choice.worth.is_some()))
            };
            let named = |list: &'v str| match key {
                _ if flagged(list) => Some(list),
                Some(key) => Some(key).filter(|key| named_by(&objects, list, key) != Names::Nothing),
                None => key_of(&objects, &unknown, list),
            };
            if let Some((list, found)) = lists.into_iter().find_map(|list| Some((list, named(list)?))) {
                learned.options = Some(list);
                learned.key = Some(found).filter(|found| key.is_none() && *found != list);
                learned.is_certain = true;
            }
        }
        if learned.is_certain && key.is_none() && learned.key.is_none() {
            learned.key = verdict_of(&objects, &unknown, learned.options.or(listed));
        }
        if asked.is_none() {
            let named = [learned.options, learned.key, learned.answers];
            let others = || unknown.iter().copied().filter(|name| !named.contains(&Some(*name)));
            let worded = |name: &&str| objects.iter().all(|object| object.get(*name).is_some_and(is_worded));
            learned.question = others().find(asking).or_else(|| others().find(worded).filter(|_| learned.is_certain));
        }
        learned
    }

    /// What a member is by its name, and else by its values.
    pub(super) fn part(&self, name: &str) -> Part {
        match part(name) {
            Part::Other if self.question == Some(name) => Part::Question,
            Part::Other if self.options == Some(name) => Part::Options,
            Part::Other if self.key == Some(name) => Part::Key,
            Part::Key if self.answers == Some(name) => Part::Options,
            known => known,
        }
    }
}

/// What the values of a member name among the options beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Nothing,
    /// Places, counted from 0 for sure.
    Places,
    /// Options, by their texts or letters.
    Options,
}

/// The names of members that nobody knows, in the order of the source.
fn unknown<'v>(objects: &[&'v Map<String, Value>]) -> Vec<&'v str> {
    let mut names: Vec<&str> = Vec::new();
    for name in objects.iter().flat_map(|object| object.keys()) {
        let roles = Roles::of(name);
        let told = [Role::Hint, Role::Teacher, Role::Technical, Role::Metadata].into_iter().any(|role| roles.has(role));
        if part(name) == Part::Other && !told && !is_flag(name) && !is_id(name) && !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn options_of(value: &Value) -> Option<Vec<Choice>> {
    let listed = match value {
        Value::Array(_) => choices(value),
        Value::Object(members) if members.keys().enumerate().all(|(at, label)| names_place(label, at)) => {
            choices(value)
        }
        Value::String(text) if in_one_line(text).is_some() => choices(value),
        _ => Vec::new(),
    };
    let mut texts: Vec<&str> = listed.iter().map(|choice| choice.text.as_str()).collect();
    texts.sort_unstable();
    texts.dedup();
    (texts.len() == listed.len() && (2..=MOST_OPTIONS).contains(&texts.len())).then_some(listed)
}

/// The one member that names options of a list.
fn key_of<'v>(objects: &[&'v Map<String, Value>], unknown: &[&'v str], options: &str) -> Option<&'v str> {
    let candidates: Vec<(&str, Names)> = unknown
        .iter()
        .copied()
        .filter(|name| *name != options)
        .map(|name| (name, named_by(objects, options, name)))
        .collect();
    [Names::Options, Names::Places].into_iter().find_map(|kind| {
        let mut of_kind = candidates.iter().filter(|(_, found)| *found == kind);
        of_kind.next().filter(|_| of_kind.next().is_none()).map(|(name, _)| *name)
    })
}

/// The one member that is true or false, and stands only in questions without options.
fn verdict_of<'v>(objects: &[&'v Map<String, Value>], unknown: &[&'v str], options: Option<&str>) -> Option<&'v str> {
    let judges = |name: &&str| {
        let mut beside = objects.iter().filter_map(|object| Some((object.get(*name)?, *object)));
        beside.all(|(value, object)| value.is_boolean() && options.is_none_or(|options| !object.contains_key(options)))
    };
    let mut names = unknown.iter().copied().filter(judges);
    names.next().filter(|_| names.next().is_none())
}

/// What a member names among the options of the same questions; the same in all of them. Letters and numbers may mean
/// something else, a section or a penalty, unless they differ.
fn named_by(objects: &[&Map<String, Value>], options: &str, key: &str) -> Names {
    let (mut asked, mut named, mut said) = (0, 0, false);
    let mut places: Vec<Vec<usize>> = Vec::new();
    let mut values: Vec<&Value> = Vec::new();
    for object in objects {
        let Some(listed) = object.get(options).map(choices).filter(|listed| listed.len() > 1) else { continue };
        let Some(value) = object.get(key) else { return Names::Nothing };
        asked += 1;
        if !values.contains(&value) {
            values.push(value);
        }
        let found = Key::new(key, value);
        if value.is_string() || value.is_array() {
            named += usize::from(found.named(&listed).is_some());
            let text = |text: &Value| text.as_str().is_some_and(|text| listed.iter().any(|choice| choice.text == text));
            said |= text(value) || value.as_array().is_some_and(|values| values.iter().any(text));
        }
        match found.numbers() {
            Some(numbers) if numbers.iter().all(|number| *number <= listed.len()) => places.push(numbers),
            _ if named == 0 => return Names::Nothing,
            _ => {}
        }
    }
    let differ = values.len() > 1;
    if asked > 0 && named == asked && (said || differ || part(key) == Part::Key) {
        return Names::Options;
    }
    // A number of points is never 0, and has another name.
    let from_zero = differ && places.iter().flatten().any(|number| *number == 0) || is_index(key) || is_ordinal(key);
    let is_numbering = places.len() > 1 && places.iter().enumerate().all(|(at, numbers)| numbers[..] == [at]);
    if asked > 0 && places.len() == asked && from_zero && !is_numbering { Names::Places } else { Names::Nothing }
}

/// Words of a sentence, and no code.
fn is_worded(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let code = text.contains(|digit: char| digit.is_ascii_digit()) && !text.contains(char::is_whitespace);
    text.chars().filter(|letter| letter.is_alphabetic()).count() > 3 && !(code && text.contains(['-', '_']))
}
