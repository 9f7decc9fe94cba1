//! Texts, options and pairs in the values of a quiz.

use serde_json::{Map, Value};

use super::super::flat::flat_text;
use super::super::inline::{MarkKind, keep_lines, squeeze};
use super::super::{html, markdown};
use super::gaps::without_answers;
use super::letters::{self, names_place, split_letter};
use super::names::{self, Part, inner_text, is_flag, is_id, option_text, side};

/// Deepest object around a text.
const DEEPEST: usize = 4;
/// Least share of the points that an answer is given for, in percent; smaller numbers count the options.
const FEWEST_PERCENT: f64 = 20.0;
/// What stands in front of an option that is right.
const MARKS: [&str; 4] = ["*", "✓", "✔", "✅"];

/// An option.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) text: String,
    /// What keys may call it, beside its place.
    pub(super) labels: Vec<String>,
    /// How right the source says it is.
    pub(super) worth: Option<f64>,
    /// It is a number in the source.
    pub(super) is_number: bool,
}

impl Choice {
    pub(super) fn named(text: String, label: &str) -> Self {
        Self { text, labels: vec![label.to_owned()], worth: None, is_number: false }
    }
}

/// The text of a value, also of one that is wrapped in objects; without markup.
pub(super) fn text_of(value: &Value) -> String {
    text_within(value, DEEPEST)
}

