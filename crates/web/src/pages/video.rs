//! A video: the film where it was rendered, and its scenes as a storyboard, which a script plays where there is no film.

use askama::Template;

use super::shell::Shell;
use crate::texts::fill;

/// A scene as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) script: String,
    pub(crate) display_text: String,
    pub(crate) duration_seconds: f64,
}

/// A scene on a page.
#[derive(Clone, Debug)]
pub(crate) struct SceneView {
    pub(crate) number: usize,
    /// “Scene 2 of 5”.
    pub(crate) label: String,
    pub(crate) script: String,
    pub(crate) display_text: String,
    /// For the player, in milliseconds.
    pub(crate) duration_ms: u64,
    /// From when to when: `0:12–0:20`.
    pub(crate) span: String,
}

#[derive(Template)]
#[template(path = "video.html")]
pub(crate) struct VideoPage {
    pub(crate) shell: Shell,
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    /// In words.
    pub(crate) length: String,
    pub(crate) total: String,
    pub(crate) scenes: Vec<SceneView>,
    /// What was rendered of it.
    pub(crate) film: Option<Film>,
}

/// The file of a video, and the files beside it.
#[derive(Clone, Debug)]
pub(crate) struct Film {
    /// The address below which the files are.
    pub(crate) address: String,
    /// In pixels.
    pub(crate) width: u32,
    /// In pixels.
    pub(crate) height: u32,
}

impl VideoPage {
    pub(crate) fn new(shell: Shell, title: String, description: String, scenes: Vec<Scene>) -> Self {
        let count = scenes.len().to_string();
        let mut at_ms = 0;
        let mut views = Vec::with_capacity(scenes.len());
        for (number, scene) in (1_usize..).zip(scenes) {
            let duration_ms = milliseconds(scene.duration_seconds);
            let end_ms = at_ms + duration_ms;
            views.push(SceneView {
                number,
                label: fill(shell.texts.scene, &[("n", &number.to_string()), ("total", &count)]),
                duration_ms,
                span: format!("{}–{}", clock(at_ms), clock(end_ms)),
                script: scene.script,
                display_text: scene.display_text,
            });
            at_ms = end_ms;
        }
        let total = clock(at_ms);
        let length = fill(shell.texts.length, &[("time", &total)]);
        Self { kind: shell.texts.video, title, description, length, total, scenes: views, film: None, shell }
    }

    /// The same page with a film above the storyboard.
    pub(crate) fn with_film(self, film: Option<Film>) -> Self {
        Self { film, ..self }
    }
}

/// A scene's duration, a day at most.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what fits")]
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round().clamp(0.0, 86_400_000.0) as u64
}

/// Minutes and seconds: `2:05`; with hours from the first on: `1:02:05`.
fn clock(at_ms: u64) -> String {
    let whole = at_ms.div_ceil(1000);
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::shell::{Access, Site, Stage};

    #[test]
    fn times_are_read_as_on_a_clock() {
        for (seconds, read) in
            [(0.0, "0:00"), (7.2, "0:08"), (65.0, "1:05"), (3725.0, "1:02:05"), (-1.0, "0:00"), (f64::NAN, "0:00")]
        {
            assert_eq!(clock(milliseconds(seconds)), read);
        }
    }

    #[test]
    fn a_video_may_be_longer_than_a_scene() {
        let site = Site { root: String::new() };
        let shell = Shell::new(&site, "en", Access::Public, Stage::Whole);
        let scene = |duration_seconds| Scene { script: String::new(), display_text: String::new(), duration_seconds };
        let hours = 3600.0;
        let page =
            VideoPage::new(shell, String::new(), String::new(), [20.0, 10.0, 1e9].map(|n| scene(n * hours)).into());
        let spans: Vec<&str> = page.scenes.iter().map(|scene| scene.span.as_str()).collect();
        assert_eq!(spans, ["0:00–20:00:00", "20:00:00–30:00:00", "30:00:00–54:00:00"]);
        assert_eq!(page.total, "54:00:00");
    }
}
