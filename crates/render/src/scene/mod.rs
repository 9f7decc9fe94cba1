//! One scene as files: a segment of video, its sound, and last a sidecar that says from what they were made.
//!
//! A sidecar whose fingerprint fits is proof that the scene's files are whole: they were moved to their places before it.
//! `timeline` says which picture is seen when, `segment` draws and encodes the pictures.

mod segment;
mod sidecar;
mod timeline;

use std::path::{Path, PathBuf};

pub(crate) use segment::png;
pub use sidecar::RenderedScene;

use crate::captions::cues;
use crate::error::RenderError;
use crate::programs::Programs;
use crate::sound::{Voice, narrate};
use crate::storyboard::Storyboard;

/// The names of a scene's files in a work folder.
pub(crate) struct Files {
    pub(crate) segment: PathBuf,
    pub(crate) sound: PathBuf,
    sidecar: PathBuf,
    /// For what is deleted when the scene is done.
    temporary: PathBuf,
}

impl Files {
    pub(crate) fn of(index: usize, work_dir: &Path) -> Self {
        let name = |ending: &str| work_dir.join(format!("scene-{:04}{ending}", index + 1));
        Self { segment: name(".mp4"), sound: name(".wav"), sidecar: name(".json"), temporary: name(".parts") }
    }
}

/// Renders a scene, unless the work folder has it already. Dropping the future ends the programs that it runs.
///
/// # Errors
/// When the storyboard can't be rendered, or a voice, a program or the disk fails.
pub async fn render_scene(
    programs: &Programs,
    voice: &dyn Voice,
    board: &Storyboard,
    index: usize,
    work_dir: &Path,
) -> Result<RenderedScene, RenderError> {
    board.check()?;
    let scene = board.scene(index)?;
    let work_dir = tokio::fs::canonicalize(work_dir).await.map_err(RenderError::io("finding the work folder"))?;
    let files = Files::of(index, &work_dir);
    let voice_name = voice.name(&board.language);
    let fingerprint = sidecar::fingerprint(board, index, &voice_name);
    if let Some(rendered) = sidecar::find(&files, &fingerprint).await {
        return Ok(rendered);
    }
    remove(&files).await?;
    tokio::fs::create_dir(&files.temporary).await.map_err(RenderError::io("making a folder"))?;
    let sound = files.temporary.join("sound.wav");
    let narration = narrate(voice, &scene.script, &board.language, scene.seconds, &sound, &files.temporary).await?;
    let captions = cues(&narration.sentences, &board.language, 0);
    let video = segment::render(programs, board, index, &narration, &captions, &work_dir, &files.temporary).await?;
    let rendered = RenderedScene::new(index, (&voice_name, fingerprint), narration);
    for (from, to) in [(&sound, &files.sound), (&video, &files.segment)] {
        tokio::fs::rename(from, to).await.map_err(RenderError::io("moving a file"))?;
    }
    sidecar::write(&rendered, &files).await?;
    tokio::fs::remove_dir_all(&files.temporary).await.map_err(RenderError::io("deleting temporary files"))?;
    Ok(rendered)
}

/// Deletes what an earlier render left. The sidecar goes first, so that it never stands beside other files than its own.
async fn remove(files: &Files) -> Result<(), RenderError> {
    let gone = |result: std::io::Result<()>| match result {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(RenderError::io("deleting old files")(error)),
        _ => Ok(()),
    };
    for file in [&files.sidecar, &files.segment, &files.sound] {
        gone(tokio::fs::remove_file(file).await)?;
    }
    gone(tokio::fs::remove_dir_all(&files.temporary).await)
}

/// The picture of a scene with all its parts as a PNG file, such as for a preview. It takes some milliseconds.
///
/// # Errors
/// When the storyboard can't be rendered.
pub fn draw(board: &Storyboard, index: usize) -> Result<Vec<u8>, RenderError> {
    board.check()?;
    board.scene(index)?;
    let card = crate::picture::Card::of(board, index);
    png(&card.picture(&|_| 1.0, None)).map_err(RenderError::io("encoding a picture"))
}
