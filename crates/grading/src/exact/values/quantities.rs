//! Expressions with a unit or with what is counted.

use language::script::is_unspaced;

use super::{MOST_SCALAR_BYTES, Scalar, is_bare_name, tidy};
use crate::exact::expressions::{self, Expression, Notation};
use crate::exact::units::{self, Unit};
use crate::exact::{evaluate, number_words};

/// An expression, with a unit or with what is counted.
pub(in super::super) fn scalar(text: &str, notation: Notation) -> Option<Scalar> {
    if text.len() > MOST_SCALAR_BYTES && !text.bytes().all(|one| one.is_ascii_digit()) {
        return None;
    }
    let in_digits = number_words::in_digits(text, notation.words);
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
        // An hour in Ukrainian, a year in Russian.
        let name = if notation.words.tag == "uk" && tidy(&written[at..]) == "год" { "h" } else { &written[at..] };
        let unit = units::parse(name)?;
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
pub(super) fn compound(written: &str, text: &str, notation: Notation) -> Option<Scalar> {
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
        .map(|(from, to)| quantity(without_conjunction(tidy(&written[*from..to]), notation), text, notation))
        .collect();
    let parts = parts?;
    let factors: Vec<f64> = parts.iter().filter_map(|part| Some(part.unit.as_ref()?.factor)).collect();
    if factors.windows(2).any(|pair| pair[0] <= pair[1]) {
        return None;
    }
    let unit = parts.last()?.unit.clone()?;
    let terms: Option<Vec<Expression>> = parts
        .into_iter()
        .map(|part| {
            let own = part.unit.filter(|own| own.is_like(&unit) && own.offset == 0.0)?;
            let times = expressions::parse(&format!("{}", own.factor / unit.factor), Notation::plain())?;
            Some(Expression::Product(vec![part.expression, times]))
        })
        .collect();
    Some(Scalar { expression: Expression::Sum(terms?), unit: Some(unit), noun: None, text: text.to_owned() })
}

/// `1 h and`
fn without_conjunction(text: &str, notation: Notation) -> &str {
    let last = text.rsplit(' ').next().unwrap_or_default();
    if notation.words.is_conjunction(last) { text[..text.len() - last.len()].trim_end() } else { text }
}

/// `12 apples`: a numeral and at most two words.
fn counted(written: &str, text: &str, notation: Notation) -> Option<Scalar> {
    let counts = |one: char| is_unspaced(one) || matches!(one, '가'..='힣');
    let at = written.find(char::is_alphabetic)?;
    let is_counter = written[at..].starts_with(counts);
    if !is_counter && !written[..at].ends_with(' ') {
        return None;
    }
    let noun = written[at..].to_lowercase();
    let is_noun = |word: &str| {
        (is_counter || word.chars().count() >= 3) && word.chars().all(|one| one.is_alphabetic() || one == '-')
    };
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
