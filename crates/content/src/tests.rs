//! Tests: quizzes that a learner takes as a whole.

pub mod create;
pub mod delete;
pub mod get;
mod items;
pub mod list;
mod passing;
pub mod update;
mod whole;

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, OrganizationId, TestId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Row, StoreError, Tx};

pub(crate) use items::MOST_ITEMS;
pub use passing::PassingValueType;
pub(crate) use passing::total;
pub(crate) use whole::WholeTest;

use self::items::TestItemType;
use crate::links::Links;
use crate::resources::{Failure, Kind, Owned, Resource, Statements, Status, Visibility, statements};

/// A test with its items (content-api sections 2 and 4).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// Names it.
    #[schema(value_type = String, format = Uuid)]
    pub id: TestId,
    /// Where it lives.
    #[schema(value_type = String, format = Uuid)]
    pub classroom_id: ClassroomId,
    /// What it is called.
    pub name: String,
    /// The name for URLs, as it was when the test was made.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    pub slug: String,
    /// What it is about; may be empty.
    pub description: String,
    /// `completed` when there is nothing left to generate.
    #[schema(example = "completed")]
    pub status: Status,
    /// Why its generation failed.
    #[schema(required)]
    pub error: Option<Failure>,
    /// Whether anybody may open its public page.
    #[schema(example = "PRIVATE")]
    pub visibility: Visibility,
    /// What it was generated about; null when an expansion made it.
    #[schema(required)]
    pub topic_prompt: Option<String>,
    /// For whom it was generated; null when an expansion made it.
    #[schema(required)]
    pub target_prompt: Option<String>,
    /// The field of knowledge.
    pub subject: String,
    /// The language of its items.
    #[schema(example = "en")]
    pub language: String,
    /// How hard it is.
    #[schema(example = "MEDIUM")]
    pub level: String,
    /// In minutes; 0 where there is none.
    #[serde(serialize_with = "kernel::json::plain_number")]
    pub time_limit: f64,
    /// What `passingValue` counts.
    #[schema(example = "PERCENTAGE")]
    pub passing_value_type: String,
    /// What it takes to pass.
    pub passing_value: f64,
    /// In order.
    #[schema(value_type = Vec<TestItem>)]
    pub items: JsonText,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = AnyObject)]
    pub metadata: JsonText,
    /// The page that anybody can open; null unless the test is public.
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

/// An item of a test (content-api section 4).
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestItem {
    /// Unique within the test.
    pub id: String,
    /// Its place among the others: ascending, as the caller numbered them, else from 1.
    pub sequence: u32,
    /// What is asked.
    pub question: String,
    /// `select`, `blank`, `open-ended`, `true-false` or `submission`.
    #[serde(rename = "type")]
    #[schema(value_type = TestItemType)]
    pub kind: String,
    /// The choices of `select` and `true-false`, the words to choose from of a `blank`; else empty.
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
    pub(crate) status: Status,
    pub(crate) visibility: Visibility,
    pub(crate) topic_prompt: Option<String>,
    pub(crate) target_prompt: Option<String>,
    pub(crate) subject: String,
    pub(crate) language: String,
    pub(crate) level: String,
    /// 0: none.
    pub(crate) time_limit_minutes: f64,
    pub(crate) passing_value_type: PassingValueType,
    pub(crate) passing_value: f64,
    pub(crate) items: Vec<TestItem>,
    pub(crate) metadata: serde_json::Value,
    /// What its generation may fill besides the items.
    pub(crate) open_fields: Vec<OpenField>,
}

/// A field of a test that its generation fills, unless somebody else does before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenField {
    Name,
    Description,
    Subject,
    TimeLimit,
}

impl OpenField {
    /// Its name in the column of open fields, which is a list of such names.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Name => "name;",
            Self::Description => "description;",
            Self::Subject => "subject;",
            Self::TimeLimit => "timeLimit;",
        }
    }
}

