//! Reads plain and Markdown text: headings, lists, tables, fenced code, formulas, pictures, conversations, paragraphs, and
//! the marks inside them.
//!
//! `pulldown-cmark` is the tokenizer. Teachers write looser than CommonMark, so [`tidy`] first brings their lines into its
//! form, and [`math`](super::math) masks what Markdown would misread. It never fails: what is no mark is text. All steps are
//! linear. [`blocks`] makes blocks of the events; [`talk`] tells conversations and deliberate line breaks.

mod blocks;
mod lines;
mod spans;
mod table;
mod talk;
mod tidy;

use super::blocks::Block;
use super::inline::{Passage, squeeze};
use super::math::{Syntax, mask};
use super::pointer::Pointer;

pub(crate) use blocks::looks_like_code;
pub(super) use lines::{bullet_mark, indent, is_rule};
pub(crate) use talk::conversation;

/// The blocks of a text; headings in it start at `level`.
pub(crate) fn read(text: &str, pointer: &Pointer, level: u8) -> Vec<Block> {
    let masked = mask(text, Syntax::Markdown);
    let tidied = tidy::tidy(&masked.text);
    blocks::read(&masked, &tidied, pointer, level)
}

/// Running text with Markdown's inline marks taken off and references decoded.
pub(crate) fn inline(text: &str) -> Passage {
    spans::read(text)
}

/// The same of a text whose references were decoded before.
pub(crate) fn inline_decoded(text: &str) -> Passage {
    if text.contains('&') { spans::read(&text.replace('&', "&amp;")) } else { spans::read(text) }
}

/// The text of a short string, without a look for blocks.
pub(crate) fn plain_inline(text: &str) -> String {
    squeeze(&inline(text).text)
}

#[cfg(test)]
mod tests;
