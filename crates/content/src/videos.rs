//! Videos: editable scenes, from which a file can be rendered elsewhere.

pub mod get;

use kernel::id::{ClassroomId, OrganizationId, SceneId, VideoId};
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use store::{StoreError, Tx};

/// A video with its scenes (content-api sections 2 and 4).
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Video {
    #[schema(value_type = String, format = Uuid)]
    pub(crate) id: VideoId,
    #[schema(value_type = String, format = Uuid)]
    pub(crate) classroom_id: ClassroomId,
    pub(crate) title: String,
    pub(crate) slug: String,
    pub(crate) description: String,
    #[schema(example = "completed")]
    pub(crate) status: String,
    #[schema(example = "PRIVATE")]
    pub(crate) visibility: String,
    #[schema(example = "en")]
    pub(crate) language: String,
    #[schema(example = "16:9")]
    pub(crate) aspect_ratio: String,
    pub(crate) target_duration_seconds: i64,
    /// In playing order.
    pub(crate) scenes: Vec<Scene>,
    /// Where it came from, and whatever the caller stored.
    #[schema(value_type = Object)]
    pub(crate) metadata: Box<RawValue>,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) updated_at: Timestamp,
}

/// A scene of a video.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    #[schema(value_type = String, format = Uuid)]
    pub(crate) id: SceneId,
    /// From 1, without gaps.
    pub(crate) sequence: i64,
    /// What is spoken.
    pub(crate) script: String,
    /// What stands on the screen.
    pub(crate) display_text: String,
    /// In seconds.
    pub(crate) duration: f64,
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
            aspect_ratio, target_duration_seconds, metadata, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'completed', 'PRIVATE', $7, $8, $9, $10, $11, $11)",
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

fn find(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    classroom: ClassroomId,
    id: VideoId,
) -> Result<Option<Video>, StoreError> {
    let found = tx.find(
        "SELECT id, classroom_id, title, slug, description, status, visibility, language, aspect_ratio,
            target_duration_seconds, metadata, created_at, updated_at
         FROM video WHERE id = $1 AND organization_id = $2 AND classroom_id = $3",
        &[&id, &organization, &classroom],
        |row| {
            Ok(Video {
                id: row.get(0)?,
                classroom_id: row.get(1)?,
                title: row.get(2)?,
                slug: row.get(3)?,
                description: row.get(4)?,
                status: row.get(5)?,
                visibility: row.get(6)?,
                language: row.get(7)?,
                aspect_ratio: row.get(8)?,
                target_duration_seconds: row.get(9)?,
                scenes: Vec::new(),
                metadata: crate::stored_json(row.get(10)?)?,
                created_at: row.get(11)?,
                updated_at: row.get(12)?,
            })
        },
    )?;
    let Some(mut video) = found else { return Ok(None) };
    video.scenes = scenes_of(tx, id)?;
    Ok(Some(video))
}

fn scenes_of(tx: &mut Tx<'_>, id: VideoId) -> Result<Vec<Scene>, StoreError> {
    tx.query(
        "SELECT id, sequence, script, display_text, duration_seconds FROM scene WHERE video_id = $1 ORDER BY sequence",
        &[&id],
        |row| {
            Ok(Scene {
                id: row.get(0)?,
                sequence: row.get(1)?,
                script: row.get(2)?,
                display_text: row.get(3)?,
                duration: row.get(4)?,
            })
        },
    )
}