pub(crate) fn insert(tx: &mut Tx<'_>, new: &NewTest) -> Result<(), StoreError> {
    let now = tx.now();
    let items = serde_json::to_string(&new.items).expect("test items serialize");
    let open_fields: String = new.open_fields.iter().map(|field| field.word()).collect();
    tx.execute_later(
        "INSERT INTO test (id, organization_id, classroom_id, name, slug, description, status, visibility, topic_prompt,
            target_prompt, subject, language, level, time_limit_minutes, passing_value_type, passing_value, items, metadata,
            open_fields, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, 1, $20, $20)",
        &[
            &new.id,
            &new.organization,
            &new.classroom,
            &new.name,
            &crate::slug::slugify(&new.name, "test"),
            &new.description,
            &new.status,
            &new.visibility,
            &new.topic_prompt,
            &new.target_prompt,
            &new.subject,
            &new.language,
            &new.level,
            &new.time_limit_minutes,
            &new.passing_value_type.word(),
            &new.passing_value,
            &items,
            &new.metadata.to_string(),
            &open_fields,
            &now,
        ],
    )
}

impl Resource for Test {
    type Id = TestId;
    const KIND: Kind = Kind::Test;
    const SQL: Statements = statements!(
        "test",
        "id, classroom_id, name, slug, description, status, error_code, error_message, visibility, topic_prompt,
         target_prompt, subject, language, level, time_limit_minutes, passing_value_type, passing_value",
        ("items, metadata" or "'[]', '{}'"),
        "version, created_at, updated_at"
    );

    fn from_row(row: &Row<'_>, links: &Links) -> Result<Self, StoreError> {
        let id = row.get(0)?;
        let visibility: Visibility = row.get(8)?;
        Ok(Self {
            id,
            classroom_id: row.get(1)?,
            name: row.get(2)?,
            slug: row.get(3)?,
            description: row.get(4)?,
            status: row.get(5)?,
            error: Failure::from_columns(row, 6, 7)?,
            visibility,
            topic_prompt: row.get(9)?,
            target_prompt: row.get(10)?,
            subject: row.get(11)?,
            language: row.get(12)?,
            level: row.get(13)?,
            time_limit: row.get(14)?,
            passing_value_type: row.get(15)?,
            passing_value: row.get(16)?,
            items: row.get(17)?,
            metadata: row.get(18)?,
            public_url: links.public(Kind::Test, &id, visibility.is_public()),
            preview_url: links.preview(Kind::Test, &id),
            version: row.get(19)?,
            created_at: row.get(20)?,
            updated_at: row.get(21)?,
        })
    }

    fn id(&self) -> TestId {
        self.id
    }

    fn version(&self) -> i64 {
        self.version
    }

    fn is_public(&self) -> bool {
        self.visibility.is_public()
    }
}

/// Writes the row of a test that was changed.
pub(crate) fn save(tx: &mut Tx<'_>, owned: &Owned<Test>) -> Result<(), StoreError> {
    let Owned { organization, resource: test } = owned;
    let now = tx.now();
    tx.execute_later(
        "UPDATE test SET name = $3, description = $4, visibility = $5, topic_prompt = $6, target_prompt = $7,
            subject = $8, language = $9, level = $10, time_limit_minutes = $11, passing_value_type = $12,
            passing_value = $13, items = $14, metadata = $15, status = $16, error_code = $17, error_message = $18,
            version = version + 1, updated_at = $19
         WHERE id = $1 AND organization_id = $2",
        &[
            &test.id,
            organization,
            &test.name,
            &test.description,
            &test.visibility,
            &test.topic_prompt,
            &test.target_prompt,
            &test.subject,
            &test.language,
            &test.level,
            &test.time_limit,
            &test.passing_value_type,
            &test.passing_value,
            &test.items,
            &test.metadata,
            &test.status,
            &test.error.as_ref().map(|error| &error.code),
            &test.error.as_ref().map(|error| &error.message),
            &now,
        ],
    )
}
