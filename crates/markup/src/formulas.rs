//! Formulas: LaTeX becomes MathML that keeps its LaTeX.
//!
//! All MathML that leaves this crate is printed by `tree` from a closed list of elements and attributes; `render` makes
//! such a tree of LaTeX, `foreign` of MathML that somebody else wrote. No formula holds a link, a style, HTML or anything
//! that acts. `parts` finds formulas in plain text.

mod allowed;
mod bounds;
mod foreign;
mod parts;
mod render;
mod tree;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use crate::SafeHtml;
use crate::escape::escape_into;

pub(crate) use foreign::{Builder, Step};
pub use parts::{Part, parts};
pub(crate) use tree::Formula;

/// The style that a page needs for the formulas: alignment in tables and the lines of matrices.
///
/// Chromium knows no other way to align the cells of MathML; the attributes stand for readers that know no style.
pub const STYLE: &str = include_str!("formulas/style.css");

/// The MathML of a formula, which keeps the LaTeX as its annotation. `None` when the LaTeX can't be read: it is longer than
/// 4,000 bytes, nested too deeply, defines commands or uses an unknown one. Show it as `<code>` then.
pub fn mathml(latex: &str, display: bool) -> Option<String> {
    render::formula(latex, display).map(|formula| formula.html())
}

/// The LaTeX that a formula keeps. `None` when the text is not one `<math>` element with LaTeX in it.
pub fn latex_of(math_html: &str) -> Option<String> {
    read(math_html.trim())?.latex
}

/// Whether a `<math>` element is on a line of its own.
pub fn is_display(math_html: &str) -> bool {
    read(math_html.trim()).is_some_and(|formula| formula.display)
}

/// Plain text as HTML, with its formulas as MathML.
pub fn inline_html(text: &str) -> SafeHtml {
    let mut html = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            Part::Text(text) => escape_into(text, &mut html),
            Part::Formula { latex, display } => html.push_str(&shown(latex, display)),
        }
    }
    SafeHtml(html)
}

/// The MathML of a formula, or its LaTeX as `<code>` when it can't be read.
pub fn shown(latex: &str, display: bool) -> String {
    mathml(latex, display).unwrap_or_else(|| {
        let mut html = "<code>".to_owned();
        escape_into(latex, &mut html);
        html.push_str("</code>");
        html
    })
}

/// The formula that a text consists of.
fn read(html: &str) -> Option<Formula> {
    let mut builder: Option<Builder> = None;
    let mut formula = None;
    for token in Tokenizer::new_with_emitter(html, DefaultEmitter::default()) {
        let Ok(token) = token;
        let Some(open) = &mut builder else {
            match token {
                Token::StartTag(tag) if *tag.name == *b"math" && formula.is_none() => {
                    builder = Some(Builder::new(&tag));
                }
                _ => return None,
            }
            continue;
        };
        let step = match token {
            Token::StartTag(tag) => open.start(&tag),
            Token::EndTag(tag) => open.end(&tag.name),
            Token::String(text) => open.text(&text),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => Step::Taken,
        };
        match step {
            Step::Taken => {}
            Step::Done => formula = builder.take().map(Builder::finish),
            Step::Broken => return None,
        }
    }
    formula
}

#[cfg(test)]
mod tests;
