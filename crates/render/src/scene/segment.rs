//! The pictures of a scene, drawn once each and encoded for as long as each is seen.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tiny_skia::Pixmap;

use super::timeline::{Shot, shots};
use crate::captions::Cue;
use crate::error::RenderError;
use crate::limits::{ENCODER_TIME, FRAME_RATE};
use crate::picture::Card;
use crate::programs::{Program, Programs, Task};
use crate::sound::Narration;
use crate::storyboard::Storyboard;

/// Draws and encodes a scene into a file in the temporary folder.
pub(super) async fn render(
    programs: &Programs,
    board: &Storyboard,
    index: usize,
    narration: &Narration,
    captions: &[Cue],
    work_dir: &Path,
    temporary: &Path,
) -> Result<PathBuf, RenderError> {
    let card = Card::of(board, index);
    let shots = shots(card.steps(), card.parts(), narration, captions, board.burns_captions);
    let captions: Vec<String> = captions.iter().map(|cue| cue.text.clone()).collect();
    let folder = temporary.to_owned();
    let wanted = Wanted(Arc::new(AtomicBool::new(true)));
    let is_wanted = Arc::clone(&wanted.0);
    let drawing = tokio::task::spawn_blocking(move || draw(&card, &shots, &captions, &folder, &is_wanted)).await;
    drawing.map_err(io::Error::other).flatten().map_err(RenderError::io("drawing a scene"))?;
    let segment = temporary.join("segment.mp4");
    let task = Task {
        program: Program::Ffmpeg,
        arguments: arguments(programs.threads(), narration.frames, &temporary.join("pictures.ffconcat"), &segment),
        stdin: &[],
        work_dir,
        stdout_bytes: 0,
        time: ENCODER_TIME + Duration::from_secs(narration.frames / u64::from(FRAME_RATE)),
    };
    programs.run(task).await?;
    Ok(segment)
}

/// Ends the drawing when the render is dropped: a thread can't be.
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Writes the pictures and the list of how long each is seen, as long as they are wanted.
fn draw(card: &Card, shots: &[Shot], captions: &[String], folder: &Path, is_wanted: &AtomicBool) -> io::Result<()> {
    let mut list = "ffconcat version 1.0\n".to_owned();
    for (number, shot) in shots.iter().enumerate() {
        if !is_wanted.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let caption = shot.caption.and_then(|caption| captions.get(caption)).map(String::as_str);
        let picture = card.picture(&|step| shot.appearance(step), caption);
        let name = format!("{number:05}.png");
        std::fs::write(folder.join(&name), png(&picture)?)?;
        list.push_str(&entry(&name, shot.frames));
    }
    // A picture behind the last says how long the last is seen.
    if let Some(last) = shots.len().checked_sub(1) {
        list.push_str(&entry(&format!("{last:05}.png"), 1));
    }
    std::fs::write(folder.join("pictures.ffconcat"), list)
}

fn entry(name: &str, frames: u64) -> String {
    let micros = frames * 1_000_000 / u64::from(FRAME_RATE);
    format!("file {name}\nduration {}.{:06}\n", micros / 1_000_000, micros % 1_000_000)
}

/// A picture as a PNG file without transparency.
pub(crate) fn png(picture: &Pixmap) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let pixels: Vec<u8> = picture.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&pixels).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)?;
    Ok(file)
}

/// The same parameters for all segments, so that they can be joined without encoding them again.
fn arguments(threads: usize, frames: u64, list: &Path, segment: &Path) -> Vec<OsString> {
    let threads = threads.to_string();
    let (rate, frames) = (FRAME_RATE.to_string(), frames.to_string());
    let mut arguments: Vec<OsString> =
        ["-nostdin", "-hide_banner", "-v", "error", "-protocol_whitelist", "file"].map(Into::into).to_vec();
    arguments.extend(["-filter_threads", "1", "-threads", "1", "-f", "concat", "-i"].map(Into::into));
    arguments.push(list.into());
    let filter = "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p";
    arguments.extend(["-an", "-vf", filter, "-r", &rate, "-fps_mode", "cfr", "-frames:v", &frames].map(Into::into));
    arguments.extend(["-c:v", "libx264", "-preset", "superfast", "-tune", "stillimage", "-crf", "20"].map(Into::into));
    arguments.extend(["-profile:v", "high", "-bf", "0", "-g", "250", "-threads", &threads].map(Into::into));
    arguments.extend(["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"].map(Into::into));
    arguments.extend(["-color_range", "tv", "-video_track_timescale", "12800", "-fflags", "+bitexact"].map(Into::into));
    arguments.extend(["-flags:v", "+bitexact", "-map_metadata", "-1", "-y"].map(Into::into));
    arguments.push(segment.into());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storyboard::Storyboard;

    #[test]
    fn pictures_are_drawn_only_while_they_are_wanted() {
        let board: Storyboard =
            serde_json::from_str(r#"{"title": "T", "language": "en", "scenes": [{"display_text": "A"}]}"#).unwrap();
        let card = Card::of(&board, 0);
        let shots = vec![Shot { appearance: vec![6], caption: None, frames: 30 }];
        let folder = tempfile::tempdir().unwrap();
        let wanted = Wanted(Arc::new(AtomicBool::new(true)));
        let is_wanted = Arc::clone(&wanted.0);
        draw(&card, &shots, &[], folder.path(), &is_wanted).unwrap();
        let list = std::fs::read_to_string(folder.path().join("pictures.ffconcat")).unwrap();
        assert_eq!(
            list,
            "ffconcat version 1.0\nfile 00000.png\nduration 1.200000\nfile 00000.png\nduration 0.040000\n"
        );
        drop(wanted);
        assert!(draw(&card, &shots, &[], folder.path(), &is_wanted).is_err());
    }
}
