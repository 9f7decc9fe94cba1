//! How the surface's own signature header is keyed.

use store::{Column, FromColumn, Parameter, StoreError, ToColumn};

/// What keys the signature header of the surface. The Standard Webhooks signature does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignatureVersion {
    /// The secret itself.
    #[default]
    Plain,
    /// The lower-case hex SHA-256 digest of the secret.
    Hashed,
}

impl SignatureVersion {
    /// Every version by its name.
    pub const WORDS: &[(&str, Self)] = &[("plain", Self::Plain), ("hashed", Self::Hashed)];

    /// The name in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Hashed => "hashed",
        }
    }
}

impl ToColumn for SignatureVersion {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Text(self.as_str())
    }
}

impl FromColumn for SignatureVersion {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        let Column::Text(text) = column else { return Err(StoreError::Unexpected("no signature version".into())) };
        let known = Self::WORDS.iter().find(|(word, _)| *word == text).map(|(_, version)| *version);
        known.ok_or_else(|| StoreError::Unexpected("no signature version of this name".into()))
    }
}
