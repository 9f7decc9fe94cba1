//! What has sides: equations, inequalities and intervals written with signs.

use language::script::is_unspaced;

use super::{MOST_ITEMS, Scalar, Value, at_depth, outside_brackets, tidy};
use crate::exact::evaluate;
use crate::exact::expressions::{self, Notation};

/// What a result may differ from its calculation, as a share of it.
const LARGEST_ROUNDING: f64 = 0.01;

/// Signs between sides, each as one character.
fn signs(text: &str, notation: Notation) -> Vec<(usize, usize, char)> {
    let mut found: Vec<(usize, usize, char)> = Vec::new();
    outside_brackets(text, notation, |at, character| {
        let previous = found.last_mut().filter(|(start, length, _)| start + length == at);
        match (character, previous) {
            ('=', Some((_, length, sign @ ('<' | '>' | '!' | ':' | '=')))) => {
                *length += 1;
                *sign = match *sign {
                    '<' => '≤',
                    '>' => '≥',
                    '!' => '≠',
                    _ => '=',
                };
            }
            ('<', Some((_, length, sign @ '='))) => {
                *length += 1;
                *sign = '≤';
            }
            ('<' | '>' | '=' | '≤' | '≥' | '≠' | '≈' | '∈' | '⇒' | '!' | ':', _) => {
                found.push((at, character.len_utf8(), character));
            }
            _ => {}
        }
    });
    found.retain(|(_, _, sign)| !matches!(sign, '!' | ':'));
    found
}

