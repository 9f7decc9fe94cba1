//! The changes that an edit link permits: title, description and scenes, but not visibility.

use std::collections::HashMap;

use edge::body::Body;
use edge::problem::Problem;
use kernel::id::SceneId;
use store::{KeyedRecord as _, Tx};

use super::scenes::fields::{SceneRequest, replaced, scenes};
use super::scenes::{check_all_lengths, check_editable, replace};
use super::{Scene, Video};
use crate::resources::{Status, fields};

/// What to change of a video; what is absent stays.
#[derive(Body)]
#[body(changes)]
pub struct ReviewVideoRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title())]
    title: Option<String>,
    /// What it is about.
    #[field(fields::description())]
    description: Option<String>,
    /// All scenes in playing order: those that are not among them are gone. One with the `id` of a scene is that scene, and
    /// what is absent of it stays; one without is new. A scene whose script changes and whose duration does not takes as long
    /// as its new script.
    #[field(scenes())]
    scenes: Option<Vec<SceneRequest>>,
}

impl ReviewVideoRequest {
    /// Changes the video.
    ///
    /// # Errors
    /// 409 while the video is generated or when its texts are too long, 400 for ids of other scenes.
    pub fn carry_out(&self, tx: &mut Tx<'_>, mut video: Video) -> Result<(), Problem> {
        check_editable(&video)?;
        video.title = self.title.clone().unwrap_or(video.title);
        video.description = self.description.clone().unwrap_or(video.description);
        let Some(given) = &self.scenes else { return Ok(video.update(tx)?) };
        let mut scenes = replaced(&video.scenes, given, tx.ambient())?;
        let before: HashMap<SceneId, &Scene> = video.scenes.iter().map(|scene| (scene.id, scene)).collect();
        for scene in &mut scenes {
            if follows_script(scene, before.get(&scene.id).copied()) {
                scene.duration = engine::scene_seconds(&video.language, &scene.script);
            }
        }
        check_all_lengths(&video, &scenes)?;
        (video.status, video.error) = (Status::Completed, None);
        video.update(tx)?;
        Ok(replace(tx, video.id, &scenes)?)
    }
}

/// Whether a scene has another script than before and the duration that it had.
fn follows_script(scene: &Scene, before: Option<&Scene>) -> bool {
    let (script, duration) =
        before.map_or(("", super::scenes::fields::DEFAULT_DURATION), |before| (&before.script, before.duration));
    scene.script != script && (scene.duration - duration).abs() < f64::EPSILON
}
