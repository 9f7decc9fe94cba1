//! Renders videos with ffmpeg and espeak-ng, for the worker.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use content::videos::renderings::renderer::{RenderFailure, RenderInput, RenderedVideo, Renderer};
use content::videos::renderings::{Chapter, Resolution};
use render::{Espeak, Launcher, Programs, RenderError, RenderedScene};

/// The hidden command that becomes ffmpeg or espeak-ng after it has given up what they don't need.
pub const CHILD_COMMAND: &str = "render-child";

/// How videos are rendered.
#[derive(Clone, Debug)]
pub struct RenderingOptions {
    /// This program, which starts the others.
    pub program: PathBuf,
    /// Where the others are looked for: folders, separated by colons.
    pub search_path: OsString,
    /// Scenes that are rendered at a time.
    pub at_once: usize,
    /// Where scenes lie until their video is whole.
    pub folder: PathBuf,
}

impl RenderingOptions {
    /// Looks for the programs. They are looked for again with every scene, so that nobody restarts the service after
    /// installing them.
    ///
    /// # Errors
    /// Which are missing, and the Debian packages that have them.
    pub fn find_programs(&self) -> Result<Programs, render::MissingPrograms> {
        Programs::find(&self.search_path, Launcher::sandboxed(self.program.clone(), vec![CHILD_COMMAND.into()]))
    }
}

/// Renders with the programs of this machine.
pub struct VideoRenderer(pub RenderingOptions);

#[async_trait]
impl Renderer for VideoRenderer {
    async fn render_scene(&self, input: &RenderInput, index: usize, folder: &Path) -> Result<(), RenderFailure> {
        let programs = self.programs()?;
        scene(&programs, &board_of(input), index, folder).await.map(drop)
    }

    async fn assemble(&self, input: &RenderInput, folder: &Path) -> Result<RenderedVideo, RenderFailure> {
        let (programs, board) = (self.programs()?, board_of(input));
        let mut scenes = Vec::with_capacity(board.scenes.len());
        for index in 0..board.scenes.len() {
            scenes.push(scene(&programs, &board, index, folder).await?);
        }
        let video = render::assemble(&programs, &board, &scenes, folder).await.map_err(|error| failure_of(&error))?;
        let chapter = |chapter: render::Chapter| Chapter { title: chapter.title, start_ms: chapter.start_ms };
        Ok(RenderedVideo {
            file: video.mp4,
            poster: video.poster,
            width: video.width,
            height: video.height,
            duration_ms: video.duration_ms,
            captions: video.webvtt,
            transcript: video.transcript,
            chapters: video.chapters.into_iter().map(chapter).collect(),
        })
    }
}

impl VideoRenderer {
    fn programs(&self) -> Result<Programs, RenderFailure> {
        let missing = |error: render::MissingPrograms| RenderFailure {
            code: "renderer_missing",
            message: format!("{error}."),
            is_passing: false,
        };
        self.0.find_programs().map_err(missing)
    }
}

/// Renders a scene, unless the folder has it.
async fn scene(
    programs: &Programs,
    board: &render::Storyboard,
    index: usize,
    folder: &Path,
) -> Result<RenderedScene, RenderFailure> {
    let voice = Espeak::new(programs.clone());
    render::render_scene(programs, &voice, board, index, folder).await.map_err(|error| failure_of(&error))
}

fn board_of(input: &RenderInput) -> render::Storyboard {
    let scenes = input.scenes.iter().map(|scene| render::Scene {
        script: scene.script.clone(),
        display_text: scene.display_text.clone(),
        seconds: scene.seconds,
        title: None,
    });
    let resolution = match input.resolution {
        Resolution::Hd => render::Resolution::Hd,
        Resolution::FullHd => render::Resolution::FullHd,
    };
    render::Storyboard {
        title: input.title.clone(),
        language: input.language.clone(),
        aspect_ratio: ratio_of(&input.aspect_ratio),
        resolution,
        burns_captions: input.burns_captions,
        scenes: scenes.collect(),
    }
}

/// Width and height of a stored ratio; the usual one for what is none.
fn ratio_of(text: &str) -> (u32, u32) {
    let parts = text.split_once(':').map(|(width, height)| (width.parse(), height.parse()));
    if let Some((Ok(width), Ok(height))) = parts { (width, height) } else { (16, 9) }
}

/// Why a rendering failed, for people: what programs say is for the log.
fn failure_of(error: &RenderError) -> RenderFailure {
    tracing::warn!(error = error as &dyn std::error::Error, "a scene or video could not be rendered");
    let (code, message, is_passing) = match error {
        RenderError::NoScenes | RenderError::NoSuchScene { .. } => {
            ("video_empty", "The video has no scenes to render.".to_owned(), false)
        }
        RenderError::TooLarge { .. } | RenderError::Seconds { .. } => {
            ("video_too_large", format!("The video can't be rendered: {error}."), false)
        }
        RenderError::OutOfSpace => ("disk_full", "The disk of the service is full.".to_owned(), true),
        RenderError::TimedOut { .. } => ("rendering_timed_out", "A scene took too long to render.".to_owned(), true),
        RenderError::Voice { .. } => ("voice_failed", "The script could not be spoken.".to_owned(), true),
        RenderError::Outdated { .. }
        | RenderError::ProgramFailed { .. }
        | RenderError::UnusableResult { .. }
        | RenderError::Io { .. } => ("rendering_failed", "The video could not be rendered.".to_owned(), true),
    };
    RenderFailure { code, message, is_passing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_two_numbers_and_what_is_none_is_the_usual_one() {
        for (text, ratio) in [("16:9", (16, 9)), ("9:16", (9, 16)), ("1:1", (1, 1)), ("", (16, 9)), ("a:b", (16, 9))] {
            assert_eq!(ratio_of(text), ratio, "{text}");
        }
    }

    #[test]
    fn what_may_be_asked_for_is_what_can_be_rendered() {
        use content::videos::renderings::request;
        assert_eq!(request::MOST_SCENES, render::limits::MOST_SCENES);
        assert_eq!(request::MOST_CHARACTERS, render::limits::MOST_VIDEO_CHARACTERS);
        const { assert!(request::LONGEST_SECONDS <= render::limits::MOST_VIDEO_SECONDS) };
    }

    #[test]
    fn a_missing_program_is_told_with_its_package() {
        let options = RenderingOptions {
            program: "/proc/self/exe".into(),
            search_path: "/nowhere".into(),
            at_once: 1,
            folder: "/nowhere".into(),
        };
        let failure = VideoRenderer(options).programs().unwrap_err();
        assert_eq!((failure.code, failure.is_passing), ("renderer_missing", false));
        assert!(failure.message.contains("ffmpeg") && failure.message.contains("espeak-ng"), "{}", failure.message);
    }
}
