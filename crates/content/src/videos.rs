//! Videos: editable scenes, from which a file can be rendered elsewhere.

pub mod get;
pub mod list;

use std::collections::HashMap;

use kernel::id::{ClassroomId, OrganizationId, SceneId, VideoId};
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use store::{Row, StoreError, ToColumn, Tx};

use crate::links::Links;
use crate::resources::{Failure, Kind, Resource, Statements, Status, Visibility, statements};

/// A video with its scenes (content-api sections 2 and 4).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Video {
    /// Names it.
    #[schema(value_type = String, format = Uuid)]
    pub id: VideoId,
    /// Where it lives.
    #[schema(value_type = String, format = Uuid)]
    pub classroom_id: ClassroomId,
    /// What it is called.
    pub title: String,
    /// The title for URLs, as it was when the video was made.
    pub slug: String,
    /// What it is about; may be empty.
    pub description: String,
    /// `completed` when there is nothing left to generate.
    #[schema(example = "completed")]
    pub status: Status,
    /// Why its generation failed.
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
    /// How long it is meant to be; 0 where nobody said.
    pub target_duration_seconds: i64,
    /// In playing order.
    pub scenes: Vec<Scene>,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = Object)]
    pub metadata: Box<RawValue>,
    /// The page that anybody can open; null unless the video is public.
    pub public_url: Option<String>,
    /// The page that whoever has this link can open.
    pub preview_url: String,
    /// From 1, one higher with every change, of a scene too; also the `ETag`.
    pub version: i64,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was changed last.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A scene of a video.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    /// Names it.
    #[schema(value_type = String, format = Uuid)]
    pub id: SceneId,
    /// From 1, without gaps.
    pub sequence: i64,
    /// What is spoken.
    pub script: String,
    /// What stands on the screen.
    pub display_text: String,
    /// In seconds.
    pub duration: f64,
}

/// A video to be stored.
pub(crate) struct NewVideo {
    pub(crate) id: VideoId,
    pub(crate) organization: OrganizationId,
    pub(crate) classroom: ClassroomId,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) language: String,
    pub(crate) aspect_ratio: String,
    pub(crate) target_duration_seconds: u32,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) metadata: serde_json::Value,
}

pub(crate) fn insert(tx: &mut Tx<'_>, new: &NewVideo) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "INSERT INTO video (id, organization_id, classroom_id, title, slug, description, status, visibility, language,
            aspect_ratio, target_duration_seconds, metadata, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'completed', 'PRIVATE', $7, $8, $9, $10, 1, $11, $11)",
        &[
            &new.id,
            &new.organization,
            &new.classroom,
            &new.title,
            &crate::slug::slugify(&new.title, "video"),
            &new.description,
            &new.language,
            &new.aspect_ratio,
            &new.target_duration_seconds,
            &new.metadata.to_string(),
            &now,
        ],
    )?;
    for scene in &new.scenes {
        tx.execute_later(
            "INSERT INTO scene (id, video_id, sequence, script, display_text, duration_seconds)
             VALUES ($1, $2, $3, $4, $5, $6)",
            &[&scene.id, &new.id, &scene.sequence, &scene.script, &scene.display_text, &scene.duration],
        )?;
    }
    Ok(())
}

impl Resource for Video {
    type Id = VideoId;
    const KIND: Kind = Kind::Video;
    const SQL: Statements = statements!(
        "video",
        "id, classroom_id, title, slug, description, status, error_code, error_message, visibility, language,
         aspect_ratio, target_duration_seconds, metadata, version, created_at, updated_at"
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
            aspect_ratio: row.get(10)?,
            target_duration_seconds: row.get(11)?,
            scenes: Vec::new(),
            metadata: crate::stored_json(row.get(12)?)?,
            public_url: links.public(Kind::Video, &id, visibility.is_public()),
            preview_url: links.preview(Kind::Video, &id),
            version: row.get(13)?,
            created_at: row.get(14)?,
            updated_at: row.get(15)?,
        })
    }

    fn complete(tx: &mut Tx<'_>, found: &mut [Self]) -> Result<(), StoreError> {
        let ids: Vec<VideoId> = found.iter().map(|video| video.id).collect();
        let mut scenes = scenes_of(tx, &ids)?;
        for video in found {
            video.scenes = scenes.remove(&video.id).unwrap_or_default();
        }
        Ok(())
    }

    fn id(&self) -> VideoId {
        self.id
    }

    fn version(&self) -> i64 {
        self.version
    }

    fn is_public(&self) -> bool {
        self.visibility.is_public()
    }
}

/// The scenes of each of some videos, in playing order.
fn scenes_of(tx: &mut Tx<'_>, ids: &[VideoId]) -> Result<HashMap<VideoId, Vec<Scene>>, StoreError> {
    let parameters: Vec<Vec<&dyn ToColumn>> = ids.iter().map(|id| vec![id as &dyn ToColumn]).collect();
    let rows = tx.query_each(
        "SELECT id, sequence, script, display_text, duration_seconds, video_id FROM scene
         WHERE video_id = $1 ORDER BY sequence",
        &parameters,
        |row| {
            let scene = Scene {
                id: row.get(0)?,
                sequence: row.get(1)?,
                script: row.get(2)?,
                display_text: row.get(3)?,
                duration: row.get(4)?,
            };
            Ok((row.get::<VideoId>(5)?, scene))
        },
    )?;
    let mut scenes: HashMap<VideoId, Vec<Scene>> = HashMap::new();
    for (video, scene) in rows {
        scenes.entry(video).or_default().push(scene);
    }
    Ok(scenes)
}
