//! A renderer that does as it is told, and writes no videos.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use super::script::Pause;
use crate::videos::renderings::Chapter;
use crate::videos::renderings::renderer::{Film, RenderFailure, Renderer, Storyboard};

/// What one call does.
#[derive(Clone, Debug)]
pub(crate) enum Shot {
    /// Fails with this code; the second member says whether in passing.
    Fail(&'static str, bool),
    /// Panics.
    Panic,
    /// Succeeds as soon as the test lets it.
    Wait(std::sync::Arc<Pause>),
}

/// Renders in no time, unless it is told otherwise.
#[derive(Debug, Default)]
pub(crate) struct Projector {
    next: Mutex<VecDeque<Option<Shot>>>,
    rendered: Mutex<Vec<String>>,
    storyboards: Mutex<Vec<Storyboard>>,
}

impl Projector {
    /// What the next calls do; `None` for success.
    pub(crate) fn next(&self, shots: impl IntoIterator<Item = Option<Shot>>) {
        self.next.lock().unwrap_or_else(PoisonError::into_inner).extend(shots);
    }

    /// What was rendered, scene by scene: the scripts.
    pub(crate) fn rendered(&self) -> Vec<String> {
        self.rendered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was assembled.
    pub(crate) fn assembled(&self) -> Vec<Storyboard> {
        self.storyboards.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn shoot(&self) -> Result<(), RenderFailure> {
        let shot = self.next.lock().unwrap_or_else(PoisonError::into_inner).pop_front().flatten();
        match shot {
            None => Ok(()),
            Some(Shot::Fail(code, is_passing)) => {
                Err(RenderFailure { code, message: "The projector was told to fail.".to_owned(), is_passing })
            }
            Some(Shot::Panic) => panic!("the projector was told to panic"),
            Some(Shot::Wait(pause)) => {
                pause.hold().await;
                Ok(())
            }
        }
    }
}

#[async_trait]
impl Renderer for Projector {
    async fn render_scene(&self, storyboard: &Storyboard, index: usize, folder: &Path) -> Result<(), RenderFailure> {
        let (path, script) = (folder.join(index.to_string()), &storyboard.scenes[index].script);
        if std::fs::read_to_string(&path).is_ok_and(|known| known == *script) {
            return Ok(());
        }
        self.shoot().await?;
        self.rendered.lock().unwrap_or_else(PoisonError::into_inner).push(script.clone());
        std::fs::write(path, script).unwrap();
        Ok(())
    }

    async fn assemble(&self, storyboard: &Storyboard, folder: &Path) -> Result<Film, RenderFailure> {
        self.shoot().await?;
        self.storyboards.lock().unwrap_or_else(PoisonError::into_inner).push(storyboard.clone());
        let scripts: Vec<_> = storyboard.scenes.iter().map(|scene| scene.script.as_str()).collect();
        let (file, poster) = (folder.join("video.mp4"), folder.join("poster.png"));
        std::fs::write(&file, scripts.join("\n")).unwrap();
        std::fs::write(&poster, "a picture").unwrap();
        let chapters = vec![Chapter { title: storyboard.title.clone(), start_ms: 0 }];
        let (captions, transcript) = ("WEBVTT\n".to_owned(), scripts.join("\n"));
        Ok(Film { file, poster, width: 1280, height: 720, duration_ms: 4_000, captions, transcript, chapters })
    }
}
