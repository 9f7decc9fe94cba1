//! A row of an answer, read by column index.

use crate::{Column, FromColumn, StoreError, postgres, sqlite};

/// One row of an answer; lives only inside the mapping closure of [`crate::Tx::query`].
#[derive(Debug)]
pub struct Row<'a> {
    engine: Engine<'a>,
}

#[derive(Debug)]
enum Engine<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl<'a> Row<'a> {
    pub(crate) fn sqlite(row: &'a rusqlite::Row<'a>) -> Self {
        Self { engine: Engine::Sqlite(row) }
    }

    pub(crate) fn postgres(row: &'a tokio_postgres::Row) -> Self {
        Self { engine: Engine::Postgres(row) }
    }

    /// The value of the column at `index`, counted from 0.
    ///
    /// # Errors
    /// [`StoreError::Unexpected`] when there is no such column or it holds another type.
    pub fn get<T: FromColumn>(&self, index: usize) -> Result<T, StoreError> {
        T::from_column(self.column(index)?)
    }

    /// [`Row::get`] of a column with this name. The name is compared in builds with debug assertions: a statement's columns are
    /// the same each time it runs.
    ///
    /// # Errors
    /// As [`Row::get`], and [`StoreError::Unexpected`] for a column of another name.
    pub fn get_named<T: FromColumn>(&self, index: usize, name: &str) -> Result<T, StoreError> {
        if cfg!(debug_assertions) && self.name(index) != Some(name) {
            return Err(StoreError::unexpected(format!("column {index} is {:?}, not {name}", self.name(index))));
        }
        self.get(index)
    }

    /// Whether the column at `index` is null.
    ///
    /// # Errors
    /// [`StoreError::Unexpected`] when there is no such column.
    pub fn is_null(&self, index: usize) -> Result<bool, StoreError> {
        self.column(index).map(|column| matches!(column, Column::Null))
    }

    fn name(&self, index: usize) -> Option<&str> {
        match &self.engine {
            Engine::Sqlite(row) => row.as_ref().column_name(index).ok(),
            Engine::Postgres(row) => row.columns().get(index).map(tokio_postgres::Column::name),
        }
    }

    fn column(&self, index: usize) -> Result<Column<'_>, StoreError> {
        match &self.engine {
            Engine::Sqlite(row) => sqlite::column(row, index),
            Engine::Postgres(row) => postgres::column(row, index),
        }
    }
}
