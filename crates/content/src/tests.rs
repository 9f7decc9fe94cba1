//! Tests: quizzes that a learner takes as a whole.

pub mod create;
pub mod delete;
mod generation;
mod items;
pub mod part_drafts;
mod passing;
pub mod update;
mod whole;

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, OrganizationId, TestId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::Record;

pub(crate) use items::MOST_ITEMS;
pub use passing::PassingValueType;
pub(crate) use passing::total;
pub(crate) use whole::WholeTest;

use self::create::{DEFAULT_LEVEL, DEFAULT_PERCENTAGE};
use self::items::TestItemType;
use crate::resources::{Failure, Kind, Resource, Status, Visibility, new, row};

/// A test with its items (content-api sections 2 and 4).
#[derive(Clone, Debug, Serialize, Record, utoipa::ToSchema)]
#[record(table = "test")]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// Names it.
    #[column(key)]
    pub id: TestId,
    /// Whose it is.
    #[serde(skip)]
    #[column(key)]
    pub(crate) organization_id: OrganizationId,
    /// Where it lives.
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
    #[schema(value_type = String, example = "PERCENTAGE")]
    pub passing_value_type: PassingValueType,
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
    pub(crate) open_fields: String,
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
    #[column(fixed, now)]
    pub created_at: Timestamp,
    /// When it was changed last.
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

impl Test {
    new!(name, {
        visibility: Visibility::Private,
        topic_prompt: None,
        target_prompt: None,
        subject: String::new(),
        level: DEFAULT_LEVEL.to_owned(),
        time_limit: 0.0,
        passing_value_type: PassingValueType::Percentage,
        passing_value: DEFAULT_PERCENTAGE,
        items: JsonText::empty_array(),
        open_fields: String::new(),
    });
}

impl Resource for Test {
    const KIND: Kind = Kind::Test;
    row!(Test, TestId, name);

    fn is_public(&self) -> bool {
        self.visibility.is_public()
    }
}