fn text_within(value: &Value, deepest: usize) -> String {
    match value {
        Value::String(text) => with_code(text),
        Value::Number(number) => number.to_string(),
        Value::Array(values) if deepest > 0 => {
            let texts: Vec<String> = values.iter().take(8).map(|value| text_within(value, deepest - 1)).collect();
            texts.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(" ")
        }
        Value::Object(members) if deepest > 0 => {
            let mut inner: Vec<(usize, &Value)> =
                members.iter().filter_map(|(name, value)| Some((inner_text(name)?, value))).collect();
            inner.sort_by_key(|(likely, _)| *likely);
            // `{"Text": "", "Html": "<p>…</p>"}`.
            let mut texts = inner.into_iter().map(|(_, value)| text_within(value, deepest - 1));
            texts.find(|text| !text.is_empty()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// A text without its markup, and with the lines of the code that stands between fences.
fn with_code(text: &str) -> String {
    if is_name_of_python(text.trim()) {
        return text.trim().to_owned();
    }
    let parts: Vec<&str> = text.split("```").collect();
    if parts.len() < 3 || parts.len().is_multiple_of(2) {
        return match code_below(text) {
            Some((words, code)) => format!("{}\n{}", flat_text(words), keep_lines(code)),
            None => flat_text(text),
        };
    }
    let read = |(at, part): (usize, &&str)| match at % 2 {
        0 => flat_text(part),
        // The first line has the name of the language, or nothing.
        _ => keep_lines(part.split_once('\n').map_or(*part, |(_, code)| code)),
    };
    let parts = parts.iter().enumerate().map(read).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

/// The lines of a program below the words of a question, without fences.
fn code_below(text: &str) -> Option<(&str, &str)> {
    let (words, code) = text.split_once("\n\n").or_else(|| text.split_once("\r\n\r\n"))?;
    let is_code = !text.contains("```")
        && code.trim().contains('\n')
        && markdown::looks_like_code(code)
        && !html::looks_like(text);
    is_code.then_some((words, code))
}

/// "__init__": a name of Python's data model, and not an emphasised word.
fn is_name_of_python(text: &str) -> bool {
    const NAMES: &str = "add aenter aexit aiter all anext await bool bytes call class contains del delattr delete delitem \
        dict dir doc enter eq exit file format ge get getattr getattribute getitem gt hash import init \
        init_subclass iter le len lt main missing mod module mul name ne new next post_init pow repr \
        reversed set setattr setitem slots str sub truediv version";
    let name = text.strip_prefix("__").and_then(|text| text.strip_suffix("__"));
    name.is_some_and(|name| NAMES.split(' ').any(|known| known == name))
}

/// The text of a question. Code among its words keeps its marks: "What happens to `a` after `let b = a;`?"
pub(super) fn question_of(value: &Value) -> String {
    let Value::String(text) = value else { return text_of(value) };
    if let Some((words, code)) = code_below(text) {
        return format!("{}\n{}", question_of(&Value::from(words)), keep_lines(code));
    }
    if !text.contains('`') || text.contains("```") || html::looks_like(text) {
        return text_of(value);
    }
    let passage = markdown::inline(&without_answers(text));
    let mut marked = String::with_capacity(text.len());
    let mut from = 0;
    for mark in passage.marks.iter().filter(|mark| mark.kind == MarkKind::Code) {
        marked.push_str(&passage.text[from..mark.start]);
        marked.extend(["`", &passage.text[mark.start..mark.end], "`"]);
        from = mark.end;
    }
    marked.push_str(&passage.text[from..]);
    squeeze(&marked)
}

/// The same with its markup; empty where the value is no single text.
pub(super) fn raw_text(value: &Value) -> String {
    let mut value = value;
    for _ in 0..DEEPEST {
        let Value::Object(members) = value else { break };
        let is_filled = |value: &Value| value.as_str() != Some("");
        let inner = members.iter().filter_map(|(name, value)| Some((inner_text(name)?, value)));
        match inner.filter(|(_, value)| is_filled(value)).min_by_key(|(likely, _)| *likely) {
            Some((_, inner)) => value = inner,
            None => break,
        }
    }
    value.as_str().unwrap_or_default().to_owned()
}

/// The options of a list or of an object with their names.
pub(super) fn choices(value: &Value) -> Vec<Choice> {
    let mut choices: Vec<Choice> = match value {
        Value::Array(values) => {
            let mut choices: Vec<Choice> = values.iter().map(choice).collect();
            if choices.iter().all(|choice| choice.worth.is_none()) {
                flag_by_values(values, &mut choices);
            }
            choices
        }
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| {
                let mut choice = choice(value);
                choice.labels.insert(0, name.clone());
                choice
            })
            .collect(),
        Value::String(text) => match written(text) {
            Some(value) => choices(&value),
            None => letters::in_one_line(text)
                .unwrap_or_else(|| lines(text))
                .into_iter()
                .map(|text| choice(&Value::String(text.to_owned())))
                .collect(),
        },
        _ => Vec::new(),
    };
    choices.retain(|choice| !choice.text.is_empty());
    strip_letters(&mut choices);
    choices
}

/// The list that a text writes out in JSON.
pub(super) fn written(text: &str) -> Option<Value> {
    let text = text.trim();
    let value = || serde_json::from_str::<Value>(text).ok().filter(Value::is_array);
    (text.starts_with('[') && text.ends_with(']')).then(value).flatten()
}

/// "*Paris", "Rome": where nothing else does, a mark in front of an option says that it is right. "*p" beside "p" does not.
pub(super) fn strip_marks(choices: &mut [Choice]) {
    let bare = |text: &str| {
        let bare = MARKS.iter().find_map(|mark| text.strip_prefix(*mark))?.trim_start();
        Some(bare.to_owned()).filter(|bare| bare.starts_with(char::is_alphanumeric))
    };
    let marked = choices.iter().filter(|choice| bare(&choice.text).is_some()).count();
    let mut texts: Vec<String> =
        choices.iter().map(|choice| bare(&choice.text).unwrap_or_else(|| choice.text.clone())).collect();
    texts.sort_unstable();
    texts.dedup();
    if texts.len() < choices.len()
        || marked == 0
        || marked == choices.len()
        || choices.iter().any(|choice| choice.worth.is_some())
    {
        return;
    }
    for choice in choices {
        let right = bare(&choice.text);
        choice.worth = Some(f64::from(u8::from(right.is_some())));
        choice.text = right.unwrap_or_else(|| std::mem::take(&mut choice.text));
    }
}

/// Options that are written into one text: on lines, or between bars, semicolons or spaced slashes.
fn lines(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match &lines[..] {
        [only] => [" | ", "|", ";", " / "]
            .iter()
            .map(|mark| only.split(*mark).collect::<Vec<_>>())
            .find(|parts| parts.len() > 1)
            .unwrap_or_default(),
        _ => lines,
    }
}

fn choice(value: &Value) -> Choice {
    // `["Paris", 100]`: a text and its worth.
    if let Value::Array(pair) = value
        && let [Value::String(text), worth @ (Value::Number(_) | Value::Bool(_))] = &pair[..]
    {
        let worth = worth.as_f64().or_else(|| worth.as_bool().map(f64::from));
        return Choice { text: flat_text(text), labels: Vec::new(), worth, is_number: false };
    }
    // `[100, "Paris", "Right!"]`: the worth first, and a remark last. `[1, "Paris"]` has a number.
    if let Value::Array(row) = value
        && let [Value::Number(worth), Value::String(text), ..] = &row[..]
        && worth.as_f64().is_some_and(|worth| worth == 0.0 || (FEWEST_PERCENT..=100.0).contains(&worth))
    {
        return Choice { text: flat_text(text), labels: Vec::new(), worth: worth.as_f64(), is_number: false };
    }
    let Value::Object(members) = value else {
        return Choice { text: text_of_scalar(value), labels: Vec::new(), worth: None, is_number: value.is_number() };
    };
    let worth = worth_of(members).or_else(|| members.values().filter_map(Value::as_object).find_map(worth_of));
    let texts = members.iter().filter_map(|(name, value)| Some((option_text(name)?, value)));
    let mut texts: Vec<(usize, String)> = texts.map(|(likely, value)| (likely, text_of(value))).collect();
    texts.retain(|(_, text)| !text.is_empty());
    let known = texts.into_iter().min_by_key(|(likely, _)| *likely).map(|(_, text)| text);
    let text = known.unwrap_or_else(|| only_text(members));
    let is_label = |name: &str, value: &Value| is_id(name) || value.as_str().is_some_and(is_letter);
    let ids = members.iter().filter(|(name, value)| is_label(name, value)).map(|(_, value)| text_of_scalar(value));
    let labels = ids.filter(|label| !label.is_empty() && *label != text).collect();
    Choice { text, labels, worth, is_number: false }
}

/// A member whose name nobody knows, and which is true of some options and false of the others, says which are right.
fn flag_by_values(values: &[Value], choices: &mut [Choice]) {
    let Some(objects) = values.iter().map(Value::as_object).collect::<Option<Vec<_>>>() else { return };
    let names = objects.first().into_iter().flat_map(|first| first.keys()).filter(|name| !is_id(name));
    let flags = |name: &String| -> Option<Vec<f64>> {
        let flag = |value: &Value| value.as_bool().map(f64::from).or_else(|| value.as_f64());
        let flags: Option<Vec<f64>> = objects.iter().map(|object| object.get(name).and_then(flag)).collect();
        flags.filter(|flags| {
            let is = |wanted: f64| flags.iter().any(|flag| (flag - wanted).abs() < f64::EPSILON);
            is(0.0)
                && is(1.0)
                && flags.iter().all(|flag| flag.fract().abs() < f64::EPSILON && (0.0..=1.0).contains(flag))
        })
    };
    let mut found = names.filter_map(flags);
    let (Some(flags), None) = (found.next(), found.next()) else { return };
    choices.iter_mut().zip(flags).for_each(|(choice, flag)| choice.worth = Some(flag));
}

fn text_of_scalar(value: &Value) -> String {
    match value {
        Value::Bool(yes) => yes.to_string(),
        value => text_of(value),
    }
}

/// The one text among members whose names nobody knows.
fn only_text(members: &Map<String, Value>) -> String {
    let is_text = |name: &str, value: &Value| value.as_str().is_some_and(|text| !is_letter(text)) && !is_id(name);
    let mut texts = members.iter().filter(|(name, value)| is_text(name, value)).map(|(_, value)| value);
    match (texts.next(), texts.next()) {
        (Some(only), None) => text_of(only),
        _ => String::new(),
    }
}

/// A letter by which a key may call an option.
fn is_letter(text: &str) -> bool {
    text.trim().chars().nth(1).is_none() && letters::place_of(text.trim()).is_some()
}

/// How right an option is: a flag, or its share of the points.
fn worth_of(members: &Map<String, Value>) -> Option<f64> {
    let flags = members.iter().filter(|(name, value)| is_flag(name) || *name == "answer" && value.is_boolean());
    flags.filter_map(|(_, value)| worth(value)).next()
}

fn worth(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(right) => Some(f64::from(u8::from(*right))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.trim().trim_end_matches('%').to_lowercase().as_str() {
            "true" | "yes" => Some(1.0),
            "false" | "no" => Some(0.0),
            number => number.parse().ok(),
        },
        _ => None,
    }
}

/// "A) Paris", "B) Rome": the letters become labels.
fn strip_letters(choices: &mut [Choice]) {
    let parted: Option<Vec<(String, String)>> = choices
        .iter()
        .enumerate()
        .map(|(at, choice)| {
            let (label, rest) = split_letter(&choice.text)?;
            names_place(label, at).then(|| (label.to_owned(), rest.to_owned()))
        })
        .collect();
    if let Some(parted) = parted.filter(|parted| parted.len() > 1) {
        for (choice, (label, text)) in choices.iter_mut().zip(parted) {
            choice.text = text;
            choice.labels.push(label);
        }
    }
}

/// The pairs of a matching question.
pub(super) fn pairs(value: &Value) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = match value {
        Value::Array(values) => values.iter().filter_map(pair).collect(),
        // An object with lists is an exercise of its own.
        Value::Object(members) if !members.values().any(|value| value.is_array() || value.is_object()) => {
            members.iter().map(|(left, right)| (flat_text(left), text_of(right))).collect()
        }
        _ => Vec::new(),
    };
    pairs.retain(|(left, right)| !left.is_empty() && !right.is_empty());
    pairs
}

/// Whether a list holds pairs whose members say which side they are, and nothing else that a question has.
pub(super) fn is_matching(values: &[Value]) -> bool {
    let is_side = |name: &str| names::is_side(name, false) || names::is_side(name, true);
    let is_pair = |value: &Value| {
        let Some(members) = value.as_object() else { return false };
        let has = |right: bool| {
            members.iter().any(|(name, value)| names::is_side(name, right) && !value.is_array() && !value.is_object())
        };
        let asks =
            |name: &String| !is_side(name) && matches!(names::part(name), Part::Question | Part::Key | Part::Options);
        has(false) && has(true) && !members.keys().any(asks)
    };
    values.len() > 1 && values.iter().all(is_pair)
}

fn pair(value: &Value) -> Option<(String, String)> {
    match value {
        Value::Array(values) if values.len() == 2 => Some((text_of(&values[0]), text_of(&values[1]))),
        Value::Object(members) => {
            let find = |right: bool| {
                let found = members.iter().filter_map(|(name, value)| Some((side(name, right)?, value)));
                found.min_by_key(|(likely, _)| *likely).map(|(_, value)| text_of(value))
            };
            Some((find(false)?, find(true)?))
        }
        _ => None,
    }
}
