//! Which options a key means. A key that can mean two things means none.

use language::normal::normal;
use serde_json::Value;

use super::super::names::{Role, has_role, unaccented};
use super::letters::{names_place, place_of, split_letter};
use super::names::{is_index, is_ordinal};
use super::values::{Choice, text_of};

/// Signs that say that something is true or false.
const SIGNS: [(&str, bool); 8] =
    [("○", true), ("〇", true), ("◯", true), ("✓", true), ("×", false), ("✕", false), ("✗", false), ("❌", false)];

/// What the numbers of keys count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Zero,
    One,
}

/// A key as the source has it.
#[derive(Debug, Clone)]
pub(super) struct Key {
    /// Its name says that it counts from 0.
    pub(super) is_index: bool,
    /// Its name says that it counts from 1.
    is_ordinal: bool,
    /// Its name may also be that of an id.
    pub(super) is_doubtful: bool,
    pub(super) value: Value,
}

impl Key {
    pub(super) fn new(name: &str, value: &Value) -> Self {
        Self {
            is_index: is_index(name),
            is_ordinal: is_ordinal(name),
            is_doubtful: has_role(name, Role::Id),
            value: value.clone(),
        }
    }

    /// The numbers that a key consists of.
    pub(super) fn numbers(&self) -> Option<Vec<usize>> {
        let number = |value: &Value| match value {
            Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        match &self.value {
            Value::Array(values) if !values.is_empty() => values.iter().map(number).collect(),
            value => number(value).map(|number| vec![number]),
        }
    }

    /// The options that it names by text, label or letter.
    pub(super) fn named(&self, choices: &[Choice]) -> Option<Vec<usize>> {
        if self.is_index && self.numbers().is_some() {
            return None;
        }
        match &self.value {
            Value::Array(values) if !values.is_empty() => {
                let all: Option<Vec<Vec<usize>>> = values.iter().map(|value| named(value, choices)).collect();
                Some(sorted(all?.concat()))
            }
            value => named(value, choices),
        }
    }
}

/// The options that are right by their flags.
fn flagged(choices: &[Choice]) -> Option<Vec<usize>> {
    let most = choices.iter().filter_map(|choice| choice.worth).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let right = choices.iter().enumerate().filter(|(_, choice)| choice.worth.is_some_and(|worth| worth >= most));
    Some(right.map(|(at, _)| at).collect())
}

/// The right options as far as no counting is needed. The outer `None` says that the keys contradict each other.
pub(super) fn certain(choices: &[Choice], keys: &[Key]) -> Option<Option<Vec<usize>>> {
    let mut found = flagged(choices);
    for key in keys {
        if let Some(named) = key.named(choices) {
            match &found {
                Some(known) if *known != named => return None,
                _ => found = Some(named),
            }
        }
    }
    Some(found)
}

/// What the numbers of the keys of a quiz count from, where its questions leave no doubt.
pub(super) fn base(questions: &[(&[Choice], &[Key])]) -> Option<Base> {
    let (mut zero, mut one) = (false, false);
    let (mut index, mut ordinal) = (false, false);
    for (choices, keys) in questions.iter().filter(|(choices, _)| !choices.is_empty()) {
        let known = certain(choices, keys).flatten();
        for key in keys.iter().filter(|key| key.named(choices).is_none()) {
            let Some(numbers) = key.numbers() else { continue };
            let numbers = sorted(numbers);
            zero |= numbers.contains(&0);
            one |= numbers.contains(&choices.len());
            index |= key.is_index;
            ordinal |= key.is_ordinal;
            if let Some(known) = &known {
                zero |= numbers == *known;
                one |= numbers.iter().map(|number| number.checked_sub(1)).collect::<Option<Vec<_>>>()
                    == Some(known.clone());
            }
        }
    }
    match (zero, one) {
        (true, false) => Some(Base::Zero),
        (false, true) => Some(Base::One),
        (false, false) if index && !ordinal => Some(Base::Zero),
        (false, false) if ordinal && !index => Some(Base::One),
        _ => None,
    }
}

/// The right options; none where that is in doubt.
pub(super) fn right(choices: &[Choice], keys: &[Key], base: Option<Base>) -> Vec<usize> {
    let Some(certain) = certain(choices, keys) else { return Vec::new() };
    let counted = keys.iter().filter(|key| key.named(choices).is_none()).find_map(|key| {
        let base = base?;
        let places = key.numbers()?.into_iter().map(|number| match base {
            Base::Zero => Some(number),
            Base::One => number.checked_sub(1),
        });
        places
            .collect::<Option<Vec<usize>>>()
            .filter(|places| places.iter().all(|place| *place < choices.len()))
            .map(sorted)
    });
    let found = match (certain, counted) {
        (Some(named), Some(counted)) if named != counted => Vec::new(),
        (Some(named), _) => named,
        (None, counted) => counted.unwrap_or_default(),
    };
    let texts: Vec<String> = choices.iter().map(|choice| normal(&choice.text)).collect();
    let twice = found.iter().any(|at| texts.iter().filter(|text| **text == texts[*at]).count() > 1);
    if twice { Vec::new() } else { found }
}

/// The option that a scalar names.
fn named(value: &Value, choices: &[Choice]) -> Option<Vec<usize>> {
    if let Value::Bool(verdict) = value {
        let words = choices.iter().map(|choice| verdict_of(&choice.text)).collect::<Option<Vec<bool>>>()?;
        return words.iter().position(|word| word == verdict).map(|at| vec![at]);
    }
    let text = text_of(value);
    if value.is_number() {
        // A number may be a value or a place; what is no value in the source is no value here.
        let out_of_range = text.parse::<usize>().map_or(true, |number| number > choices.len());
        let labelled = by_label(&text, choices);
        let valued = choices.iter().all(|choice| choice.is_number) || out_of_range;
        return labelled.or_else(|| valued.then(|| by_text(&text, choices)).flatten()).map(|at| vec![at]);
    }
    let one =
        |text: &str| by_text(text, choices).or_else(|| by_label(text, choices)).or_else(|| by_letter(text, choices));
    if let Some(at) = one(&text) {
        return Some(vec![at]);
    }
    let parts: Vec<&str> =
        text.split([',', ';', '/', '|', '&', '+']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let several: Option<Vec<usize>> = parts.iter().map(|part| one(part)).collect();
    several.filter(|several| several.len() > 1).map(sorted).or_else(|| by_letters(&text, choices))
}

fn by_text(text: &str, choices: &[Choice]) -> Option<usize> {
    let wanted = normal(text);
    choices
        .iter()
        .position(|choice| choice.text.trim() == text.trim())
        .or_else(|| choices.iter().position(|choice| normal(&choice.text) == wanted))
}

fn by_label(text: &str, choices: &[Choice]) -> Option<usize> {
    let text = text.trim().trim_end_matches([')', '.', ':']).trim_start_matches('(');
    choices.iter().position(|choice| choice.labels.iter().any(|label| label.eq_ignore_ascii_case(text)))
}

/// "B", "(b)", "Option B", "B) Paris".
fn by_letter(text: &str, choices: &[Choice]) -> Option<usize> {
    if let Some((label, rest)) = split_letter(text) {
        let wanted = normal(rest);
        return (0..choices.len()).find(|at| names_place(label, *at) && normal(&choices[*at].text) == wanted);
    }
    let last = text.split_whitespace().next_back()?.trim_matches(['(', ')', '.', ':', '"', '\'']);
    let alone = text.split_whitespace().count() <= 2;
    let letter = last.chars().all(|sign| !sign.is_numeric() || ('①'..='㉿').contains(&sign));
    let at = place_of(last).filter(|_| alone && letter)?;
    (at < choices.len()).then_some(at)
}

/// "ACD": letters of several options, in their order.
fn by_letters(text: &str, choices: &[Choice]) -> Option<Vec<usize>> {
    let letters: Vec<String> = text.trim().chars().map(String::from).collect();
    let all: Option<Vec<usize>> =
        letters.iter().map(|letter| by_label(letter, choices).or_else(|| by_letter(letter, choices))).collect();
    all.filter(|all| (2..=choices.len()).contains(&all.len()) && all.is_sorted_by(|one, next| one < next))
}

/// Whether a word says that something is true or false, in any language.
pub(super) fn verdict_of(text: &str) -> Option<bool> {
    if let Some((_, verdict)) = SIGNS.iter().find(|(sign, _)| text.trim() == *sign) {
        return Some(*verdict);
    }
    let word = normal(text);
    let plain = unaccented(&word);
    let says = |list: &str| list.split(' ').any(|listed| listed == word || listed == plain);
    let mut languages = language::taught();
    languages.find_map(|(_, teaching)| match (says(teaching.answers.truths), says(teaching.answers.falsehoods)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    })
}

fn sorted(mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    places.dedup();
    places
}

/// "Vrai ou faux", "true_false", "○×", "VF".
pub(super) fn names_verdicts(text: &str) -> bool {
    let text = text.trim();
    let signs: Vec<String> =
        if text.chars().count() == 2 { text.chars().map(String::from).collect() } else { Vec::new() };
    let words = text.split([' ', '/', '_', '-', '|', ',']).take(6).chain(signs.iter().map(String::as_str));
    let said: Vec<bool> = words.filter_map(|word| verdict_of(word).or_else(|| circled(word))).collect();
    said.contains(&true) && said.contains(&false)
}

/// "O" or "X", a circle or a cross, for true and false.
pub(super) fn circled(text: &str) -> Option<bool> {
    match text.trim() {
        "O" | "o" => Some(true),
        "X" | "x" => Some(false),
        _ => None,
    }
}
