//! Slides: decks as markup, given whole or generated from an outline.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod update;

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, OrganizationId, SlideId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Row, StoreError, Tx};

use crate::links::Links;
use crate::resources::{Failure, Kind, Owned, Resource, Statements, Status, Visibility, statements};

/// A slide resource: a deck of one or more slides (content-api section 4).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Slide {
    /// Names it.
    #[schema(value_type = String, format = Uuid)]
    pub id: SlideId,
    /// Where it lives.
    #[schema(value_type = String, format = Uuid)]
    pub classroom_id: ClassroomId,
    /// What it is called.
    pub title: String,
    /// The title for URLs, as it was when the slide was made.
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
    /// The language of its content.
    #[schema(example = "en")]
    pub language: String,
    /// What it is generated from; null where nobody gave one.
    #[schema(required)]
    pub outline: Option<String>,
    /// Markup, as it was given. Pages make it harmless when they show it.
    #[serde(serialize_with = "kernel::json::long_text")]
    pub content: String,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = AnyObject)]
    pub metadata: JsonText,
    /// The page that anybody can open; null unless the slide is public.
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

impl Resource for Slide {
    type Id = SlideId;
    const KIND: Kind = Kind::Slide;
    const SQL: Statements = statements!(
        "slide",
        "id, classroom_id, title, slug, description, status, error_code, error_message, visibility, language, outline",
        ("content, metadata" or "'', '{}'"),
        "version, created_at, updated_at"
    );

    fn from_row(row: &Row<'_>, links: &Links) -> Result<Self, StoreError> {
        let id = row.get(0)?;
        let visibility: Visibility = row.get(8)?;
        Ok(Self {
            id,
            classroom_id: row.get(1)?,
            title: row.get(2)?,
            slug: row.get(3)?,
            description: row.get(4)?,
            status: row.get(5)?,
            error: Failure::from_columns(row, 6, 7)?,
            visibility,
            language: row.get(9)?,
            outline: row.get(10)?,
            content: row.get(11)?,
            metadata: row.get(12)?,
            public_url: links.public(Kind::Slide, &id, visibility.is_public()),
            preview_url: links.preview(Kind::Slide, &id),
            version: row.get(13)?,
            created_at: row.get(14)?,
            updated_at: row.get(15)?,
        })
    }

    fn id(&self) -> SlideId {
        self.id
    }

    fn version(&self) -> i64 {
        self.version
    }

    fn is_public(&self) -> bool {
        self.visibility.is_public()
    }
}

/// A slide to be stored.
pub(crate) struct NewSlide {
    pub(crate) id: SlideId,
    pub(crate) organization: OrganizationId,
    pub(crate) classroom: ClassroomId,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) status: Status,
    pub(crate) visibility: Visibility,
    pub(crate) language: String,
    pub(crate) outline: Option<String>,
    pub(crate) content: String,
    pub(crate) metadata: serde_json::Value,
}

pub(crate) fn insert(tx: &mut Tx<'_>, new: &NewSlide) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "INSERT INTO slide (id, organization_id, classroom_id, title, slug, description, outline, content, visibility,
            status, language, metadata, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1, $13, $13)",
        &[
            &new.id,
            &new.organization,
            &new.classroom,
            &new.title,
            &crate::slug::slugify(&new.title, "slide"),
            &new.description,
            &new.outline,
            &new.content,
            &new.visibility,
            &new.status,
            &new.language,
            &new.metadata.to_string(),
            &now,
        ],
    )
}

/// Writes the row of a slide that was changed.
pub(crate) fn save(tx: &mut Tx<'_>, owned: &Owned<Slide>) -> Result<(), StoreError> {
    let Owned { organization, resource: slide } = owned;
    let now = tx.now();
    tx.execute_later(
        "UPDATE slide SET title = $3, description = $4, outline = $5, content = $6, visibility = $7, language = $8,
            metadata = $9, status = $10, error_code = $11, error_message = $12, version = version + 1, updated_at = $13
         WHERE id = $1 AND organization_id = $2",
        &[
            &slide.id,
            organization,
            &slide.title,
            &slide.description,
            &slide.outline,
            &slide.content,
            &slide.visibility,
            &slide.language,
            &slide.metadata,
            &slide.status,
            &slide.error.as_ref().map(|error| &error.code),
            &slide.error.as_ref().map(|error| &error.message),
            &now,
        ],
    )
}
