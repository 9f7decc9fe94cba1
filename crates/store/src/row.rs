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

    fn column(&self, index: usize) -> Result<Column<'_>, StoreError> {
        match &self.engine {
            Engine::Sqlite(row) => sqlite::column(row, index),
            Engine::Postgres(row) => postgres::column(row, index),
        }
    }
}
