//! The passkeys of admins as rows: what the WebAuthn library keeps of each, and the challenges that were answered.
//!
//! A challenge counts once: its digest is stored with what the answer did, in one transaction. The functions run in the
//! caller's transaction. Where to read next: the crate `identity` speaks WebAuthn.

use kernel::id::{PasskeyId, UserId};
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx, sql};

/// The most passkeys of an admin.
pub const MOST_PASSKEYS: usize = 20;

/// A passkey.
#[derive(Clone, Debug, Record)]
#[record(table = "passkey")]
pub struct StoredPasskey {
    /// Names the passkey to its admin.
    #[column(key)]
    pub id: PasskeyId,
    /// Whose it is.
    pub user_id: UserId,
    /// What the authenticator calls it, in Base64 for URLs.
    pub credential_id: String,
    /// What its admin calls it.
    pub name: String,
    /// The public key with its counter, as the library writes it.
    pub credential: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When somebody signed in with it.
    pub last_used_at: Option<Timestamp>,
}

/// The passkeys of an admin, the oldest first.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<StoredPasskey>, StoreError> {
    sql!("SELECT {StoredPasskey::*} FROM passkey WHERE user_id = {user} ORDER BY created_at, id")
        .query(tx, StoredPasskey::from_row)
}

/// The passkey that an authenticator calls so.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(tx: &mut Tx<'_>, credential_id: &str) -> Result<Option<StoredPasskey>, StoreError> {
    sql!("SELECT {StoredPasskey::*} FROM passkey WHERE credential_id = {credential_id}")
        .find(tx, StoredPasskey::from_row)
}

/// Adds a passkey. [`StoreError::Unique`] where somebody has the credential.
///
/// # Errors
/// Any [`StoreError`].
pub fn add(tx: &mut Tx<'_>, passkey: &StoredPasskey) -> Result<(), StoreError> {
    passkey.insert(tx)
}

/// Notes that somebody signed in with a passkey; whether it is still there.
///
/// # Errors
/// Any [`StoreError`].
pub fn note_use(tx: &mut Tx<'_>, id: PasskeyId, credential: &str) -> Result<bool, StoreError> {
    let now = tx.now();
    let noted =
        sql!("UPDATE passkey SET credential = {credential}, last_used_at = {now} WHERE id = {id}").execute(tx)?;
    Ok(noted == 1)
}

/// Removes a passkey of an admin, and the recovery codes with the last second factor; whether there was one.
///
/// # Errors
/// Any [`StoreError`].
pub fn remove(tx: &mut Tx<'_>, user: UserId, id: PasskeyId) -> Result<bool, StoreError> {
    let removed = sql!("DELETE FROM passkey WHERE id = {id} AND user_id = {user}").execute(tx)? == 1;
    super::forget_recovery_codes_without_factor(tx, user)?;
    Ok(removed)
}

/// Removes all passkeys of an admin.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn remove_all(tx: &mut Tx<'_>, user: UserId) -> Result<(), StoreError> {
    sql!("DELETE FROM passkey WHERE user_id = {user}").execute(tx)?;
    Ok(())
}

/// Uses a challenge up; `false` where it was before.
///
/// # Errors
/// Any [`StoreError`].
pub fn use_challenge(tx: &mut Tx<'_>, digest: &str, expires_at: Timestamp) -> Result<bool, StoreError> {
    let used = sql!(
        "INSERT INTO passkey_challenge (digest, expires_at) VALUES ({digest}, {expires_at})
         ON CONFLICT (digest) DO NOTHING"
    );
    Ok(used.execute(tx)? == 1)
}

/// Forgets answered challenges that have expired.
///
/// # Errors
/// Any [`StoreError`].
pub fn sweep(tx: &mut Tx<'_>) -> Result<u64, StoreError> {
    let now = tx.now();
    tx.execute("DELETE FROM passkey_challenge WHERE expires_at <= $1", &[&now])
}

pub(super) fn has_any(tx: &mut Tx<'_>, user: UserId) -> Result<bool, StoreError> {
    let found = sql!("SELECT 1 FROM passkey WHERE user_id = {user} LIMIT 1").find(tx, |_| Ok(()))?;
    Ok(found.is_some())
}
