//! Whether two values are equal, and if not, what differs.

mod collections;
mod intervals;
pub(super) mod numbers;

use super::evaluate;
use super::expressions::Expression;
use super::values::Value;
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
