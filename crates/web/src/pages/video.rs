//! A video: its scenes as a storyboard, and, with script, played one after the other with captions.

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
}

impl VideoPage {
    pub(crate) fn new(shell: Shell, title: String, description: String, scenes: Vec<Scene>) -> Self {
        let count = scenes.len().to_string();
        let mut at = 0.0;
        let mut views = Vec::with_capacity(scenes.len());
        for (number, scene) in (1_usize..).zip(scenes) {
            let end = at + scene.duration_seconds;
            views.push(SceneView {
                number,
                label: fill(shell.texts.scene, &[("n", &number.to_string()), ("total", &count)]),
                duration_ms: milliseconds(scene.duration_seconds),
                span: format!("{}–{}", clock(at), clock(end)),
                script: scene.script,
                display_text: scene.display_text,
            });
            at = end;
        }
        let total = clock(at);
        let length = fill(shell.texts.length, &[("time", &total)]);
        Self { kind: shell.texts.video, title, description, length, total, scenes: views, shell }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what fits")]
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round().clamp(0.0, 86_400_000.0) as u64
}

/// Minutes and seconds: `2:05`; with hours from the first on: `1:02:05`.
fn clock(seconds: f64) -> String {
    let whole = milliseconds(seconds).div_ceil(1000);
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_on_a_clock() {
        for (seconds, read) in
            [(0.0, "0:00"), (7.2, "0:08"), (65.0, "1:05"), (3725.0, "1:02:05"), (-1.0, "0:00"), (f64::NAN, "0:00")]
        {
            assert_eq!(clock(seconds), read);
        }
    }
}
