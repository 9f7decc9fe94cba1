//! An operator vouches for a workspace's e-mail address, so that nobody has to open a mail.

use kernel::id::WorkspaceId;
use store::{StoreError, Tx};

/// Marks the address as verified; a workspace without one gets `email`. A verified one stays as it is.
///
/// # Errors
/// Any [`StoreError`].
pub fn vouch(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute(
        "UPDATE workspace SET email = COALESCE(email, $2), email_verified_at = $3, updated_at = $3
         WHERE id = $1 AND email_verified_at IS NULL",
        &[&workspace, &email, &now],
    )?;
    Ok(())
}
