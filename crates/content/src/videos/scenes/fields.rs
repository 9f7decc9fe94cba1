//! What a caller may say of scenes, of one or of all that a video has.

use std::collections::{HashMap, HashSet};

use edge::body::{At, Fields, any_text, list, text};
use edge::problem::{Detail, Problem};
use kernel::ambient::Ambient;
use kernel::id::SceneId;
use serde_json::Value;

use super::MOST_SCENES;
use crate::questions::{check_identities, in_order, sequence};
use crate::resources::fields::positive;
use crate::videos::Scene;

/// The longest script, in characters.
const LONGEST_SCRIPT: usize = 10_000;
/// The longest text on the screen, in characters.
const LONGEST_DISPLAY_TEXT: usize = 2_000;
/// The longest scene, in seconds.
const LONGEST_DURATION: f64 = 3_600.0;
/// How long a scene is when nobody says, in seconds.
const DEFAULT_DURATION: f64 = 5.0;

/// What is said of a scene; what is absent stays, or is empty in a new one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::videos) struct SceneFields {
    pub(in crate::videos) script: Option<String>,
    pub(in crate::videos) display_text: Option<String>,
    /// In seconds.
    pub(in crate::videos) duration: Option<f64>,
}

impl SceneFields {
    /// Reads the fields of a new scene.
    pub(super) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let script = fields.optional("script", script);
        let display_text = fields.optional("displayText", display_text);
        let duration = fields.optional("duration", duration);
        Some(Self { script: script?, display_text: display_text?, duration: duration? })
    }

    /// Reads a change: null is a fault.
    pub(super) fn read_changes(fields: &mut Fields<'_>) -> Option<Self> {
        let script = fields.change("script", script);
        let display_text = fields.change("displayText", display_text);
        let duration = fields.change("duration", duration);
        Some(Self { script: script?, display_text: display_text?, duration: duration? })
    }

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

/// One of all scenes that a caller gives a video.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::videos) struct GivenScene {
    /// Where it stands in the request's array.
    index: usize,
    /// The scene of the video that it was.
    id: Option<String>,
    fields: SceneFields,
}

/// All scenes of a video. Sequences tell the order where they are given, else the array does.
pub(in crate::videos) fn scenes(value: &Value, at: &mut At<'_>) -> Option<Vec<GivenScene>> {
    let given = list(0..=MOST_SCENES, |scene, at| read(&mut at.object(scene)?))(value, at);
    let has_identities = check_identities(value, at);
    let given = given.filter(|_| has_identities)?;
    let indexed = given.into_iter().enumerate();
    let indexed = indexed.map(|(index, (sequence, given))| (sequence, GivenScene { index, ..given }));
    Some(in_order(indexed.collect()).map(|(_, given)| given).collect())
}

fn read(fields: &mut Fields<'_>) -> Option<(Option<i64>, GivenScene)> {
    let id = fields.optional("id", any_text);
    let sequence = fields.optional("sequence", sequence);
    let given = SceneFields::read(fields);
    Some((sequence?, GivenScene { index: 0, id: id?, fields: given? }))
}

/// The scenes of a new video. Ids that they had elsewhere are not theirs any more.
pub(in crate::videos) fn made(given: &[GivenScene], ambient: &Ambient) -> Vec<Scene> {
    (1..).zip(given).map(|(sequence, given)| given.fields.scene(ambient.id(), sequence)).collect()
}

/// The scenes of a video after a change of all of them: what names one of the video's scenes is that scene, with what
/// is absent as it was.
///
/// # Errors
/// 400 for every id that is none of the video's scenes.
pub(in crate::videos) fn replaced(
    present: &[Scene],
    given: &[GivenScene],
    ambient: &Ambient,
) -> Result<Vec<Scene>, Problem> {
    let present: HashMap<SceneId, &Scene> = present.iter().map(|scene| (scene.id, scene)).collect();
    let mut faults = Vec::new();
    let mut scenes = Vec::with_capacity(given.len());
    for (sequence, given) in (1..).zip(given) {
        let known = given.id.as_deref().map(|id| id.parse().ok().and_then(|id: SceneId| present.get(&id)));
        match known {
            None => scenes.push(given.fields.scene(ambient.id(), sequence)),
            Some(Some(scene)) => scenes.push(Scene { sequence, ..given.fields.applied(scene) }),
            Some(None) => {
                let path = format!("scenes[{}].id", given.index);
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

fn script(value: &Value, at: &mut At<'_>) -> Option<String> {
    text(0..=LONGEST_SCRIPT)(value, at)
}

fn display_text(value: &Value, at: &mut At<'_>) -> Option<String> {
    text(0..=LONGEST_DISPLAY_TEXT)(value, at)
}

fn duration(value: &Value, at: &mut At<'_>) -> Option<f64> {
    positive(LONGEST_DURATION)(value, at)
}
