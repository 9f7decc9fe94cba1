//! Values on their way into a statement and out of a row.
//!
//! The tables know three types: text, 64-bit integers and doubles. Booleans are 0 and 1, times are
//! milliseconds since the epoch, days are days since it, money is millionths of a dollar, ids are lower-case UUID text, JSON is text.

use std::sync::Arc;

use kernel::id::Id;
use kernel::json::JsonText;
use kernel::money::MicroUsd;
use kernel::time::{Day, Timestamp};

use crate::StoreError;

/// A value bound to a `$n` of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter<'a> {
    /// SQL NULL.
    Null,
    /// BIGINT.
    Integer(i64),
    /// DOUBLE PRECISION.
    Real(f64),
    /// TEXT.
    Text(&'a str),
    /// TEXT that is a UUID, kept inline so that binding an id allocates nothing.
    Id([u8; 36]),
}

impl Parameter<'_> {
    /// The text of a text-like value.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Id(text) => Some(std::str::from_utf8(text).expect("hyphenated UUIDs are ASCII")),
            Self::Null | Self::Integer(_) | Self::Real(_) => None,
        }
    }
}

/// What can be a parameter of a statement.
pub trait ToColumn {
    /// The value to bind.
    fn to_column(&self) -> Parameter<'_>;
}

impl<T: ToColumn + ?Sized> ToColumn for &T {
    fn to_column(&self) -> Parameter<'_> {
        (**self).to_column()
    }
}

impl<T: ToColumn> ToColumn for Option<T> {
    fn to_column(&self) -> Parameter<'_> {
        self.as_ref().map_or(Parameter::Null, T::to_column)
    }
}

impl ToColumn for str {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Text(self)
    }
}

impl ToColumn for String {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Text(self)
    }
}

impl ToColumn for Arc<str> {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Text(self)
    }
}

/// As text, as all JSON is stored.
impl ToColumn for JsonText {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Text(self.as_str())
    }
}

macro_rules! integers_to_column {
    ($($integer:ty),+) => {$(
        impl ToColumn for $integer {
            fn to_column(&self) -> Parameter<'_> {
                Parameter::Integer(i64::from(*self))
            }
        }
    )+};
}

integers_to_column!(i64, i32, u32, u16, bool);

/// The largest integer of a column stands for all that are larger.
impl ToColumn for u64 {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

impl ToColumn for f64 {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Real(*self)
    }
}

impl ToColumn for Timestamp {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Integer(self.as_millis())
    }
}

impl ToColumn for Day {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Integer(self.number())
    }
}

impl ToColumn for MicroUsd {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Integer(self.micros())
    }
}

/// A value of a row, borrowed from it.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// SQL NULL.
    Null,
    /// Any integer type.
    Integer(i64),
    /// Any floating-point type.
    Real(f64),
    /// Text.
    Text(&'a str),
}

impl Column<'_> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a real number",
            Self::Text(_) => "text",
        }
    }

    pub(crate) fn misfit(&self, wanted: &str) -> StoreError {
        StoreError::unexpected(format!("wanted {wanted}, the column holds {}", self.kind()))
    }
}

/// What can be read from a column.
pub trait FromColumn: Sized {
    /// Reads the value.
    ///
    /// # Errors
    /// [`StoreError::Unexpected`] when the column holds another type.
    fn from_column(column: Column<'_>) -> Result<Self, StoreError>;
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        match column {
            Column::Null => Ok(None),
            other => T::from_column(other).map(Some),
        }
    }
}

impl FromColumn for String {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        match column {
            Column::Text(text) => Ok(text.to_owned()),
            other => Err(other.misfit("text")),
        }
    }
}

impl FromColumn for Arc<str> {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        match column {
            Column::Text(text) => Ok(text.into()),
            other => Err(other.misfit("text")),
        }
    }
}

/// Of a column that only this program writes, with the text of a value.
impl FromColumn for JsonText {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        String::from_column(column).map(Self::trusted)
    }
}

impl FromColumn for i64 {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        match column {
            Column::Integer(integer) => Ok(integer),
            other => Err(other.misfit("an integer")),
        }
    }
}

macro_rules! unsigned_from_column {
    ($($integer:ty),+) => {$(
        impl FromColumn for $integer {
            fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
                Self::try_from(i64::from_column(column)?).map_err(StoreError::unexpected)
            }
        }
    )+};
}

unsigned_from_column!(u64, u32, u16);

impl FromColumn for f64 {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        match column {
            Column::Real(real) => Ok(real),
            // A sum or a literal may come back whole from one engine and not from the other.
            #[expect(clippy::cast_precision_loss, reason = "scores are far below 2^53")]
            Column::Integer(integer) => Ok(integer as Self),
            other => Err(other.misfit("a real number")),
        }
    }
}

impl FromColumn for bool {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        match column {
            Column::Integer(0) => Ok(false),
            Column::Integer(1) => Ok(true),
            other => Err(other.misfit("0 or 1")),
        }
    }
}

impl FromColumn for Timestamp {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        i64::from_column(column).map(Self::from_millis)
    }
}

impl FromColumn for Day {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        let number = i64::from_column(column)?;
        Self::from_number(number).ok_or_else(|| StoreError::unexpected(format!("{number} is no day")))
    }
}

impl FromColumn for MicroUsd {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        let micros = i64::from_column(column)?;
        Self::from_micros(micros).ok_or_else(|| StoreError::unexpected(format!("{micros} is no amount of money")))
    }
}

impl<T> ToColumn for Id<T> {
    fn to_column(&self) -> Parameter<'_> {
        let mut text = [0; 36];
        self.uuid().as_hyphenated().encode_lower(&mut text);
        Parameter::Id(text)
    }
}

impl<T> FromColumn for Id<T> {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        match column {
            Column::Text(text) => uuid::Uuid::try_parse(text).map(Self::from).map_err(StoreError::unexpected),
            other => Err(other.misfit("an id")),
        }
    }
}

/// Reads a column that holds one of some words.
#[doc(hidden)]
pub fn column_word<T>(column: Column<'_>, of: impl FnOnce(&str) -> Option<T>) -> Result<T, StoreError> {
    let word = String::from_column(column)?;
    of(&word).ok_or_else(|| StoreError::Unexpected(format!("the column holds the unknown word {word:?}").into()))
}
