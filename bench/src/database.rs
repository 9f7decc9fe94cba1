//! Databases that live as long as a measurement: a file in a folder of its own, or a PostgreSQL database.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Context as _;
use clap::Args;
use kernel::secret::SecretString;
use store::StoreOptions;
use tempfile::TempDir;
use tokio_postgres::NoTls;

use crate::settings::Settings;

/// Which engine holds the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Embedded,
    Postgres,
}

impl Engine {
    /// The engines that these settings allow to measure.
    pub(crate) fn all(settings: &Settings) -> Vec<Self> {
        let postgres = settings.postgres.as_ref().map(|_| Self::Postgres);
        [Some(Self::Embedded), postgres].into_iter().flatten().collect()
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Postgres => "postgres",
        }
    }
}

/// A database as a child process is told of it.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct Place {
    /// The file of an embedded database.
    #[arg(long)]
    sqlite: Option<PathBuf>,
    /// The URL of a PostgreSQL database.
    #[arg(long)]
    postgres: Option<String>,
}

impl Place {
    pub(crate) fn options(&self) -> StoreOptions {
        match (&self.sqlite, &self.postgres) {
            (_, Some(url)) => StoreOptions::postgres(SecretString::from(url.clone())),
            (Some(path), None) => StoreOptions::sqlite(path),
            (None, None) => unreachable!("clap requires one of them"),
        }
    }

    fn arguments(&self) -> Vec<String> {
        let path = self.sqlite.iter().map(|path| format!("--sqlite={}", path.display()));
        path.chain(self.postgres.iter().map(|url| format!("--postgres={url}"))).collect()
    }
}

/// An empty database that goes when it is dropped.
pub(crate) struct Database {
    pub(crate) place: Place,
    folder: TempDir,
    server: Option<(String, String)>,
}

impl Database {
    pub(crate) fn make(settings: &Settings, engine: Engine) -> anyhow::Result<Self> {
        let folder = folder(settings)?;
        let (place, server) = match engine {
            Engine::Embedded => (Place { sqlite: Some(folder.path().join("lectern.db")), postgres: None }, None),
            Engine::Postgres => {
                let server = settings.postgres.clone().context("no PostgreSQL server was given")?;
                let name = free_name();
                administer(&server, &format!("CREATE DATABASE {name}"))?;
                let url = with_database(&server, &name);
                (Place { sqlite: None, postgres: Some(url) }, Some((server, name)))
            }
        };
        Ok(Self { place, folder, server })
    }

    /// What a child's command line says of this database, after the name of the server to be.
    pub(crate) fn arguments(&self, server: &str) -> Vec<String> {
        [vec![server.to_owned()], self.place.arguments()].concat()
    }

    /// The environment of `lectern serve` on this database.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        let url = self.place.postgres.iter().map(|url| ("LECTERN_DATABASE_URL", url.clone()));
        url.chain([("LECTERN_DATA_DIR", self.folder().display().to_string())]).collect()
    }

    /// The folder for logs, and the data folder of the service.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Lets the database finish what filling it left behind, so that no measurement pays for it. Tables that are
    /// empty stay unvisited: PostgreSQL would plan for them to stay empty.
    pub(crate) fn settle(&self, filled: &[&str]) -> anyhow::Result<()> {
        if let Some(url) = &self.place.postgres {
            filled.iter().try_for_each(|table| administer(url, &format!("VACUUM ANALYZE {table}")))?;
            administer(url, "CHECKPOINT")?;
        }
        Ok(())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some((server, name)) = &self.server {
            // What is left behind is a database of a private cluster.
            let _ = administer(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

/// A new folder on the disk that is measured.
pub(crate) fn folder(settings: &Settings) -> anyhow::Result<TempDir> {
    std::fs::create_dir_all(&settings.work_dir)?;
    let absolute = settings.work_dir.canonicalize()?;
    tempfile::Builder::new().prefix("run-").tempdir_in(absolute).context("no folder to work in")
}

fn free_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("lectern_bench_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn administer(url: &str, sql: &str) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.context("can't reach PostgreSQL")?;
        tokio::spawn(connection);
        client.batch_execute(sql).await.with_context(|| format!("PostgreSQL refused {sql}"))
    })
}

/// The URL with another database in its path.
fn with_database(server: &str, name: &str) -> String {
    let (address, options) = server.split_once('?').map_or((server, None), |(address, rest)| (address, Some(rest)));
    let start = address.find("://").map_or(0, |at| at + 3);
    let end = address[start..].find('/').map_or(address.len(), |at| start + at);
    let options = options.map(|options| format!("?{options}")).unwrap_or_default();
    format!("{}/{name}{options}", &address[..end])
}
