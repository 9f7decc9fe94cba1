//! Formulas: LaTeX, or what a keyboard writes, as glyphs and lines at their places, or as readable text.
//!
//! `tree` reads, `boxes` places, `linear` writes text. A formula that can't be read is shown as text without backslashes.

mod boxes;
mod linear;
mod plain;
mod tree;

pub(crate) use boxes::{Boxed, Ink};
pub(crate) use linear::{linear, readable};
pub(crate) use plain::is_script_digit;

use crate::layout::Formula;

/// A formula at its places, in ems; `None` when it can't be read.
pub(crate) fn typeset(formula: &Formula, language: &str) -> Option<Boxed> {
    let tree = match formula {
        Formula::Latex(latex) => tree::read(latex),
        Formula::Plain(text) => tree::read(&plain::to_latex(text)),
    };
    tree.map(|tree| boxes::place(&tree, language)).filter(|boxed| boxed.width > 0.0)
}

/// A formula as a line of text.
pub(crate) fn as_text(formula: &Formula) -> String {
    match formula {
        Formula::Latex(latex) => linear(latex),
        Formula::Plain(text) => text.clone(),
    }
}
