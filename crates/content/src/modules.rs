//! Modules: structured lessons with embedded quiz items.

pub mod copy_to_course;
pub mod create;
pub mod delete;
pub(crate) mod material;
pub mod part_drafts;
pub(crate) mod places;
mod quizzes;
pub mod update;

pub(crate) use copy_to_course::MOST_MODULES;
pub(crate) use quizzes::MOST_ITEMS;

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, CourseId, ModuleId, OrganizationId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{KeyedRecord as _, Record, StoreError, Tx};

use self::create::DEFAULT_TYPE;
use self::quizzes::ModuleQuizItemType;
use crate::courses;
use crate::resources::{Failure, Kind, Resource, Status, new, row};

/// A module (content-api sections 2 and 4).
#[derive(Clone, Debug, Serialize, Record, utoipa::ToSchema)]
#[record(table = "module")]
#[serde(rename_all = "camelCase")]
pub struct Module {
    /// Names it.
    #[column(key)]
    pub id: ModuleId,
    /// Whose it is.
    #[serde(skip)]
    #[column(key)]
    pub(crate) organization_id: OrganizationId,
    /// Where it lives.
    #[column(fixed)]
    pub classroom_id: ClassroomId,
    /// The course whose copy it is; null for a module of the classroom alone.
    #[schema(required)]
    #[column(fixed)]
    pub course_id: Option<CourseId>,
    /// Its place in the course, from 1.
    #[schema(required)]
    #[column(fixed)]
    pub sequence: Option<i64>,
    /// What it is called.
    pub title: String,
    /// The title for URLs, as it was when the module was made.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    #[column(fixed)]
    pub slug: String,
    /// What it is about; may be empty.
    pub description: String,
    /// `markdown` or another label.
    #[serde(rename = "type")]
    #[schema(example = "markdown")]
    #[column(name = "type")]
    pub kind: String,
    /// `completed` when there is nothing left to generate.
    #[schema(example = "completed")]
    #[column(fixed)]
    pub status: Status,
    /// Why its generation failed.
    #[schema(required)]
    #[column(columns("error_code", "error_message"), fixed)]
    pub error: Option<Failure>,
    /// The language of its content.
    #[schema(example = "en")]
    pub language: String,
    /// Whether anybody may open its public page.
    pub is_public: bool,
    /// HTML, as it was given. Pages make it harmless when they show it.
    #[serde(serialize_with = "kernel::json::long_text")]
    #[column(long = "''")]
    pub content: String,
    /// In order.
    #[schema(value_type = Vec<ModuleQuizItem>)]
    pub quizzes: JsonText,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = AnyObject)]
    #[column(long = "'{}'")]
    pub metadata: JsonText,
    /// The page that anybody can open; null unless the module is public.
    #[schema(required, format = "uri")]
    #[column(skip)]
    pub public_url: Option<String>,
    /// The page that whoever has this link can open.
    #[schema(format = "uri")]
    #[column(skip)]
    pub preview_url: String,
    /// From 1, one higher with every change; also the `ETag`.
    #[column(update = "version + 1")]
    pub version: i64,
    /// When it was made.
    #[column(fixed, now)]
    pub created_at: Timestamp,
    /// When it was changed last.
    #[column(now)]
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
    const KIND: Kind = Kind::Module;
    row!(Module, ModuleId, title);

    fn is_public(&self) -> bool {
        self.is_public
    }
}

impl Module {
    new!(title, {
        course_id: None,
        sequence: None,
        kind: DEFAULT_TYPE.to_owned(),
        is_public: false,
        content: String::new(),
        quizzes: JsonText::empty_array(),
    });
}

/// Writes the row of a module that was changed; with a course's module the course is changed too.
pub(crate) fn save(tx: &mut Tx<'_>, module: &Module) -> Result<(), StoreError> {
    if let Some(course) = module.course_id {
        courses::touch(tx, module.organization_id, course)?;
    }
    module.update(tx)
}
