//! The text of files, for graders.
//!
//! Plain text and Markdown are read as they are. What it takes a parser to read is read in a child process ([`Extractor`],
//! and [`child::run`] on the other side), by the modules of `reader`. Nothing is left out silently: what was cut is
//! counted, what was not read has a reason, and that something was there which nobody sees is said.

pub mod child;
mod extractor;
mod limits;
mod outcome;
mod reader;
mod sink;

pub use extractor::{ExtractError, Extractor, ExtractorOptions};
pub use limits::MOST_CHARACTERS;
pub use outcome::{Extracted, FileText, Unread};
