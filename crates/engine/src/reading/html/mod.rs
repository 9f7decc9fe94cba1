//! Reads HTML that customers put into fields, down to the same blocks as Markdown.
//!
//! `html5gum` is the tokenizer. Only text and structure survive. Scripts, styles and everything else that is no content is
//! dropped with what is in it, and so is what a class calls a teacher's. Of the attributes only addresses, alternative
//! texts, spans, classes and languages are read. It reads any tag soup without failing, in one pass. [`tokens`] makes the
//! tokens, [`reader`] the blocks; [`math`](super::math) has masked the formulas.

mod elements;
mod reader;
mod scripts;
mod table;
mod tokens;

use super::blocks::{Block, Body};
use super::math::{Syntax, mask};
use super::pointer::Pointer;

/// Deepest heading.
const DEEPEST: u8 = 4;

/// Whether a text is HTML and not just a text about `<tags>`, nor Markdown with a few tags in it.
pub(crate) fn looks_like(text: &str) -> bool {
    let fenced = text.contains("```") && !text.trim_start().starts_with('<');
    !fenced && elements::tells(text)
}

/// Whether a stretch of HTML holds a tag.
pub(super) fn holds_tag(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let name = elements::name_of(rest.strip_prefix('/').unwrap_or(rest));
        if elements::is_known(&name) && (rest.starts_with('/') || rest.contains('>')) {
            return true;
        }
    }
    false
}

/// The blocks of an HTML text; its headings start at `level`.
pub(crate) fn read(text: &str, pointer: &Pointer, level: u8) -> Vec<Block> {
    let bare = scripts::without(text);
    let masked = mask(&bare, Syntax::Html);
    let mut blocks = reader::read(&masked, pointer);
    let levels =
        blocks.iter().filter_map(|block| if let Body::Heading { level, .. } = block.body { Some(level) } else { None });
    let top = levels.min().unwrap_or(1);
    for block in &mut blocks {
        if let Body::Heading { level: own, .. } = &mut block.body {
            *own = (*own - top + 1 + level.saturating_sub(1)).min(DEEPEST);
        }
    }
    blocks
}

#[cfg(test)]
mod tests;
