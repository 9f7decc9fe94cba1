//! Structs whose fields are columns. `derive(Record)` writes what is here once for each struct.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Column, FromColumn, Parameter, Row, StoreError, ToColumn, Tx};

/// A value in several columns side by side.
pub trait Group: Sized {
    /// The number of columns.
    const COUNT: usize;

    /// Reads them from the column `from` on, counted from 0.
    ///
    /// # Errors
    /// [`StoreError::Unexpected`] when a column holds something that this program never writes.
    fn read_at(row: &Row<'_>, from: usize) -> Result<Self, StoreError>;

    /// Adds the values to write, one a column.
    ///
    /// # Errors
    /// [`StoreError::Unexpected`] for a value that has no JSON text.
    fn write<'a>(&'a self, values: &mut Vec<Value<'a>>) -> Result<(), StoreError>;
}

/// Absent where its first column is null.
impl<G: Group> Group for Option<G> {
    const COUNT: usize = G::COUNT;

    fn read_at(row: &Row<'_>, from: usize) -> Result<Self, StoreError> {
        if row.is_null(from)? { Ok(None) } else { G::read_at(row, from).map(Some) }
    }

    fn write<'a>(&'a self, values: &mut Vec<Value<'a>>) -> Result<(), StoreError> {
        match self {
            Some(group) => group.write(values),
            None => {
                values.extend((0..G::COUNT).map(|_| Value::Null));
                Ok(())
            }
        }
    }
}

impl<G: Group> Group for Arc<G> {
    const COUNT: usize = G::COUNT;

    fn read_at(row: &Row<'_>, from: usize) -> Result<Self, StoreError> {
        G::read_at(row, from).map(Self::new)
    }

    fn write<'a>(&'a self, values: &mut Vec<Value<'a>>) -> Result<(), StoreError> {
        (**self).write(values)
    }
}

/// A struct that is a row of a table, but for what the table's defaults fill.
pub trait Record: Group {
    /// The table.
    const TABLE: &'static str;
    /// The columns, in the order in which [`Record::from_row`] reads them.
    const COLUMNS: &'static str;
    /// The same with short values in place of long ones.
    const SUMMARY_COLUMNS: &'static str;
    /// Adds a row.
    const INSERT: &'static str;
    /// The places of the columns that hold when their row was inserted.
    const NOW: &'static [usize];

    /// Reads a row that begins with [`Record::COLUMNS`].
    ///
    /// # Errors
    /// As [`Group::read_at`].
    fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {
        Self::read_at(row, 0)
    }

    /// Adds the row.
    ///
    /// # Errors
    /// Any [`StoreError`].
    fn insert(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let (now, mut values) = (tx.now(), Vec::with_capacity(Self::COUNT));
        self.write(&mut values)?;
        for place in Self::NOW {
            values[*place] = Value::Of(&now);
        }
        tx.execute_later(Self::INSERT, &parameters(&values))
    }
}

/// A record with a key, by which its row is found.
pub trait KeyedRecord: Record {
    /// Changes the row of the key.
    const UPDATE: &'static str;

    /// Adds the values of [`KeyedRecord::UPDATE`]; `now` is when its transaction began.
    ///
    /// # Errors
    /// As [`Group::write`].
    fn write_changed<'a>(&'a self, now: &'a dyn ToColumn, values: &mut Vec<Value<'a>>) -> Result<(), StoreError>;

    /// Changes the row to this.
    ///
    /// # Errors
    /// Any [`StoreError`].
    fn update(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let (now, mut values) = (tx.now(), Vec::with_capacity(Self::COUNT));
        self.write_changed(&now, &mut values)?;
        tx.execute_later(Self::UPDATE, &parameters(&values))
    }
}

fn parameters<'a>(values: &'a [Value<'a>]) -> Vec<&'a dyn ToColumn> {
    values.iter().map(|value| value as &dyn ToColumn).collect()
}

/// A value to write.
pub enum Value<'a> {
    /// A value of the record.
    Of(&'a dyn ToColumn),
    /// JSON text made of one.
    Json(String),
    /// SQL NULL.
    Null,
}

impl Value<'_> {
    /// A value as JSON text; `None` is SQL NULL.
    ///
    /// # Errors
    /// [`StoreError::Unexpected`] for a value that has no JSON text.
    pub fn json(value: &impl Serialize) -> Result<Self, StoreError> {
        let text = serde_json::to_string(value).map_err(StoreError::unexpected)?;
        Ok(if text == "null" { Self::Null } else { Self::Json(text) })
    }
}

impl ToColumn for Value<'_> {
    fn to_column(&self) -> Parameter<'_> {
        match self {
            Self::Of(value) => value.to_column(),
            Self::Json(text) => Parameter::Text(text),
            Self::Null => Parameter::Null,
        }
    }
}

/// A value that is stored as JSON text.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromColumn for Json<T> {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        let text = match column {
            Column::Text(text) => text,
            Column::Null => "null",
            other => return Err(other.misfit("JSON text")),
        };
        serde_json::from_str(text).map(Self).map_err(StoreError::unexpected)
    }
}

/// A statement and what is bound to it, made by [`crate::sql!`].
pub struct Statement<'a, const N: usize> {
    /// With `$1`, `$2`, ….
    pub sql: &'static str,
    /// In that order.
    pub parameters: [&'a dyn ToColumn; N],
}

impl<const N: usize> Statement<'_, N> {
    /// See [`Tx::query`].
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn query<T>(
        self,
        tx: &mut Tx<'_>,
        map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        tx.query(self.sql, &self.parameters, map)
    }

    /// See [`Tx::find`].
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn find<T>(
        self,
        tx: &mut Tx<'_>,
        map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        tx.find(self.sql, &self.parameters, map)
    }

    /// See [`Tx::execute`].
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn execute(self, tx: &mut Tx<'_>) -> Result<u64, StoreError> {
        tx.execute(self.sql, &self.parameters)
    }

    /// See [`Tx::execute_later`].
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn execute_later(self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        tx.execute_later(self.sql, &self.parameters)
    }
}

/// Joins texts that are known when the program is compiled.
#[doc(hidden)]
#[macro_export]
macro_rules! join {
    ($($part:expr),* $(,)?) => {{
        const PARTS: &[&str] = &[$($part),*];
        const BYTES: [u8; $crate::length(PARTS)] = $crate::joined(PARTS);
        const TEXT: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("texts that are joined are text"),
        };
        TEXT
    }};
}

#[doc(hidden)]
pub const fn length(parts: &[&str]) -> usize {
    let (mut length, mut at) = (0, 0);
    while at < parts.len() {
        length += parts[at].len();
        at += 1;
    }
    length
}

#[doc(hidden)]
pub const fn joined<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let (mut bytes, mut length, mut part) = ([0; LENGTH], 0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            bytes[length] = parts[part].as_bytes()[at];
            (length, at) = (length + 1, at + 1);
        }
        part += 1;
    }
    bytes
}
