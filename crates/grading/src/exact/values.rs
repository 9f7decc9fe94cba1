//! What an answer is as a value: a quantity, a list, an interval, a relation, a matrix. Words are what is left.
//!
//! The text is plain notation (see [`super::latex`]). Each level of brackets is read once; depth is bounded.

mod lists;
mod matrices;
mod quantities;
mod relations;
mod sets;

use super::expressions::{self, Expression, Notation};
use super::units::Unit;
use super::{number_words, numerals};
use lists::split_list;
use matrices::{matrix, spaced_matrix};
pub(super) use quantities::scalar;
use relations::relation;
use sets::{set_builder, union, without_points};

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Scalar(Scalar),
    /// In brackets, in order: a tuple, or an interval where it has two ends.
    Sequence {
        open: char,
        close: char,
        items: Vec<Self>,
    },
    /// Without order: a set, or a list that nobody put in brackets.
    Collection {
        is_set: bool,
        items: Vec<Self>,
    },
    /// Several intervals or inequalities, of which one holds.
    Union(Vec<Self>),
    /// Inequalities that all hold.
    Intersection(Vec<Self>),
    /// Something equal to a value: `x = 5`, `f(x) = 5`.
    Named {
        name: String,
        value: Box<Self>,
    },
    Equation(Expression, Expression),
    /// Two sides with one of `<`, `≤`, `≠` between them; what is greater stands on the right.
    Inequality {
        sign: char,
        left: Expression,
        right: Expression,
    },
    /// `1 ≤ x < 3`
    Between {
        low: Expression,
        low_sign: char,
        middle: Expression,
        high_sign: char,
        high: Expression,
    },
    Matrix(Vec<Vec<Self>>),
    /// `11 : 21`, `12:30`
    Ratio(Vec<Expression>),
    Words(String),
}

/// An expression with what it counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scalar {
    pub(super) expression: Expression,
    pub(super) unit: Option<Unit>,
    /// What is counted where it is no unit: `apples`, in lower case.
    pub(super) noun: Option<String>,
    pub(super) text: String,
}

impl Scalar {
    /// A number or an expression of nothing that is counted.
    pub(super) fn of(expression: Expression) -> Self {
        Self { expression, unit: None, noun: None, text: String::new() }
    }
}

const MOST_DEPTH: usize = 8;
const MOST_ITEMS: usize = 64;
const MOST_SCALAR_BYTES: usize = 4_000;

/// The value that a whole text is.
pub(super) fn parse(text: &str, notation: Notation) -> Value {
    at_depth(text, notation, 0)
}

impl Value {
    /// Whether code can compare it by more than its letters.
    pub(super) fn is_comparable(&self) -> bool {
        match self {
            Self::Words(_) => false,
            Self::Collection { is_set: true, items } if items.is_empty() => true,
            Self::Scalar(scalar) => !is_bare_name(&scalar.expression) || scalar.text.contains(['*', '/', '^']),
            Self::Sequence { items, .. }
            | Self::Collection { items, .. }
            | Self::Union(items)
            | Self::Intersection(items) => {
                items.iter().any(Self::is_comparable) && items.iter().all(|item| !matches!(item, Self::Words(_)))
            }
            Self::Named { value, .. } => !matches!(**value, Self::Words(_)),
            _ => true,
        }
    }

    /// Whether it is said by inequalities or as several intervals.
    pub(super) fn is_region(&self) -> bool {
        matches!(self, Self::Inequality { .. } | Self::Between { .. } | Self::Union(_) | Self::Intersection(_))
    }
}

fn is_bare_name(expression: &Expression) -> bool {
    match expression {
        Expression::Name(name) => !matches!(name.as_str(), "π" | "∞"),
        Expression::Product(factors) => factors.iter().all(is_bare_name),
        _ => false,
    }
}

fn at_depth(text: &str, notation: Notation, depth: usize) -> Value {
    let text = tidy(text);
    let words = || Value::Words(text.to_owned());
    if depth > MOST_DEPTH || text.is_empty() {
        return words();
    }
    if let Some(matrix) = matrix(text, notation, depth) {
        return matrix;
    }
    let parts = split_list(text, notation);
    if parts.len() > MOST_ITEMS {
        return words();
    }
    if parts.len() > 1
        && let Some(number) = number_words::whole(text, notation.words)
        && let Some(expression) = expressions::parse(&number, Notation::plain())
    {
        return Value::Scalar(Scalar { text: text.to_owned(), ..Scalar::of(expression) });
    }
    if parts.len() > 1
        && !text.contains([',', ';', '\n'])
        && let Some(compound) = quantities::compound(text, text, notation)
    {
        return Value::Scalar(compound);
    }
    if parts.len() > 1 {
        let items: Vec<Value> = parts.iter().map(|part| at_depth(part, notation, depth + 1)).collect();
        return joined(text, items, notation);
    }
    if matches!(text, "∅" | "{}" | "{ }") || notation.words.is_no_solution(text) {
        return Value::Collection { is_set: true, items: Vec::new() };
    }
    if let Some(matrix) = spaced_matrix(text, notation) {
        return matrix;
    }
    relation(text, notation, depth)
        .or_else(|| union(text, notation, depth))
        .or_else(|| without_points(text, notation, depth))
        .or_else(|| bracketed(text, notation, depth))
        .or_else(|| both_signs(text, notation))
        .or_else(|| ratio(text, notation))
        .or_else(|| scalar(text, notation).map(Value::Scalar))
        .unwrap_or_else(words)
}

