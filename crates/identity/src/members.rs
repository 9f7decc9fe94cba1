//! The members of an organization, for those who manage it. Somebody becomes a member by an invitation.

pub mod list;
pub mod remove;
#[cfg(test)]
mod tests;
pub mod update;

use edge::admins::members;
use edge::admins::{self, Admin, Role};
use edge::problem::Problem;
use kernel::id::{OrganizationId, UserId};
use store::Tx;

const NO_MEMBER: Problem = Problem::NotFound("Member");

/// The member that a path names, with the role. Nobody else changes the organization's members until the transaction ends.
///
/// # Errors
/// 404 where there is none.
fn find(tx: &mut Tx<'_>, organization: OrganizationId, user: &str) -> Result<(UserId, Role), Problem> {
    members::lock(tx, organization)?;
    let user: UserId = user.parse().map_err(|_| NO_MEMBER)?;
    let role = admins::role_of(tx, user, organization)?.ok_or(NO_MEMBER)?;
    Ok((user, role))
}

/// Refuses a change of a member with a role that would leave the organization without an administrator.
///
/// # Errors
/// 409, unless an operator makes the change.
fn keep_an_admin(
    tx: &mut Tx<'_>,
    admin: &Admin,
    organization: OrganizationId,
    user: UserId,
    role: Role,
) -> Result<(), Problem> {
    if role < Role::Admin || admin.is_operator || members::has_other_admin(tx, organization, user)? {
        return Ok(());
    }
    Err(Problem::Conflict("Nobody else administers the organization. Invite somebody first."))
}
