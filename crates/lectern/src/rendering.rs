//! Renders videos with ffmpeg, for the worker. espeak-ng speaks, or a speech server in its place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use content::videos::renderings::renderer::{RenderFailure, RenderInput, RenderedVideo, Renderer};
use content::videos::renderings::{Chapter, Resolution};
use kernel::ambient::Ambient;
use models::{Cause, SpeechCause, SpeechError, SpeechServer, SpeechSettings};
use render::{Espeak, Launcher, Programs, RenderError, RenderedScene, Voice};

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
    /// The server that speaks; `None` for espeak-ng.
    pub speech: Option<SpeechSettings>,
}

impl RenderingOptions {
    /// Looks for the programs that are needed: espeak-ng only where no server speaks. They are looked for again with every
    /// scene, so that nobody restarts the service after installing them.
    ///
    /// # Errors
    /// Which are missing, and the Debian packages that have them.
    pub fn find_programs(&self) -> Result<Programs, render::MissingPrograms> {
        let launcher = Launcher::sandboxed(self.program.clone(), vec![CHILD_COMMAND.into()]);
        match self.speech {
            Some(_) => Programs::find_encoder(&self.search_path, launcher),
            None => Programs::find(&self.search_path, launcher),
        }
    }
}

/// Renders with the programs of this machine, and with the voice that the operator chose.
pub struct VideoRenderer {
    options: RenderingOptions,
    speech: Option<SpeechServer>,
}

#[async_trait]
impl Renderer for VideoRenderer {
    async fn render_scene(&self, input: &RenderInput, index: usize, folder: &Path) -> Result<(), RenderFailure> {
        let programs = self.programs()?;
        self.scene(&programs, &board_of(input), index, folder).await.map(drop)
    }

