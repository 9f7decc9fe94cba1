//! Organizations: the customers of the content surface.

pub mod create;
pub mod list;
pub mod update;

use edge::admins::{Admin, Role};
use edge::problem::Problem;
use kernel::id::OrganizationId;
use serde::Serialize;

/// An organization as its admin sees it (content-api section 2).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    /// The organization's id.
    pub id: OrganizationId,
    /// Its name.
    #[schema(example = "Riverside School")]
    pub name: String,
    /// URL-safe and unique.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", example = "riverside-school")]
    pub slug: String,
    /// The signed-in admin's role.
    pub role: Role,
}

/// # Errors
/// 403 for who does not operate the service.
fn require_operator(admin: &Admin) -> Result<(), Problem> {
    if admin.is_operator { Ok(()) } else { Err(Problem::Forbidden("Only an operator of the service may do this.")) }
}
