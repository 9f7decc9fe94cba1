//! Languages: what is known of each of them, and running text in any of them.
//!
//! What is known of single languages is data, a file for each in `data`, which holds everything that the service reads or says
//! in it. A language without a file still works by script, punctuation and frequency. Functions here look at text and answer;
//! nothing makes text up, and nothing does I/O. Start at [`Language`], or at [`profile`].

mod data;
pub mod lists;
mod names;
pub mod normal;
pub mod numerals;
pub mod pace;
pub mod profile;
pub mod script;
pub mod segments;
pub mod sentences;
mod speech;
pub mod teachers;
mod template;
mod texts;
mod words;

pub use data::{Language, Teaching, all, cues, email, find, find_teaching, labels, speech, taught, teaching};
pub use names::named;
pub use speech::{Plural, Speech};
pub use template::fill;
pub use texts::{Drafts, Email, ExactFeedback, Feedback, Labels, Page, Signs};
pub use words::{Answers, Cues, FormPhrases, Grammar, Names, Orders, Style, Talk};

/// The lower-cased part of a language tag before its first separator.
#[must_use]
pub fn primary_subtag(tag: &str) -> String {
    tag.trim().split(['-', '_']).next().unwrap_or_default().chars().take(8).flat_map(char::to_lowercase).collect()
}
