//! What a rendering needs of the programs that draw, speak and encode.

use std::path::{Path, PathBuf};

use async_trait::async_trait;

use super::{Chapter, Resolution};
use crate::resources::Failure;
use crate::videos::Video;

/// Renders scenes and joins them. Calls are made in a folder of the video's own, which outlives a crash.
#[async_trait]
pub trait Renderer: Send + Sync {
    /// Renders a scene into the folder. Does nothing where the folder has it already as it is now. A call that is dropped
    /// leaves no process behind.
    async fn render_scene(&self, input: &RenderInput, index: usize, folder: &Path) -> Result<(), RenderFailure>;

    /// Makes one file of all scenes, which are in the folder.
    async fn assemble(&self, input: &RenderInput, folder: &Path) -> Result<RenderedVideo, RenderFailure>;
}

/// Draws a scene of a video, the one with this index, as a small PNG picture with all its parts. It computes for some
/// milliseconds.
pub type DrawScene = fn(&RenderInput, usize) -> Result<Vec<u8>, RenderFailure>;

/// A video as it is to be rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderInput {
    /// What the video is called.
    pub title: String,
    /// A language tag.
    pub language: String,
    /// Width and height, such as `16:9`.
    pub aspect_ratio: String,
    /// How large the picture is.
    pub resolution: Resolution,
    /// Whether the picture shows the captions.
    pub burns_captions: bool,
    /// In playing order.
    pub scenes: Vec<RenderInputScene>,
}

/// A scene as it is to be rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderInputScene {
    /// What is spoken.
    pub script: String,
    /// What stands on the screen.
    pub display_text: String,
    /// The shortest that it may be, in seconds.
    pub seconds: f64,
}

impl RenderInput {
    /// A video as it is stored.
    pub fn of(video: &Video, resolution: Resolution, burns_captions: bool) -> Self {
        let scenes = video.scenes.iter().map(|scene| RenderInputScene {
            script: scene.script.clone(),
            display_text: scene.display_text.clone(),
            seconds: scene.duration,
        });
        Self {
            title: video.title.clone(),
            language: video.language.clone(),
            aspect_ratio: video.aspect_ratio.clone(),
            resolution,
            burns_captions,
            scenes: scenes.collect(),
        }
    }
}

/// A rendered video and its companion texts.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedVideo {
    /// The MP4 file, in the folder.
    pub file: PathBuf,
    /// A PNG picture, in the folder.
    pub poster: PathBuf,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// In milliseconds, at least 1.
    pub duration_ms: u64,
    /// WebVTT.
    pub captions: String,
    /// What is spoken, with the scenes' titles.
    pub transcript: String,
    /// Where scenes begin.
    pub chapters: Vec<Chapter>,
}

/// Why a scene or a file was not rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RenderFailure {
    /// Stable, such as `renderer_missing`.
    pub code: &'static str,
    /// A sentence for people, with what to do.
    pub message: String,
    /// Whether another try may end otherwise.
    pub is_passing: bool,
}

impl From<RenderFailure> for Failure {
    fn from(failure: RenderFailure) -> Self {
        Self { code: failure.code.to_owned(), message: failure.message }
    }
}
