//! `[store]`: where everything durable lives.

use std::path::PathBuf;

use kernel::secret::SecretString;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "store";
const DATABASE_FILE: &str = "lectern.db";

static DATA_DIR: Setting = Setting::new(SECTION, "data_dir", "LECTERN_DATA_DIR").or("./lectern-data");
static DATABASE_URL: Setting = Setting::new(SECTION, "database_url", "LECTERN_DATABASE_URL")
    .shaped(Shape::UrlWithPassword)
    .or_else("SQLite, lectern.db in data_dir");

/// `[store]`
#[derive(Clone, Debug)]
pub struct Store {
    /// The folder of the embedded database, files and generated secrets.
    pub data_dir: PathBuf,
    /// A PostgreSQL server; `None` for the embedded database.
    pub database_url: Option<SecretString>,
}

impl Store {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let data_dir = reader.required(&DATA_DIR, parse::path);
        let database_url = reader.optional(&DATABASE_URL, |text| {
            let is_postgres = text.starts_with("postgres://") || text.starts_with("postgresql://");
            is_postgres.then(|| text.into()).ok_or_else(|| "must start with postgres://".to_owned())
        });
        Some(Self { data_dir: data_dir?, database_url: database_url? })
    }

    /// The file of the embedded database.
    pub fn database_file(&self) -> PathBuf {
        self.data_dir.join(DATABASE_FILE)
    }
}
