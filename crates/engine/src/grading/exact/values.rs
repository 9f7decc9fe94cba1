//! What an answer is as a value: a quantity, a list, an interval, a relation, a matrix. Words are what is left.
//!
//! The text is plain notation (see [`super::latex`]). Each level of brackets is read once; depth is bounded.

use super::evaluate;
use super::expressions::{self, Expression, Notation};
use super::number_words;
use super::numerals;
use super::units::{self, Unit};

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
    /// Several intervals.
    Union(Vec<Self>),
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
            Self::Scalar(scalar) => !is_bare_name(&scalar.expression) || scalar.text.contains(['*', '/', '^']),
            Self::Sequence { items, .. } | Self::Collection { items, .. } | Self::Union(items) => {
                items.iter().any(Self::is_comparable) && items.iter().all(|item| !matches!(item, Self::Words(_)))
            }
            Self::Named { value, .. } => !matches!(**value, Self::Words(_)),
            _ => true,
        }
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
    if parts.len() > 1 {
        let items: Vec<Value> = parts.iter().map(|part| at_depth(part, notation, depth + 1)).collect();
        return Value::Collection { is_set: false, items };
    }
    relation(text, notation, depth)
        .or_else(|| union(text, notation, depth))
        .or_else(|| bracketed(text, notation, depth))
        .or_else(|| both_signs(text, notation))
        .or_else(|| ratio(text, notation))
        .or_else(|| scalar(text, notation).map(Value::Scalar))
        .unwrap_or_else(words)
}

/// Without what stands around a value in writing: spaces, full stops, quotation marks, emphasis.
pub(super) fn tidy(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text.len();
        text = text
            .trim_matches(|one: char| one.is_whitespace() || matches!(one, '"' | '＊'))
            .trim_end_matches(['.', ',', ';', ':', '?']);
        text = text.strip_prefix("**").and_then(|inner| inner.strip_suffix("**")).unwrap_or(text);
        text = text.trim_start_matches([';', ':']);
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
            '(' | '[' | '{' | '⟦' => depth += 1,
            ')' | ']' | '}' | '⟧' => depth = depth.saturating_sub(1),
            _ if depth == 0 => visit(at, character),
            _ => {}
        }
        previous = character;
        at += character.len_utf8();
    }
}

const CONNECTORS: [&str; 14] =
    ["and", "or", "und", "oder", "et", "ou", "ve", "veya", "lub", "oraz", "или", "або", "و", "أو"];
/// Connectors of one letter, which are names in formulas: only with spaces around them and no sign beside.
const SHORT_CONNECTORS: [&str; 8] = ["y", "o", "e", "и", "і", "та", "en", "of"];

/// The parts of a list: between semicolons and lines, else between commas and connectors.
fn split_list(text: &str, notation: Notation) -> Vec<&str> {
    let (mut strong, mut weak) = (Vec::new(), Vec::new());
    let mut word_from = None;
    let mut words = Vec::new();
    outside_brackets(text, notation, |at, character| {
        match character {
            ';' | '\n' => strong.push((at, at + 1)),
            ',' => weak.push((at, at + 1)),
            _ => {}
        }
        if character.is_alphabetic() {
            let (start, end) = *word_from.get_or_insert((at, at));
            word_from = Some((if end == at || start == at { start } else { at }, at + character.len_utf8()));
        }
        if let Some((start, end)) = word_from
            && (end == text.len() || !character.is_alphabetic() || !text[end..].starts_with(char::is_alphabetic))
        {
            words.push((start, end));
            word_from = None;
        }
    });
    for (start, end) in words {
        let word = &text[start..end];
        let is_spaced = text[..start].ends_with(' ') && text[end..].starts_with(' ');
        let beside = |one: Option<char>| {
            one.is_some_and(|one| one.is_ascii_digit() || matches!(one, ')' | '(' | '}' | '{' | '-'))
        };
        let between =
            beside(text[..start].trim_end().chars().next_back()) && beside(text[end..].trim_start().chars().next());
        let lower = word.to_lowercase();
        // `1orx=2`: the reader of a picture lost the spaces.
        let glued = ["or", "and"].into_iter().find(|one| {
            text[..start].ends_with(|one: char| one.is_ascii_digit()) && lower.starts_with(one) && word.starts_with(one)
        });
        if CONNECTORS.contains(&lower.as_str()) || SHORT_CONNECTORS.contains(&lower.as_str()) && is_spaced && between {
            weak.push((start, end));
        } else if let Some(glued) = glued {
            weak.push((start, start + glued.len()));
        }
    }
    weak.sort_unstable();
    let cuts = if strong.is_empty() { weak } else { strong };
    let mut parts = Vec::with_capacity(cuts.len() + 1);
    let mut from = 0;
    for (start, end) in cuts {
        parts.push(&text[from..start]);
        from = end;
    }
    parts.push(&text[from..]);
    parts.retain(|part| !tidy(part).is_empty());
    if parts.is_empty() { vec![text] } else { parts }
}

