//! Invitations to an organization: a mail with a link that counts once and for seven days.
//!
//! Who administers the organization invites. The invited accept by the link, with a password where they have no account yet, or by
//! signing in through an identity provider that vouches for the same address.

pub mod accept;
pub mod create;
pub mod delete;
pub mod list;
pub mod send;
#[cfg(test)]
mod tests;

use std::time::Duration;

use edge::admins::{self, Role};
use kernel::id::{InvitationId, OrganizationId, UserId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record, StoreError, Tx, sql};

/// Where the link leads.
pub(crate) const ACCEPT: &str = "/auth/invitations/accept";
/// How long an invitation holds.
pub(crate) const LIFETIME: Duration = Duration::from_secs(7 * 24 * 3600);
/// Invitations of an organization that may be open at a time.
const MOST_OPEN: i64 = 200;

/// An invitation as administrators see it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Names the invitation; it accepts nothing.
    #[schema(value_type = String, format = "uuid")]
    pub(crate) id: InvitationId,
    /// Who is invited.
    #[schema(format = "email")]
    pub(crate) email: String,
    /// The role that the invitation gives.
    pub(crate) role: Role,
    /// When the invitation was made.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) created_at: Timestamp,
    /// Until when it can be accepted.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) expires_at: Timestamp,
    /// When it was accepted.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub(crate) accepted_at: Option<Timestamp>,
}

/// An invitation that can be accepted.
#[derive(Record)]
#[record(table = "invitation")]
struct Open {
    id: InvitationId,
    organization_id: OrganizationId,
    email: String,
    role: Role,
}

fn find_open(tx: &mut Tx<'_>, id: InvitationId) -> Result<Option<Open>, StoreError> {
    let now = tx.now();
    sql!("SELECT {Open::*} FROM invitation WHERE id = {id} AND accepted_at IS NULL AND expires_at > {now}")
        .find(tx, Open::from_row)
}

/// An admin gets the role of an invitation, unless theirs includes it; the invitation is used up. `false` where it was before.
fn take(tx: &mut Tx<'_>, open: &Open, user: UserId) -> Result<bool, StoreError> {
    let Open { id, organization_id, role, .. } = *open;
    let now = tx.now();
    let taken =
        sql!("UPDATE invitation SET accepted_at = {now} WHERE id = {id} AND accepted_at IS NULL").execute(tx)?;
    if taken == 1 {
        let present = admins::role_of(tx, user, organization_id)?;
        admins::join(tx, user, organization_id, present.map_or(role, |present| present.max(role)))?;
    }
    Ok(taken == 1)
}

/// Whether an address is invited anywhere.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn is_invited(tx: &mut Tx<'_>, email: &str) -> Result<bool, StoreError> {
    Ok(!open_for(tx, email)?.is_empty())
}

/// Accepts all open invitations of an address, whose admin an identity provider vouched for.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn accept_all(tx: &mut Tx<'_>, email: &str, user: UserId) -> Result<(), StoreError> {
    for open in open_for(tx, email)? {
        take(tx, &open, user)?;
    }
    Ok(())
}

fn open_for(tx: &mut Tx<'_>, email: &str) -> Result<Vec<Open>, StoreError> {
    let now = tx.now();
    sql!("SELECT {Open::*} FROM invitation WHERE email = {email} AND accepted_at IS NULL AND expires_at > {now}")
        .query(tx, Open::from_row)
}
