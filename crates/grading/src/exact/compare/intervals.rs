//! Intervals and inequalities, as the sets of numbers that they are.

use super::{Difference, PROBED, Verdict, minus};
use crate::exact::evaluate;
use crate::exact::expressions::{Expression, Function};
use crate::exact::values::Value;

/// An interval: both ends with whether they belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    low: f64,
    has_low: bool,
    high: f64,
    has_high: bool,
}

const ALL: Span = Span { low: f64::NEG_INFINITY, has_low: false, high: f64::INFINITY, has_high: false };

impl Span {
    fn is_empty(self) -> bool {
        self.low > self.high || self.low == self.high && !(self.has_low && self.has_high)
    }

    fn with(self, other: Self) -> Self {
        let (low, has_low) = match self.low.total_cmp(&other.low) {
            std::cmp::Ordering::Equal => (self.low, self.has_low && other.has_low),
            std::cmp::Ordering::Greater => (self.low, self.has_low),
            std::cmp::Ordering::Less => (other.low, other.has_low),
        };
        let (high, has_high) = match self.high.total_cmp(&other.high) {
            std::cmp::Ordering::Equal => (self.high, self.has_high && other.has_high),
            std::cmp::Ordering::Less => (self.high, self.has_high),
            std::cmp::Ordering::Greater => (other.high, other.has_high),
        };
        Self { low, has_low, high, has_high }
    }
}

fn both(one: &[Span], other: &[Span]) -> Vec<Span> {
    let pairs = one.iter().flat_map(|left| other.iter().map(|right| left.with(*right)));
    pairs.filter(|span| !span.is_empty()).collect()
}

/// The spans in order, those that touch as one.
fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by(|one, other| one.low.total_cmp(&other.low).then(other.has_low.cmp(&one.has_low)));
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined
            .last_mut()
            .filter(|last| span.low < last.high || span.low == last.high && (span.has_low || last.has_high))
        {
            Some(last) if span.high > last.high => (last.high, last.has_high) = (span.high, span.has_high),
            Some(last) => last.has_high |= span.high == last.high && span.has_high,
            None => joined.push(span),
        }
    }
    joined
}

fn number(expression: &Expression) -> Option<f64> {
    match expression {
        Expression::Name(name) if name == "∞" => Some(f64::INFINITY),
        Expression::Negative(inner) if **inner == Expression::Name("∞".to_owned()) => Some(f64::NEG_INFINITY),
        other => evaluate::number(other),
    }
}

/// The intervals that a value is, in order; `None` where it is none.
fn spans(value: &Value) -> Option<Vec<Span>> {
    Some(joined(match value {
        Value::Named { value, .. } => return spans(value),
        Value::Union(parts) => parts.iter().map(spans).collect::<Option<Vec<_>>>()?.concat(),
        Value::Intersection(parts) => {
            parts.iter().map(spans).try_fold(vec![ALL], |common, part| Some(both(&common, &part?)))?
        }
        Value::Sequence { open, close, items } => match items.as_slice() {
            [Value::Scalar(low), Value::Scalar(high)] => vec![Span {
                low: number(&low.expression)?,
                has_low: *open == '[',
                high: number(&high.expression)?,
                has_high: *close == ']',
            }],
            _ => return None,
        },
        Value::Inequality { sign, left, right } => match (number(left), number(right)) {
            (None, Some(high)) => side(left, *sign, high)?,
            (Some(low), None) if *sign == '≠' => side(right, *sign, low)?,
            (Some(low), None) => side(&Expression::Negative(Box::new(right.clone())), *sign, -low)?,
            _ => return None,
        },
        Value::Between { low, low_sign, middle, high_sign, high } => {
            let below = side(&Expression::Negative(Box::new(middle.clone())), *low_sign, -number(low)?)?;
            both(&below, &side(middle, *high_sign, number(high)?)?)
        }
        _ => return None,
    }))
}

/// Where an expression of a name is less than a number, at most that, or another one.
fn side(expression: &Expression, sign: char, bound: f64) -> Option<Vec<Span>> {
    let has = sign == '≤';
    let up_to = |high: f64| Span { high, has_high: has, ..ALL };
    let from = |low: f64| Span { low, has_low: has, ..ALL };
    match expression {
        Expression::Name(_) if evaluate::has_names(expression) => Some(match sign {
            '≠' => vec![Span { has_high: false, ..up_to(bound) }, Span { has_low: false, ..from(bound) }],
            _ => vec![up_to(bound)],
        }),
        Expression::Negative(inner) if sign != '≠' => match &**inner {
            Expression::Name(_) if evaluate::has_names(inner) => Some(vec![from(-bound)]),
            // -|x| < bound: x is further from zero than that.
            Expression::Call(Function::Abs, arguments) if bound <= 0.0 => {
                let name = arguments.first().filter(|one| matches!(one, Expression::Name(_)))?;
                evaluate::has_names(name).then(|| vec![up_to(bound), from(-bound)])
            }
            _ => None,
        },
        Expression::Call(Function::Abs, arguments) if sign != '≠' => {
            let name = arguments.first().filter(|one| matches!(one, Expression::Name(_)))?;
            evaluate::has_names(name).then(|| both(&[from(-bound)], &[up_to(bound)]))
        }
        _ => None,
    }
}

pub(super) fn inequalities(reference: &Value, answer: &Value) -> Verdict {
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
    let same = |left: f64, right: f64| {
        let near = (left - right).abs() <= 1e-10 * left.abs().max(right.abs());
        left == right || near && left.is_finite() && right.is_finite()
    };
    let same_ends = |(left, right): (&Span, &Span)| same(left.low, right.low) && same(left.high, right.high);
    if one.len() != other.len() || !one.iter().zip(other).all(same_ends) {
        return Verdict::Different(Difference::Value);
    }
    let bounds =
        one.iter().zip(other).all(|(left, right)| (left.has_low, left.has_high) == (right.has_low, right.has_high));
    if bounds { Verdict::Same(PROBED) } else { Verdict::Different(Difference::Bounds) }
}
