//! Running text in any language: scripts, words, sentences, definitions, numbers.
//!
//! Everything here looks at text and answers; nothing makes text up. What is known of single
//! languages stands in [`profile`] as data; a language that is not there still works by script,
//! punctuation and frequency.

pub(crate) mod definitions;
pub(crate) mod normal;
pub(crate) mod numbers;
pub(crate) mod order_words;
pub(crate) mod orders;
pub(crate) mod profile;
mod profiles;
pub(crate) mod script;
pub(crate) mod sentences;
pub(crate) mod terms;
