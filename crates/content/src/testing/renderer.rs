//! A renderer that does as it is told, and writes no videos.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use super::script::Pause;
use crate::videos::renderings::Chapter;
use crate::videos::renderings::renderer::{RenderFailure, RenderInput, RenderedVideo, Renderer};

/// What one call does.
#[derive(Clone, Debug)]
pub(crate) enum RenderStep {
    /// Fails with this code; the second member says whether in passing.
    Fail(&'static str, bool),
    /// Panics.
    Panic,
    /// Succeeds as soon as the test lets it.
    Wait(std::sync::Arc<Pause>),
}

/// Renders in no time, unless it is told otherwise.
#[derive(Debug, Default)]
pub(crate) struct ScriptedRenderer {
    next: Mutex<VecDeque<Option<RenderStep>>>,
    rendered: Mutex<Vec<String>>,
    assembled: Mutex<Vec<RenderInput>>,
}

impl ScriptedRenderer {
    /// What the next calls do; `None` for success.
    pub(crate) fn next(&self, steps: impl IntoIterator<Item = Option<RenderStep>>) {
        self.next.lock().unwrap_or_else(PoisonError::into_inner).extend(steps);
    }

    /// What was rendered, scene by scene: the scripts.
    pub(crate) fn rendered(&self) -> Vec<String> {
        self.rendered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was assembled.
    pub(crate) fn assembled(&self) -> Vec<RenderInput> {
        self.assembled.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn take_step(&self) -> Result<(), RenderFailure> {
        let step = self.next.lock().unwrap_or_else(PoisonError::into_inner).pop_front().flatten();
        match step {
            None => Ok(()),
            Some(RenderStep::Fail(code, is_passing)) => {
                Err(RenderFailure { code, message: "The renderer was told to fail.".to_owned(), is_passing })
            }
            Some(RenderStep::Panic) => panic!("the renderer was told to panic"),
            Some(RenderStep::Wait(pause)) => {
                pause.hold().await;
                Ok(())
            }
        }
    }
}

#[async_trait]
impl Renderer for ScriptedRenderer {
    async fn render_scene(&self, input: &RenderInput, index: usize, folder: &Path) -> Result<(), RenderFailure> {
        let (path, script) = (folder.join(index.to_string()), &input.scenes[index].script);
        if std::fs::read_to_string(&path).is_ok_and(|known| known == *script) {
            return Ok(());
        }
        self.take_step().await?;
        self.rendered.lock().unwrap_or_else(PoisonError::into_inner).push(script.clone());
        std::fs::write(path, script).unwrap();
        Ok(())
    }

    async fn assemble(&self, input: &RenderInput, folder: &Path) -> Result<RenderedVideo, RenderFailure> {
        self.take_step().await?;
        self.assembled.lock().unwrap_or_else(PoisonError::into_inner).push(input.clone());
        let scripts: Vec<_> = input.scenes.iter().map(|scene| scene.script.as_str()).collect();
        let (file, poster) = (folder.join("video.mp4"), folder.join("poster.png"));
        std::fs::write(&file, scripts.join("\n")).unwrap();
        std::fs::write(&poster, "a picture").unwrap();
        let chapters = vec![Chapter { title: input.title.clone(), start_ms: 0 }];
        let (captions, transcript) = ("WEBVTT\n".to_owned(), scripts.join("\n"));
        Ok(RenderedVideo { file, poster, width: 1280, height: 720, duration_ms: 4_000, captions, transcript, chapters })
    }
}
