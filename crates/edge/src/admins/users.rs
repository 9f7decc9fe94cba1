//! Users as operators see them: found by page and by id, with their organizations.

use kernel::id::{OrganizationId, UserId, WorkspaceId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record, StoreError, Tx, sql};

use super::Role;
use crate::paging::Page;

/// A user as an operator sees one.
#[derive(Clone, Debug, Record, Serialize, utoipa::ToSchema)]
#[record(table = "admin_user")]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Who.
    #[schema(value_type = String, format = "uuid")]
    pub id: UserId,
    /// The address to sign in with.
    #[schema(format = "email")]
    pub email: String,
    /// Whether the user operates the whole service.
    pub is_operator: bool,
    /// When the account was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
}

/// An organization that a user is a member of.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserOrganization {
    /// The organization's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: OrganizationId,
    /// Its name.
    pub name: String,
    /// The user's role in it.
    pub role: Role,
    /// Its active workspaces, whose grades a member reviews, by name.
    pub workspaces: Vec<UserWorkspace>,
}

/// A workspace of an organization that a user is a member of.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct UserWorkspace {
    /// The workspace's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
}

/// Finds a user by id.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(tx: &mut Tx<'_>, id: UserId) -> Result<Option<User>, StoreError> {
    sql!("SELECT {User::*} FROM admin_user WHERE id = {id}").find(tx, User::from_row)
}

/// Lets nobody else change a user until the transaction ends: of two operators who take the right from each other at once, the
/// second one has it no more.
///
/// # Errors
/// Any [`StoreError`].
pub fn lock(tx: &mut Tx<'_>, id: UserId) -> Result<(), StoreError> {
    sql!("UPDATE admin_user SET is_operator = is_operator WHERE id = {id}").execute(tx)?;
    Ok(())
}

/// A page of the users whose address has a part, the newest first, and how many there are.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(tx: &mut Tx<'_>, part: &str, page: Page) -> Result<(Vec<User>, u64), StoreError> {
    let pattern =
        format!("%{}%", super::normalize_email(part).replace('!', "!!").replace('%', "!%").replace('_', "!_"));
    let counted: Option<i64> =
        sql!("SELECT count(*) FROM admin_user WHERE email LIKE {pattern} ESCAPE '!'").find(tx, |row| row.get(0))?;
    let total = u64::try_from(counted.unwrap_or(0)).unwrap_or(0);
    let Some(offset) = page.offset(total).and_then(|offset| i64::try_from(offset).ok()) else {
        return Ok((Vec::new(), total));
    };
    let limit = i64::try_from(page.limit).unwrap_or(i64::MAX);
    let users = sql!(
        "SELECT {User::*} FROM admin_user WHERE email LIKE {pattern} ESCAPE '!'
         ORDER BY id DESC LIMIT {limit} OFFSET {offset}"
    )
    .query(tx, User::from_row)?;
    Ok((users, total))
}

/// The organizations that a user is a member of, by name.
///
/// # Errors
/// Any [`StoreError`].
pub fn organizations(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<UserOrganization>, StoreError> {
    let mut found = sql!(
        "SELECT o.id, o.name, m.role FROM membership m JOIN organization o ON o.id = m.organization_id
         WHERE m.user_id = {user}"
    )
    .query(tx, |row| {
        Ok(UserOrganization { id: row.get(0)?, name: row.get(1)?, role: row.get(2)?, workspaces: Vec::new() })
    })?;
    let workspaces = sql!(
        "SELECT w.organization_id, w.id, w.name FROM membership m
         JOIN workspace w ON w.organization_id = m.organization_id
         WHERE m.user_id = {user} AND w.status = 'ACTIVE'"
    )
    .query(tx, |row| Ok((row.get::<OrganizationId>(0)?, UserWorkspace { id: row.get(1)?, name: row.get(2)? })))?;
    for (organization, workspace) in workspaces {
        if let Some(owner) = found.iter_mut().find(|owner: &&mut UserOrganization| owner.id == organization) {
            owner.workspaces.push(workspace);
        }
    }
    // Not by the database, whose order of names is its operator's choice.
    for organization in &mut found {
        organization.workspaces.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    }
    found.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    Ok(found)
}
