//! A new password for who forgot the old one: a mail with a link that counts once and for an hour.

pub mod confirm;
pub mod request;
pub mod send;
#[cfg(test)]
mod tests;

use std::time::Duration;

use kernel::id::{PasswordResetId, UserId};
use store::{StoreError, Tx, sql};

/// Where the link leads.
pub(crate) const CONFIRM: &str = "/auth/password-reset/confirm";
/// How long a link holds.
pub(crate) const LIFETIME: Duration = Duration::from_secs(3600);

/// Opens a reset for an admin; one that is open is closed by it.
fn open(tx: &mut Tx<'_>, user: UserId) -> Result<PasswordResetId, StoreError> {
    let (id, expires_at): (PasswordResetId, _) = (tx.ambient().id(), tx.now().plus(LIFETIME));
    tx.execute("DELETE FROM password_reset WHERE user_id = $1", &[&user])?;
    sql!("INSERT INTO password_reset (id, user_id, expires_at) VALUES ({id}, {user}, {expires_at})").execute(tx)?;
    Ok(id)
}

/// Whose reset it is, while it holds.
fn find(tx: &mut Tx<'_>, id: PasswordResetId) -> Result<Option<UserId>, StoreError> {
    let now = tx.now();
    tx.find("SELECT user_id FROM password_reset WHERE id = $1 AND expires_at > $2", &[&id, &now], |row| row.get(0))
}

/// Uses a reset up; whose it was.
fn take(tx: &mut Tx<'_>, id: PasswordResetId) -> Result<Option<UserId>, StoreError> {
    let user = find(tx, id)?;
    let taken = tx.execute("DELETE FROM password_reset WHERE id = $1", &[&id])?;
    Ok(user.filter(|_| taken == 1))
}
