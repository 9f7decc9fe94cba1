//! Whether two values are equal, and if not, what differs.

mod collections;
mod intervals;
pub(super) mod numbers;

use super::evaluate;
use super::expressions::Expression;
use super::values::{Scalar, Value};
use collections::{collections, grouped, matrices, sequences};
use intervals::inequalities;
use numbers::scalars;

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
    /// The question asks for an order.
    pub(super) is_ordered: bool,
}

/// Compares an answer with a reference.
pub(super) fn compare(reference: &Value, answer: &Value, expected: Expected) -> Verdict {
    let different = |difference| Verdict::Different(difference);
    // `y = 2x + 3` for `2x + 3`, and the other way round.
    match (reference, answer) {
        (Value::Scalar(_), Value::Equation(left, right)) => {
            return defined(left, right)
                .map_or(different(Difference::Kind), |value| compare(reference, &value, expected));
        }
        (Value::Equation(left, right), Value::Scalar(_)) => {
            return defined(left, right).map_or(different(Difference::Kind), |value| compare(&value, answer, expected));
        }
        _ => {}
    }
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
        (Value::Matrix(_), _) | (_, Value::Matrix(_)) => match (rows(reference), rows(answer)) {
            (Some(one), Some(other)) => matrices(&one, &other, expected),
            _ => different(Difference::Kind),
        },
        (Value::Ratio(one), Value::Ratio(other)) => {
            let share = |parts: &[Expression], part: &Expression| {
                Expression::Quotient(Box::new(part.clone()), Box::new(parts[0].clone()))
            };
            let same = |(left, right): (&Expression, &Expression)| {
                evaluate::same_value(&share(one, left), &share(other, right)).is_some()
            };
            let is_same = one.len() == other.len() && one.iter().zip(other).all(same);
            if one == other {
                Verdict::Same(SURE)
            } else if is_same {
                Verdict::Same(LENIENT)
            } else {
                different(Difference::Value)
            }
        }
        (Value::Ratio(parts), Value::Scalar(scalar)) | (Value::Scalar(scalar), Value::Ratio(parts))
            if parts.len() == 2 =>
        {
            let quotient = Expression::Quotient(Box::new(parts[0].clone()), Box::new(parts[1].clone()));
            match evaluate::same_value(&quotient, &scalar.expression) {
                Some(_) if scalar.unit.is_none() => Verdict::Same(LENIENT),
                _ => different(Difference::Kind),
            }
        }
        (Value::Equation(left, right), Value::Equation(other_left, other_right)) => {
            let (one, other) = (minus(left, right), minus(other_left, other_right));
            let any = |_: evaluate::Complex| true;
            let is_same = evaluate::has_names(&one) && evaluate::proportional(&one, &other, &any);
            if is_same { Verdict::Same(PROBED) } else { different(Difference::Value) }
        }
        (one, other) if one.is_region() || other.is_region() => match inequalities(reference, answer) {
            Verdict::Different(Difference::Kind) => regions(reference, answer, expected),
            verdict => verdict,
        },
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
        (Value::Collection { is_set: false, items }, Value::Collection { items: given, .. })
            if expected.is_ordered && items.len() == given.len() =>
        {
            sequences(items, given, expected)
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

/// The rows of a matrix, of a list of lists, or of a tuple that stands for a column.
fn rows(value: &Value) -> Option<Vec<Vec<Value>>> {
    match value {
        Value::Matrix(rows) if rows.len() == 1 => Some(rows[0].iter().map(|cell| vec![cell.clone()]).collect()),
        Value::Matrix(rows) => Some(rows.clone()),
        Value::Named { value, .. } => rows(value),
        Value::Sequence { items, .. } => Some(
            items
                .iter()
                .map(|item| match item {
                    Value::Sequence { items, .. } => items.clone(),
                    item => vec![item.clone()],
                })
                .collect(),
        ),
        _ => None,
    }
}

/// Unions with names in their ends, part by part.
fn regions(reference: &Value, answer: &Value, expected: Expected) -> Verdict {
    match (reference, answer) {
        (
            Value::Union(one) | Value::Intersection(one),
            Value::Union(other) | Value::Intersection(other) | Value::Collection { items: other, .. },
        )
        | (Value::Collection { items: one, .. }, Value::Union(other) | Value::Intersection(other)) => {
            collections(one, other, expected)
        }
        _ => Verdict::Different(Difference::Kind),
    }
}

/// What an equation says that its other side is: of a name, of `f(x)`, or of an expression that is rewritten step by step.
pub(super) fn defined(left: &Expression, right: &Expression) -> Option<Value> {
    let value = |expression: &Expression| Value::Scalar(Scalar::of(expression.clone()));
    if evaluate::same_value(left, right).is_some() {
        return Some(value(right));
    }
    match (function_name(left), function_name(right)) {
        (Some(name), None) if !right.mentions(name) => Some(value(right)),
        (None, Some(name)) if !left.mentions(name) => Some(value(left)),
        _ => None,
    }
}

/// The name that `y` and `f(x)` are of.
fn function_name(expression: &Expression) -> Option<&Expression> {
    match expression {
        Expression::Name(_) if evaluate::has_names(expression) => Some(expression),
        Expression::Product(factors) => match factors.as_slice() {
            [function @ Expression::Name(_), Expression::Name(_)] => Some(function),
            [Expression::Power(function, _), Expression::Name(_)] => function_name(function),
            _ => None,
        },
        _ => None,
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
