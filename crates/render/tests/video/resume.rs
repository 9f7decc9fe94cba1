//! Scenes that are there are not rendered again.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use render::{RenderError, Speech, Voice, assemble, render_scene};

use super::{board, programs, render_all, scene};

/// A voice that hums, and counts.
#[derive(Default)]
struct Hum {
    sentences: AtomicUsize,
}

#[async_trait]
impl Voice for Hum {
    fn name(&self, _language: &str) -> String {
        "hum".to_owned()
    }

    async fn speak(&self, sentence: &str, _language: &str, work_dir: &Path) -> Result<Speech, RenderError> {
        self.sentences.fetch_add(1, Ordering::Relaxed);
        assert!(work_dir.is_dir());
        let samples = (0..240 * sentence.len()).map(|at| if at % 100 < 50 { 8_000 } else { -8_000 }).collect();
        Ok(Speech { sample_rate: 24_000, samples })
    }
}

#[tokio::test]
async fn a_scene_is_rendered_once_until_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let voice = Hum::default();
    let mut story = board("en", vec![scene("One. Two.", "One", 1.0), scene("Three.", "Two", 1.0)]);
    let first = render_all(&voice, &story, folder.path()).await;
    assert_eq!(voice.sentences.load(Ordering::Relaxed), 3);
    assert_eq!(render_all(&voice, &story, folder.path()).await, first);
    assert_eq!(voice.sentences.load(Ordering::Relaxed), 3, "nothing was spoken again");

    story.scenes[1].script = "Three! Four!".to_owned();
    let old = assemble(&programs(), &story, &first, folder.path()).await;
    assert!(matches!(old, Err(RenderError::Outdated { index: 1 })));
    let second = render_all(&voice, &story, folder.path()).await;
    assert_eq!(voice.sentences.load(Ordering::Relaxed), 5, "only the changed scene was spoken");
    assert!(second[0] == first[0] && second[1] != first[1]);
    assert!(assemble(&programs(), &story, &second[..1], folder.path()).await.is_err());
    assemble(&programs(), &story, &second, folder.path()).await.unwrap();
}

#[tokio::test]
async fn a_scene_whose_files_are_damaged_is_rendered_again() {
    let folder = tempfile::tempdir().unwrap();
    let voice = Hum::default();
    let story = board("en", vec![scene("One.", "One", 1.0)]);
    let first = render_all(&voice, &story, folder.path()).await;
    for (at, damage) in ["scene-0001.wav", "scene-0001.mp4", "scene-0001.json"].into_iter().enumerate() {
        std::fs::write(folder.path().join(damage), "").unwrap();
        assert_eq!(render_all(&voice, &story, folder.path()).await, first);
        assert_eq!(voice.sentences.load(Ordering::Relaxed), at + 2, "{damage}");
    }
    // What a render left that was ended is no hindrance.
    std::fs::create_dir(folder.path().join("scene-0001.parts")).unwrap();
    std::fs::remove_file(folder.path().join("scene-0001.json")).unwrap();
    render_scene(&programs(), &voice, &story, 0, folder.path()).await.unwrap();
}
