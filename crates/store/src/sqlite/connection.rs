//! One SQLite connection: statements by their text, values in and out.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::CachedStatement;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};

use super::error::store_error;
use super::translate::translate;
use crate::call::Kind;
use crate::{Column, Parameter, Row, StoreError, ToColumn};

/// More statements than the program has, so that none is ever prepared twice.
const STATEMENT_CACHE: usize = 1024;

/// A connection and the translated text of the statements seen on it.
pub(crate) struct Connection {
    raw: rusqlite::Connection,
    /// By the address of the static text: comparing it is cheaper than hashing it.
    texts: RefCell<HashMap<(usize, usize), Arc<str>>>,
}

impl Connection {
    pub(super) fn new(raw: rusqlite::Connection) -> Self {
        raw.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
        Self { raw, texts: RefCell::default() }
    }

    pub(crate) fn query<T>(
        &self,
        sql: &'static str,
        parameters: &[&dyn ToColumn],
        kind: Kind,
        mut map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut collected = Vec::new();
        self.query_into(&mut collected, sql, parameters, kind, &mut map)?;
        Ok(collected)
    }

    pub(crate) fn query_each<T>(
        &self,
        sql: &'static str,
        parameter_lists: &[Vec<&dyn ToColumn>],
        kind: Kind,
        map: &mut impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut collected = Vec::new();
        for parameters in parameter_lists {
            self.query_into(&mut collected, sql, parameters, kind, map)?;
        }
        Ok(collected)
    }

    pub(crate) fn execute(&self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<u64, StoreError> {
        let mut statement = self.bound(sql, parameters)?;
        let changed = statement.raw_execute().map_err(store_error)?;
        Ok(changed as u64)
    }

    /// Runs a statement of transaction control.
    pub(super) fn control(&self, sql: &'static str) -> Result<(), StoreError> {
        self.raw.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map(|_| ()).map_err(store_error)
    }

    /// Gives up what memory the connection can do without, such as cached pages.
    pub(super) fn release_memory(&self) {
        if let Err(error) = self.raw.execute_batch("PRAGMA shrink_memory") {
            tracing::debug!(%error, "the memory of a connection could not be released");
        }
    }

    /// False when SQLite has given up the transaction by itself, as after a full disk.
    pub(super) fn is_in_transaction(&self) -> bool {
        !self.raw.is_autocommit()
    }

    pub(super) fn raw(&self) -> &rusqlite::Connection {
        &self.raw
    }

    fn query_into<T>(
        &self,
        collected: &mut Vec<T>,
        sql: &'static str,
        parameters: &[&dyn ToColumn],
        kind: Kind,
        map: &mut impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.bound(sql, parameters)?;
        if kind == Kind::Read && !statement.readonly() {
            return Err(StoreError::unexpected(format!("a read must not change rows: {sql}")));
        }
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(store_error)? {
            collected.push(map(&Row::sqlite(row))?);
        }
        Ok(())
    }

    fn bound(&self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<CachedStatement<'_>, StoreError> {
        let mut statement = self.raw.prepare_cached(&self.text(sql)).map_err(store_error)?;
        if statement.parameter_count() != parameters.len() {
            return Err(StoreError::unexpected(format!(
                "{} parameters for a statement that takes {}: {sql}",
                parameters.len(),
                statement.parameter_count(),
            )));
        }
        for (position, parameter) in parameters.iter().enumerate() {
            statement.raw_bind_parameter(position + 1, parameter.to_column()).map_err(store_error)?;
        }
        Ok(statement)
    }

    fn text(&self, sql: &'static str) -> Arc<str> {
        self.texts.borrow_mut().entry((sql.as_ptr().addr(), sql.len())).or_insert_with(|| translate(sql).into()).clone()
    }
}

impl rusqlite::ToSql for Parameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Integer(integer) => ToSqlOutput::Owned(Value::Integer(*integer)),
            Self::Real(real) => ToSqlOutput::Owned(Value::Real(*real)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Id(text) => ToSqlOutput::Borrowed(ValueRef::Text(text)),
        })
    }
}

/// The value at `index`.
pub(crate) fn column<'a>(row: &'a rusqlite::Row<'a>, index: usize) -> Result<Column<'a>, StoreError> {
    match row.get_ref(index).map_err(store_error)? {
        ValueRef::Null => Ok(Column::Null),
        ValueRef::Integer(integer) => Ok(Column::Integer(integer)),
        ValueRef::Real(real) => Ok(Column::Real(real)),
        ValueRef::Text(text) => std::str::from_utf8(text).map(Column::Text).map_err(StoreError::unexpected),
        ValueRef::Blob(_) => Err(StoreError::unexpected("the tables hold no bytes")),
    }
}
