//! Formulas: LaTeX, or what a keyboard writes, as glyphs and lines at their places, or as readable text.
//!
//! `tree` reads, `boxes` places, `linear` writes text. A formula that can't be read is shown as text without backslashes.

mod boxes;
mod grids;
mod letters;
mod linear;
mod plain;
mod spacing;
mod tree;

pub(crate) use boxes::{Boxed, Ink};
pub(crate) use linear::{linear, readable};
pub(crate) use plain::is_script_digit;

use crate::layout::Formula;

/// A formula at its places, in ems; `None` when it can't be read. One that is wider than `most_ems` has a second line,
/// which begins with a relation, where the formula has one.
pub(crate) fn typeset(formula: &Formula, language: &str, most_ems: f32) -> Option<Boxed> {
    let tree = match formula {
        Formula::Latex(latex) => tree::read(latex),
        Formula::Plain(text) => tree::read(&plain::to_latex(text)),
    };
    let tree = tree?;
    let boxed = boxes::place(&tree, language);
    let boxed = match tree::in_lines(&tree).filter(|_| boxed.width > most_ems) {
        Some(lines) => boxes::place(&lines, language),
        None => boxed,
    };
    (boxed.width > 0.0).then_some(boxed)
}

/// A formula as a line of text.
pub(crate) fn as_text(formula: &Formula) -> String {
    match formula {
        Formula::Latex(latex) => linear(latex),
        Formula::Plain(text) => text.clone(),
    }
}
