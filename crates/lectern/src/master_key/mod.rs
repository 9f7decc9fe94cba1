//! The master key of a database: found, or made once, and compared with the database before anything uses it.
//!
//! The database stores a check value of the key that it was first opened with. A process whose key is missing or
//! differs does not start, and a new key is made only for a database that never had one: otherwise every stored
//! secret would be unreadable and nobody would know why. A database of a version without check values is compared with
//! the webhook secrets that are stored in it.
//!
//! This module must never overwrite a key file. Where to read next: [`stored`] for what the database knows,
//! `config/secret_file.rs` for the file, `docs/operations.md` for what an operator does.

mod error;
pub(crate) mod stored;

use kernel::ambient::Ambient;
use kernel::secret::MasterKey;
use store::Store;

use self::error::Source;
pub(crate) use self::error::{LOSS, MasterKeyError};
use self::stored::Stored;
use crate::assembly;
use crate::config::{Config, secret_file};

/// Opens the database of a configuration and its master key. Both are made where they are missing, the key only for a
/// database that has none.
///
/// # Errors
/// When the database can't be opened, or the key is missing, damaged or another database's.
pub(crate) async fn open_store(config: &Config, ambient: &Ambient) -> anyhow::Result<(Store, MasterKey)> {
    // A damaged key is refused before the database is touched.
    find(config)?;
    let store = assembly::open_store(config, ambient).await?;
    match agree(&store, config, ambient).await {
        Ok(master) => Ok((store, master)),
        Err(error) => {
            store.close().await;
            Err(error.into())
        }
    }
}

/// The configured key, else the data folder's.
///
/// # Errors
/// When the key file can't be read or understood.
pub(crate) fn find(config: &Config) -> Result<Option<MasterKey>, MasterKeyError> {
    match &config.secrets.secret_key {
        Some(key) => Ok(Some(key.clone())),
        None => Ok(secret_file::load(&config.store.data_dir)?),
    }
}

/// Finds the key, compares it with what the database knows, and makes both agree where either is new.
async fn agree(store: &Store, config: &Config, ambient: &Ambient) -> Result<MasterKey, MasterKeyError> {
    // The database goes first: whoever made a key wrote its file before its check value.
    let known = store.read("master_key.read", Stored::read).await?;
    let master = match find(config)? {
        Some(master) => master,
        None if known.has_key() => return Err(MasterKeyError::lost(config)),
        None => secret_file::load_or_make(&config.store.data_dir, ambient)?,
    };
    if !known.fits(&master) {
        return Err(wrong(config, |other| known.fits(other)));
    }
    if known.is_recorded() {
        return Ok(master);
    }
    let check_value = stored::check_value(&master);
    let recorded = store.write("master_key.record", move |tx| stored::record(tx, &check_value)).await?;
    if stored::is_check_value_of(&recorded, &master) {
        return Ok(master);
    }
    Err(wrong(config, |other| stored::is_check_value_of(&recorded, other)))
}

/// The key that was found is not the database's. A key file that a configured key hides may be.
pub(crate) fn wrong(config: &Config, fits: impl Fn(&MasterKey) -> bool) -> MasterKeyError {
    let file = secret_file::path(&config.store.data_dir);
    if config.secrets.secret_key.is_none() {
        return MasterKeyError::Wrong(Source::File(file));
    }
    let hidden = secret_file::load(&config.store.data_dir).ok().flatten();
    let fitting_file = hidden.filter(fits).map(|_| file);
    MasterKeyError::Wrong(Source::Configuration { fitting_file })
}

#[cfg(test)]
mod tests;
