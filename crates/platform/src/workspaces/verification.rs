//! What a workspace's row says of the verification of its e-mail address; [`crate::agent::verify_email`] has the mails.

use kernel::id::WorkspaceId;
use kernel::time::Timestamp;
use store::{StoreError, Tx};

/// Marks the address as verified: nothing happens when it is already, or is not the workspace's any more.
pub(crate) fn verify(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "UPDATE workspace SET email_verified_at = $3, updated_at = $3
         WHERE id = $1 AND email = $2 AND email_verified_at IS NULL",
        &[&workspace, &email, &now],
    )
}

/// Marks the address as verified because an operator vouches for it; a workspace without one gets `email`. A verified one
/// stays as it is.
///
/// # Errors
/// Any [`StoreError`].
pub fn vouch(tx: &mut Tx<'_>, workspace: WorkspaceId, email: &str) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "UPDATE workspace SET email = COALESCE(email, $2), email_verified_at = $3, updated_at = $3
         WHERE id = $1 AND email_verified_at IS NULL",
        &[&workspace, &email, &now],
    )
}

/// Forgets when a mail was asked for last.
pub(crate) fn forget_mail(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<(), StoreError> {
    tx.execute_later("UPDATE workspace SET verification_sent_at = NULL WHERE id = $1", &[&workspace])
}

/// Notes that a mail is asked for. False, and nothing happens, when one was asked for after `before`.
pub(crate) fn note_mail(tx: &mut Tx<'_>, workspace: WorkspaceId, before: Timestamp) -> Result<bool, StoreError> {
    let now = tx.now();
    let noted = tx.execute(
        "UPDATE workspace SET verification_sent_at = $2
         WHERE id = $1 AND (verification_sent_at IS NULL OR verification_sent_at <= $3)",
        &[&workspace, &now, &before],
    )?;
    Ok(noted > 0)
}