/// Inequalities between which stands "or" or "and"; other values are a list.
fn joined(text: &str, items: Vec<Value>, notation: Notation) -> Value {
    let has = |is_one: &dyn Fn(&str) -> bool| text.split_whitespace().any(|word| is_one(&word.to_lowercase()));
    if items.iter().all(Value::is_region) {
        if has(&|word| notation.words.is_alternative(word)) {
            return Value::Union(items);
        }
        if has(&|word| notation.words.is_conjunction(word)) {
            return Value::Intersection(items);
        }
    }
    Value::Collection { is_set: false, items }
}

/// Without what stands around a value in writing: spaces, full stops, quotation marks, emphasis.
pub(super) fn tidy(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text.len();
        text = text
            .trim_matches(|one: char| one.is_whitespace() || matches!(one, '"' | '`' | '＊'))
            .trim_end_matches(['.', ',', ';', ':', '?']);
        text = text.strip_prefix("**").and_then(|inner| inner.strip_suffix("**")).unwrap_or(text);
        text = text.trim_start_matches([';', ':']);
        text = text.strip_prefix('=').filter(|value| !value.starts_with('=')).unwrap_or(text);
        if text.len() > 2 && text.starts_with('\'') && text.ends_with('\'') {
            text = &text[1..text.len() - 1];
        }
        if text.len() == before {
            return text;
        }
    }
}

/// Calls back at each character outside brackets, numerals in one piece; the callback may stop.
fn outside_brackets(text: &str, notation: Notation, mut visit: impl FnMut(usize, char)) {
    let (mut depth, mut at) = (0_usize, 0);
    let mut previous = ' ';
    while let Some(character) = text[at..].chars().next() {
        if character.is_ascii_digit()
            && !previous.is_alphanumeric()
            && let Some((_, length)) = numerals::read(&text[at..], notation.separators, notation.comma)
        {
            previous = '0';
            at += length;
            continue;
        }
        match character {
            // `]1;3[` is an interval, too.
            ']' if depth == 0 => depth = 1,
            '[' if depth > 0 && ends_interval(&text[at + 1..]) => depth -= 1,
            '(' | '[' | '{' | '⟦' => depth += 1,
            ')' | ']' | '}' | '⟧' => depth = depth.saturating_sub(1),
            _ if depth == 0 => visit(at, character),
            _ => {}
        }
        previous = character;
        at += character.len_utf8();
    }
}

/// Whether what follows a bracket can only follow an interval.
fn ends_interval(rest: &str) -> bool {
    rest.trim_start().chars().next().is_none_or(|next| matches!(next, '∪' | '∩' | 'U' | ',' | ';' | '∖'))
}

fn bracketed(text: &str, notation: Notation, depth: usize) -> Option<Value> {
    let open = text.chars().next().filter(|one| matches!(one, '(' | '[' | '{' | ']'))?;
    let close = text.chars().next_back().filter(|one| matches!(one, ')' | ']' | '}' | '['))?;
    let inner = text.get(1..text.len() - 1)?;
    // The brackets are each other's: none inside closes more than it opens.
    let mut level = 0_i32;
    for character in inner.chars() {
        level += i32::from(matches!(character, '(' | '[' | '{')) - i32::from(matches!(character, ')' | ']' | '}'));
        if level < 0 {
            return None;
        }
    }
    if open == '{'
        && level == 0
        && let Some(value) = set_builder(inner, notation, depth)
    {
        return Some(value);
    }
    let parts = split_list(tidy(inner), notation);
    if level != 0 || parts.len() > MOST_ITEMS || inner.trim().is_empty() {
        return None;
    }
    let items: Vec<Value> = parts.iter().map(|part| at_depth(part, notation, depth + 1)).collect();
    match (open, items.len()) {
        ('{', _) => Some(Value::Collection { is_set: true, items }),
        (_, 1) if close != '[' && open != ']' => items.into_iter().next().filter(|item| {
            // (x + 1) is an expression like others; (5 km) and ((1, 2)) are what they hold.
            !matches!(item, Value::Scalar(_) | Value::Words(_)) || scalar(text, notation).is_none()
        }),
        (_, 1) => None,
        _ => Some(Value::Sequence {
            open: if open == ']' { '(' } else { open },
            close: if close == '[' { ')' } else { close },
            items,
        }),
    }
}

/// `3 ± 2` is two values.
fn both_signs(text: &str, notation: Notation) -> Option<Value> {
    if !text.contains('±') && !text.contains("+-") && !text.contains("+/-") || text.len() > MOST_SCALAR_BYTES {
        return None;
    }
    let text = text.replace("+/-", "±").replace("+-", "±");
    let with = |plus: &str, minus: &str| {
        let signed = text.replace('±', plus).replace('∓', minus);
        scalar(tidy(&signed).trim_start_matches('+'), notation).map(Value::Scalar)
    };
    Some(Value::Collection { is_set: true, items: vec![with("+", "-")?, with("-", "+")?] })
}

fn ratio(text: &str, notation: Notation) -> Option<Value> {
    let mut cuts = Vec::new();
    outside_brackets(text, notation, |at, character| {
        if character == ':' {
            cuts.push(at);
        }
    });
    if cuts.is_empty() || cuts.len() > 8 {
        return None;
    }
    let mut from = 0;
    let mut parts = Vec::new();
    for at in cuts.into_iter().chain([text.len()]) {
        parts.push(expressions::parse(text.get(from..at)?.trim(), notation)?);
        from = at + 1;
    }
    Some(Value::Ratio(parts))
}
