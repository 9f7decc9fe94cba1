//! The roles of an organization's members.

use serde::Serialize;
use store::Words;

/// The role of a member of an organization. Each includes the roles before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Words, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(example = "ADMIN")]
pub enum Role {
    /// Reads and reviews the grades of the organization's workspaces.
    Reviewer,
    /// Makes and edits the content of the organization's classrooms, and has answers graded again.
    Teacher,
    /// Manages the organization: classrooms, keys, webhooks, members, settings.
    Admin,
}