fn matrix(text: &str, notation: Notation, depth: usize) -> Option<Value> {
    let text = text.trim_matches(['[', ']', '(', ')', '|', ' ']);
    let inner = text.strip_prefix('⟦')?.strip_suffix('⟧')?;
    if inner.contains('⟦') {
        return None;
    }
    let rows = inner.split('‖').map(str::trim).filter(|row| !row.is_empty());
    let rows: Vec<Vec<Value>> =
        rows.map(|row| row.split('¦').map(|cell| at_depth(cell, notation, depth + 1)).collect()).collect();
    (rows.len() <= MOST_ITEMS && rows.iter().all(|row| row.len() <= MOST_ITEMS)).then_some(Value::Matrix(rows))
}

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
            ('<' | '>' | '=' | '≤' | '≥' | '≠' | '≈' | '∈' | '⇒' | '!' | ':', _) => {
                found.push((at, character.len_utf8(), character));
            }
            _ => {}
        }
    });
    found.retain(|(_, _, sign)| !matches!(sign, '!' | ':'));
    found
}

fn relation(text: &str, notation: Notation, depth: usize) -> Option<Value> {
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
    let left = tidy(&text[..first.0]);
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
        // An unfinished calculation and its result: `3 + 4 = 7`.
        (Some(one), Some(other)) if !evaluate::has_names(&one) && !evaluate::has_names(&other) => {
            Some(at_depth(right, notation, depth + 1))
        }
        (Some(one), Some(other)) => Some(Value::Equation(one, other)),
        _ => None,
    }
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

fn union(text: &str, notation: Notation, depth: usize) -> Option<Value> {
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
        _ => Some(Value::Sequence { open, close, items }),
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

/// An expression, with a unit or with what is counted.
pub(super) fn scalar(text: &str, notation: Notation) -> Option<Scalar> {
    if text.len() > MOST_SCALAR_BYTES && !text.bytes().all(|one| one.is_ascii_digit()) {
        return None;
    }
    let in_digits = number_words::in_digits(text);
    let written = in_digits.as_deref().unwrap_or(text);
    quantity(written, text, notation)
        .or_else(|| counted(written, text, notation))
        .or_else(|| {
            let expression = expressions::parse(written, notation)?;
            Some(Scalar { expression, unit: None, noun: None, text: text.to_owned() })
        })
        .or_else(|| compound(written, text, notation))
}

fn quantity(written: &str, text: &str, notation: Notation) -> Option<Scalar> {
    let of =
        |expression: Expression, unit: Unit| Scalar { expression, unit: Some(unit), noun: None, text: text.to_owned() };
    let (sign, unsigned) = written.strip_prefix('-').map_or(("", written), |rest| ("-", rest.trim_start()));
    if let Some((unit, length)) = units::leading_currency(unsigned) {
        let amount = format!("{sign}{}", tidy(&unsigned[length..]));
        return Some(of(numeric(&amount, notation)?, unit));
    }
    let starts = unit_starts(written);
    starts.into_iter().find_map(|at| {
        let unit = units::parse(&written[at..])?;
        Some(of(numeric(written[..at].trim_end(), notation)?, unit))
    })
}

/// Where a unit may begin: at letters and signs that follow no letter.
fn unit_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        let is_sign = matches!(character, '%' | '°' | '‰' | '＄' | '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '¢');
        if at > 0
            && (is_sign || character.is_alphabetic() && !previous.is_alphabetic() && !matches!(previous, '°' | '_'))
        {
            starts.push(at);
        }
        if starts.len() > 8 {
            break;
        }
        previous = character;
    }
    starts
}

