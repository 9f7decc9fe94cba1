//! Numbers and quantities: exactly, rounded, converted.

use super::{Difference, Expected, FEWEST_DIGITS, LENIENT, PROBED, ROUNDED, SURE, Verdict};
use crate::exact::evaluate::{self, Certainty};
use crate::exact::expressions::{self, Expression};
use crate::exact::numerals::Numeral;
use crate::exact::ratio::Ratio;
use crate::exact::units::Unit;
use crate::exact::values::Scalar;

/// The numeral that an expression is, powers of ten multiplied in, and whether a minus sign stands before it.
pub(in crate::exact) fn numeral(expression: &Expression) -> Option<(bool, Numeral)> {
    match expression {
        Expression::Number(numeral) => Some((false, numeral.clone())),
        Expression::Negative(inner) => numeral(inner).map(|(is_negative, numeral)| (!is_negative, numeral)),
        Expression::Power(base, exponent) => {
            let is_ten = matches!(&**base, Expression::Number(ten) if ten.canonical == ("1".to_owned(), 1));
            let exponent = evaluate::exact(exponent).filter(|_| is_ten)?.as_whole()?;
            let Expression::Number(one) = expressions::whole(1) else { return None };
            one.times_ten_to(i64::try_from(exponent).ok()?).map(|numeral| (false, numeral))
        }
        Expression::Product(factors) => {
            let (mut is_negative, mut power, mut written) = (false, 0_i64, None);
            for factor in factors {
                let (minus, factor) = numeral(factor)?;
                is_negative ^= minus;
                if factor.canonical.0 == "1" {
                    power = power.checked_add(factor.canonical.1)?;
                } else if written.replace(factor).is_some() {
                    return None;
                }
            }
            written?.times_ten_to(power).map(|numeral| (is_negative, numeral))
        }
        _ => None,
    }
}

pub(super) fn scalars(reference: &Scalar, answer: &Scalar, expected: Expected) -> Verdict {
    if let (Some(one), Some(other)) = (&reference.noun, &answer.noun)
        && singular(one) != singular(other)
    {
        return Verdict::Different(Difference::Unit);
    }
    match (&reference.unit, &answer.unit) {
        (Some(unit), Some(other)) if unit.is_share && other.is_share || unit.is_like(other) => {
            converted(reference, unit, answer, other)
        }
        (Some(unit), Some(other)) if unit.may_mean(other) => {
            lenient(numbers(&reference.expression, &answer.expression))
        }
        (Some(unit), None) if unit.is_angle() && is_times(&answer.expression, &reference.expression, unit.factor) => {
            Verdict::Same(PROBED)
        }
        (None, Some(unit)) if unit.is_angle() && is_times(&reference.expression, &answer.expression, unit.factor) => {
            Verdict::Same(PROBED)
        }
        (Some(unit), None) if unit.is_share => share_and_number(reference, unit, answer, expected),
        (None, Some(unit)) if unit.is_share => number_and_share(reference, answer, unit, expected),
        (Some(_), Some(_)) => Verdict::Different(Difference::Unit),
        (Some(_), None) if answer.noun.is_some() => Verdict::Different(Difference::Unit),
        (Some(_), None) => match numbers(&reference.expression, &answer.expression) {
            Verdict::Same(sure) if expected.names_unit => Verdict::Same(sure.min(ROUNDED)),
            Verdict::Same(_) => Verdict::NoUnit,
            verdict => verdict,
        },
        (None, Some(_)) if reference.noun.is_some() => Verdict::Different(Difference::Unit),
        (None, Some(_)) => lenient(numbers(&reference.expression, &answer.expression)),
        (None, None) if reference.noun.is_some() != answer.noun.is_some() => {
            lenient(numbers(&reference.expression, &answer.expression))
        }
        (None, None) => numbers(&reference.expression, &answer.expression),
    }
}

/// Whether one number is another one times a factor.
fn is_times(one: &Expression, other: &Expression, factor: f64) -> bool {
    let values = evaluate::number(one).zip(evaluate::number(other));
    values.is_some_and(|(one, other)| one != 0.0 && (one - other * factor).abs() <= 1e-9 * one.abs())
}

fn lenient(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Same(sure) => Verdict::Same(sure.min(LENIENT)),
        verdict => verdict,
    }
}

fn singular(noun: &str) -> String {
    noun.split_whitespace().map(|word| word.trim_end_matches("es").trim_end_matches('s')).collect::<Vec<_>>().join(" ")
}

fn times(expression: &Expression, factor: f64) -> Option<Expression> {
    let factor = expressions::parse(&format!("{factor}"), expressions::Notation::plain())?;
    Some(Expression::Product(vec![expression.clone(), factor]))
}

/// 28 % is 0.28, and 28 where nothing says otherwise.
fn share_and_number(reference: &Scalar, unit: &Unit, answer: &Scalar, expected: Expected) -> Verdict {
    if let Some(value) = times(&reference.expression, unit.factor)
        && let Verdict::Same(sure) = numbers(&value, &answer.expression)
    {
        return Verdict::Same(sure);
    }
    match numbers(&reference.expression, &answer.expression) {
        Verdict::Same(sure) if expected.asks_percent => Verdict::Same(sure.min(ROUNDED)),
        Verdict::Same(_) => Verdict::NoUnit,
        verdict => verdict,
    }
}

