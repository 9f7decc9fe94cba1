//! Members of a quiz whose names nobody knows, told by the words of their names and by their values: one of them is a list,
//! and another one names a value of it. What may be a number of points or of a page is no key.

use language::sentences::asks;
use serde_json::{Map, Value};

use super::super::names::{Role, Roles};
use super::keys::Key;
use super::letters::{in_one_line, names_place};
use super::names::{Part, fallback, is_flag, is_id, is_index, is_keyed, is_ordinal, part, part_by_words};
use super::values::{Choice, choices, written};

/// Most questions that are looked at.
const MOST_LOOKED_AT: usize = 50;
/// Most members of a question.
const MOST_MEMBERS: usize = 40;
/// Most options of a question.
const MOST_OPTIONS: usize = 12;
/// Longest text beside a question, in bytes: behind a longer one, the question is the heading of what is taught.
const LONGEST_BESIDE: usize = 400;
/// Longest text beside an object that holds a whole question, in bytes.
const LONGEST_LABEL: usize = 60;
/// Most objects between a record and the one that holds its options.
const DEEPEST_WRAPPER: usize = 2;
/// Shortest text, in bytes, that teaches where its name says that it is content.
const SHORTEST_CONTENT: usize = 40;

/// What the members of a quiz are whose names say nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Learned<'v> {
    /// Members that only hold what belongs to the question: `{"id": 7, "block": {"text": "…", "source": {"options": […]}}}`.
    wrappers: Vec<&'v str>,
    question: Option<&'v str>,
    options: Option<&'v str>,
    key: Option<&'v str>,
    /// Is called answers, and holds the options.
    answers: Option<&'v str>,
    is_certain: bool,
    /// A member is called a key.
    names_a_key: bool,
    /// Nearly all records ask something, and teach nothing beside it.
    asks_throughout: bool,
}

impl<'v> Learned<'v> {
    /// Of the objects of an array. Elsewhere than `in_quiz` something must be asked: a list of cities beside a capital is no
    /// quiz.
    pub(super) fn of(objects: impl Iterator<Item = &'v Map<String, Value>>, in_quiz: bool) -> Self {
        let objects: Vec<&Map<String, Value>> = objects.take(MOST_LOOKED_AT).collect();
        if objects.iter().any(|object| object.len() > MOST_MEMBERS) {
            return Self::default();
        }
        let wrappers = wrappers(&objects);
        if !wrappers.is_empty() {
            return Self { wrappers, ..Self::default() };
        }
        let unknown = unknown(&objects);
        let asking = |name: &&str| {
            let texts = objects.iter().filter_map(|object| object.get(*name)?.as_str());
            let asked = texts.filter(|text| is_asked(text)).count();
            asked > 0 && asked * 2 >= objects.len()
        };
        let worded = |name: &&str| {
            let mut values = objects.iter().filter_map(|object| object.get(*name)).peekable();
            values.peek().is_some() && values.all(is_worded)
        };
        let named = |wanted: Part| members(&objects).find(|name| part(name) == wanted);
        let worded_question =
            || unknown.iter().copied().filter(worded).find(|name| part_by_words(name) == Part::Question);
        let asked = named(Part::Question).or_else(worded_question);
        let mut learned = Self { names_a_key: named(Part::Key).is_some(), ..Self::default() };
        learned.learn_options(&objects, &unknown);
        if asked.is_none() && !in_quiz && !unknown.iter().any(asking) && !learned.is_lettered(&objects) {
            return Self::default();
        }
        learned.question = asked.or_else(|| {
            let named = [learned.options, learned.key, learned.answers];
            let others = || unknown.iter().copied().filter(|name| !named.contains(&Some(*name)));
            let throughout = |name: &&str| objects.iter().all(|object| object.contains_key(*name));
            let certain = || others().find(|name| worded(name) && throughout(name)).filter(|_| learned.is_certain);
            others().find(asking).or_else(certain)
        });
        learned.asks_throughout = learned.question.is_some_and(|name| asking(&name) && asks_throughout(&objects, name));
        learned
    }

