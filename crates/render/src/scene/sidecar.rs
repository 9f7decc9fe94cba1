//! What a scene was made from and how long it lasts, beside its files.

use std::io;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Files;
use crate::error::RenderError;
use crate::limits::{FRAME_RATE, SAMPLES_PER_FRAME};
use crate::sound::{Narration, Sentence, wav};
use crate::storyboard::Storyboard;

/// How pictures and sound are made. A change of it renders all scenes again.
const VERSION: u32 = 1;

/// A scene whose files are in the work folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderedScene {
    /// The index of the scene, from 0.
    pub index: usize,
    /// The hash of all that the scene was made from.
    pub fingerprint: String,
    /// The voice that spoke.
    pub(crate) voice: String,
    /// How many pictures the scene has.
    pub(crate) frames: u64,
    pub(crate) sentences: Vec<Sentence>,
}

impl RenderedScene {
    pub(super) fn new(index: usize, (voice, fingerprint): (&str, String), narration: Narration) -> Self {
        let (frames, sentences) = (narration.frames, narration.sentences);
        Self { index, fingerprint, voice: voice.to_owned(), frames, sentences }
    }

    /// How long the scene lasts.
    #[must_use]
    pub const fn duration_ms(&self) -> u64 {
        self.frames * 1000 / FRAME_RATE as u64
    }

    /// How many samples of sound the scene has.
    pub(crate) const fn samples(&self) -> u64 {
        self.frames * SAMPLES_PER_FRAME as u64
    }

    /// Whether the scene is one of the storyboard as it is now.
    pub(crate) fn belongs_to(&self, board: &Storyboard, index: usize) -> bool {
        self.index == index && self.fingerprint == fingerprint(board, index, &self.voice)
    }
}

/// The hash of all that a scene's picture and sound depend on.
pub(super) fn fingerprint(board: &Storyboard, index: usize, voice: &str) -> String {
    let scene = board.scenes.get(index);
    // The scene before gives the colour that this one comes from.
    let before = index.checked_sub(1).and_then(|before| board.scenes.get(before)).map(|scene| &scene.display_text);
    let head = (VERSION, &board.title, &board.language, board.size(), board.burns_captions);
    let all = (head, scene, before, index, board.scenes.len(), voice);
    hex::encode(Sha256::digest(serde_json::to_vec(&all).unwrap_or_default()))
}

/// The scene, if its files are there and were made from the same.
pub(super) async fn find(files: &Files, fingerprint: &str) -> Option<RenderedScene> {
    let text = tokio::fs::read(&files.sidecar).await.ok()?;
    let rendered: RenderedScene = serde_json::from_slice(&text).ok()?;
    let has_segment = tokio::fs::metadata(&files.segment).await.is_ok_and(|about| about.len() > 0);
    let has_sound = wav::samples_of(&files.sound).is_ok_and(|samples| samples == rendered.samples());
    (rendered.fingerprint == fingerprint && has_segment && has_sound).then_some(rendered)
}

/// Writes the sidecar, which is there as a whole or not at all.
pub(super) async fn write(rendered: &RenderedScene, files: &Files) -> Result<(), RenderError> {
    let write = async {
        let text = serde_json::to_vec(rendered).map_err(io::Error::other)?;
        let new = files.temporary.join("sidecar.json");
        tokio::fs::write(&new, text).await?;
        tokio::fs::rename(&new, &files.sidecar).await
    };
    write.await.map_err(RenderError::io("writing a sidecar"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storyboard::{Resolution, Scene};

    #[test]
    fn a_fingerprint_changes_with_all_that_is_seen_or_heard() {
        let scene = Scene { script: "Hello.".into(), display_text: "Hello".into(), seconds: 2.0, title: None };
        let (title, language) = ("Greetings".to_owned(), "en".to_owned());
        let scenes = vec![scene; 3];
        let (aspect_ratio, resolution) = ((16, 9), Resolution::Hd);
        let board = Storyboard { title, language, aspect_ratio, resolution, burns_captions: false, scenes };
        let base = fingerprint(&board, 1, "voice");
        assert_eq!(base, fingerprint(&board.clone(), 1, "voice"));
        assert!(base != fingerprint(&board, 2, "voice") && base != fingerprint(&board, 1, "other"));
        let changes: [fn(&mut Storyboard); 10] = [
            |board| board.title.push('!'),
            |board| board.language = "de".into(),
            |board| board.aspect_ratio = (9, 16),
            |board| board.resolution = Resolution::FullHd,
            |board| board.burns_captions = true,
            |board| board.scenes[1].script.push('!'),
            |board| board.scenes[1].display_text.push('!'),
            |board| board.scenes[1].seconds = 2.5,
            |board| board.scenes[1].title = Some("Hi".into()),
            |board| board.scenes.truncate(2),
        ];
        for (at, change) in changes.into_iter().enumerate() {
            let mut changed = board.clone();
            change(&mut changed);
            assert_ne!(base, fingerprint(&changed, 1, "voice"), "change {at}");
        }
        let mut other = board.clone();
        other.scenes[2].script = "Another scene.".into();
        assert_eq!(base, fingerprint(&other, 1, "voice"), "other scenes do not matter");
    }
}
