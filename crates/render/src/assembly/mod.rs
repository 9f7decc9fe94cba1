//! Scenes as one video: pictures are joined without encoding them again, sound is joined sample by sample and encoded once.
//!
//! The video is checked before it is given out: it lasts as long as its scenes.

mod languages;
mod length;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::captions::{Cue, cues, transcript, webvtt};
use crate::error::RenderError;
use crate::limits::{ENCODER_TIME, SAMPLE_RATE};
use crate::picture::Card;
use crate::programs::{Program, Programs, Task};
use crate::scene::{Files, RenderedScene, png};
use crate::sound::wav::WavWriter;
use crate::storyboard::Storyboard;
use crate::text::clean;

/// How much the length of a video may differ from that of its scenes.
const SLACK_MS: u64 = 100;

/// A video with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Video {
    /// The MP4 file.
    pub mp4: PathBuf,
    /// A PNG file with the first scene.
    pub poster: PathBuf,
    /// The captions as WebVTT.
    pub webvtt: String,
    /// The captions.
    pub cues: Vec<Cue>,
    /// What is said, with headings.
    pub transcript: String,
    /// How long the video lasts.
    pub duration_ms: u64,
    /// A chapter for each scene.
    pub chapters: Vec<Chapter>,
    /// The width of its pictures in pixels.
    pub width: u32,
    /// The height of its pictures in pixels.
    pub height: u32,
}

/// A scene's place in the video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// What the scene is called.
    pub title: String,
    /// When the scene begins.
    pub start_ms: u64,
    /// When the scene ends.
    pub end_ms: u64,
}

/// Joins the scenes of a work folder into a video in the same folder. The files of scenes stay.
///
/// # Errors
/// When a scene is missing or was rendered from another storyboard, or a program or the disk fails.
pub async fn assemble(
    programs: &Programs,
    board: &Storyboard,
    scenes: &[RenderedScene],
    work_dir: &Path,
) -> Result<Video, RenderError> {
    board.check()?;
    if let Some(index) =
        (0..board.scenes.len()).find(|index| !scenes.get(*index).is_some_and(|scene| scene.belongs_to(board, *index)))
    {
        return Err(RenderError::Outdated { index });
    }
    let scenes = &scenes[..board.scenes.len()];
    let work_dir = tokio::fs::canonicalize(work_dir).await.map_err(RenderError::io("finding the work folder"))?;
    let chapters = chapters(board, scenes);
    let duration_ms = chapters.last().map_or(0, |chapter| chapter.end_ms);
    prepare(board, scenes, &chapters, &work_dir).await?;
    let made = work_dir.join("joined.mp4");
    let task = Task {
        program: Program::Ffmpeg,
        arguments: arguments(board, &work_dir, &made),
        stdin: &[],
        work_dir: &work_dir,
        stdout_bytes: 0,
        time: ENCODER_TIME + Duration::from_millis(duration_ms),
    };
    programs.run(task).await?;
    let mp4 = work_dir.join("video.mp4");
    finish(&made, &mp4, &work_dir, duration_ms).await?;
    let starts = starts(scenes);
    let cues: Vec<Cue> =
        scenes.iter().zip(starts).flat_map(|(scene, start)| cues(&scene.sentences, &board.language, start)).collect();
    let (width, height) = board.size();
    let (poster, webvtt, transcript) = (work_dir.join("poster.png"), webvtt(&cues), transcript(board));
    Ok(Video { mp4, poster, webvtt, cues, transcript, duration_ms, chapters, width, height })
}

/// The sample at which each scene begins.
fn starts(scenes: &[RenderedScene]) -> Vec<u64> {
    let mut next = 0;
    let start = |scene: &RenderedScene| {
        next += scene.samples();
        next - scene.samples()
    };
    scenes.iter().map(start).collect()
}

fn chapters(board: &Storyboard, scenes: &[RenderedScene]) -> Vec<Chapter> {
    let ms = |samples: u64| samples * 1000 / u64::from(SAMPLE_RATE);
    let chapter = |(scene, start): (&RenderedScene, u64)| Chapter {
        title: board.scene_title(scene.index),
        start_ms: ms(start),
        end_ms: ms(start + scene.samples()),
    };
    scenes.iter().zip(starts(scenes)).map(chapter).collect()
}