    async fn assemble(&self, input: &RenderInput, folder: &Path) -> Result<RenderedVideo, RenderFailure> {
        let (programs, board) = (self.programs()?, board_of(input));
        let mut scenes = Vec::with_capacity(board.scenes.len());
        for index in 0..board.scenes.len() {
            scenes.push(self.scene(&programs, &board, index, folder).await?);
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
    /// Makes the client of the speech server, where there is one. Nothing is asked or looked for yet.
    ///
    /// # Errors
    /// When the server's key or the extra certificates can't be used.
    pub fn open(options: RenderingOptions, ambient: &Ambient) -> Result<Self, models::OpenError> {
        let speech = options.speech.clone().map(|settings| SpeechServer::open(settings, ambient)).transpose()?;
        Ok(Self { options, speech })
    }

    fn programs(&self) -> Result<Programs, RenderFailure> {
        let missing = |error: render::MissingPrograms| RenderFailure {
            code: "renderer_missing",
            message: format!("{error}."),
            is_passing: false,
        };
        self.options.find_programs().map_err(missing)
    }

    /// Renders a scene, unless the folder has it.
    async fn scene(
        &self,
        programs: &Programs,
        board: &render::Storyboard,
        index: usize,
        folder: &Path,
    ) -> Result<RenderedScene, RenderFailure> {
        let espeak = Espeak::new(programs.clone());
        let voice: &dyn Voice = match &self.speech {
            Some(server) => server,
            None => &espeak,
        };
        render::render_scene(programs, voice, board, index, folder).await.map_err(|error| failure_of(&error))
    }
}

/// Draws a scene as a small picture. It needs no other program.
///
/// # Errors
/// When the video is too large to be rendered.
pub fn draw_scene(input: &RenderInput, index: usize) -> Result<Vec<u8>, RenderFailure> {
    let board = render::Storyboard { resolution: render::Resolution::Small, ..board_of(input) };
    render::draw(&board, index).map_err(|error| described(&error))
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
    described(error)
}

fn described(error: &RenderError) -> RenderFailure {
    let (code, message, is_passing) = match error {
        RenderError::NoScenes | RenderError::NoSuchScene { .. } => {
            ("video_empty", "The video has no scenes to render.".to_owned(), false)
        }
        RenderError::TooLarge { .. } | RenderError::Seconds { .. } => {
            ("video_too_large", format!("The video can't be rendered: {error}."), false)
        }
        RenderError::OutOfSpace => ("disk_full", "The disk of the service is full.".to_owned(), true),
        RenderError::TimedOut { .. } => ("rendering_timed_out", "A scene took too long to render.".to_owned(), true),
        RenderError::Voice { source, .. } => return voice_failure(source.downcast_ref()),
        RenderError::Outdated { .. }
        | RenderError::ProgramFailed { .. }
        | RenderError::UnusableResult { .. }
        | RenderError::Io { .. } => ("rendering_failed", "The video could not be rendered.".to_owned(), true),
    };
    RenderFailure { code, message, is_passing }
}

/// Why a script was not spoken, and what its reviewer can do about it. The server's address is not for reviewers.
fn voice_failure(error: Option<&SpeechError>) -> RenderFailure {
    const OPERATOR: &str = "Tell whoever runs this service; lectern doctor says what is wrong";
    const LATER: &str = "Render the video again later";
    let (what, remedy, is_passing) = match error {
        Some(error) => {
            let (what, remedy) = match error.cause {
                SpeechCause::NoAnswer(cause) => match cause {
                    Cause::Unreachable(_)
                    | Cause::Truncated
                    | Cause::ServerError(_)
                    | Cause::Resting
                    | Cause::Unreadable => ("the speech server does not work at the moment", LATER),
                    Cause::TimedOut => ("the speech server took too long", LATER),
                    Cause::Busy => ("the speech server has too many requests", LATER),
                    Cause::KeyRefused => ("the speech server refuses the key of this service", OPERATOR),
                    Cause::NoCredit => ("the account at the speech server has no credit left", OPERATOR),
                    Cause::NoSuchModel => ("the speech server does not know the model that is set", OPERATOR),
                    Cause::WrongAddress => ("the address that is set is not that of a speech server", OPERATOR),
                    Cause::Refused(_) => ("the speech server does not take the request", OPERATOR),
                    Cause::TooLong | Cause::CutOff { .. } => {
                        ("a sentence is too long for the speech server", "Make the sentences shorter")
                    }
                    Cause::Declined => ("the speech server declined to speak a sentence", "Change the script"),
                },
                SpeechCause::NoSuchVoice => ("the speech server does not know the voice that is set", OPERATOR),
                SpeechCause::NotSpeech(_) => ("the speech server answers with something else than sound", OPERATOR),
                SpeechCause::Silent => ("the voice that is set has no sound for a sentence", OPERATOR),
                SpeechCause::Endless => ("the speech server spoke a sentence for more than five minutes", OPERATOR),
            };
            (what, remedy, error.cause.is_passing())
        }
        None => ("the voice's sound has a sample rate that can't be used", OPERATOR, false),
    };
    let message = format!("The script could not be spoken: {what}. {remedy}.");
    RenderFailure { code: "voice_failed", message, is_passing }
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
    fn a_scene_is_drawn_small_and_in_the_ratio_of_its_video() {
        let scene = content::videos::renderings::renderer::RenderInputScene {
            script: "A cell is alive.".to_owned(),
            display_text: "The cell".to_owned(),
            seconds: 4.0,
        };
        for (aspect_ratio, size) in [("16:9", (640, 360)), ("9:16", (360, 640)), ("1:1", (360, 360))] {
            let video = RenderInput {
                title: "Cells".to_owned(),
                language: "en".to_owned(),
                aspect_ratio: aspect_ratio.to_owned(),
                resolution: Resolution::FullHd,
                burns_captions: false,
                scenes: vec![scene.clone(), scene.clone()],
            };
            let picture = draw_scene(&video, 1).unwrap();
            // The header of a PNG file begins at byte 16 with width and height.
            let side = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
            assert_eq!((side(16), side(20)), size, "{aspect_ratio}");
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
            speech: None,
        };
        let failure = |options| {
            let renderer = VideoRenderer::open(options, &Ambient::system()).unwrap();
            let failure = renderer.programs().unwrap_err();
            assert_eq!((failure.code, failure.is_passing), ("renderer_missing", false));
            failure.message
        };
        let message = failure(options.clone());
        assert!(message.contains("ffmpeg") && message.contains("espeak-ng"), "{message}");
        let message = failure(RenderingOptions { speech: Some(speech()), ..options });
        assert!(message.contains("ffmpeg") && !message.contains("espeak-ng"), "{message}");
    }

    fn speech() -> SpeechSettings {
        SpeechSettings {
            base_url: "http://127.0.0.1:9/secret".parse().unwrap(),
            api_key: None,
            model: "tts-1".to_owned(),
            voices: models::SpeechVoices::new("alloy", []),
            timeout: std::time::Duration::from_secs(1),
            retries: 0,
            concurrency: 1,
            extra_ca_pem: None,
            pacing: models::Pacing::default(),
        }
    }

    #[test]
    fn a_failure_of_the_speech_server_says_what_a_reviewer_can_do() {
        let failure = |cause: SpeechCause| {
            let voice = SpeechServer::open(speech(), &Ambient::system()).unwrap().name("en");
            let source = SpeechError { cause, retry_after: None }.into();
            failure_of(&RenderError::Voice { voice, source })
        };
        for (cause, part, is_passing) in [
            (SpeechCause::NoAnswer(Cause::TimedOut), "took too long. Render the video again later", true),
            (SpeechCause::NoAnswer(Cause::Busy), "too many requests", true),
            (SpeechCause::NoAnswer(Cause::KeyRefused), "refuses the key", false),
            (SpeechCause::NoAnswer(Cause::TooLong), "Make the sentences shorter", false),
            (SpeechCause::NoSuchVoice, "the voice that is set. Tell whoever runs this service", false),
            (SpeechCause::NotSpeech(render::WavError::NotWav), "something else than sound", false),
            (SpeechCause::Silent, "no sound for a sentence", false),
        ] {
            let failure = failure(cause);
            assert_eq!((failure.code, failure.is_passing), ("voice_failed", is_passing), "{cause:?}");
            assert!(failure.message.contains(part) && !failure.message.contains("secret"), "{}", failure.message);
        }
        let other = failure_of(&RenderError::Voice { voice: "x".to_owned(), source: "no such rate".into() });
        assert_eq!((other.code, other.is_passing), ("voice_failed", false));
    }
}
