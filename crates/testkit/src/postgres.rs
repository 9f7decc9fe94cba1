//! Test databases on a PostgreSQL server: copies of a template that is migrated once.

use std::sync::atomic::{AtomicU32, Ordering};

use kernel::ambient::Ambient;
use kernel::secret::SecretString;
use store::{Store, StoreOptions};
use tokio_postgres::{Client, NoTls};

const VARIABLE: &str = "LECTERN_TEST_POSTGRES_URL";
/// Held while the template is made, so that of many test processes one makes it.
const TEMPLATE_LOCK: i64 = 0x6c65_6374_6572_6e02;

/// Makes a migrated database; returns its name and its URL.
pub(crate) async fn create() -> (String, String) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let server = server_url();
    let client = connect(&server).await;
    let template = template(&client, &server).await;
    let name = format!("lectern_test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    // A process with the same number may have been killed before it removed its own.
    execute(&client, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    execute(&client, &format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
    let url = url_of(&server, &name);
    (name, url)
}

/// Removes a database whoever is connected to it.
pub(crate) async fn drop(name: &str) {
    let client = connect(&server_url()).await;
    execute(&client, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
}

/// The name of a database with all migrations, made when it is missing.
async fn template(client: &Client, server: &str) -> String {
    let name = format!("lectern_template_{}", store::migrations::fingerprint());
    if exists(client, &name).await {
        return name;
    }
    client.execute("SELECT pg_advisory_lock($1)", &[&TEMPLATE_LOCK]).await.expect("the template is locked");
    if !exists(client, &name).await {
        // Renamed when it is complete: what has the template's name can be copied.
        let draft = format!("{name}_draft");
        execute(client, &format!("DROP DATABASE IF EXISTS {draft} WITH (FORCE)")).await;
        execute(client, &format!("CREATE DATABASE {draft}")).await;
        let options = StoreOptions::postgres(SecretString::from(url_of(server, &draft)));
        let store = Store::open(&options, Ambient::system()).await.expect("the template is migrated");
        store.close().await;
        execute(client, &format!("ALTER DATABASE {draft} RENAME TO {name}")).await;
    }
    client.execute("SELECT pg_advisory_unlock($1)", &[&TEMPLATE_LOCK]).await.expect("the template is unlocked");
    name
}

async fn exists(client: &Client, name: &str) -> bool {
    let sql = "SELECT 1 FROM pg_database WHERE datname = $1";
    client.query_opt(sql, &[&name]).await.expect("the databases are listed").is_some()
}

async fn execute(client: &Client, sql: &str) {
    client.batch_execute(sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}

async fn connect(url: &str) -> Client {
    let connected = tokio_postgres::connect(url, NoTls).await;
    let (client, connection) = connected.unwrap_or_else(|error| panic!("{VARIABLE} can't be reached: {error}"));
    tokio::spawn(connection);
    client
}

#[expect(clippy::disallowed_methods, reason = "tests have no configuration")]
fn server_url() -> String {
    std::env::var(VARIABLE).unwrap_or_else(|_| {
        panic!("{VARIABLE} is not set: run `scripts/postgres start` and export the URL that it prints")
    })
}

/// The URL with another database in its path.
fn url_of(server: &str, database: &str) -> String {
    let (address, options) = server.split_once('?').map_or((server, ""), |(address, options)| (address, options));
    let start = address.find("://").map_or(0, |at| at + 3);
    let end = address[start..].find('/').map_or(address.len(), |at| start + at);
    let options = if options.is_empty() { String::new() } else { format!("?{options}") };
    format!("{}/{database}{options}", &address[..end])
}

#[cfg(test)]
mod tests {
    use super::url_of;

    #[test]
    fn replaces_the_database_only() {
        assert_eq!(url_of("postgres://u:p@h:1/old?sslmode=disable", "new"), "postgres://u:p@h:1/new?sslmode=disable");
        assert_eq!(url_of("postgres://h", "new"), "postgres://h/new");
    }
}