/// Writes what the encoder reads: the list of segments, the sound, the chapters; and the poster.
async fn prepare(
    board: &Storyboard,
    scenes: &[RenderedScene],
    chapters: &[Chapter],
    work_dir: &Path,
) -> Result<(), RenderError> {
    let (board, scenes, chapters, work_dir) = (board.clone(), scenes.to_vec(), chapters.to_vec(), work_dir.to_owned());
    let writing = tokio::task::spawn_blocking(move || {
        let mut list = "ffconcat version 1.0\n".to_owned();
        let mut sound = WavWriter::create(&work_dir.join("sound.wav"))?;
        let mut samples = 0;
        for scene in &scenes {
            let files = Files::of(scene.index, &work_dir);
            let name = files.segment.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ms = scene.duration_ms();
            list.push_str(&format!("file {name}\nduration {}.{:03}\n", ms / 1000, ms % 1000));
            sound.append(&files.sound)?;
            samples += scene.samples();
            if sound.samples() != samples {
                return Err(io::Error::other("the sound of a scene is longer or shorter than its pictures"));
            }
        }
        sound.finish()?;
        std::fs::write(work_dir.join("segments.ffconcat"), list)?;
        std::fs::write(work_dir.join("chapters.ffmeta"), metadata(&board, &chapters))?;
        let poster = png(&Card::of(&board, 0).picture(&|_| 1.0, None))?;
        std::fs::write(work_dir.join("poster.png"), poster)
    });
    writing.await.map_err(io::Error::other).flatten().map_err(RenderError::io("joining scenes"))
}

/// Title, language and chapters in the format that ffmpeg reads.
fn metadata(board: &Storyboard, chapters: &[Chapter]) -> String {
    let escaped = |text: &str| {
        let mut escaped = String::new();
        for character in text.chars() {
            if matches!(character, '=' | ';' | '#' | '\\') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        escaped
    };
    let mut text = format!(";FFMETADATA1\ntitle={}\n", escaped(&clean(&board.title)));
    for chapter in chapters {
        let title = escaped(&chapter.title);
        text.push_str(&format!(
            "[CHAPTER]\nTIMEBASE=1/1000\nSTART={}\nEND={}\ntitle={title}\n",
            chapter.start_ms, chapter.end_ms
        ));
    }
    text
}

fn arguments(board: &Storyboard, work_dir: &Path, made: &Path) -> Vec<OsString> {
    let language = format!("language={}", languages::three_letters(&board.language));
    let mut arguments: Vec<OsString> =
        ["-nostdin", "-hide_banner", "-v", "error", "-protocol_whitelist", "file"].map(Into::into).to_vec();
    for (format, name) in [("concat", "segments.ffconcat"), ("wav", "sound.wav"), ("ffmetadata", "chapters.ffmeta")] {
        arguments.extend(["-f", format, "-i"].map(Into::into));
        arguments.push(work_dir.join(name).into());
    }
    arguments.extend(["-map", "0:v", "-map", "1:a", "-map_metadata", "2", "-map_chapters", "2"].map(Into::into));
    arguments.extend(["-c:v", "copy", "-c:a", "aac", "-b:a", "96k", "-threads", "1"].map(Into::into));
    arguments.extend(["-metadata:s:v:0", &language, "-metadata:s:a:0", &language].map(Into::into));
    arguments
        .extend(["-fflags", "+bitexact", "-flags:a", "+bitexact", "-movflags", "+faststart", "-y"].map(Into::into));
    arguments.push(made.into());
    arguments
}

/// Checks the length, moves the video to its place and deletes what only the encoder read.
async fn finish(made: &Path, mp4: &Path, work_dir: &Path, expected_ms: u64) -> Result<(), RenderError> {
    let made_ms = length::of(made).map_err(RenderError::io("reading the video"))?;
    if made_ms.is_none_or(|made_ms| made_ms.abs_diff(expected_ms) > SLACK_MS) {
        let reason = format!("the video lasts {made_ms:?} ms, and its scenes {expected_ms} ms");
        return Err(RenderError::UnusableResult { program: Program::Ffmpeg.name(), reason });
    }
    let moving = async {
        tokio::fs::rename(made, mp4).await?;
        for name in ["segments.ffconcat", "sound.wav", "chapters.ffmeta"] {
            tokio::fs::remove_file(work_dir.join(name)).await?;
        }
        Ok(())
    };
    moving.await.map_err(RenderError::io("moving the video"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_can_not_add_metadata() {
        let board: Storyboard = serde_json::from_str(
            r#"{"title": "a=b;c#\\\n[CHAPTER]", "language": "en", "scenes": [{"display_text": "x"}]}"#,
        )
        .unwrap();
        let chapter = Chapter { title: "1 = 1".into(), start_ms: 0, end_ms: 40 };
        assert_eq!(
            metadata(&board, &[chapter]),
            ";FFMETADATA1\ntitle=a\\=b\\;c\\#\\\\ [CHAPTER]\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=40\ntitle=1 \\= 1\n"
        );
    }
}
