//! The rendering of a video: its scenes become a file that plays.
//!
//! A video has one rendering, the one that was asked for last, and one file, the one that was rendered last. The file stays
//! while another is rendered, and says which version of the video it shows. Scenes may be edited at any time.
//! The job in [`work`] renders scene by scene and goes on behind the last whole scene after a crash; the programs that draw and
//! speak are behind [`renderer::Renderer`]. Nothing here knows HTTP: the operations on a video's edit link belong to
//! the platform surface.

pub mod renderer;
pub mod request;
mod scene_folder;
#[cfg(test)]
mod tests;
pub mod work;

use files::RenderingKey;
use kernel::id::{FileId, JobId, OrganizationId, RenderingId, VideoId};
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Record, StoreError, Tx, sql};

use crate::resources::Failure;

/// How far the rendering of a video is (platform-api section 4, `renderStatus`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema, store::Words)]
#[serde(rename_all = "lowercase")]
pub enum RenderStatus {
    /// Nobody asked for one, or it was cancelled.
    Idle,
    /// It waits for its turn.
    Queued,
    /// A worker has it.
    Rendering,
    /// There is a file.
    Completed,
    /// It was given up.
    Failed,
}

/// The length of a picture's shorter side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema, store::Words)]
pub enum Resolution {
    /// 720 pixels.
    #[serde(rename = "720p")]
    #[word("720p")]
    Hd,
    /// 1080 pixels.
    #[serde(rename = "1080p")]
    #[word("1080p")]
    FullHd,
}

/// A request to render a video, and what became of it.
#[derive(Clone, Debug, PartialEq, Record)]
#[record(table = "video_rendering")]
pub struct Rendering {
    /// The video.
    #[column(key)]
    pub video_id: VideoId,
    /// Whose it is.
    #[column(fixed)]
    organization_id: OrganizationId,
    /// Tells the request from those before it.
    run_id: RenderingId,
    /// The job that carries the request out.
    job_id: JobId,
    /// How far it is.
    pub status: RenderStatus,
    /// How large the picture is.
    pub resolution: Resolution,
    /// Whether the picture shows the captions.
    pub burns_captions: bool,
    /// The scenes of the video when the rendering began.
    pub scenes: u32,
    /// How many of them are rendered.
    pub scenes_done: u32,
    /// Why it failed.
    #[column(columns("error_code", "error_message"))]
    pub error: Option<Failure>,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// The file of a video.
#[derive(Clone, Debug, PartialEq, Record)]
#[record(table = "video_file")]
pub struct VideoFile {
    /// The video.
    #[column(key)]
    pub video_id: VideoId,
    /// Whose it is.
    #[column(fixed)]
    organization_id: OrganizationId,
    /// The MP4 file.
    file_id: FileId,
    /// A picture of it, PNG.
    poster_id: FileId,
    /// The version of the video that it shows.
    pub video_version: i64,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// In milliseconds.
    pub duration_ms: i64,
    /// The length of the MP4 file.
    pub size_bytes: i64,
    /// Whether the picture shows the captions.
    pub burns_captions: bool,
    /// WebVTT.
    pub captions: String,
    /// What is spoken, with the scenes' titles.
    pub transcript: String,
    /// Where scenes begin.
    #[column(json)]
    pub chapters: Vec<Chapter>,
    /// When it was rendered.
    pub rendered_at: Timestamp,
}

/// A mark in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chapter {
    /// What is on the screen there.
    #[schema(example = "Photosynthesis")]
    pub title: String,
    /// Where it begins, in milliseconds.
    #[schema(example = 12_400)]
    pub start_ms: u64,
}

/// The rendering and the file of a video.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Renderings {
    /// What was asked for last; `None` where nothing was, or it was cancelled.
    pub rendering: Option<Rendering>,
    /// What was rendered last.
    pub file: Option<VideoFile>,
}

impl Renderings {
    /// Those of a video.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn load(tx: &mut Tx<'_>, video: VideoId) -> Result<Self, StoreError> {
        let rendering = sql!("SELECT {Rendering::*} FROM video_rendering WHERE video_id = {video}");
        let rendering = rendering.find(tx, Rendering::from_row)?;
        Ok(Self { rendering, file: VideoFile::find(tx, video)? })
    }

    /// The status that the API reports. After a cancelled rendering, an earlier file makes it `Completed`.
    pub fn status(&self) -> RenderStatus {
        match (&self.rendering, &self.file) {
            (Some(rendering), _) => rendering.status,
            (None, Some(_)) => RenderStatus::Completed,
            (None, None) => RenderStatus::Idle,
        }
    }
}

impl Rendering {
    /// Whether it waits or is rendered.
    pub fn is_under_way(&self) -> bool {
        matches!(self.status, RenderStatus::Queued | RenderStatus::Rendering)
    }
}

impl VideoFile {
    /// The file of a video.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn find(tx: &mut Tx<'_>, video: VideoId) -> Result<Option<Self>, StoreError> {
        sql!("SELECT {VideoFile::*} FROM video_file WHERE video_id = {video}").find(tx, Self::from_row)
    }

    /// The name of the MP4 file in the object store.
    pub fn key(&self) -> RenderingKey {
        RenderingKey { organization: self.organization_id, file: self.file_id }
    }

    /// The name of the picture in the object store.
    pub fn poster_key(&self) -> RenderingKey {
        RenderingKey { organization: self.organization_id, file: self.poster_id }
    }
}

/// Which of these objects a video's row names.
///
/// # Errors
/// Any [`StoreError`].
pub fn named(tx: &mut Tx<'_>, ids: &[FileId]) -> Result<Vec<FileId>, StoreError> {
    tx.query_each(
        ids,
        |id| sql!("SELECT {*id} FROM video_file WHERE file_id = {*id} OR poster_id = {*id}"),
        |row| row.get(0),
    )
}
