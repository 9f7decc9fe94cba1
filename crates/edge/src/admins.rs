//! Admins: people who sign in, and their roles in organizations.

pub mod members;
mod role;
pub mod users;

use kernel::ambient::Ambient;
use kernel::id::{OrganizationId, UserId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Group as _, Record, StoreError, Tx, sql};

pub use role::Role;

use crate::problem::Problem;

/// A signed-in admin, inside a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admin {
    /// Who.
    pub user_id: UserId,
    /// Operators manage every organization.
    pub is_operator: bool,
}

/// The refusal for an organization that the admin can't manage; one that does not exist looks the same, so
/// that ids can't be probed.
const NOT_MANAGED: Problem = Problem::Forbidden("You cannot manage this organization.");
/// The refusal for an organization of which the admin is no member.
const NO_MEMBER: Problem = Problem::Forbidden("You are not a member of this organization.");
/// The refusal for an organization whose content the admin may not edit.
const NOT_TAUGHT: Problem = Problem::Forbidden("You cannot edit the content of this organization.");

impl Admin {
    /// The organization that a path names, when this admin manages it; otherwise 403.
    pub fn manages(&self, tx: &mut Tx<'_>, organization_id: &str) -> Result<OrganizationId, Problem> {
        self.acts_in(tx, organization_id, Role::Admin)?.ok_or(NOT_MANAGED)
    }

    /// The organization that a path names, when this admin may edit its content; otherwise 403.
    pub fn teaches(&self, tx: &mut Tx<'_>, organization_id: &str) -> Result<OrganizationId, Problem> {
        self.acts_in(tx, organization_id, Role::Teacher)?.ok_or(NOT_TAUGHT)
    }

    /// The organization that a path names, when this admin has any role in it; otherwise 403.
    pub fn belongs_to(&self, tx: &mut Tx<'_>, organization_id: &str) -> Result<OrganizationId, Problem> {
        self.acts_in(tx, organization_id, Role::Reviewer)?.ok_or(NO_MEMBER)
    }

    fn acts_in(
        &self,
        tx: &mut Tx<'_>,
        organization_id: &str,
        needed: Role,
    ) -> Result<Option<OrganizationId>, StoreError> {
        let Ok(id) = organization_id.parse::<OrganizationId>() else { return Ok(None) };
        Ok(self.role_in(tx, id)?.filter(|role| *role >= needed).map(|_| id))
    }

    /// The admin's role in an organization, `None` where there is none. Operators administer all organizations.
    fn role_in(&self, tx: &mut Tx<'_>, organization: OrganizationId) -> Result<Option<Role>, StoreError> {
        let user = self.user_id;
        let found = sql!(
            "SELECT m.role FROM organization o
             LEFT JOIN membership m ON m.organization_id = o.id AND m.user_id = {user} WHERE o.id = {organization}"
        );
        let role: Option<Option<Role>> = found.find(tx, |row| row.get(0))?;
        Ok(role.and_then(|role| if self.is_operator { Some(Role::Admin) } else { role }))
    }
}

/// What a new admin is to be.
#[derive(Clone, Debug)]
pub struct NewAdmin {
    /// Compared without regard to case.
    pub email: String,
    /// An Argon2id hash; see [`crate::passwords`].
    pub password_hash: String,
    /// Whether the admin operates the whole service.
    pub is_operator: bool,
}

/// The form in which e-mail addresses are stored and compared.
pub fn normalize_email(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Finds an admin by e-mail.
pub fn find(tx: &mut Tx<'_>, email: &str) -> Result<Option<UserId>, StoreError> {
    tx.find("SELECT id FROM admin_user WHERE email = $1", &[&normalize_email(email)], |row| row.get(0))
}

/// The signed-in admin.
#[derive(Record, Serialize, utoipa::ToSchema)]
#[record(table = "admin_user")]
#[serde(rename_all = "camelCase")]
pub struct SignedInUser {
    /// Who.
    pub id: UserId,
    /// The address to sign in with.
    #[schema(format = "email")]
    pub email: String,
    /// Whether the admin operates the whole service.
    pub is_operator: bool,
}

/// Finds an admin by e-mail as [`normalize_email`] has it, with the hash of the password.
pub(crate) fn find_account(tx: &mut Tx<'_>, email: &str) -> Result<Option<(SignedInUser, String)>, StoreError> {
    sql!("SELECT {SignedInUser::*}, password_hash FROM admin_user WHERE email = {email}")
        .find(tx, |row| Ok((SignedInUser::from_row(row)?, row.get(SignedInUser::COUNT)?)))
}

/// Makes an admin. [`StoreError::Unique`] when the e-mail is taken.
pub fn create(tx: &mut Tx<'_>, ambient: &Ambient, new: &NewAdmin) -> Result<UserId, StoreError> {
    let id: UserId = ambient.id();
    let now = tx.now();
    tx.execute(
        "INSERT INTO admin_user (id, email, password_hash, is_operator, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $5)",
        &[&id, &normalize_email(&new.email), &new.password_hash, &new.is_operator, &now],
    )?;
    Ok(id)
}

/// Gives an admin another password.
///
/// # Errors
/// Any [`StoreError`].
pub fn set_password(tx: &mut Tx<'_>, user: UserId, password_hash: &str) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute(
        "UPDATE admin_user SET password_hash = $2, updated_at = $3 WHERE id = $1",
        &[&user, &password_hash, &now],
    )?;
    Ok(())
}

