//! XML in and out: a small tree read within limits, and a writer that can't make ill-formed text.
//!
//! Document type declarations are refused, so there are no entities to expand and nothing to load from
//! outside. Prefixes are dropped: packages of other systems bind them as they like, and no two
//! vocabularies that are read here clash.

mod encoding;
pub(crate) mod names;
mod parse;
mod tree;
pub(crate) mod write;

pub(crate) use parse::parse;
pub(crate) use tree::{Element, Node};

/// Whether XML 1.0 can hold the character.
pub(crate) fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// The white space that XML and HTML collapse.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}
