//! The people who sign in: oneself, and for operators everybody.
//!
//! Operators see all accounts, make them, say who operates the service, and help those who lost a second factor. Nobody is
//! given a password by somebody else: a new account gets a mail with a link to choose one. The service always keeps an operator,
//! because nobody takes the right from themselves.

pub mod create;
pub mod end_sessions;
pub mod get;
pub mod list;
pub mod me;
pub mod remove_second_factor;
#[cfg(test)]
mod tests;
pub mod update;

use edge::admins::Admin;
use edge::admins::users::{self, User, UserOrganization};
use edge::problem::Problem;
use edge::second_factors::{self, passkeys};
use edge::sessions::list as sessions;
use kernel::id::UserId;
use serde::Serialize;
use store::{StoreError, Tx};

const NO_USER: Problem = Problem::NotFound("User");
const ONLY_OPERATORS: Problem = Problem::Forbidden("Only an operator of the service may do this.");

/// The second factors of a user.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserSecondFactor {
    /// Whether sign-in asks for a code of an authenticator app.
    has_app: bool,
    /// How many passkeys there are.
    passkeys: usize,
    /// Recovery codes that were not used.
    recovery_codes_left: i64,
}

impl UserSecondFactor {
    fn load(tx: &mut Tx<'_>, user: UserId) -> Result<Self, StoreError> {
        Ok(Self {
            has_app: second_factors::has_app(tx, user)?,
            passkeys: passkeys::list(tx, user)?.len(),
            recovery_codes_left: second_factors::count_recovery_codes(tx, user)?,
        })
    }
}

/// A user with everything that operators see.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserDetail {
    #[serde(flatten)]
    user: User,
    /// The organizations that the user is a member of, by name.
    organizations: Vec<UserOrganization>,
    /// Sessions that have not ended.
    sessions: i64,
    second_factor: UserSecondFactor,
}

impl UserDetail {
    /// # Errors
    /// 404 where there is no such user.
    fn load(tx: &mut Tx<'_>, id: UserId) -> Result<Self, Problem> {
        Ok(Self {
            user: users::find(tx, id)?.ok_or(NO_USER)?,
            organizations: users::organizations(tx, id)?,
            sessions: sessions::count(tx, id)?,
            second_factor: UserSecondFactor::load(tx, id)?,
        })
    }
}

/// # Errors
/// 403 for who does not operate the service.
fn require_operator(admin: &Admin) -> Result<(), Problem> {
    if admin.is_operator { Ok(()) } else { Err(ONLY_OPERATORS) }
}

/// The user that a path names.
///
/// # Errors
/// 404 where there is none.
fn load_user(tx: &mut Tx<'_>, id: &str) -> Result<User, Problem> {
    let id: UserId = id.parse().map_err(|_| NO_USER)?;
    users::find(tx, id)?.ok_or(NO_USER)
}
