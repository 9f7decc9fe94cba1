//! A database for one test.

use std::sync::Arc;

use kernel::ambient::{Ambient, ManualClock};
use kernel::secret::SecretString;
use kernel::time::Timestamp;
use store::{OpenError, Store, StoreOptions};
use tempfile::TempDir;

use crate::{postgres, sqlite};

/// 2026-01-02T03:04:05Z, where the clock of every test starts.
const START: Timestamp = Timestamp::from_millis(1_767_323_045_000);
const SEED: u64 = 42;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file in a temporary folder.
    Sqlite,
    /// A database on the server of `LECTERN_TEST_POSTGRES_URL`.
    Postgres,
}

/// A migrated database of its own, with time and chance in the test's hands.
#[derive(Clone)]
pub struct TestStore {
    /// The open store.
    pub store: Store,
    /// The clock stands still, the randomness is seeded.
    pub ambient: Ambient,
    /// Moves the clock.
    pub clock: ManualClock,
    /// How the store was opened.
    pub options: StoreOptions,
    /// Which engine runs it.
    pub engine: Engine,
    place: Place,
}

/// What has to be removed.
#[derive(Clone)]
enum Place {
    Folder(Arc<TempDir>),
    Database(String),
}

impl TestStore {
    /// Makes a database. [`crate::both_stores`] does this, and removes it at the end.
    pub async fn new(engine: Engine) -> Self {
        let (ambient, clock) = Ambient::fixed(START, SEED);
        let (options, place) = match engine {
            Engine::Sqlite => {
                let folder = TempDir::new().expect("a temporary folder");
                let path = folder.path().join("test.db");
                sqlite::create(&path).await;
                let options = StoreOptions::sqlite(path);
                (options, Place::Folder(Arc::new(folder)))
            }
            Engine::Postgres => {
                let (name, url) = postgres::create().await;
                (StoreOptions::postgres(SecretString::from(url)), Place::Database(name))
            }
        };
        let store = open(&options, &ambient).await;
        Self { store, ambient, clock, options, engine, place }
    }

    /// Opens the same database again, as another process would.
    pub async fn open_again(&self) -> Store {
        open(&self.options, &self.ambient).await
    }

    /// Closes the store and removes the database. The returned future does not borrow `self`.
    pub fn teardown(&self) -> impl Future<Output = ()> + Send + use<> {
        let (store, place) = (self.store.clone(), self.place.clone());
        async move {
            store.close().await;
            match place {
                Place::Folder(folder) => drop(folder),
                Place::Database(name) => postgres::drop(&name).await,
            }
        }
    }
}

/// Again where the server, which has a thousand tests to serve, did not answer in time: no test is about this.
async fn open(options: &StoreOptions, ambient: &Ambient) -> Store {
    let mut tries = 0;
    loop {
        tries += 1;
        match Store::open(options, ambient.clone()).await {
            Err(OpenError::Unreachable(_)) if tries < 3 => {}
            opened => return opened.expect("the test database opens"),
        }
    }
}