    /// Whether a member only holds what belongs to the question around it.
    pub(super) fn wraps(&self, name: &str) -> bool {
        self.wrappers.contains(&name)
    }

    /// Whether options stand in objects within objects, as only quiz systems have them.
    pub(super) fn wraps_deeply(&self) -> bool {
        self.wrappers.len() > 1
    }

    /// Whether the member that wraps the options of other questions is filled here as well. It must hold no text of its own: that
    /// could teach.
    pub(super) fn is_wrapped(&self, object: &Map<String, Value>) -> bool {
        let mut object = object;
        for (at, name) in self.wrappers.iter().enumerate() {
            let Some(inner) = object.get(*name).and_then(Value::as_object) else { return false };
            let is_last = at + 1 == self.wrappers.len();
            if is_last {
                return !inner.is_empty() && !inner.keys().any(|name| fallback(name).is_some());
            }
            object = inner;
        }
        false
    }

    /// Whether the records are a quiz, even if nothing but its questions is understood.
    pub(super) fn asks_throughout(&self) -> bool {
        self.asks_throughout
    }

    /// Whether letters stand in front of the options: nobody writes other lists in such a way and names entries of them.
    fn is_lettered(&self, objects: &[&Map<String, Value>]) -> bool {
        let Some(options) = self.options.filter(|_| self.is_certain) else { return false };
        let mut listed = objects.iter().filter_map(|object| object.get(options)).map(choices).peekable();
        listed.peek().is_some() && listed.all(|listed| listed.iter().all(|choice| !choice.labels.is_empty()))
    }

    /// Finds the options and the key.
    fn learn_options(&mut self, objects: &[&'v Map<String, Value>], unknown: &[&'v str]) {
        let filled = |name: &str, fits: &dyn Fn(&Value) -> bool| {
            let mut values = objects.iter().filter_map(|object| object.get(name)).peekable();
            values.peek().is_some() && values.all(fits)
        };
        let is_listed = |name: &str| filled(name, &|value| options_of(value).is_some());
        let is_flagged = |name: &str| filled(name, &|value| choices(value).iter().any(|choice| choice.worth.is_some()));
        let of_part = |wanted: Part| members(objects).find(|name| part(name) == wanted);
        // A list of answers may be the options of a key that has another name, or that nobody knows.
        let may_list = |name: &&str| part(name) == Part::Key && !is_keyed(name) && is_listed(name);
        let answers = members(objects).find(may_list);
        let key = members(objects).find(|name| part(name) == Part::Key && answers != Some(*name));
        if let Some(options) = of_part(Part::Options).or(answers) {
            self.key = if key.is_none() { key_of(objects, unknown, options) } else { None };
            self.is_certain = key.or(self.key).is_some_and(|key| named_by(objects, options, key) != Names::Nothing);
            self.answers = answers.filter(|_| self.is_certain && of_part(Part::Options).is_none());
            if self.is_certain && key.is_none() && self.key.is_none() {
                self.key = verdict_of(objects, unknown, Some(options));
            }
            return;
        }
        let named = |list: &'v str| match key {
            _ if is_flagged(list) => Some(list),
            Some(key) => Some(key).filter(|key| named_by(objects, list, key) != Names::Nothing),
            None => key_of(objects, unknown, list),
        };
        let mut lists = unknown.iter().copied().filter(|name| is_listed(name));
        if let Some((list, found)) = lists.find_map(|list| Some((list, named(list)?))) {
            self.options = Some(list);
            self.key = Some(found).filter(|found| key.is_none() && *found != list);
            self.is_certain = true;
            if key.is_none() && self.key.is_none() {
                self.key = verdict_of(objects, unknown, self.options);
            }
        }
    }

    /// What a member is by its name, and else by its values.
    pub(super) fn part(&self, name: &str) -> Part {
        match part(name) {
            Part::Other if self.question == Some(name) => Part::Question,
            Part::Other if self.options == Some(name) => Part::Options,
            Part::Other if self.key == Some(name) => Part::Key,
            Part::Other if self.question.is_some() && self.question != Some(name) => {
                // Of two questions, one is the learner's; and a key that is called one is surer.
                match part_by_words(name) {
                    Part::Question => Part::Other,
                    Part::Key if self.names_a_key => Part::Other,
                    part => part,
                }
            }
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

/// The names of the objects, one within the other, that hold the options of records which hold little else.
fn wrappers<'v>(objects: &[&'v Map<String, Value>]) -> Vec<&'v str> {
    let is_little = |value: &Value| match value {
        Value::String(text) => text.len() <= LONGEST_LABEL,
        Value::Array(values) => values.is_empty(),
        _ => true,
    };
    let holds_options = |(name, value): (&String, &Value)| {
        let many = value.as_array().is_some_and(|values| values.len() > 1);
        many && (part(name) == Part::Options || choices(value).iter().any(|choice| choice.worth.is_some()))
    };
    fn find<'v>(
        object: &'v Map<String, Value>,
        deepest: usize,
        holds_options: &dyn Fn((&String, &Value)) -> bool,
    ) -> Option<Vec<&'v str>> {
        let inside = |(name, value): (&'v String, &'v Value)| {
            let inner = value.as_object()?;
            if inner.iter().any(holds_options) {
                return Some(vec![name.as_str()]);
            }
            let mut path = find(inner, deepest.checked_sub(1)?, holds_options)?;
            path.insert(0, name);
            Some(path)
        };
        let mut found = object.iter().filter_map(inside);
        // Two of them are two questions.
        found.next().filter(|_| found.next().is_none())
    }
    let little = |object: &&Map<String, Value>| object.values().all(is_little);
    let own = |object: &&Map<String, Value>| object.iter().any(holds_options);
    if objects.iter().any(own) || !objects.iter().all(little) {
        return Vec::new();
    }
    objects.iter().find_map(|object| find(object, DEEPEST_WRAPPER, &holds_options)).unwrap_or_default()
}

