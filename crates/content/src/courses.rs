//! Courses: modules in an order. A course has copies of its own; the modules that they were made from live on
//! by themselves.
//!
//! A course's contents count as part of it: whoever adds, changes or removes a module of a course calls [`touch`]
//! first, so the course's version tells of it, and two writers of one course never act at the same time.

mod contents;
pub mod create;
pub mod delete;
mod generation;
pub mod update;

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, CourseId, ModuleId, OrganizationId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record, StoreError, Tx};

pub(crate) use contents::{size_of, touch};

use crate::resources::{Failure, Kind, Resource, Status, Visibility, new, row};

/// A course with its contents in order (content-api section 4).
#[derive(Clone, Debug, Serialize, Record, utoipa::ToSchema)]
#[record(table = "course")]
#[serde(rename_all = "camelCase")]
pub struct Course {
    /// Names it.
    #[column(key)]
    pub id: CourseId,
    /// Whose it is.
    #[serde(skip)]
    #[column(key)]
    pub(crate) organization_id: OrganizationId,
    /// Where it lives.
    #[column(fixed)]
    pub classroom_id: ClassroomId,
    /// What it is called.
    pub title: String,
    /// The title for URLs, as it was when the course was made.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    #[column(fixed)]
    pub slug: String,
    /// What it is about; may be empty.
    pub description: String,
    /// For whom it is; null where nobody said.
    #[schema(required, example = "BEGINNER")]
    pub level: Option<String>,
    /// Whether anybody may open its public page.
    #[schema(example = "PRIVATE")]
    pub visibility: Visibility,
    /// `completed` when there is nothing left to generate.
    #[schema(example = "completed")]
    pub status: Status,
    /// Why its generation failed.
    #[schema(required)]
    #[column(columns("error_code", "error_message"))]
    pub error: Option<Failure>,
    /// The language of its contents.
    #[schema(example = "en")]
    pub language: String,
    /// The conversation that it was made in; null where there was none.
    #[schema(required)]
    #[column(fixed)]
    pub chat_session_id: Option<String>,
    /// Its modules, in order.
    #[column(skip)]
    pub contents: Vec<CourseEntry>,
    /// Whatever the caller stored.
    #[schema(value_type = AnyObject)]
    #[column(long = "'{}'")]
    pub metadata: JsonText,
    /// The page that anybody can open; null unless the course is public.
    #[schema(required, format = "uri")]
    #[column(skip)]
    pub public_url: Option<String>,
    /// The page that whoever has this link can open.
    #[schema(format = "uri")]
    #[column(skip)]
    pub preview_url: String,
    /// From 1, one higher with every change, of its contents too; also the `ETag`.
    #[column(update = "version + 1")]
    pub version: i64,
    /// When it was made.
    #[column(fixed, now)]
    pub created_at: Timestamp,
    /// When it or its contents were changed last.
    #[column(now)]
    pub updated_at: Timestamp,
}

/// A module of a course, at a glance; the whole module is read by its id.
#[derive(Clone, Debug, Record, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CourseEntry {
    /// The module.
    pub id: ModuleId,
    /// From 1, without gaps.
    pub sequence: i64,
    /// What the module is called.
    pub title: String,
    /// What the module is about.
    pub description: String,
    /// The module's label.
    #[serde(rename = "type")]
    #[schema(example = "markdown")]
    #[column(name = "type")]
    pub kind: String,
    /// How far the module is.
    #[schema(example = "completed")]
    pub status: Status,
    /// Whether anybody may open the module's own public page.
    pub is_public: bool,
}

impl Resource for Course {
    const KIND: Kind = Kind::Course;
    row!(Course, CourseId, title);

    fn complete(tx: &mut Tx<'_>, found: &mut [Self]) -> Result<(), StoreError> {
        contents::complete(tx, found)
    }

    fn is_public(&self) -> bool {
        self.visibility.is_public()
    }
}

impl Course {
    new!(title, {
        level: None,
        visibility: Visibility::Private,
        chat_session_id: None,
        contents: Vec::new(),
    });
}