/// An admin who may sign in.
///
/// # Errors
/// Any [`StoreError`].
pub fn find_user(tx: &mut Tx<'_>, user: UserId) -> Result<Option<SignedInUser>, StoreError> {
    sql!("SELECT {SignedInUser::*} FROM admin_user WHERE id = {user}").find(tx, SignedInUser::from_row)
}

/// The hash of an admin's password.
///
/// # Errors
/// Any [`StoreError`].
pub fn find_password_hash(tx: &mut Tx<'_>, user: UserId) -> Result<Option<String>, StoreError> {
    tx.find("SELECT password_hash FROM admin_user WHERE id = $1", &[&user], |row| row.get(0))
}

/// Lets an admin operate the whole service; once more changes nothing.
pub fn make_operator(tx: &mut Tx<'_>, user: UserId) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute(
        "UPDATE admin_user SET is_operator = 1, updated_at = $2 WHERE id = $1 AND is_operator = 0",
        &[&user, &now],
    )?;
    Ok(())
}

/// An admin as an operator sees one.
#[derive(Clone, Debug, Record)]
pub struct ListedAdmin {
    /// Who.
    pub user_id: UserId,
    /// The address to sign in with.
    pub email: String,
    /// Whether the admin operates the whole service.
    pub is_operator: bool,
    /// The names of the organizations that the admin is a member of.
    #[column(skip)]
    pub organizations: Vec<String>,
    /// When the admin was made.
    pub created_at: Timestamp,
}

/// Lists all admins by e-mail.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<ListedAdmin>, StoreError> {
    let rows = tx.query(
        "SELECT u.id, u.email, u.is_operator, u.created_at, o.name FROM admin_user u
         LEFT JOIN membership m ON m.user_id = u.id LEFT JOIN organization o ON o.id = m.organization_id
         ORDER BY u.id",
        &[],
        |row| Ok((ListedAdmin::read_at(row, 0)?, row.get::<Option<String>>(ListedAdmin::COUNT)?)),
    )?;
    let mut admins: Vec<ListedAdmin> = Vec::new();
    for (admin, organization) in rows {
        if admins.last().is_none_or(|last| last.user_id != admin.user_id) {
            admins.push(admin);
        }
        let last = admins.last_mut().expect("one was just pushed");
        last.organizations.extend(organization);
    }
    // Not by the database, whose order of names is its operator's choice.
    admins.iter_mut().for_each(|admin| admin.organizations.sort_unstable());
    admins.sort_by(|one, other| one.email.cmp(&other.email));
    Ok(admins)
}

/// Takes the right to operate the service back; once more changes nothing.
///
/// # Errors
/// Any [`StoreError`].
pub fn unmake_operator(tx: &mut Tx<'_>, user: UserId) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute(
        "UPDATE admin_user SET is_operator = 0, updated_at = $2 WHERE id = $1 AND is_operator = 1",
        &[&user, &now],
    )?;
    Ok(())
}

/// Gives an admin a role in an organization, in the place of an earlier one.
///
/// # Errors
/// Any [`StoreError`].
pub fn join(tx: &mut Tx<'_>, user: UserId, organization: OrganizationId, role: Role) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "INSERT INTO membership (user_id, organization_id, role, created_at)
         VALUES ({user}, {organization}, {role}, {now})
         ON CONFLICT (user_id, organization_id) DO UPDATE SET role = excluded.role"
    )
    .execute(tx)?;
    Ok(())
}

/// The role of a member of an organization; `None` for a person who is not a member.
///
/// # Errors
/// Any [`StoreError`].
pub fn role_of(tx: &mut Tx<'_>, user: UserId, organization: OrganizationId) -> Result<Option<Role>, StoreError> {
    sql!("SELECT role FROM membership WHERE user_id = {user} AND organization_id = {organization}")
        .find(tx, |row| row.get(0))
}

/// Whether anybody has an account.
///
/// # Errors
/// Any [`StoreError`].
pub fn is_anybody(tx: &mut Tx<'_>) -> Result<bool, StoreError> {
    Ok(tx.find("SELECT 1 FROM admin_user LIMIT 1", &[], |_| Ok(()))?.is_some())
}

/// Ends an admin's membership of an organization; once more changes nothing.
///
/// # Errors
/// Any [`StoreError`].
pub fn leave(tx: &mut Tx<'_>, user: UserId, organization: OrganizationId) -> Result<(), StoreError> {
    sql!("DELETE FROM membership WHERE user_id = {user} AND organization_id = {organization}").execute(tx)?;
    Ok(())
}