pub(super) fn relation(text: &str, notation: Notation, depth: usize) -> Option<Value> {
    let signs = signs(text, notation);
    let first = signs.first()?;
    if signs.len() > MOST_ITEMS {
        return None;
    }
    if let Some((at, length, _)) = signs.iter().rev().find(|(_, _, sign)| *sign == '⇒') {
        return Some(at_depth(&text[at + length..], notation, depth + 1));
    }
    let after = |sign: &(usize, usize, char)| &text[sign.0 + sign.1..];
    if first.2 == '∈' {
        return Some(at_depth(after(first), notation, depth + 1));
    }
    if let Some(at) = signs.iter().position(|(_, _, sign)| *sign == '≈') {
        let before = &text[..signs[at].0];
        let exact = at_depth(before, notation, depth + 1);
        let is_value = match &exact {
            Value::Scalar(scalar) => !evaluate::has_names(&scalar.expression),
            Value::Named { .. } => true,
            _ => false,
        };
        return Some(if is_value { exact } else { at_depth(after(&signs[at]), notation, depth + 1) });
    }
    if signs.iter().all(|(_, _, sign)| *sign == '=') {
        return equation(text, &signs, notation, depth);
    }
    let side = |from: usize, to: usize| expressions::parse(tidy(&text[from..to]), notation);
    match signs.as_slice() {
        [(at, length, sign)] => {
            let (left, right) = (side(0, *at)?, side(at + length, text.len())?);
            Some(match sign {
                '>' => Value::Inequality { sign: '<', left: right, right: left },
                '≥' => Value::Inequality { sign: '≤', left: right, right: left },
                _ => Value::Inequality { sign: *sign, left, right },
            })
        }
        [(at, length, sign), (next, more, other)] => {
            let middle = side(at + length, *next)?;
            let (one, another) = (side(0, *at)?, side(next + more, text.len())?);
            match (sign, other) {
                ('<' | '≤', '<' | '≤') => {
                    Some(Value::Between { low: one, low_sign: *sign, middle, high_sign: *other, high: another })
                }
                ('>' | '≥', '>' | '≥') => {
                    let turned = |sign: char| if sign == '>' { '<' } else { '≤' };
                    Some(Value::Between {
                        low: another,
                        low_sign: turned(*other),
                        middle,
                        high_sign: turned(*sign),
                        high: one,
                    })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn equation(text: &str, signs: &[(usize, usize, char)], notation: Notation, depth: usize) -> Option<Value> {
    let (first, last) = (signs.first()?, signs.last()?);
    let left = behind_copula(tidy(&text[..first.0]), notation)?;
    let right = tidy(&text[last.0 + last.1..]);
    if right.is_empty() {
        return None;
    }
    if signs.len() > 1 {
        let value = Box::new(at_depth(right, notation, depth + 1));
        let name = if is_name(left) { left.to_owned() } else { String::new() };
        return Some(Value::Named { name, value });
    }
    if is_name(left) {
        if is_name(right) && !right.contains(['π', '∞']) && !matches!(right, "e" | "i") {
            let sides = (expressions::parse(left, notation), expressions::parse(right, notation));
            if let (Some(left), Some(right)) = sides {
                return Some(Value::Equation(left, right));
            }
        }
        let value = at_depth(right, notation, depth + 1);
        if let Value::Scalar(Scalar { expression, unit: None, .. }) = &value
            && evaluate::has_names(expression)
            && let Some(left) = expressions::parse(left, notation)
        {
            return Some(Value::Equation(left, expression.clone()));
        }
        return Some(Value::Named { name: left.to_owned(), value: Box::new(value) });
    }
    let (one, other) = (expressions::parse(left, notation), expressions::parse(right, notation));
    match (one, other) {
        (Some(one), Some(_)) if is_name(right) && !evaluate::has_names(&one) => {
            Some(Value::Named { name: right.to_owned(), value: Box::new(at_depth(left, notation, depth + 1)) })
        }
        // An unfinished calculation and its result: `3 + 4 = 7`. `8 = 7` has none.
        (Some(one), Some(other)) if !evaluate::has_names(&one) && !evaluate::has_names(&other) => {
            let are_unequal = evaluate::number(&one)
                .zip(evaluate::number(&other))
                .is_some_and(|(one, other)| (one - other).abs() > LARGEST_ROUNDING * one.abs().max(other.abs()));
            Some(if are_unequal { Value::Equation(one, other) } else { at_depth(right, notation, depth + 1) })
        }
        (Some(one), Some(other)) => Some(Value::Equation(one, other)),
        _ => None,
    }
}

/// The left side without the sentence that leads to it: `The answer is x`. `None` where that denies.
fn behind_copula(left: &str, notation: Notation) -> Option<&str> {
    let holds = |one: char| is_unspaced(one) && notation.words.is_function_word(one.encode_utf8(&mut [0; 4]));
    if left.split(' ').any(|word| word.starts_with(is_unspaced) && notation.words.denies(word)) {
        return None;
    }
    let left = left.trim_start_matches(holds);
    let (mut from, mut at) = (0, 0);
    for word in left.split_inclusive(' ') {
        at += word.len();
        let lower = word.trim().to_lowercase().replace('\'', "");
        if lower.len() > 1 && notation.words.is_negator(&lower) {
            return None;
        }
        if lower.len() > 1 && at < left.len() && notation.words.is_copula(&lower) {
            from = at;
        }
    }
    Some(&left[from..])
}

/// What an equation gives a value to: `x`, `x_1`, `f(x)`, `|AB|`, `NO/BO`, `V_1:V_2`, `(p, q, r)`.
fn is_name(text: &str) -> bool {
    let mut letters = 0;
    let mut previous = ' ';
    for character in text.chars() {
        let fits = character.is_alphabetic()
            || matches!(character, '(' | ')' | '|' | '/' | ':' | '_' | ' ' | ',' | ';' | '\'' | '°')
            || character.is_ascii_digit() && (previous.is_alphanumeric() || previous == '_' || previous == '(');
        if !fits {
            return false;
        }
        letters += usize::from(character.is_alphabetic());
        previous = character;
    }
    let has_functions = ["sqrt", "sin", "cos", "tan", "log", "ln"].iter().any(|function| text.contains(function));
    (1..=40).contains(&letters) && !has_functions && text.split_whitespace().count() <= 8
}