/// The names of all members, in the order of the source; some come more than once.
fn members<'v>(objects: &[&'v Map<String, Value>]) -> impl Iterator<Item = &'v str> {
    objects.iter().flat_map(|object| object.keys()).map(String::as_str)
}

/// A text that asks, also where a statement follows: "True or false? A whale is a fish."
pub(super) fn is_asked(text: &str) -> bool {
    asks(text) || text.contains("__") || text.len() <= LONGEST_BESIDE && text.contains(['?', '？', '؟'])
}

/// Whether nearly all records have a text of this name, beside something else, and teach nothing. What is not called a question
/// may be a heading, somebody's line or a myth.
fn asks_throughout(objects: &[&Map<String, Value>], question: &str) -> bool {
    let asked = objects.iter().filter(|object| object.get(question).is_some_and(Value::is_string)).count();
    let teaches = |name: &String, value: &Value| {
        let text = value.as_str().unwrap_or_default();
        name != question
            && Roles::of(name).has(Role::Silent)
            && part(name) == Part::Other
            && text.len() > SHORTEST_CONTENT
    };
    objects.len() > 1
        && asked * 10 >= objects.len() * 8
        && (part(question) == Part::Question || part_by_words(question) == Part::Question)
        && objects.iter().any(|object| object.len() > 1)
        && objects.iter().all(|object| {
            object.iter().all(|(name, value)| !teaches(name, value) && (name == question || is_short(value)))
        })
}

/// Whether no text in a value is long.
fn is_short(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= LONGEST_BESIDE,
        Value::Array(values) => values.iter().all(is_short),
        Value::Object(members) => members.values().all(is_short),
        _ => true,
    }
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
        Value::String(text) if in_one_line(text).is_some() || written(text).is_some() => choices(value),
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
