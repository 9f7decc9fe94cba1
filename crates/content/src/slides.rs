//! Slides: decks as markup, given whole or generated from an outline.

pub mod create;
pub mod delete;
mod generation;
pub mod part_drafts;
pub mod update;

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, OrganizationId, SlideId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::Serialize;
use store::Record;

use crate::resources::{Failure, Kind, Resource, Status, Visibility, new, row};

/// A slide resource: a deck of one or more slides (content-api section 4).
#[derive(Clone, Debug, Serialize, Record, utoipa::ToSchema)]
#[record(table = "slide")]
#[serde(rename_all = "camelCase")]
pub struct Slide {
    /// Names it.
    #[column(key)]
    pub id: SlideId,
    /// Whose it is.
    #[serde(skip)]
    #[column(key)]
    pub(crate) organization_id: OrganizationId,
    /// Where it lives.
    #[column(fixed)]
    pub classroom_id: ClassroomId,
    /// What it is called.
    pub title: String,
    /// The title for URLs, as it was when the slide was made.
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
    /// The language of its content.
    #[schema(example = "en")]
    pub language: String,
    /// What it is generated from; null where nobody gave one.
    #[schema(required)]
    pub outline: Option<String>,
    /// Markup, as it was given. Pages make it harmless when they show it.
    #[serde(serialize_with = "kernel::json::long_text")]
    #[column(long = "''")]
    pub content: String,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = AnyObject)]
    #[column(long = "'{}'")]
    pub metadata: JsonText,
    /// The page that anybody can open; null unless the slide is public.
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

impl Resource for Slide {
    const KIND: Kind = Kind::Slide;
    row!(Slide, SlideId, title);

    fn is_public(&self) -> bool {
        self.visibility.is_public()
    }
}

impl Slide {
    new!(title, {
        outline: None,
        content: String::new(),
        visibility: Visibility::Private,
    });
}
