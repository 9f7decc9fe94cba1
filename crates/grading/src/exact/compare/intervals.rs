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
                Expression::Call(Function::Abs, inner) if is_name(inner.first()?) && span.low >= 0.0 => {
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
