//! What a caller may say of scenes, of one or of all that a video has.

use std::collections::{HashMap, HashSet};

use edge::body::{Body, Check, any_text, positive, text};
use edge::problem::{Detail, Problem};
use kernel::ambient::Ambient;
use kernel::id::SceneId;

use super::MOST_SCENES;
use crate::questions::{identified, in_order, sequence};
use crate::videos::Scene;

/// The longest script, in characters.
const LONGEST_SCRIPT: usize = 10_000;
/// The longest text on the screen, in characters.
const LONGEST_DISPLAY_TEXT: usize = 2_000;
/// The longest scene, in seconds.
const LONGEST_DURATION: f64 = 3_600.0;
/// How long a scene is when nobody says, in seconds.
pub(in crate::videos) const DEFAULT_DURATION: f64 = 5.0;

/// What is said of a scene; what is absent stays, or is empty in a new one.
#[derive(Body, Clone, Debug, Default, PartialEq)]
pub(in crate::videos) struct SceneFields {
    /// What is spoken; empty when it is absent.
    #[field(script())]
    script: Option<String>,
    /// What stands on the screen; empty when it is absent.
    #[field(display_text())]
    display_text: Option<String>,
    /// In seconds: more than 0, at most 3600; 5 when it is absent.
    #[field(duration(), example = 8.5)]
    duration: Option<f64>,
}

impl SceneFields {
    /// A new scene.
    pub(in crate::videos) fn scene(&self, id: SceneId, sequence: i64) -> Scene {
        Scene {
            id,
            sequence,
            script: self.script.clone().unwrap_or_default(),
            display_text: self.display_text.clone().unwrap_or_default(),
            duration: self.duration.unwrap_or(DEFAULT_DURATION),
        }
    }

    /// The scene with these changes.
    pub(super) fn applied(&self, scene: &Scene) -> Scene {
        Scene {
            script: self.script.clone().unwrap_or_else(|| scene.script.clone()),
            display_text: self.display_text.clone().unwrap_or_else(|| scene.display_text.clone()),
            duration: self.duration.unwrap_or(scene.duration),
            ..*scene
        }
    }
}

/// One of all scenes that a caller gives a video (content-api section 4).
#[derive(Body, Clone, Debug, PartialEq)]
pub(in crate::videos) struct SceneRequest {
    /// The scene of the video that it is; without meaning in a new video.
    #[field(any_text().format("uuid"))]
    id: Option<String>,
    /// Its place among the others, given with all of them or with none; without it, the array tells the order.
    #[field(sequence())]
    sequence: Option<i64>,
    #[field(flatten)]
    fields: SceneFields,
}

/// All scenes of a video.
pub(in crate::videos) fn scenes() -> impl Check<Value = Vec<SceneRequest>> {
    identified(MOST_SCENES)
}

/// The scenes of a new video. Ids that they had elsewhere are not theirs any more.
pub(in crate::videos) fn made(given: &[SceneRequest], ambient: &Ambient) -> Vec<Scene> {
    (1..)
        .zip(in_order(given, |scene| scene.sequence))
        .map(|(sequence, (_, given))| given.fields.scene(ambient.id(), sequence))
        .collect()
}

/// The scenes of a video after a change of all of them: what names one of the video's scenes is that scene, with what
/// is absent as it was.
///
/// # Errors
/// 400 for every id that is none of the video's scenes.
pub(in crate::videos) fn replaced(
    present: &[Scene],
    given: &[SceneRequest],
    ambient: &Ambient,
) -> Result<Vec<Scene>, Problem> {
    let present: HashMap<SceneId, &Scene> = present.iter().map(|scene| (scene.id, scene)).collect();
    let mut faults = Vec::new();
    let mut scenes = Vec::with_capacity(given.len());
    let indexed: Vec<_> = given.iter().enumerate().collect();
    let ordered = in_order(&indexed, |(_, scene)| scene.sequence).map(|(_, indexed)| indexed);
    for (sequence, (index, given)) in (1..).zip(ordered) {
        let known = given.id.as_deref().map(|id| id.parse().ok().and_then(|id: SceneId| present.get(&id)));
        match known {
            None => scenes.push(given.fields.scene(ambient.id(), sequence)),
            Some(Some(scene)) => scenes.push(Scene { sequence, ..given.fields.applied(scene) }),
            Some(None) => {
                let path = format!("scenes[{index}].id");
                faults.push(Detail { path, message: "is no scene of the video".to_owned() });
            }
        }
    }
    if faults.is_empty() { Ok(scenes) } else { Err(Problem::Invalid(faults)) }
}

/// The order that some ids put a video's scenes in.
///
/// # Errors
/// 400 for every id that is none of the video's scenes or is there twice, and for every scene that is missing.
pub(super) fn order(present: &[Scene], ids: &[String]) -> Result<Vec<SceneId>, Problem> {
    let known: HashSet<SceneId> = present.iter().map(|scene| scene.id).collect();
    let mut places: HashMap<SceneId, usize> = HashMap::with_capacity(ids.len());
    let mut faults = Vec::new();
    let mut order = Vec::with_capacity(known.len());
    for (index, text) in ids.iter().enumerate() {
        let path = || format!("sceneIds[{index}]");
        match text.parse().ok().filter(|id| known.contains(id)) {
            None => faults.push(Detail { path: path(), message: "is no scene of the video".to_owned() }),
            Some(id) => match places.get(&id) {
                Some(first) => faults.push(Detail { path: path(), message: format!("is the same as item {first}") }),
                None => {
                    places.insert(id, index);
                    order.push(id);
                }
            },
        }
    }
    for missing in present.iter().filter(|scene| !places.contains_key(&scene.id)) {
        faults.push(Detail { path: "sceneIds".to_owned(), message: format!("lacks the scene {}", missing.id) });
    }
    if faults.is_empty() { Ok(order) } else { Err(Problem::Invalid(first_of(faults))) }
}

/// More faults than this are not worth listing.
fn first_of(mut faults: Vec<Detail>) -> Vec<Detail> {
    const MOST_DETAILS: usize = 100;
    faults.truncate(MOST_DETAILS);
    faults
}

/// A scene's script.
pub(in crate::videos) fn script() -> impl Check<Value = String> {
    text(0..=LONGEST_SCRIPT)
}

/// A scene's text on the screen.
pub(super) fn display_text() -> impl Check<Value = String> {
    text(0..=LONGEST_DISPLAY_TEXT)
}

/// A scene's duration, in seconds.
pub(super) fn duration() -> impl Check<Value = f64> {
    positive(LONGEST_DURATION)
}
