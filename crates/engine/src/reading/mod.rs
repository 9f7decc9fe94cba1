//! From a lesson's JSON to typed blocks: what is a paragraph, a list, a table, a definition, a step.
//!
//! Structure is recognised by shape first and by names second, so a course in any language and of
//! any type reads well. Nothing of a lesson's content gets lost here, and nothing that could harm a
//! page gets through. Start at [`shapes`]; strings go through [`markdown`] or [`html`].

mod addresses;
mod asked;
pub(crate) mod blocks;
mod codes;
mod documents;
pub(crate) mod flat;
mod folded;
mod html;
pub(crate) mod inline;
mod kinds;
pub(crate) mod markdown;
mod math;
mod metadata;
pub(crate) mod modules;
pub(crate) mod names;
mod notes;
pub(crate) mod outline;
pub(crate) mod pointer;
mod quiz;
mod quotations;
mod recent;
mod records;
mod shapes;
mod sift;
mod things;
mod titles;

pub use metadata::is_metadata;
pub(crate) use shapes::{is_address, read_lessons, read_text, split_pair};

#[cfg(test)]
mod tests;
