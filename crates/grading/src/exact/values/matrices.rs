//! Matrices in the notation that LaTeX becomes, and in brackets with semicolons.

use super::{MOST_ITEMS, Scalar, Value, at_depth};
use crate::exact::expressions::{self, Notation};

/// `[1 2; 3 4]`
pub(super) fn spaced_matrix(text: &str, notation: Notation) -> Option<Value> {
    let inner = text.strip_prefix('[')?.strip_suffix(']').filter(|inner| inner.contains(';'))?;
    let row = |row: &str| -> Option<Vec<Value>> {
        row.split_whitespace()
            .map(|cell| Some(Value::Scalar(Scalar::of(expressions::parse(cell, notation)?))))
            .collect()
    };
    let rows: Vec<Vec<Value>> = inner.split(';').take(MOST_ITEMS + 1).map(row).collect::<Option<_>>()?;
    let is_matrix = rows.iter().all(|row| row.len() > 1 && row.len() == rows[0].len() && row.len() <= MOST_ITEMS);
    (is_matrix && rows.len() <= MOST_ITEMS).then_some(Value::Matrix(rows))
}

pub(super) fn matrix(text: &str, notation: Notation, depth: usize) -> Option<Value> {
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
