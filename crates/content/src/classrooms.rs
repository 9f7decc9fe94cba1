//! Classrooms: where an organization's content lives.

pub mod create;
pub mod list;
pub mod update;

use kernel::id::ClassroomId;
use serde::Serialize;

/// A classroom (content-api section 2).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Classroom {
    /// The classroom's id.
    pub id: ClassroomId,
    /// Its name.
    #[schema(example = "Biology 7b")]
    pub name: String,
    /// URL-safe and unique within the organization.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", example = "biology-7b")]
    pub slug: String,
    /// Its language code.
    #[schema(example = "en")]
    pub locale: String,
}
