//! How far a resource is, who may see it, and that something was done.

use serde::Serialize;
use store::{Column, FromColumn, Parameter, Row, StoreError, ToColumn};

/// How far a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Waits for its generation.
    Queued,
    /// Is being generated.
    Processing,
    /// Whole.
    Completed,
    /// Its generation was given up.
    Failed,
}

/// Who may see a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Visibility {
    /// The classroom, and holders of the preview link.
    Private,
    /// Anybody who has the link.
    Public,
}

/// Why something failed: a code for programs, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Failure {
    /// Stable, such as `source_empty`.
    #[schema(example = "source_empty")]
    pub code: String,
    /// A sentence.
    pub message: String,
}

/// The answer of an operation that has nothing else to tell.
#[derive(Clone, Copy, Debug, Serialize, utoipa::ToSchema)]
pub struct Succeeded {
    /// Always true: what failed has another status.
    pub success: bool,
}

/// `{ "success": true }`
pub(crate) const SUCCEEDED: Succeeded = Succeeded { success: true };

impl Status {
    const WORDS: &[(&str, Self)] = &[
        ("queued", Self::Queued),
        ("processing", Self::Processing),
        ("completed", Self::Completed),
        ("failed", Self::Failed),
    ];
}

impl Visibility {
    /// Every visibility by its name on the wire.
    pub const WORDS: &[(&str, Self)] = &[("PRIVATE", Self::Private), ("PUBLIC", Self::Public)];

    /// Whether anybody may see it.
    pub fn is_public(self) -> bool {
        self == Self::Public
    }
}

impl Failure {
    /// Reads the columns of code and message; null when nothing failed.
    pub(crate) fn from_columns(row: &Row<'_>, code: usize, message: usize) -> Result<Option<Self>, StoreError> {
        let Some(code) = row.get(code)? else { return Ok(None) };
        Ok(Some(Self { code, message: row.get::<Option<String>>(message)?.unwrap_or_default() }))
    }
}

fn word_of<T: PartialEq>(words: &[(&'static str, T)], wanted: &T) -> &'static str {
    words.iter().find(|(_, meaning)| meaning == wanted).map(|(word, _)| *word).expect("every case has its word")
}

fn meaning_of<T: Copy>(words: &[(&str, T)], column: Column<'_>) -> Result<T, StoreError> {
    let text = String::from_column(column)?;
    let known = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
    known.ok_or_else(|| StoreError::Unexpected(format!("the column holds the unknown word {text:?}").into()))
}

impl ToColumn for Status {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Text(word_of(Self::WORDS, self))
    }
}

impl FromColumn for Status {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        meaning_of(Self::WORDS, column)
    }
}

impl ToColumn for Visibility {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Text(word_of(Self::WORDS, self))
    }
}

impl FromColumn for Visibility {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        meaning_of(Self::WORDS, column)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_wire_and_the_database_use_the_same_words() {
        for (word, status) in Status::WORDS {
            assert_eq!(json!(status), json!(word));
            assert_eq!(Status::from_column(Column::Text(word)).unwrap(), *status);
        }
        for (word, visibility) in Visibility::WORDS {
            assert_eq!(json!(visibility), json!(word));
            assert_eq!(Visibility::from_column(Column::Text(word)).unwrap(), *visibility);
        }
        assert!(Status::from_column(Column::Text("done")).is_err());
    }
}
