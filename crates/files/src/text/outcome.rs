//! What came of reading a file.

use serde::{Deserialize, Serialize};

/// What was found in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// Its text, as far as a reader of the file sees it.
    pub text: FileText,
    /// It also holds text that a reader of the file does not see. That was left out.
    pub hides_text: bool,
}

impl From<FileText> for Extracted {
    /// Nothing is hidden.
    fn from(text: FileText) -> Self {
        Self { text, hides_text: false }
    }
}

/// The text of a file, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileText {
    /// All of it.
    Whole(String),
    /// Its beginning.
    Cut {
        /// The beginning.
        text: String,
        /// Characters that are missing.
        omitted_characters: usize,
    },
    /// None.
    Unread(Unread),
}

/// Why a file was not read. Reading it again would end alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Unread {
    /// It needs a password.
    #[error("The file is protected by a password, so it could not be read.")]
    Encrypted,
    /// It is not what it begins as, or it ends too early.
    #[error("The file is damaged or incomplete, so it could not be read.")]
    Damaged,
    /// It expands to more than is read, or takes too much memory.
    #[error("The file is too large or too complex to be read.")]
    TooLarge,
    /// It can be read, and has no text: a scan, or nothing at all.
    #[error("No text was found in the file. It may be empty, or a scan or photo of text.")]
    NoText,
    /// Reading it was given up.
    #[error("Reading the file took too long and was stopped.")]
    TookTooLong,
    /// It is a picture.
    #[error("The file is a picture, so it could not be read as text.")]
    Picture,
    /// It is of a kind that is not read.
    #[error("Files of this type can't be read. PDF, DOCX, HTML, Markdown and plain text can.")]
    Unsupported,
}

impl Unread {
    /// One word for rows, log lines and metrics. The sentence for people is the `Display` form.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Encrypted => "encrypted",
            Self::Damaged => "damaged",
            Self::TooLarge => "too_large",
            Self::NoText => "no_text",
            Self::TookTooLong => "took_too_long",
            Self::Picture => "picture",
            Self::Unsupported => "unsupported",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_word_and_a_sentence() {
        use Unread::*;
        for reason in [Encrypted, Damaged, TooLarge, NoText, TookTooLong, Picture, Unsupported] {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.code());
            let sentence = reason.to_string();
            assert!(sentence.ends_with('.') && sentence.len() > 30, "{sentence}");
        }
    }
}
