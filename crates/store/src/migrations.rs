//! Brings a database to this program's version: the same numbered steps on both engines.
//!
//! The steps are `migrations/sqlite/V*.sql` and `migrations/postgres/V*.sql`; a test compares the
//! tables that they make. An applied step is never edited. Locks against a second process that starts
//! at the same time are the engines' business.

use refinery::{Migration, Runner};

use crate::OpenError;

mod embedded_sqlite {
    refinery::embed_migrations!("migrations/sqlite");
}

mod embedded_postgres {
    refinery::embed_migrations!("migrations/postgres");
}

/// Which of the two sets of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    fn runner(self) -> Runner {
        let runner = match self {
            Self::Sqlite => embedded_sqlite::migrations::runner(),
            Self::Postgres => embedded_postgres::migrations::runner(),
        };
        runner.set_abort_divergent(true).set_abort_missing(true)
    }
}

/// How far a database is migrated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationState {
    /// The number of the last applied step; 0 when none is.
    pub applied: i64,
    /// The number of the last step that this program has.
    pub latest: i64,
    /// The steps to apply, such as `V3__expansions`.
    pub pending: Vec<String>,
    /// Applied steps that differ from this program's of the same number.
    pub divergent: Vec<String>,
}

impl MigrationState {
    /// Of a database that does not exist yet.
    pub(crate) fn empty(engine: Engine) -> Self {
        Self::new(engine, &[])
    }

    /// `applied` has the number and the checksum of each applied step.
    fn new(engine: Engine, applied: &[(i64, String)]) -> Self {
        let runner = engine.runner();
        let mut state = Self {
            applied: applied.iter().map(|(version, _)| *version).max().unwrap_or(0),
            latest: 0,
            pending: Vec::new(),
            divergent: Vec::new(),
        };
        let mut steps: Vec<&Migration> = runner.get_migrations().iter().collect();
        steps.sort();
        for step in steps {
            let version = i64::from(step.version());
            state.latest = state.latest.max(version);
            match applied.iter().find(|(applied, _)| *applied == version) {
                None => state.pending.push(step.to_string()),
                Some((_, checksum)) if *checksum != step.checksum().to_string() => {
                    state.divergent.push(step.to_string());
                }
                Some(_) => {}
            }
        }
        state
    }

    /// True when steps are pending.
    ///
    /// # Errors
    /// [`OpenError`] when this program must not run on the database: it is newer, or was made by
    /// other steps of the same numbers.
    pub fn needs_migration(&self) -> Result<bool, OpenError> {
        if self.applied > self.latest {
            return Err(OpenError::Newer { database: self.applied, program: self.latest });
        }
        if !self.divergent.is_empty() {
            let text = format!("applied with another content: {}", self.divergent.join(", "));
            return Err(OpenError::Migration(text.into()));
        }
        Ok(!self.pending.is_empty())
    }
}

/// Names the steps of both engines and their content; test databases are copied from a template of this name.
#[must_use]
pub fn fingerprint() -> String {
    let runners = [Engine::Sqlite.runner(), Engine::Postgres.runner()];
    let sums = runners.iter().flat_map(|runner| runner.get_migrations()).map(Migration::checksum);
    format!("{:016x}", sums.fold(0_u64, |all, sum| all.rotate_left(7) ^ sum))
}

const HISTORY: &str = "SELECT version, checksum FROM refinery_schema_history ORDER BY version";

pub(crate) fn sqlite_state(connection: &rusqlite::Connection) -> Result<MigrationState, OpenError> {
    let read = || {
        if !connection.table_exists(None, "refinery_schema_history")? {
            return Ok(Vec::new());
        }
        let mut history = connection.prepare(HISTORY)?;
        let rows = history.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<rusqlite::Result<Vec<(i64, String)>>>()
    };
    let applied = read().map_err(OpenError::unreachable)?;
    Ok(MigrationState::new(Engine::Sqlite, &applied))
}

/// The caller holds a lock against other processes.
pub(crate) fn migrate_sqlite(connection: &mut rusqlite::Connection) -> Result<(), OpenError> {
    Engine::Sqlite.runner().run(connection).map_err(|error| OpenError::Migration(error.into()))?;
    Ok(())
}

pub(crate) async fn postgres_state(client: &tokio_postgres::Client) -> Result<MigrationState, OpenError> {
    let read = async {
        let exists = "SELECT to_regclass('refinery_schema_history') IS NOT NULL";
        let exists: bool = client.query_one(exists, &[]).await?.try_get(0)?;
        if !exists {
            return Ok(Vec::new());
        }
        let rows = client.query(HISTORY, &[]).await?;
        rows.iter().map(|row| Ok((i64::from(row.try_get::<_, i32>(0)?), row.try_get(1)?))).collect()
    };
    let applied: Result<Vec<(i64, String)>, tokio_postgres::Error> = read.await;
    Ok(MigrationState::new(Engine::Postgres, &applied.map_err(OpenError::unreachable)?))
}

/// The caller holds a lock against other processes.
pub(crate) async fn migrate_postgres(client: &mut tokio_postgres::Client) -> Result<(), OpenError> {
    Engine::Postgres.runner().run_async(client).await.map_err(|error| OpenError::Migration(error.into()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use refinery::Target;

    use super::*;

    #[test]
    fn the_books_are_carried_into_the_tables_that_check_faster() {
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        Engine::Sqlite.runner().set_target(Target::Version(11)).run(&mut connection).unwrap();
        let transfer = "INSERT INTO ledger_transfer VALUES ('w', ?1, 'grants', 'free', 5, 'grant', 's', NULL, 7)";
        for sequence in 1..=3 {
            connection.execute(transfer, [sequence]).unwrap();
        }
        let reservation = "INSERT INTO ledger_reservation VALUES ('s', 'w', 'balance', 5, 2, 3, 'open', 7, NULL)";
        connection.execute(reservation, []).unwrap();
        let all = |connection: &rusqlite::Connection| {
            let sums = "SELECT (SELECT count(*) || ' ' || sum(sequence) || ' ' || sum(amount_micros + created_at) FROM ledger_transfer)
                || ' ' || (SELECT subject_id || workspace_id || state || amount_micros || created_at FROM ledger_reservation)";
            connection.query_row(sums, [], |row| row.get::<_, String>(0)).unwrap()
        };
        let before = all(&connection);
        migrate_sqlite(&mut connection).unwrap();
        assert_eq!((all(&connection), before.as_str()), (before.clone(), "3 6 36 swopen57"));
        assert!(connection.execute("UPDATE ledger_transfer SET note = 'x'", []).is_err(), "still append-only");
        assert!(connection.execute("DELETE FROM ledger_transfer", []).is_err(), "still append-only");
        assert!(connection.execute(&transfer.replace("grants", "gifts"), [9]).is_err(), "still checked");
        assert!(connection.execute(&reservation.replace("open", "shut").replace("'s'", "'t'"), []).is_err(), "checked");
    }
}
