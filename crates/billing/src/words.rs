//! Enums that are stored as a word.

/// Gives an enum its words, and lets the store read and write it by them.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl $name {
            /// The word in the database and on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// What the word stands for.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        impl store::ToColumn for $name {
            fn to_column(&self) -> store::Parameter<'_> {
                store::Parameter::Text(self.as_str())
            }
        }

        impl store::FromColumn for $name {
            fn from_column(column: store::Column<'_>) -> Result<Self, store::StoreError> {
                let word = String::from_column(column)?;
                Self::from_word(&word).ok_or_else(|| store::StoreError::Unexpected(format!("unknown word {word}").into()))
            }
        }
    };
}

pub(crate) use words;