/// A number above 1 may be a number of percent; 0.5 % is not 0.5.
fn number_and_share(reference: &Scalar, answer: &Scalar, unit: &Unit, expected: Expected) -> Verdict {
    if let Some(value) = times(&answer.expression, unit.factor)
        && let Verdict::Same(sure) = numbers(&reference.expression, &value)
    {
        return Verdict::Same(sure);
    }
    let is_large = evaluate::number(&reference.expression).is_some_and(|value| value.abs() > 1.0);
    match numbers(&reference.expression, &answer.expression) {
        Verdict::Same(_) if !is_large && !expected.asks_percent => Verdict::Different(Difference::Unit),
        verdict => lenient(verdict),
    }
}

/// Both have units of one kind.
fn converted(reference: &Scalar, unit: &Unit, answer: &Scalar, other: &Unit) -> Verdict {
    if unit == other {
        return numbers(&reference.expression, &answer.expression);
    }
    let values = (evaluate::number(&reference.expression), evaluate::number(&answer.expression));
    let (Some(wanted), Some(given)) = values else { return Verdict::Different(Difference::Value) };
    let given = (given * other.factor + other.offset - unit.offset) / unit.factor;
    if !given.is_finite() {
        return Verdict::Different(Difference::Amount { converted: None });
    }
    let close = |tolerance: f64| (given - wanted).abs() <= tolerance + 1e-9 * wanted.abs().max(given.abs());
    if close(0.0) {
        return Verdict::Same(SURE);
    }
    let step = numeral(&reference.expression).and_then(|(_, numeral)| rounding_step(&numeral));
    if step.is_some_and(|step| close(step / 2.0)) {
        return Verdict::Same(ROUNDED);
    }
    Verdict::Different(Difference::Amount { converted: Some(shown(given)) })
}

/// A number for people: six digits, without zeros at the end.
fn shown(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        return format!("{value:.4e}");
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The worth of the last digit of a decimal that says how far it was rounded.
fn rounding_step(numeral: &Numeral) -> Option<f64> {
    let decimals = numeral.decimals.filter(|_| numeral.significant >= 2)?;
    let decimals = i32::try_from(decimals).ok().filter(|decimals| decimals.abs() < 300)?;
    Some(10_f64.powi(-decimals))
}

fn numbers(reference: &Expression, answer: &Expression) -> Verdict {
    if let (Some((minus, one)), Some((other_minus, other))) = (numeral(reference), numeral(answer)) {
        return numerals(minus, &one, other_minus, &other);
    }
    match evaluate::same_value(reference, answer) {
        Some(Certainty::Exact) => return Verdict::Same(SURE),
        Some(Certainty::Probed) => return Verdict::Same(PROBED),
        None => {}
    }
    let (Some(wanted), Some(given)) = (evaluate::number(reference), evaluate::number(answer)) else {
        return Verdict::Different(Difference::Value);
    };
    // A fraction that rounds to the reference's decimal.
    if let Some((_, written)) = numeral(reference)
        && let Some(step) = rounding_step(&written)
        && (given - wanted).abs() <= step / 2.0 * (1.0 + 1e-9)
    {
        return Verdict::Same(ROUNDED);
    }
    // A decimal for a value that no decimal is.
    if let Some((_, written)) = numeral(answer)
        && evaluate::exact(reference).is_none_or(|exact: Ratio| !exact.is_terminating())
        && let Some(step) = rounding_step(&written)
        && (given - wanted).abs() <= step / 2.0 * (1.0 + 1e-9)
    {
        let is_enough = written.significant >= FEWEST_DIGITS;
        return if is_enough { Verdict::Same(0.7) } else { Verdict::Different(Difference::Rounding) };
    }
    Verdict::Different(distance(wanted, given))
}

fn numerals(minus: bool, reference: &Numeral, other_minus: bool, answer: &Numeral) -> Verdict {
    let is_zero = reference.canonical.0.is_empty();
    let sure = if reference.is_ambiguous || answer.is_ambiguous { ROUNDED } else { SURE };
    if reference.canonical == answer.canonical {
        let same_sign = minus == other_minus || is_zero;
        return if same_sign { Verdict::Same(sure) } else { Verdict::Different(Difference::Sign) };
    }
    let signed = |minus: bool, value: f64| if minus { -value } else { value };
    let (wanted, given) = (signed(minus, reference.approximate), signed(other_minus, answer.approximate));
    let is_finer = match (reference.decimals, answer.decimals) {
        (Some(one), Some(other)) => other > one,
        _ => false,
    };
    if let (Some(step), true) = (rounding_step(reference), is_finer)
        && (wanted - given).abs() <= step / 2.0 * (1.0 + 1e-9)
    {
        return Verdict::Same(ROUNDED);
    }
    let is_coarser = reference.decimals.is_some() && answer.decimals.unwrap_or(0) < reference.decimals.unwrap_or(0);
    let step =
        answer.decimals.map_or(1.0, |decimals| 10_f64.powi(-i32::try_from(decimals).unwrap_or(0).clamp(-300, 300)));
    if is_coarser && (wanted - given).abs() <= step / 2.0 {
        return Verdict::Different(Difference::Rounding);
    }
    Verdict::Different(distance(wanted, given))
}

fn distance(wanted: f64, given: f64) -> Difference {
    let close = |one: f64, other: f64| one.is_finite() && (one - other).abs() <= 1e-9 * one.abs();
    if wanted != 0.0 && close(wanted, -given) { Difference::Sign } else { Difference::Amount { converted: None } }
}
