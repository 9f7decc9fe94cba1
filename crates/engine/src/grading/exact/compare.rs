//! Whether two values are equal, and if not, what differs.

use super::evaluate::{self, Certainty};
use super::expressions::Expression;
use super::numerals::Numeral;
use super::ratio::Ratio;
use super::units::Unit;
use super::values::{Scalar, Value};

/// What a comparison says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// Equal, and how sure that is, from 0 to 1.
    Same(f64),
    /// The number is right, the unit is missing.
    NoUnit,
    Different(Difference),
}

/// What differs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Difference {
    /// Nothing that has a name.
    Value,
    /// The number, both in the reference's unit.
    Amount { converted: Option<String> },
    /// The sign.
    Sign,
    /// More or less rounded than the reference.
    Rounding,
    /// Units that don't convert into each other.
    Unit,
    /// The same things in another order.
    Order,
    /// So many things are missing, so many are too many.
    Items { missing: usize, extra: usize },
    /// The ends of an interval: which belong to it.
    Bounds,
    /// It isn't the same kind of thing.
    Kind,
}

const SURE: f64 = 1.0;
const PROBED: f64 = 0.95;
const ROUNDED: f64 = 0.9;
const LENIENT: f64 = 0.8;
/// Digits of a decimal that stands for a value without end, such as 1/3 or π.
const FEWEST_DIGITS: usize = 4;

/// What the question says about the answer's form.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected {
    /// The question names the unit, so that a number says everything.
    pub(super) names_unit: bool,
    /// The question asks for percent.
    pub(super) asks_percent: bool,
}

/// Compares an answer with a reference.
pub(super) fn compare(reference: &Value, answer: &Value, expected: Expected) -> Verdict {
    let different = |difference| Verdict::Different(difference);
    match (reference, answer) {
        (Value::Words(one), Value::Words(other)) if one == other => Verdict::Same(SURE),
        (Value::Scalar(one), Value::Scalar(other)) => scalars(one, other, expected),
        (Value::Named { name, value }, Value::Named { name: other, value: given }) => {
            if names_agree(name, other) {
                compare(value, given, expected)
            } else {
                different(Difference::Value)
            }
        }
        (Value::Named { value, .. }, _) => compare(value, answer, expected),
        (_, Value::Named { value, .. }) => compare(reference, value, expected),
        (Value::Matrix(one), Value::Matrix(other)) => matrices(one, other, expected),
        (Value::Ratio(one), Value::Ratio(other)) => {
            let same = |(left, right): (&Expression, &Expression)| evaluate::same_value(left, right).is_some();
            let is_same = one.len() == other.len() && one.iter().zip(other).all(same);
            if is_same { Verdict::Same(SURE) } else { different(Difference::Value) }
        }
        (Value::Equation(left, right), Value::Equation(other_left, other_right)) => {
            let (one, other) = (minus(left, right), minus(other_left, other_right));
            let any = |_: evaluate::Complex| true;
            let is_same = evaluate::has_names(&one) && evaluate::proportional(&one, &other, &any);
            if is_same { Verdict::Same(PROBED) } else { different(Difference::Value) }
        }
        (Value::Inequality { .. } | Value::Between { .. }, _)
        | (_, Value::Inequality { .. } | Value::Between { .. }) => inequalities(reference, answer),
        (Value::Union(one), Value::Union(other)) => collections(one, other, expected),
        (
            Value::Sequence { open, close, items },
            Value::Sequence { open: other_open, close: other_close, items: given },
        ) => {
            let same_brackets = (open, close) == (other_open, other_close);
            match sequences(items, given, expected) {
                Verdict::Same(_) if !same_brackets && items.len() == 2 => different(Difference::Bounds),
                verdict => verdict,
            }
        }
        (Value::Collection { items, .. }, Value::Collection { items: given, .. }) => grouped(items, given, expected),
        (Value::Collection { is_set: false, items }, Value::Sequence { items: given, .. })
        | (Value::Sequence { items, .. }, Value::Collection { is_set: false, items: given }) => {
            sequences(items, given, expected)
        }
        (Value::Collection { is_set: true, items }, Value::Sequence { open: '[', close: ']', items: given })
            if items.len() != 2 =>
        {
            collections(items, given, expected)
        }
        (Value::Collection { items, .. }, other) if items.len() == 1 => compare(&items[0], other, expected),
        (one, Value::Collection { items, .. }) if items.len() == 1 => compare(one, &items[0], expected),
        (Value::Scalar(_), Value::Collection { items, .. }) => {
            different(Difference::Items { missing: 0, extra: items.len() - 1 })
        }
        (Value::Collection { items, .. }, Value::Scalar(_)) => {
            different(Difference::Items { missing: items.len() - 1, extra: 0 })
        }
        _ => different(Difference::Kind),
    }
}

