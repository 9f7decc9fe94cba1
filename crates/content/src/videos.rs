//! Videos: editable scenes, which can be rendered to a file.
//!
//! A video's scenes count as part of it: whoever adds, changes or removes one writes the video's row first, so the
//! video's version tells of it, and two writers of one video never act at the same time. Where to read next:
//! [`scenes`], then [`renderings`].

pub mod create;
pub mod delete;
pub mod edit_link;
mod generation;
pub mod part_drafts;
pub mod renderings;
pub mod review;
pub mod scenes;
pub mod update;

use edge::openapi::AnyObject;
use kernel::id::{ClassroomId, OrganizationId, SceneId, VideoId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Column, FromColumn, Parameter, Record, StoreError, ToColumn, Tx};

use self::create::DEFAULT_ASPECT_RATIO;
use crate::resources::{Failure, Kind, Resource, Status, Visibility, new, row};

/// A video with its scenes (content-api sections 2 and 4).
#[derive(Clone, Debug, Serialize, Record, utoipa::ToSchema)]
#[record(table = "video")]
#[serde(rename_all = "camelCase")]
pub struct Video {
    /// Names it.
    #[column(key)]
    pub id: VideoId,
    /// Whose it is.
    #[serde(skip)]
    #[column(key)]
    pub(crate) organization_id: OrganizationId,
    /// Where it lives.
    #[column(fixed)]
    pub classroom_id: ClassroomId,
    /// What it is called.
    pub title: String,
    /// The title for URLs, as it was when the video was made.
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
    /// The language of its scripts.
    #[schema(example = "en")]
    pub language: String,
    /// Width and height.
    #[schema(example = "16:9")]
    pub aspect_ratio: String,
    /// How long it is meant to be: as the caller said, else as long as its scenes together, rounded.
    #[column(skip)]
    pub target_duration_seconds: i64,
    /// What the caller said.
    #[schema(required)]
    #[serde(skip)]
    #[column(name = "target_duration_seconds")]
    pub(crate) wanted_duration_seconds: WantedSeconds,
    /// In playing order.
    #[column(skip)]
    pub scenes: Vec<Scene>,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = AnyObject)]
    #[column(long = "'{}'")]
    pub metadata: JsonText,
    /// The page that anybody can open; null unless the video is public.
    #[schema(required, format = "uri")]
    #[column(skip)]
    pub public_url: Option<String>,
    /// The page that whoever has this link can open.
    #[schema(format = "uri")]
    #[column(skip)]
    pub preview_url: String,
    /// From 1, one higher with every change, of a scene too; also the `ETag`.
    #[column(update = "version + 1")]
    pub version: i64,
    /// When it was made.
    #[column(fixed, now)]
    pub created_at: Timestamp,
    /// When it was changed last.
    #[column(now)]
    pub updated_at: Timestamp,
}

/// The duration that a caller asked for, in seconds; its column holds 0 where nobody asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WantedSeconds(pub(crate) Option<i64>);

impl FromColumn for WantedSeconds {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        i64::from_column(column).map(|seconds| Self(Some(seconds).filter(|seconds| *seconds > 0)))
    }
}

impl ToColumn for WantedSeconds {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Integer(self.0.unwrap_or(0))
    }
}

/// A scene of a video.
#[derive(Clone, Debug, Record, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    /// Names it.
    pub id: SceneId,
    /// From 1, without gaps.
    pub sequence: i64,
    /// What is spoken.
    #[serde(serialize_with = "kernel::json::long_text")]
    pub script: String,
    /// What stands on the screen.
    pub display_text: String,
    /// In seconds.
    pub duration: f64,
}

impl Video {
    new!(title, {
        visibility: Visibility::Private,
        aspect_ratio: DEFAULT_ASPECT_RATIO.to_owned(),
        target_duration_seconds: 0,
        wanted_duration_seconds: WantedSeconds(None),
        scenes: Vec::new(),
    });
}

/// Adds a video with its scenes.
pub(crate) fn insert(tx: &mut Tx<'_>, video: &Video) -> Result<(), StoreError> {
    video.insert(tx)?;
    scenes::insert(tx, video.id, &video.scenes)
}

impl Resource for Video {
    const KIND: Kind = Kind::Video;
    row!(Video, VideoId, title);

    fn complete(tx: &mut Tx<'_>, found: &mut [Self]) -> Result<(), StoreError> {
        scenes::complete(tx, found)
    }

    fn complete_summaries(tx: &mut Tx<'_>, found: &mut [Self]) -> Result<(), StoreError> {
        scenes::complete_lengths(tx, found)
    }

    fn is_public(&self) -> bool {
        self.visibility.is_public()
    }
}
