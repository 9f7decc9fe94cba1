//! Modules: structured lessons with embedded quiz items.

pub mod get;

use kernel::id::{ClassroomId, ModuleId, OrganizationId};
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{StoreError, Tx};

/// A module (content-api sections 2 and 4).
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Module {
    #[schema(value_type = String, format = Uuid)]
    pub(crate) id: ModuleId,
    #[schema(value_type = String, format = Uuid)]
    pub(crate) classroom_id: ClassroomId,
    pub(crate) title: String,
    pub(crate) slug: String,
    pub(crate) description: String,
    /// `markdown` or another label.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// `completed` when there is nothing left to generate.
    #[schema(example = "completed")]
    pub(crate) status: String,
    #[schema(example = "en")]
    pub(crate) language: String,
    pub(crate) is_public: bool,
    /// HTML.
    pub(crate) content: String,
    #[schema(value_type = Vec<ModuleQuizItem>)]
    pub(crate) quizzes: Box<RawValue>,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = Object)]
    pub(crate) metadata: Box<RawValue>,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) updated_at: Timestamp,
}

/// A quiz item inside a module (content-api section 4).
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModuleQuizItem {
    /// Unique within the module.
    pub id: String,
    /// From 1, without gaps.
    pub sequence: u32,
    /// What it belongs to.
    pub title: String,
    /// What is asked.
    pub question: String,
    /// `select`, `blank` or `true-false`.
    #[serde(rename = "type")]
    #[schema(example = "select")]
    pub kind: String,
    /// The choices; empty for `blank`.
    pub options: Vec<String>,
    /// Each equal to an option, or an accepted text of a `blank`.
    pub correct_answers: Vec<String>,
    /// Whether the learner is told at once.
    pub show_feedback: bool,
}

/// A module to be stored.
pub(crate) struct NewModule {
    pub(crate) id: ModuleId,
    pub(crate) organization: OrganizationId,
    pub(crate) classroom: ClassroomId,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) kind: &'static str,
    pub(crate) language: String,
    pub(crate) content: String,
    pub(crate) quizzes: Vec<ModuleQuizItem>,
    pub(crate) metadata: serde_json::Value,
}

pub(crate) fn insert(tx: &mut Tx<'_>, new: &NewModule) -> Result<(), StoreError> {
    let now = tx.now();
    let quizzes = serde_json::to_string(&new.quizzes).expect("quiz items serialize");
    tx.execute_later(
        "INSERT INTO module (id, organization_id, classroom_id, title, slug, description, type, status, language,
            is_public, content, quizzes, metadata, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'completed', $8, 0, $9, $10, $11, $12, $12)",
        &[
            &new.id,
            &new.organization,
            &new.classroom,
            &new.title,
            &crate::slug::slugify(&new.title, "module"),
            &new.description,
            &new.kind,
            &new.language,
            &new.content,
            &quizzes,
            &new.metadata.to_string(),
            &now,
        ],
    )
}

fn find(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    classroom: ClassroomId,
    id: ModuleId,
) -> Result<Option<Module>, StoreError> {
    tx.find(
        "SELECT id, classroom_id, title, slug, description, type, status, language, is_public, content, quizzes,
            metadata, created_at, updated_at
         FROM module WHERE id = $1 AND organization_id = $2 AND classroom_id = $3",
        &[&id, &organization, &classroom],
        |row| {
            Ok(Module {
                id: row.get(0)?,
                classroom_id: row.get(1)?,
                title: row.get(2)?,
                slug: row.get(3)?,
                description: row.get(4)?,
                kind: row.get(5)?,
                status: row.get(6)?,
                language: row.get(7)?,
                is_public: row.get(8)?,
                content: row.get(9)?,
                quizzes: crate::stored_json(row.get(10)?)?,
                metadata: crate::stored_json(row.get(11)?)?,
                created_at: row.get(12)?,
                updated_at: row.get(13)?,
            })
        },
    )
}
