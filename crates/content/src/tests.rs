//! Tests: quizzes that a learner takes as a whole.

pub mod create;
pub mod delete;
mod generation;
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
use store::{KeyedRecord as _, Record, StoreError, Tx};

pub(crate) use items::MOST_ITEMS;
pub use passing::PassingValueType;
pub(crate) use passing::total;
pub(crate) use whole::WholeTest;

use self::items::TestItemType;
use crate::resources::{Failure, Kind, Resource, Status, Visibility, row};

/// A test with its items (content-api sections 2 and 4).
#[derive(Clone, Debug, Serialize, Record, utoipa::ToSchema)]
#[record(table = "test")]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// Names it.
    #[schema(value_type = String, format = Uuid)]
    #[column(key)]
    pub id: TestId,
    /// Whose it is.
    #[serde(skip)]
    #[column(key)]
    pub(crate) organization_id: OrganizationId,
    /// Where it lives.
    #[schema(value_type = String, format = Uuid)]
    #[column(fixed)]
    pub classroom_id: ClassroomId,
    /// What it is called.
    pub name: String,
    /// The name for URLs, as it was when the test was made.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    #[column(fixed)]
    pub slug: String,
    /// What it is about; may be empty.
    pub description: String,
    /// `completed` when there is nothing left to generate.
    #[schema(example = "completed")]
    pub status: Status,
    /// Why its generation failed.
    #[schema(required)]
    #[column(columns("error_code", "error_message"))]
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
    #[column(name = "time_limit_minutes")]
    pub time_limit: f64,
    /// What `passingValue` counts.
    #[schema(example = "PERCENTAGE")]
    pub passing_value_type: String,
    /// What it takes to pass.
    pub passing_value: f64,
    /// In order.
    #[schema(value_type = Vec<TestItem>)]
    #[column(long = "'[]'")]
    pub items: JsonText,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = AnyObject)]
    #[column(long = "'{}'")]
    pub metadata: JsonText,
    /// What its generation may fill besides the items: see [`OpenField`].
    #[serde(skip)]
    #[column(fixed)]
    open_fields: String,
    /// The page that anybody can open; null unless the test is public.
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
    #[schema(value_type = String, format = DateTime)]
    #[column(fixed)]
    pub created_at: Timestamp,
    /// When it was changed last.
    #[schema(value_type = String, format = DateTime)]
    #[column(now)]
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
    pub(crate) metadata: JsonText,
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
            &new.metadata,
            &open_fields,
            &now,
        ],
    )
}

impl Resource for Test {
    const KIND: Kind = Kind::Test;
    row!(Test, TestId, name);

    fn is_public(&self) -> bool {
        self.visibility.is_public()
    }
}

/// Writes the row of a test that was changed.
pub(crate) fn save(tx: &mut Tx<'_>, test: &Test) -> Result<(), StoreError> {
    test.update(tx)
}
