//! The handle that the whole program shares.

use std::fmt;
use std::sync::Arc;

use kernel::ambient::Ambient;
use tokio::sync::oneshot;

use crate::call::{Call, Kind, Operation};
use crate::migrations::MigrationState;
use crate::postgres::Postgres;
use crate::sqlite::Sqlite;
use crate::{Database, OpenError, StoreError, StoreOptions, Supervision, Tx, Wakeups};

/// The database. Cheap to clone; the threads end when the last handle is dropped.
#[derive(Clone)]
pub struct Store {
    engine: Arc<Engine>,
    wakeups: Arc<Wakeups>,
    supervision: Supervision,
}

enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Store {
    /// Opens the database, brings it to this program's version under a lock, and starts the threads.
    ///
    /// # Errors
    /// [`OpenError`]: it can't be reached, made or migrated, or is newer than the program.
    pub async fn open(options: &StoreOptions, ambient: Ambient) -> Result<Self, OpenError> {
        let wakeups = Arc::new(Wakeups::default());
        let supervision = Supervision::default();
        let (woken, supervised) = (wakeups.clone(), supervision.clone());
        let engine = match &options.database {
            Database::Sqlite { path } => Engine::Sqlite(Sqlite::open(path, options, ambient, woken, supervised).await?),
            Database::Postgres { url, extra_ca_pem } => {
                let target = crate::postgres::Target::new(url, extra_ca_pem.as_deref())?;
                Engine::Postgres(Postgres::open(target, options, ambient, woken, supervised).await?)
            }
        };
        Ok(Self { engine: Arc::new(engine), wakeups, supervision })
    }

    /// Says how far the database is migrated, and changes nothing.
    ///
    /// # Errors
    /// [`OpenError`]: it can't be reached or read.
    pub async fn check_migrations(options: &StoreOptions) -> Result<MigrationState, OpenError> {
        match &options.database {
            Database::Sqlite { path } => crate::sqlite::check_migrations(path).await,
            Database::Postgres { url, extra_ca_pem } => {
                let target = crate::postgres::Target::new(url, extra_ca_pem.as_deref())?;
                crate::postgres::check_migrations(&target).await
            }
        }
    }

    /// Runs `operation` on one snapshot of the database. It must not change anything, and touches
    /// nothing but the transaction: it may run more than once. What it saw is durable when
    /// it answers, but for delayed claims and where the disk fails. `name` is for metrics and logs.
    ///
    /// # Errors
    /// What `operation` returned, or [`StoreError::Unavailable`] made into `E`.
    pub async fn read<T, E, F>(&self, name: &'static str, operation: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(name, Kind::Read, operation).await
    }

    /// Runs `operation` as one transaction and answers when it is durable. `Err` rolls it back. It
    /// touches nothing but the transaction: it may run more than once, each time on a fresh one.
    /// After a [`StoreError`] from a statement it must return `Err`. Dropping the future before the
    /// operation starts takes it back; afterwards it has no effect on the operation.
    ///
    /// # Errors
    /// What `operation` returned, or an error of the store made into `E`. After
    /// [`StoreError::Unavailable`] the outcome may be unknown, but is whole or absent.
    pub async fn write<T, E, F>(&self, name: &'static str, operation: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(name, Kind::Write, operation).await
    }

    /// Like [`Store::write`], but each statement sees the newest committed rows instead of one
    /// snapshot. For claiming from a queue with `FOR UPDATE SKIP LOCKED`, which on a snapshot would
    /// fail whenever another worker claims too.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn claim<T, E, F>(&self, name: &'static str, operation: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(name, Kind::Claim, operation).await
    }

    /// Like [`Store::claim`], with delayed durability: it answers when everybody sees the change, which is durable as soon as
    /// any later change is. It outlives this process; a power failure, or the end of a PostgreSQL server, may take it back
    /// together with all that came after it. For what its caller is not told of before a later change.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn delayed_claim<T, E, F>(&self, name: &'static str, operation: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(name, Kind::DelayedClaim, operation).await
    }

    /// Answers when the database does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read("store.ping", |tx| tx.find("SELECT id FROM job WHERE id = $1", &[&""], |_| Ok(()))).await.map(|_| ())
    }

    /// Wake-ups after commits.
    #[must_use]
    pub fn wakeups(&self) -> &Wakeups {
        &self.wakeups
    }

    /// The threads of the store that are down. The parts of the process that use the store are kept under it as well.
    #[must_use]
    pub fn supervision(&self) -> &Supervision {
        &self.supervision
    }

    /// Refuses new operations, finishes the queued ones and waits for the threads.
    pub async fn close(&self) {
        match &*self.engine {
            Engine::Sqlite(engine) => engine.close().await,
            Engine::Postgres(engine) => engine.close().await,
        }
    }

    async fn run<T, E, F>(&self, name: &'static str, kind: Kind, operation: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (caller, outcome) = oneshot::channel();
        let call: Box<dyn Call> = Box::new(Operation::new(name, kind, operation, caller));
        let submitted = match &*self.engine {
            Engine::Sqlite(engine) => engine.submit(call),
            Engine::Postgres(engine) => engine.submit(call),
        };
        if submitted.is_err() {
            return Err(StoreError::Unavailable.into());
        }
        // The sender is dropped unanswered only when the engine shuts down, or its thread panics.
        outcome.await.unwrap_or_else(|_| Err(StoreError::Unavailable.into()))
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = match &*self.engine {
            Engine::Sqlite(_) => "SQLite",
            Engine::Postgres(_) => "PostgreSQL",
        };
        formatter.debug_tuple("Store").field(&engine).finish()
    }
}
