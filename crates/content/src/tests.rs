//! Tests: quizzes that a learner takes as a whole.

pub mod get;

use kernel::id::{ClassroomId, OrganizationId, TestId};
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{StoreError, Tx};

/// A test with its items (content-api sections 2 and 4).
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    #[schema(value_type = String, format = Uuid)]
    pub(crate) id: TestId,
    #[schema(value_type = String, format = Uuid)]
    pub(crate) classroom_id: ClassroomId,
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) description: String,
    #[schema(example = "completed")]
    pub(crate) status: String,
    pub(crate) subject: String,
    #[schema(example = "en")]
    pub(crate) language: String,
    #[schema(example = "MEDIUM")]
    pub(crate) level: String,
    /// In minutes.
    pub(crate) time_limit: i64,
    #[schema(example = "PERCENTAGE")]
    pub(crate) passing_value_type: String,
    pub(crate) passing_value: f64,
    #[schema(value_type = Vec<TestItem>)]
    pub(crate) items: Box<RawValue>,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = Object)]
    pub(crate) metadata: Box<RawValue>,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) updated_at: Timestamp,
}

/// An item of a test (content-api section 4).
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestItem {
    /// Unique within the test.
    pub id: String,
    /// From 1, without gaps.
    pub sequence: u32,
    /// What is asked.
    pub question: String,
    /// `select`, `blank`, `open-ended`, `true-false` or `submission`.
    #[serde(rename = "type")]
    #[schema(example = "select")]
    pub kind: String,
    /// The choices of `select` and `true-false`.
    pub options: Vec<String>,
    /// Each equal to an option, or accepted texts, or model answers.
    pub correct_answers: Vec<String>,
    /// Why the key is right.
    pub explanation: String,
    /// Points.
    pub score: f64,
}

/// A test to be stored.
pub(crate) struct NewTest {
    pub(crate) id: TestId,
    pub(crate) organization: OrganizationId,
    pub(crate) classroom: ClassroomId,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) subject: String,
    pub(crate) language: String,
    pub(crate) level: String,
    pub(crate) time_limit_minutes: u32,
    pub(crate) passing_percentage: u32,
    pub(crate) items: Vec<TestItem>,
    pub(crate) metadata: serde_json::Value,
}

pub(crate) fn insert(tx: &mut Tx<'_>, new: &NewTest) -> Result<(), StoreError> {
    let now = tx.now();
    let items = serde_json::to_string(&new.items).expect("test items serialize");
    tx.execute_later(
        "INSERT INTO test (id, organization_id, classroom_id, name, slug, description, status, subject, language, level,
            time_limit_minutes, passing_value_type, passing_value, items, metadata, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'completed', $7, $8, $9, $10, 'PERCENTAGE', $11, $12, $13, $14, $14)",
        &[
            &new.id,
            &new.organization,
            &new.classroom,
            &new.name,
            &crate::slug::slugify(&new.name, "test"),
            &new.description,
            &new.subject,
            &new.language,
            &new.level,
            &new.time_limit_minutes,
            &f64::from(new.passing_percentage),
            &items,
            &new.metadata.to_string(),
            &now,
        ],
    )
}

fn find(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    classroom: ClassroomId,
    id: TestId,
) -> Result<Option<Test>, StoreError> {
    tx.find(
        "SELECT id, classroom_id, name, slug, description, status, subject, language, level, time_limit_minutes,
            passing_value_type, passing_value, items, metadata, created_at, updated_at
         FROM test WHERE id = $1 AND organization_id = $2 AND classroom_id = $3",
        &[&id, &organization, &classroom],
        |row| {
            Ok(Test {
                id: row.get(0)?,
                classroom_id: row.get(1)?,
                name: row.get(2)?,
                slug: row.get(3)?,
                description: row.get(4)?,
                status: row.get(5)?,
                subject: row.get(6)?,
                language: row.get(7)?,
                level: row.get(8)?,
                time_limit: row.get(9)?,
                passing_value_type: row.get(10)?,
                passing_value: row.get(11)?,
                items: crate::stored_json(row.get(12)?)?,
                metadata: crate::stored_json(row.get(13)?)?,
                created_at: row.get(14)?,
                updated_at: row.get(15)?,
            })
        },
    )
}
