//! The check of the master key: whether it is there, is the database's, and is nobody else's to read.

use std::error::Error;

use events::endpoints::SealedSecret;
use kernel::ambient::Ambient;
use kernel::secret::MasterKey;
use store::Store;

use super::Finding;
use super::checks::{is_open_to_others, plain};
use crate::assembly;
use crate::config::{Config, secret_file};
use crate::master_key::stored::{self, Stored};
use crate::master_key::{self, MasterKeyError};

const CHECK: &str = "secret key";

/// What the database says of the key.
enum Known {
    /// There is no database yet.
    Nothing,
    /// It can't be asked: it is not reached, or steps are pending. Another check says which.
    Unknown,
    /// What it has stored, and the webhook secrets that the key does not open.
    Stored(Stored, Vec<SealedSecret>),
}

/// Compares the key with the database, and changes neither.
pub(super) async fn check(config: &Config, ambient: &Ambient) -> Finding {
    let found = match master_key::find(config) {
        Ok(found) => found,
        Err(error) => return Finding::wrong(CHECK, plain(&error)),
    };
    let known = match ask_database(config, ambient, found.clone()).await {
        Ok(known) => known,
        Err(error) => return Finding::wrong(CHECK, plain(&*error)),
    };
    match (found, known) {
        (None, Known::Stored(stored, _)) if stored.has_key() => {
            Finding::wrong(CHECK, plain(&MasterKeyError::lost(config)))
        }
        (None, Known::Unknown) => {
            let path = secret_file::path(&config.store.data_dir);
            Finding::warning(
                CHECK,
                format!("{} does not exist; the database can't be asked whether it should", path.display()),
            )
        }
        (None, _) => {
            let path = secret_file::path(&config.store.data_dir);
            Finding::warning(CHECK, format!("{} does not exist yet; init or serve makes it", path.display()))
        }
        (Some(master), Known::Stored(stored, _)) if !stored.fits(&master) => {
            Finding::wrong(CHECK, plain(&master_key::wrong(config, |other| stored.fits(other))))
        }
        (Some(_), Known::Stored(_, unreadable)) if !unreadable.is_empty() => {
            let count = unreadable.len();
            let example = unreadable[0].endpoint;
            Finding::warning(
                CHECK,
                format!("it does not open the secrets of {count} webhook endpoints, such as {example}: rotate them"),
            )
        }
        (Some(_), _) => keeping(config),
    }
}

/// Reads from the database without migrating it.
async fn ask_database(
    config: &Config,
    ambient: &Ambient,
    master: Option<MasterKey>,
) -> Result<Known, Box<dyn Error + Send + Sync>> {
    if config.store.database_url.is_none() && !config.store.database_file().exists() {
        return Ok(Known::Nothing);
    }
    let options = assembly::store_options(config);
    let state = Store::check_migrations(&options).await;
    let is_current = state.and_then(|state| state.needs_migration().map(|needs| !needs)).unwrap_or(false);
    if !is_current {
        return Ok(Known::Unknown);
    }
    let store = Store::open(&options, ambient.clone()).await?;
    let read = store.read("doctor.master_key", move |tx| {
        let unreadable = match &master {
            Some(master) => stored::unreadable_secrets(tx, master)?,
            None => Vec::new(),
        };
        Ok::<_, store::StoreError>(Known::Stored(Stored::read(tx)?, unreadable))
    });
    let known = read.await;
    store.close().await;
    Ok(known?)
}

/// How a key that fits is kept.
fn keeping(config: &Config) -> Finding {
    if config.secrets.secret_key.is_some() {
        return Finding::fine(CHECK, "configured; keep a copy outside of this machine");
    }
    let path = secret_file::path(&config.store.data_dir);
    let shown = path.display();
    if std::fs::metadata(&path).is_ok_and(|metadata| is_open_to_others(&metadata)) {
        return Finding::wrong(CHECK, format!("{shown} can be read by other users: chmod 600 {shown}"));
    }
    if config.store.database_url.is_some() {
        let advice = "every machine on one database needs the same: set LECTERN_SECRET_KEY";
        return Finding::warning(CHECK, format!("{shown} is this machine's own; {advice}"));
    }
    Finding::fine(CHECK, format!("{shown}; back it up with the database"))
}
