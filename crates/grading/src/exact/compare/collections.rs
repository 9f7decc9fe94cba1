//! Values that consist of values.

use super::{Difference, Expected, LENIENT, SURE, Verdict, compare};
use crate::exact::values::Value;

/// Items in order.
pub(super) fn sequences(reference: &[Value], answer: &[Value], expected: Expected) -> Verdict {
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
pub(super) fn grouped(reference: &[Value], answer: &[Value], expected: Expected) -> Verdict {
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
pub(super) fn collections(reference: &[Value], answer: &[Value], expected: Expected) -> Verdict {
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

pub(super) fn matrices(reference: &[Vec<Value>], answer: &[Vec<Value>], expected: Expected) -> Verdict {
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
