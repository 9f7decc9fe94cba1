//! What the database knows of its master key: a check value, or in a database of an earlier version, secrets that
//! the key sealed.

use events::endpoints::{self, SealedSecret};
use kernel::secret::MasterKey;
use kernel::time::Timestamp;
use store::{StoreError, Tx};

/// The purpose of the key that makes check values, and the text that it vouches for.
const PURPOSE: &str = "master key check value";
const TEXT: &str = "lectern";
/// The stored secrets that a key is tried on. One that opens is enough: an earlier version may have replaced a lost key
/// silently, and what was stored since then counts.
const MOST_SECRETS: u32 = 1_000;

/// What a database knows of its master key.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    check_value: Option<String>,
    /// Read only where there is no check value.
    secrets: Vec<SealedSecret>,
}

impl Stored {
    /// Reads it.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn read(tx: &mut Tx<'_>) -> Result<Self, StoreError> {
        let check_value = find(tx)?;
        let secrets = match check_value {
            Some(_) => Vec::new(),
            None => endpoints::newest_secrets(tx, MOST_SECRETS)?,
        };
        Ok(Self { check_value, secrets })
    }

    /// Whether the check value is there.
    pub(crate) fn is_recorded(&self) -> bool {
        self.check_value.is_some()
    }

    /// Whether a key was used on this database.
    pub(crate) fn has_key(&self) -> bool {
        self.is_recorded() || !self.secrets.is_empty()
    }

    /// Whether nothing that is known speaks against this key.
    pub(crate) fn fits(&self, master: &MasterKey) -> bool {
        if let Some(check_value) = &self.check_value {
            return is_check_value_of(check_value, master);
        }
        let sealer = master.sealer(events::WEBHOOK_SECRETS);
        self.secrets.is_empty() || self.secrets.iter().any(|secret| secret.opens_with(&sealer))
    }
}

/// The check value of a key.
pub(crate) fn check_value(master: &MasterKey) -> String {
    master.authenticator(PURPOSE).tag(TEXT)
}

/// Whether this is the check value of this key.
pub(crate) fn is_check_value_of(check_value: &str, master: &MasterKey) -> bool {
    master.authenticator(PURPOSE).vouches(TEXT, check_value)
}

/// Records a check value unless there is one; returns the one that is there now. Of several processes that start at once, one
/// wins.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn record(tx: &mut Tx<'_>, check_value: &str) -> Result<String, StoreError> {
    let now = tx.now();
    tx.execute(
        "INSERT INTO master_key (id, check_value, created_at) VALUES ('current', $1, $2) ON CONFLICT (id) DO NOTHING",
        &[&check_value, &now],
    )?;
    // No key makes an empty check value.
    Ok(find(tx)?.unwrap_or_default())
}

/// When the database got its master key; `None` in a database of an earlier version.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn made_at(tx: &mut Tx<'_>) -> Result<Option<Timestamp>, StoreError> {
    tx.find("SELECT created_at FROM master_key WHERE id = 'current'", &[], |row| row.get(0))
}

/// Lets one transaction at a time go on: a second one waits, and begins anew with what the first has made.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn lock(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    tx.execute("UPDATE master_key SET check_value = check_value WHERE id = 'current'", &[])?;
    Ok(())
}

/// Replaces the check value, or records the first one.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn replace(tx: &mut Tx<'_>, check_value: &str) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute("DELETE FROM master_key", &[])?;
    tx.execute(
        "INSERT INTO master_key (id, check_value, created_at) VALUES ('current', $1, $2)",
        &[&check_value, &now],
    )?;
    Ok(())
}

/// The newest webhook secrets that this key does not open.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn unreadable_secrets(tx: &mut Tx<'_>, master: &MasterKey) -> Result<Vec<SealedSecret>, StoreError> {
    let sealer = master.sealer(events::WEBHOOK_SECRETS);
    let mut secrets = endpoints::newest_secrets(tx, u32::MAX)?;
    secrets.retain(|secret| !secret.opens_with(&sealer));
    Ok(secrets)
}

fn find(tx: &mut Tx<'_>) -> Result<Option<String>, StoreError> {
    tx.find("SELECT check_value FROM master_key WHERE id = 'current'", &[], |row| row.get(0))
}