/// `W(n)` and `W(x)` name the same; `x` and `y` don't.
fn names_agree(one: &str, other: &str) -> bool {
    let head = |name: &str| name.split('(').next().unwrap_or_default().replace([' ', '_'], "");
    one.is_empty() || other.is_empty() || head(one) == head(other)
}

fn minus(left: &Expression, right: &Expression) -> Expression {
    Expression::Sum(vec![left.clone(), Expression::Negative(Box::new(right.clone()))])
}

/// The numeral that an expression is, powers of ten multiplied in, and whether a minus sign stands before it.
fn numeral(expression: &Expression) -> Option<(bool, Numeral)> {
    match expression {
        Expression::Number(numeral) => Some((false, numeral.clone())),
        Expression::Negative(inner) => numeral(inner).map(|(is_negative, numeral)| (!is_negative, numeral)),
        Expression::Power(base, exponent) => {
            let is_ten = matches!(&**base, Expression::Number(ten) if ten.canonical == ("1".to_owned(), 1));
            let exponent = evaluate::exact(exponent).filter(|_| is_ten)?.as_whole()?;
            let Expression::Number(one) = super::expressions::whole(1) else { return None };
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

fn scalars(reference: &Scalar, answer: &Scalar, expected: Expected) -> Verdict {
    if let (Some(one), Some(other)) = (&reference.noun, &answer.noun)
        && singular(one) != singular(other)
    {
        return Verdict::Different(Difference::Unit);
    }
    match (&reference.unit, &answer.unit) {
        (Some(unit), Some(other)) if unit.is_share && other.is_share || unit.is_like(other) => {
            converted(reference, unit, answer, other)
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
    let factor = super::expressions::parse(&format!("{factor}"), super::values::plain_notation())?;
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
    let close = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.abs();
    if wanted != 0.0 && close(wanted, -given) { Difference::Sign } else { Difference::Amount { converted: None } }
}

/// Items in order.
fn sequences(reference: &[Value], answer: &[Value], expected: Expected) -> Verdict {
    if reference.len() != answer.len() {
        return grouped(reference, answer, expected);
    }
    let mut sure = SURE;
    for (one, other) in reference.iter().zip(answer) {
        match compare(one, other, expected) {
            Verdict::Same(how) => sure = sure.min(how),
            verdict => {
                let is_shuffled = matches!(collections(reference, answer, expected), Verdict::Same(_));
                let verdict =
                    if matches!(verdict, Verdict::NoUnit) { Verdict::Different(Difference::Unit) } else { verdict };
                return if is_shuffled { Verdict::Different(Difference::Order) } else { verdict };
            }
        }
    }
    Verdict::Same(sure)
}

/// A list of lists in one of two ways: in any order, or as `p = 5, q = 2` for `(5, 2)`.
fn grouped(reference: &[Value], answer: &[Value], expected: Expected) -> Verdict {
    let verdict = collections(reference, answer, expected);
    if let Verdict::Same(_) = verdict {
        return verdict;
    }
    if reference.len() == answer.len() {
        let in_order = |one: &Value, other: &Value| match (one, other) {
            (Value::Collection { is_set: false, items }, Value::Sequence { items: given, .. })
            | (Value::Sequence { items: given, .. }, Value::Collection { is_set: false, items }) => {
                matches!(sequences(items, given, expected), Verdict::Same(_))
            }
            _ => false,
        };
        let all = |list: &[Value]| list.iter().all(|one| answer.iter().any(|other| in_order(one, other)));
        if all(reference) {
            return Verdict::Same(LENIENT);
        }
    }
    verdict
}

/// Items in any order; what is there twice is there.
fn collections(reference: &[Value], answer: &[Value], expected: Expected) -> Verdict {
    let mut sure = SURE;
    let mut best = |one: &Value, others: &[Value], reference_first: bool| {
        let verdicts = others
            .iter()
            .map(|other| if reference_first { compare(one, other, expected) } else { compare(other, one, expected) });
        let found = verdicts.filter_map(|verdict| if let Verdict::Same(how) = verdict { Some(how) } else { None });
        let how = found.fold(0.0, f64::max);
        sure = if how > 0.0 { sure.min(how) } else { sure };
        how > 0.0
    };
    let missing = reference.iter().filter(|one| !best(one, answer, true)).count();
    let extra = answer.iter().filter(|one| !best(one, reference, false)).count();
    if missing + extra == 0 { Verdict::Same(sure) } else { Verdict::Different(Difference::Items { missing, extra }) }
}

fn matrices(reference: &[Vec<Value>], answer: &[Vec<Value>], expected: Expected) -> Verdict {
    if reference.len() != answer.len() {
        return Verdict::Different(Difference::Kind);
    }
    let mut sure = SURE;
    for (row, given) in reference.iter().zip(answer) {
        if row.len() != given.len() {
            return Verdict::Different(Difference::Kind);
        }
        match sequences(row, given, expected) {
            Verdict::Same(how) => sure = sure.min(how),
            _ => return Verdict::Different(Difference::Value),
        }
    }
    Verdict::Same(sure)
}

/// An interval: both ends with whether they belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    low: f64,
    has_low: bool,
    high: f64,
    has_high: bool,
}

/// The intervals that a value is, in order; `None` where it is none.
fn spans(value: &Value) -> Option<Vec<Span>> {
    let number = |expression: &Expression| match expression {
        Expression::Name(name) if name == "∞" => Some(f64::INFINITY),
        Expression::Negative(inner) if **inner == Expression::Name("∞".to_owned()) => Some(f64::NEG_INFINITY),
        other => evaluate::number(other),
    };
    let is_name =
        |expression: &Expression| matches!(expression, Expression::Name(_)) && evaluate::has_names(expression);
    let (below, above) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut found = match value {
        Value::Named { value, .. } => return spans(value),
        Value::Union(parts) => parts.iter().map(spans).collect::<Option<Vec<_>>>()?.concat(),
        Value::Sequence { open, close, items } => match items.as_slice() {
            [Value::Scalar(low), Value::Scalar(high)] => vec![Span {
                low: number(&low.expression)?,
                has_low: *open == '[',
                high: number(&high.expression)?,
                has_high: *close == ']',
            }],
            _ => return None,
        },
        Value::Inequality { sign: sign @ ('<' | '≤'), left, right } => {
            let closed = *sign == '≤';
            if let (true, Some(high)) = (is_name(left), number(right)) {
                vec![Span { low: below, has_low: false, high, has_high: closed }]
            } else if let (Some(low), true) = (number(left), is_name(right)) {
                vec![Span { low, has_low: closed, high: above, has_high: false }]
            } else {
                return None;
            }
        }
        Value::Inequality { sign: '≠', left, right } => {
            let at = if is_name(left) {
                number(right)?
            } else if is_name(right) {
                number(left)?
            } else {
                return None;
            };
            vec![
                Span { low: below, has_low: false, high: at, has_high: false },
                Span { low: at, has_low: false, high: above, has_high: false },
            ]
        }
        Value::Between { low, low_sign, middle, high_sign, high } => {
            let span =
                Span {
                    low: number(low)?, has_low: *low_sign == '≤', high: number(high)?, has_high: *high_sign == '≤'
                };
            match middle {
                Expression::Call(super::expressions::Function::Abs, inner)
                    if is_name(inner.first()?) && span.low >= 0.0 =>
                {
                    let turned =
                        Span { low: -span.high, has_low: span.has_high, high: -span.low, has_high: span.has_low };
                    vec![turned, span]
                }
                name if is_name(name) => vec![span],
                _ => return None,
            }
        }
        _ => return None,
    };
    found.sort_by(|one, other| one.low.total_cmp(&other.low));
    Some(found)
}

fn inequalities(reference: &Value, answer: &Value) -> Verdict {
    if let (Some(one), Some(other)) = (spans(reference), spans(answer)) {
        return same_spans(&one, &other);
    }
    let answer = match answer {
        Value::Collection { items, .. } | Value::Union(items) if items.len() == 1 => &items[0],
        answer => answer,
    };
    let (
        Value::Inequality { sign, left, right },
        Value::Inequality { sign: other_sign, left: other_left, right: other_right },
    ) = (reference, answer)
    else {
        return Verdict::Different(Difference::Kind);
    };
    let (one, other) = (minus(right, left), minus(other_right, other_left));
    let wanted = |factor: evaluate::Complex| *sign == '≠' || factor.is_positive_real();
    if !evaluate::proportional(&one, &other, &wanted) {
        return Verdict::Different(Difference::Value);
    }
    if sign == other_sign { Verdict::Same(PROBED) } else { Verdict::Different(Difference::Bounds) }
}

fn same_spans(one: &[Span], other: &[Span]) -> Verdict {
    if one.len() != other.len() {
        return Verdict::Different(Difference::Value);
    }
    let same = |left: f64, right: f64| {
        let near = (left - right).abs() <= 1e-10 * left.abs().max(right.abs());
        left == right || near && left.is_finite() && right.is_finite()
    };
    let mut bounds = true;
    for (left, right) in one.iter().zip(other) {
        if !same(left.low, right.low) || !same(left.high, right.high) {
            return Verdict::Different(Difference::Value);
        }
        bounds &= (left.has_low, left.has_high) == (right.has_low, right.has_high);
    }
    if bounds { Verdict::Same(PROBED) } else { Verdict::Different(Difference::Bounds) }
}
