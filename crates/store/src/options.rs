//! Which database, and how much of the machine it may use.

use std::path::PathBuf;

use kernel::secret::SecretString;

/// Where the rows live.
#[derive(Clone, Debug)]
pub enum Database {
    /// A file in a local folder, made when it is missing. Only for one machine.
    Sqlite {
        /// The database file; its folder is made too.
        path: PathBuf,
    },
    /// A PostgreSQL server, shared by as many machines as wanted.
    Postgres {
        /// `postgres://user:password@host:port/database?sslmode=…`. With TLS the server's
        /// certificate is always verified.
        url: SecretString,
        /// PEM certificates trusted besides the platform's.
        extra_ca_pem: Option<Vec<u8>>,
    },
}

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// Where the rows live.
    pub database: Database,
    /// Threads that read the embedded database, at least 1.
    pub readers: usize,
    /// Threads with a PostgreSQL connection each, at least 1. Few are faster: 4 to 8.
    pub postgres_connections: usize,
    /// How many operations may wait (for the readers, and again for the writer) before the next ones
    /// are refused with [`crate::StoreError::Unavailable`].
    pub queue_limit: usize,
}

impl StoreOptions {
    /// An embedded database with the default number of threads.
    #[must_use]
    pub fn sqlite(path: impl Into<PathBuf>) -> Self {
        Self::new(Database::Sqlite { path: path.into() })
    }

    /// A PostgreSQL database with the default number of connections.
    #[must_use]
    pub fn postgres(url: SecretString) -> Self {
        Self::new(Database::Postgres { url, extra_ca_pem: None })
    }

    /// The defaults for a database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database, readers: default_readers(), postgres_connections: 8, queue_limit: 4096 }
    }
}

/// One for every two processors: reads take microseconds, and a reader that has enough to do seldom sleeps, which
/// is what a hop to it costs.
fn default_readers() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (processors / 2).max(1)
}