/// A number without names that is no sum; `2 1/2` is one number.
fn numeric(text: &str, notation: Notation) -> Option<Expression> {
    let expression = expressions::parse(text, notation)?;
    let is_open_sum = matches!(expression, Expression::Sum(_)) && text.trim_start_matches('-').contains(['+', '-']);
    let is_number = !evaluate::has_names(&expression) && !is_bare_name(&expression) && !is_open_sum;
    (is_number && expression != Expression::Name("e".to_owned())).then_some(expression)
}

/// `1 h 30 min`: parts of like units, each smaller than the one before.
fn compound(written: &str, text: &str, notation: Notation) -> Option<Scalar> {
    let mut cuts = vec![0];
    let mut previous = ' ';
    let mut has_letter = false;
    for (at, character) in written.char_indices() {
        if character.is_ascii_digit() && has_letter && previous == ' ' {
            cuts.push(at);
            has_letter = false;
        }
        has_letter |= character.is_alphabetic() || character == '°';
        previous = character;
    }
    if !(2..=4).contains(&cuts.len()) {
        return None;
    }
    let ends = cuts.iter().skip(1).copied().chain([written.len()]);
    let parts: Option<Vec<Scalar>> = cuts
        .iter()
        .zip(ends)
        .map(|(from, to)| quantity(tidy(&written[*from..to]).trim_end_matches("and").trim_end(), text, notation))
        .collect();
    let parts = parts?;
    let unit = parts.last()?.unit.clone()?;
    let terms: Option<Vec<Expression>> = parts
        .into_iter()
        .map(|part| {
            let own = part.unit.filter(|own| own.is_like(&unit) && own.factor >= unit.factor && own.offset == 0.0)?;
            let times = expressions::parse(&format!("{}", own.factor / unit.factor), plain_notation())?;
            Some(Expression::Product(vec![part.expression, times]))
        })
        .collect();
    Some(Scalar { expression: Expression::Sum(terms?), unit: Some(unit), noun: None, text: text.to_owned() })
}

/// How this program writes numbers.
pub(super) fn plain_notation() -> Notation {
    Notation { separators: numerals::Separators::Point, comma: numerals::LoneComma::Separates }
}

/// `12 apples`: a numeral and at most two words.
fn counted(written: &str, text: &str, notation: Notation) -> Option<Scalar> {
    let at = written.find(char::is_alphabetic).filter(|at| written[..*at].ends_with(' '))?;
    let noun = written[at..].to_lowercase();
    let is_noun = |word: &str| word.chars().count() >= 3 && word.chars().all(|one| one.is_alphabetic() || one == '-');
    let count = noun.split_whitespace().count();
    if !(1..=2).contains(&count) || !noun.split_whitespace().all(is_noun) || noun.len() > 60 {
        return None;
    }
    let expression = numeric(written[..at].trim_end(), notation)?;
    matches!(expression, Expression::Number(_) | Expression::Negative(_)).then(|| Scalar {
        expression,
        unit: None,
        noun: Some(noun),
        text: text.to_owned(),
    })
}
