//! A transaction, as the closures of [`crate::Store::read`] and [`crate::Store::write`] see it.

use kernel::ambient::Ambient;
use kernel::time::Timestamp;

use crate::call::Kind;
use crate::jobs::HeldLeases;
use crate::wakeups::Queues;
use crate::{Queue, Row, Statement, StoreError, ToColumn, postgres, sqlite};

/// An open transaction. After a [`StoreError`] from any statement the closure must return `Err`: the
/// transaction is lost, further statements fail, and a closure that returns `Ok` nevertheless is
/// rolled back with [`StoreError::Unexpected`].
pub struct Tx<'a> {
    engine: Engine<'a>,
    kind: Kind,
    now: Timestamp,
    ambient: &'a Ambient,
    wake: Queues,
    has_failed: bool,
    /// Leases that this transaction has locked; see `jobs/lease.rs`.
    pub(crate) held: HeldLeases,
}

enum Engine<'a> {
    Sqlite(&'a sqlite::Connection),
    Postgres(&'a mut postgres::Session),
    Replay(&'a mut postgres::Replay),
}

impl<'a> Tx<'a> {
    pub(crate) fn sqlite(connection: &'a sqlite::Connection, kind: Kind, ambient: &'a Ambient) -> Self {
        Self::new(Engine::Sqlite(connection), kind, ambient, ambient.now())
    }

    pub(crate) fn postgres(session: &'a mut postgres::Session, kind: Kind, ambient: &'a Ambient) -> Self {
        Self::new(Engine::Postgres(session), kind, ambient, ambient.now())
    }

    /// A run of a write that is run again with the answers it asks for, as of the same instant.
    pub(crate) fn replay(replay: &'a mut postgres::Replay, ambient: &'a Ambient, now: Timestamp) -> Self {
        Self::new(Engine::Replay(replay), Kind::Write, ambient, now)
    }

    fn new(engine: Engine<'a>, kind: Kind, ambient: &'a Ambient, now: Timestamp) -> Self {
        Self { engine, kind, now, ambient, wake: Queues::default(), has_failed: false, held: HeldLeases::default() }
    }

    /// The rows of an answer, each mapped by `map`.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn query<T>(
        &mut self,
        sql: &'static str,
        parameters: &[&dyn ToColumn],
        map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.guard()?;
        let result = match &mut self.engine {
            Engine::Sqlite(connection) => connection.query(sql, parameters, self.kind, map),
            Engine::Postgres(session) => session.query(sql, parameters, map),
            Engine::Replay(replay) => replay.query(sql, parameters, map),
        };
        self.note(result)
    }

    /// The row of an answer, if there is one.
    ///
    /// # Errors
    /// Any [`StoreError`]; [`StoreError::Unexpected`] when there is more than one row.
    pub fn find<T>(
        &mut self,
        sql: &'static str,
        parameters: &[&dyn ToColumn],
        map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut rows = self.query(sql, parameters, map)?;
        if rows.len() > 1 {
            return Err(StoreError::unexpected(format!("more than one row: {sql}")));
        }
        Ok(rows.pop())
    }

    /// Changes rows and says how many.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn execute(&mut self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<u64, StoreError> {
        self.guard_change()?;
        let result = match &mut self.engine {
            Engine::Sqlite(connection) => connection.execute(sql, parameters),
            Engine::Postgres(session) => session.execute(sql, parameters),
            Engine::Replay(replay) => Err(replay.differ()),
        };
        self.note(result)
    }

    /// Changes rows; for statements whose count does not matter. PostgreSQL gets it together with the
    /// next statement or the commit, in one round trip. When it fails, the closure is run again
    /// with every statement sent at once, so that it sees the error here, as on SQLite.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn execute_later(&mut self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<(), StoreError> {
        self.run_later(sql, parameters).map(|_| ())
    }

    /// [`Tx::execute_later`] for a statement that may add to `queue`, whose worker is woken after the commit unless it is
    /// known that nothing was added.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn enqueue_later(
        &mut self,
        queue: Queue,
        sql: &'static str,
        parameters: &[&dyn ToColumn],
    ) -> Result<(), StoreError> {
        if self.run_later(sql, parameters)? != Some(0) {
            self.wake(queue);
        }
        Ok(())
    }

    /// How many rows were changed, where that is known at once.
    fn run_later(&mut self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<Option<u64>, StoreError> {
        self.guard_change()?;
        let result = match &mut self.engine {
            Engine::Sqlite(connection) => connection.execute(sql, parameters).map(Some),
            Engine::Postgres(session) => session.execute_later(sql, parameters).map(|()| None),
            Engine::Replay(replay) => replay.execute_later(sql, parameters).map(|()| None),
        };
        self.note(result)
    }

    /// Runs a statement once for each item, in one round trip, and collects all rows in order. Only the parameters differ.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn query_each<'p, I, const N: usize, T>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        ask: impl Fn(I) -> Statement<'p, N>,
        mut map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.guard()?;
        let statements: Vec<_> = items.into_iter().map(ask).collect();
        let Some(Statement { sql, .. }) = statements.first() else { return Ok(Vec::new()) };
        debug_assert!(statements.iter().all(|statement| statement.sql == *sql), "one statement is asked for all items");
        let parameter_lists: Vec<_> = statements.iter().map(|statement| statement.parameters.to_vec()).collect();
        let result = match &mut self.engine {
            Engine::Sqlite(connection) => connection.query_each(sql, &parameter_lists, self.kind, &mut map),
            Engine::Postgres(session) => session.query_each(sql, &parameter_lists, map),
            Engine::Replay(replay) => Err(replay.differ()),
        };
        self.note(result)
    }

    /// When this run of the transaction began.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The source of ids and randomness, for rows made inside the transaction.
    #[must_use]
    pub fn ambient(&self) -> &'a Ambient {
        self.ambient
    }

    /// Wakes a worker of `queue` after the commit.
    pub fn wake(&mut self, queue: Queue) {
        self.wake.insert(queue);
    }

    pub(crate) fn wakes(&self) -> Queues {
        self.wake
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed
    }

    fn guard(&self) -> Result<(), StoreError> {
        if self.has_failed {
            return Err(StoreError::unexpected("an earlier statement of the transaction failed"));
        }
        Ok(())
    }

    fn guard_change(&mut self) -> Result<(), StoreError> {
        self.guard()?;
        if self.kind == Kind::Read {
            self.has_failed = true;
            return Err(StoreError::unexpected("a read must not change rows"));
        }
        Ok(())
    }

    fn note<T>(&mut self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        self.has_failed |= result.is_err();
        result
    }
}
