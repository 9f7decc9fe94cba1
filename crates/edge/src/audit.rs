//! The audit log: who changed something, when, by which operation and on what.
//!
//! An entry is a row of the transaction that makes the change. [`crate::door::Door`] writes it where it lets a closure write: for
//! every session, and for a key where the operation administers something. Operations need no code for it, and a change that is
//! rolled back leaves no entry. The daily work of keys, such as evaluations and content, is left out.
//!
//! An entry never holds a body, a secret, or where a client is. Read on in `request.rs` for what is told of a request, in
//! `record.rs` for how it is written, and in [`page`] for how it is read.

mod list;
mod operations;
mod record;
mod request;

use std::time::Duration;

use kernel::id::{AuditEntryId, KeyId, OrganizationId, SessionId, UserId, WorkspaceId};
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx};

pub use list::{AuditFilter, AuditLogPage, AuditedChange, page, read_page};
pub use operations::name_operations;
pub(crate) use record::{Changer, record};
pub use record::{PersonalChange, record_of_person};
pub use request::AuditNote;
pub(crate) use request::AuditedRequest;

/// How long entries are kept, unless the operator says otherwise: a year, and time to look back on it.
pub const USUAL_RETENTION: Duration = Duration::from_secs(400 * 24 * 3600);
/// Entries that one transaction of the maintenance removes.
const REMOVED_AT_ONCE: u32 = 5_000;

/// A row of the log.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
#[record(table = "audit_entry")]
pub struct AuditEntry {
    /// The entry.
    pub id: AuditEntryId,
    /// The person, where a session made the change.
    pub user_id: Option<UserId>,
    /// The session, where one made the change.
    pub session_id: Option<SessionId>,
    /// The key, where one made the change.
    pub key_id: Option<KeyId>,
    /// The operation, as the API document names it.
    pub operation: String,
    /// The organization that it concerns.
    pub organization_id: Option<OrganizationId>,
    /// The workspace that it concerns.
    pub workspace_id: Option<WorkspaceId>,
    /// The thing that was made or changed: its id in the answer, or else the last id of the path.
    pub resource_id: Option<String>,
    /// The request.
    pub request_id: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

/// Removes the oldest entries that are older than the retention; how many. More may be left.
///
/// # Errors
/// Any [`StoreError`].
pub fn sweep(tx: &mut Tx<'_>, retention: Duration) -> Result<u64, StoreError> {
    let oldest = tx.now().minus(retention);
    tx.execute(
        "DELETE FROM audit_entry WHERE id IN (
            SELECT id FROM audit_entry WHERE created_at < $1 ORDER BY created_at, id LIMIT $2)",
        &[&oldest, &REMOVED_AT_ONCE],
    )
}
