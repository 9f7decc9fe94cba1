//! How far a resource is, who may see it, and that something was done.

use serde::Serialize;

/// How far a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema, store::Words)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema, store::Words)]
#[serde(rename_all = "UPPERCASE")]
pub enum Visibility {
    /// The classroom, and holders of the preview link.
    Private,
    /// Anybody who has the link.
    Public,
}

/// Why something failed: a code for programs, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, store::Record, utoipa::ToSchema)]
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

impl Visibility {
    /// Whether anybody may see it.
    pub fn is_public(self) -> bool {
        self == Self::Public
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::{Column, FromColumn as _};

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
