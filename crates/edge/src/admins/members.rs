//! The members of an organization.

use kernel::id::{OrganizationId, UserId, WorkspaceId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Row, StoreError, Tx, sql};

use super::Role;
use crate::paging::Page;

/// A member of an organization.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Who.
    #[schema(value_type = String, format = "uuid")]
    pub user_id: UserId,
    /// The address to sign in with.
    #[schema(format = "email")]
    pub email: String,
    /// The role in the organization.
    pub role: Role,
    /// Since when.
    #[schema(value_type = String, format = "date-time")]
    pub joined_at: Timestamp,
}

/// A page of an organization's members, the earliest first, and how many there are.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(tx: &mut Tx<'_>, organization: OrganizationId, page: Page) -> Result<(Vec<Member>, u64), StoreError> {
    let counted: Option<i64> =
        sql!("SELECT count(*) FROM membership WHERE organization_id = {organization}").find(tx, |row| row.get(0))?;
    let total = u64::try_from(counted.unwrap_or(0)).unwrap_or(0);
    let Some(offset) = page.offset(total).and_then(|offset| i64::try_from(offset).ok()) else {
        return Ok((Vec::new(), total));
    };
    let limit = i64::try_from(page.limit).unwrap_or(i64::MAX);
    let members = sql!(
        "SELECT u.id, u.email, m.role, m.created_at FROM membership m JOIN admin_user u ON u.id = m.user_id
         WHERE m.organization_id = {organization} ORDER BY m.created_at, u.id LIMIT {limit} OFFSET {offset}"
    )
    .query(tx, member)?;
    Ok((members, total))
}

/// A member of an organization.
///
/// # Errors
/// Any [`StoreError`].
pub fn load(tx: &mut Tx<'_>, organization: OrganizationId, user: UserId) -> Result<Option<Member>, StoreError> {
    sql!(
        "SELECT u.id, u.email, m.role, m.created_at FROM membership m JOIN admin_user u ON u.id = m.user_id
         WHERE m.organization_id = {organization} AND m.user_id = {user}"
    )
    .find(tx, member)
}

fn member(row: &Row<'_>) -> Result<Member, StoreError> {
    Ok(Member { user_id: row.get(0)?, email: row.get(1)?, role: row.get(2)?, joined_at: row.get(3)? })
}

/// The active workspaces of the organizations in which a user has a role that is `needed`, or includes it.
///
/// # Errors
/// Any [`StoreError`].
pub fn workspaces_of(tx: &mut Tx<'_>, user: UserId, needed: Role) -> Result<Vec<WorkspaceId>, StoreError> {
    let found = sql!(
        "SELECT w.id, m.role FROM membership m JOIN workspace w ON w.organization_id = m.organization_id
         WHERE m.user_id = {user} AND w.status = 'ACTIVE' ORDER BY w.id"
    )
    .query(tx, |row| Ok((row.get(0)?, row.get::<Role>(1)?)))?;
    Ok(found.into_iter().filter(|(_, role)| *role >= needed).map(|(workspace, _)| workspace).collect())
}

/// Lets nobody else change the members of an organization until the transaction ends: of two admins who leave at once, the
/// second one sees that the first is gone.
///
/// # Errors
/// Any [`StoreError`].
pub fn lock(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<(), StoreError> {
    sql!("UPDATE membership SET role = role WHERE organization_id = {organization}").execute(tx)?;
    Ok(())
}

/// Whether somebody else than a user administers an organization.
///
/// # Errors
/// Any [`StoreError`].
pub fn has_other_admin(tx: &mut Tx<'_>, organization: OrganizationId, user: UserId) -> Result<bool, StoreError> {
    let role = Role::Admin;
    let found = sql!(
        "SELECT 1 FROM membership
         WHERE organization_id = {organization} AND user_id <> {user} AND role = {role} LIMIT 1"
    );
    Ok(found.find(tx, |_| Ok(()))?.is_some())
}
