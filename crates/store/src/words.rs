//! Enums that are stored as a word, the same in the database and on the wire.

/// Gives an enum its words, and lets the store read and write it by them. What is no word of it is an error when a row is
/// read: a fault of the program or of whoever changed the database, never another meaning.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// pub enum Door {
///     Open,
///     Shut,
/// }
///
/// store::words!(Door { Open = "open", Shut = "shut" });
///
/// assert_eq!(Door::from_word("shut"), Some(Door::Shut));
/// assert_eq!(Door::WORDS[0], (Door::Open.as_str(), Door::Open));
/// ```
#[macro_export]
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl $name {
            /// Every word with its meaning.
            pub const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)*];

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

        impl $crate::ToColumn for $name {
            fn to_column(&self) -> $crate::Parameter<'_> {
                $crate::Parameter::Text(self.as_str())
            }
        }

        impl $crate::FromColumn for $name {
            fn from_column(column: $crate::Column<'_>) -> Result<Self, $crate::StoreError> {
                let word = <String as $crate::FromColumn>::from_column(column)?;
                let unknown = || $crate::StoreError::Unexpected(format!("the column holds the unknown word {word:?}").into());
                Self::from_word(&word).ok_or_else(unknown)
            }
        }
    };
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro is for enums that are public")]
mod tests {
    use crate::{Column, FromColumn as _, Parameter, ToColumn as _};

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Door {
        Open,
        Shut,
    }

    crate::words!(Door { Open = "open", Shut = "SHUT" });

    #[test]
    fn every_word_is_written_and_read_and_nothing_else_is() {
        assert_eq!(Door::WORDS, [("open", Door::Open), ("SHUT", Door::Shut)]);
        for (word, door) in Door::WORDS {
            assert_eq!((door.to_column(), door.as_str()), (Parameter::Text(word), *word));
            assert_eq!(Door::from_column(Column::Text(word)).unwrap(), *door);
        }
        for unknown in [Column::Text(""), Column::Text("shut"), Column::Text("open "), Column::Integer(0), Column::Null]
        {
            assert!(Door::from_column(unknown).is_err());
        }
    }
}
