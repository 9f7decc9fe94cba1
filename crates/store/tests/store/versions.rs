//! Databases of earlier versions that are in use.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use kernel::secret::ExposeSecret as _;
use refinery::Target;
use store::{Database, StoreOptions};
use testkit::TestStore;

mod sqlite_steps {
    refinery::embed_migrations!("migrations/sqlite");
}

mod postgres_steps {
    refinery::embed_migrations!("migrations/postgres");
}

/// A place with a database of that version, and with these rows.
pub(crate) async fn at_version(test: &TestStore, version: i32, rows: &str) -> StoreOptions {
    match &test.options.database {
        Database::Sqlite { path } => {
            let path = path.with_file_name("old.db");
            let mut connection = rusqlite::Connection::open(&path).unwrap();
            sqlite_steps::migrations::runner().set_target(Target::Version(version)).run(&mut connection).unwrap();
            connection.execute_batch(rows).unwrap();
            StoreOptions::sqlite(path)
        }
        Database::Postgres { url, .. } => {
            let wipe = "DO $$ BEGIN EXECUTE 'DROP SCHEMA public CASCADE'; EXECUTE 'CREATE SCHEMA public'; END $$";
            test.store.write("test.wipe", move |tx| tx.execute(wipe, &[])).await.unwrap();
            let (mut client, connection) =
                tokio_postgres::connect(url.expose_secret(), tokio_postgres::NoTls).await.unwrap();
            let connection = tokio::spawn(connection);
            let steps = postgres_steps::migrations::runner().set_target(Target::Version(version));
            steps.run_async(&mut client).await.unwrap();
            client.batch_execute(rows).await.unwrap();
            drop(client);
            connection.await.unwrap().unwrap();
            test.options.clone()
        }
    }
}
