//! Sets of numbers: unions, sets with a condition, all numbers but some.

use super::{MOST_ITEMS, Value, at_depth, outside_brackets};
use crate::exact::expressions::{Expression, Notation};

pub(super) fn union(text: &str, notation: Notation, depth: usize) -> Option<Value> {
    let mut cuts = Vec::new();
    outside_brackets(text, notation, |at, character| {
        let is_letter = character == 'U' && text[..at].trim_end().ends_with([')', ']']);
        if character == '∪' || is_letter {
            cuts.push((at, character.len_utf8()));
        }
    });
    if cuts.is_empty() || cuts.len() > MOST_ITEMS {
        return None;
    }
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, length) in cuts {
        parts.push(at_depth(&text[from..at], notation, depth + 1));
        from = at + length;
    }
    parts.push(at_depth(&text[from..], notation, depth + 1));
    Some(Value::Union(parts))
}

/// `R ∖ {1, 2}`: all numbers but those.
pub(super) fn without_points(text: &str, notation: Notation, depth: usize) -> Option<Value> {
    let (_, points) = text.split_once('∖').filter(|(all, _)| all.trim() == "R")?;
    let Value::Collection { is_set: true, items } = at_depth(points, notation, depth + 1) else { return None };
    let parts = items.into_iter().map(|item| match item {
        Value::Scalar(scalar) => {
            let left = Expression::Name("x".to_owned());
            Some(Value::Inequality { sign: '≠', left, right: scalar.expression })
        }
        _ => None,
    });
    parts.collect::<Option<_>>().map(Value::Intersection)
}

/// `{x | x > 1}`, `{x ∈ R : x > 1}`
pub(super) fn set_builder(inner: &str, notation: Notation, depth: usize) -> Option<Value> {
    let (name, condition) = inner.split_once(['|', ':'])?;
    let name = name.split('∈').next().unwrap_or_default().trim();
    let is_name = (1..=2).contains(&name.chars().count()) && name.chars().all(char::is_alphabetic);
    let value = if is_name { at_depth(condition, notation, depth + 1) } else { return None };
    (value.is_region() || matches!(value, Value::Named { .. })).then_some(value)
}
