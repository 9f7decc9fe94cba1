//! Languages: what is known of each of them, and running text in any of them.
//!
//! What is known of single languages is data; a language that is not there still works by script, punctuation and frequency.
//! Functions here look at text and answer; nothing makes text up, and nothing does I/O. Start at [`profile`].

pub mod lists;
pub mod normal;
pub mod profile;
mod profiles;
pub mod script;
pub mod sentences;
mod template;

pub use template::fill;

/// The lower-cased part of a language tag before its first separator.
#[must_use]
pub fn primary_subtag(tag: &str) -> String {
    tag.trim().split(['-', '_']).next().unwrap_or_default().chars().take(8).flat_map(char::to_lowercase).collect()
}
