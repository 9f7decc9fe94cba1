//! Modules: structured lessons with embedded quiz items.

pub mod copy_to_course;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
mod quizzes;
pub mod update;

pub(crate) use copy_to_course::MOST_MODULES;
pub(crate) use quizzes::MOST_ITEMS;

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, CourseId, ModuleId, OrganizationId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Row, StoreError, Tx};

use self::quizzes::ModuleQuizItemType;
use crate::courses;
use crate::links::Links;
use crate::resources::{Failure, Kind, Owned, Resource, Statements, Status, statements};

/// A module (content-api sections 2 and 4).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Module {
    /// Names it.
    #[schema(value_type = String, format = Uuid)]
    pub id: ModuleId,
    /// Where it lives.
    #[schema(value_type = String, format = Uuid)]
    pub classroom_id: ClassroomId,
    /// The course whose copy it is; null for a module of the classroom alone.
    #[schema(required, value_type = Option<String>, format = Uuid)]
    pub course_id: Option<CourseId>,
    /// Its place in the course, from 1.
    #[schema(required)]
    pub sequence: Option<i64>,
    /// What it is called.
    pub title: String,
    /// The title for URLs, as it was when the module was made.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    pub slug: String,
    /// What it is about; may be empty.
    pub description: String,
    /// `markdown` or another label.
    #[serde(rename = "type")]
    #[schema(example = "markdown")]
    pub kind: String,
    /// `completed` when there is nothing left to generate.
    #[schema(example = "completed")]
    pub status: Status,
    /// Why its generation failed.
    #[schema(required)]
    pub error: Option<Failure>,
    /// The language of its content.
    #[schema(example = "en")]
    pub language: String,
    /// Whether anybody may open its public page.
    pub is_public: bool,
    /// HTML, as it was given. Pages make it harmless when they show it.
    #[serde(serialize_with = "kernel::json::long_text")]
    pub content: String,
    /// In order.
    #[schema(value_type = Vec<ModuleQuizItem>)]
    pub quizzes: JsonText,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = AnyObject)]
    pub metadata: JsonText,
    /// The page that anybody can open; null unless the module is public.
    #[schema(required, format = "uri")]
    pub public_url: Option<String>,
    /// The page that whoever has this link can open.
    #[schema(format = "uri")]
    pub preview_url: String,
    /// From 1, one higher with every change; also the `ETag`.
    pub version: i64,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was changed last.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A quiz item inside a module (content-api section 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModuleQuizItem {
    /// Unique within the module.
    pub id: String,
    /// Its place among the others: ascending, as the caller numbered them, else from 1.
    pub sequence: u32,
    /// What it belongs to.
    pub title: String,
    /// What is asked.
    pub question: String,
    /// `select`, `blank` or `true-false`.
    #[serde(rename = "type")]
    #[schema(value_type = ModuleQuizItemType)]
    pub kind: String,
    /// The choices; empty for `blank`.
    pub options: Vec<String>,
    /// Each equal to an option, or an accepted text of a `blank`.
    pub correct_answers: Vec<String>,
    /// Whether the learner is told at once.
    pub show_feedback: bool,
}

impl Resource for Module {
    type Id = ModuleId;
    const KIND: Kind = Kind::Module;
    const SQL: Statements = statements!(
        "module",
        "id, classroom_id, course_id, sequence, title, slug, description, type, status, error_code, error_message,
         language, is_public",
        ("content" or "''"),
        "quizzes",
        ("metadata" or "'{}'"),
        "version, created_at, updated_at"
    );

    fn from_row(row: &Row<'_>, links: &Links) -> Result<Self, StoreError> {
        let id = row.get(0)?;
        let is_public = row.get(12)?;
        Ok(Self {
            id,
            classroom_id: row.get(1)?,
            course_id: row.get(2)?,
            sequence: row.get(3)?,
            title: row.get(4)?,
            slug: row.get(5)?,
            description: row.get(6)?,
            kind: row.get(7)?,
            status: row.get(8)?,
            error: Failure::from_columns(row, 9, 10)?,
            language: row.get(11)?,
            is_public,
            content: row.get(13)?,
            quizzes: row.get(14)?,
            metadata: row.get(15)?,
            public_url: links.public(Kind::Module, &id, is_public),
            preview_url: links.preview(Kind::Module, &id),
            version: row.get(16)?,
            created_at: row.get(17)?,
            updated_at: row.get(18)?,
        })
    }

    fn id(&self) -> ModuleId {
        self.id
    }

    fn version(&self) -> i64 {
        self.version
    }

    fn is_public(&self) -> bool {
        self.is_public
    }
}

/// A module to be stored, whole: `completed`.
pub(crate) struct NewModule {
    pub(crate) id: ModuleId,
    pub(crate) organization: OrganizationId,
    pub(crate) classroom: ClassroomId,
    /// The course that it is part of, and its place there, which must be free.
    pub(crate) part_of: Option<(CourseId, i64)>,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) kind: String,
    pub(crate) language: String,
    pub(crate) is_public: bool,
    pub(crate) content: String,
    pub(crate) quizzes: Vec<ModuleQuizItem>,
    pub(crate) metadata: serde_json::Value,
}

pub(crate) fn insert(tx: &mut Tx<'_>, new: &NewModule) -> Result<(), StoreError> {
    let now = tx.now();
    let quizzes = serde_json::to_string(&new.quizzes).expect("quiz items serialize");
    tx.execute_later(
        "INSERT INTO module (id, organization_id, classroom_id, course_id, sequence, title, slug, description, type,
            status, language, is_public, content, quizzes, metadata, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'completed', $10, $11, $12, $13, $14, 1, $15, $15)",
        &[
            &new.id,
            &new.organization,
            &new.classroom,
            &new.part_of.map(|(course, _)| course),
            &new.part_of.map(|(_, sequence)| sequence),
            &new.title,
            &crate::slug::slugify(&new.title, "module"),
            &new.description,
            &new.kind,
            &new.language,
            &new.is_public,
            &new.content,
            &quizzes,
            &new.metadata.to_string(),
            &now,
        ],
    )
}

/// Writes the row of a module that was changed; with a course's module the course is changed too.
pub(crate) fn save(tx: &mut Tx<'_>, owned: &Owned<Module>) -> Result<(), StoreError> {
    let Owned { organization, resource: module } = owned;
    if let Some(course) = module.course_id {
        courses::touch(tx, *organization, course)?;
    }
    let now = tx.now();
    tx.execute_later(
        "UPDATE module SET title = $3, description = $4, type = $5, language = $6, is_public = $7, content = $8,
            quizzes = $9, metadata = $10, version = version + 1, updated_at = $11
         WHERE id = $1 AND organization_id = $2",
        &[
            &module.id,
            organization,
            &module.title,
            &module.description,
            &module.kind,
            &module.language,
            &module.is_public,
            &module.content,
            &module.quizzes,
            &module.metadata,
            &now,
        ],
    )
}
