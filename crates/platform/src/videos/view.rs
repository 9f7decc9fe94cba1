//! A video as its reviewer sees it.

use content::resources::{Failure, Status};
use content::videos::renderings::{Chapter, RenderStatus, Renderings, Resolution, VideoFile};
use content::videos::{Scene, Video};
use kernel::id::VideoId;
use kernel::time::Timestamp;
use serde::Serialize;
use store::{StoreError, Tx};

use super::files::FileName;
use crate::Platform;

/// How far the rendering of a video is.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VideoRendering {
    /// `idle`, `queued`, `rendering`, `completed` or `failed`.
    #[schema(example = "rendering")]
    pub render_status: RenderStatus,
    /// The name of the rendered file in the object store; null until there is one. It stays while another is rendered.
    #[schema(
        required,
        example = "renderings/01977f00-0000-7000-8000-000000000001/01977f00-0000-7000-8000-000000000002"
    )]
    pub video_key: Option<String>,
    /// Why the rendering failed; null unless it did.
    #[schema(required)]
    pub error: Option<Failure>,
    /// What was asked for last; null where nothing was, or it was cancelled.
    #[schema(required)]
    pub rendering: Option<RenderingProgress>,
    /// What was rendered last; null where nothing was.
    #[schema(required)]
    pub file: Option<RenderedFile>,
}

/// A rendering that was asked for.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderingProgress {
    /// How large the picture is.
    pub resolution: Resolution,
    /// Whether the picture shows the captions.
    pub burn_captions: bool,
    /// The scenes of the video when the rendering began.
    #[schema(example = 12)]
    pub scenes: u32,
    /// How many of them are rendered.
    #[schema(example = 5)]
    pub scenes_done: u32,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// When it ended; null while it is under way.
    #[schema(required)]
    pub ended_at: Option<Timestamp>,
}

/// A rendered file.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderedFile {
    /// The MP4 file.
    #[schema(format = "uri")]
    pub video_url: String,
    /// A picture of it, PNG.
    #[schema(format = "uri")]
    pub poster_url: String,
    /// Its captions, WebVTT.
    #[schema(format = "uri")]
    pub captions_url: String,
    /// What is spoken, as plain text.
    #[schema(format = "uri")]
    pub transcript_url: String,
    /// In milliseconds.
    #[schema(example = 61_280)]
    pub duration_ms: i64,
    /// In pixels.
    #[schema(example = 1280)]
    pub width: u32,
    /// In pixels.
    #[schema(example = 720)]
    pub height: u32,
    /// The length of the MP4 file.
    #[schema(example = 2_451_022)]
    pub size_bytes: i64,
    /// Whether the picture shows the captions.
    pub burned_captions: bool,
    /// Where scenes begin.
    pub chapters: Vec<Chapter>,
    /// Whether the video was changed since.
    pub is_outdated: bool,
    /// When it was rendered.
    pub rendered_at: Timestamp,
}

/// A video with its scenes and how far its rendering is.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VideoReview {
    /// How far its rendering is.
    #[serde(flatten)]
    pub rendering: VideoRendering,
    /// The video.
    pub id: VideoId,
    /// What it is called.
    pub title: String,
    /// What it is about; may be empty.
    pub description: String,
    /// How far its generation is: it can be changed and rendered when it is `completed`.
    pub status: Status,
    /// The language of its scripts.
    #[schema(example = "en")]
    pub language: String,
    /// Width and height.
    #[schema(example = "16:9")]
    pub aspect_ratio: String,
    /// In playing order.
    pub scenes: Vec<Scene>,
    /// One higher with every change; also the `ETag`.
    pub version: i64,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

impl VideoRendering {
    /// How far the rendering of a video is.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn load(tx: &mut Tx<'_>, platform: &Platform, video: &Video) -> Result<Self, StoreError> {
        let renderings = Renderings::load(tx, video.id)?;
        Ok(Self {
            render_status: renderings.status(),
            video_key: renderings.file.as_ref().map(|file| file.key().to_string()),
            error: renderings.rendering.as_ref().and_then(|rendering| rendering.error.clone()),
            rendering: renderings.rendering.map(|rendering| RenderingProgress {
                resolution: rendering.resolution,
                burn_captions: rendering.burns_captions,
                scenes: rendering.scenes,
                scenes_done: rendering.scenes_done,
                requested_at: rendering.requested_at,
                ended_at: rendering.ended_at,
            }),
            file: renderings.file.map(|file| RenderedFile::of(file, platform, video.version)),
        })
    }
}

impl RenderedFile {
    fn of(file: VideoFile, platform: &Platform, version: i64) -> Self {
        let (base, token) = (&platform.base_url, platform.content.links.edit_token(file.video_id));
        let url = |name: FileName| format!("{base}/v1/platform/videos/edit/{token}/files/{}", name.as_str());
        Self {
            video_url: url(FileName::Video),
            poster_url: url(FileName::Poster),
            captions_url: url(FileName::Captions),
            transcript_url: url(FileName::Transcript),
            duration_ms: file.duration_ms,
            width: file.width,
            height: file.height,
            size_bytes: file.size_bytes,
            burned_captions: file.burns_captions,
            chapters: file.chapters,
            is_outdated: file.video_version != version,
            rendered_at: file.rendered_at,
        }
    }
}

impl VideoReview {
    /// A video as it is stored.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn load(tx: &mut Tx<'_>, platform: &Platform, video: Video) -> Result<Self, StoreError> {
        Ok(Self {
            rendering: VideoRendering::load(tx, platform, &video)?,
            id: video.id,
            title: video.title,
            description: video.description,
            status: video.status,
            language: video.language,
            aspect_ratio: video.aspect_ratio,
            scenes: video.scenes,
            version: video.version,
            updated_at: video.updated_at,
        })
    }
}
