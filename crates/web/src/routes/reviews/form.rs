//! The form of the review page: every scene's fields in the order in which the page shows them, and the button that was pressed.

use content::videos::Scene;
use content::videos::part_drafts::{DraftedScene, MOST_EARLIER, SceneTextDraft};
use content::videos::renderings::Resolution;
use content::videos::renderings::request::Settings;
use content::videos::scenes::MOST_SCENES;
use kernel::id::SceneId;
use platform::videos::VideoReview;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::pages::review::{SceneFields, ScenePicture, SceneVersions, Shown};

/// A form that was sent.
#[derive(Debug)]
pub(super) struct ReviewForm {
    /// The version of the video that the page showed.
    pub(super) version: i64,
    pub(super) act: Act,
    title: String,
    description: String,
    scenes: Vec<SceneForm>,
}

/// The action of the button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Save,
    /// One place towards the beginning.
    Up(String),
    /// One place towards the end.
    Down(String),
    Remove(String),
    /// Behind this scene; at the beginning where there is none of the id.
    AddBehind(String),
    /// Another version of this scene takes its place in the form. Nothing is saved.
    Redraft(String),
    /// The version before takes the place of the present one in the form. Nothing is saved.
    Restore(String),
    Render(Settings),
    Cancel,
}

/// The fields of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
struct SceneForm {
    /// The scene's name within the form: the id of a stored scene, or something else for a new one.
    key: String,
    words: SceneWords,
    versions: SceneVersions,
}

/// The words of a scene and its seconds, as they were typed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct SceneWords {
    script: String,
    display_text: String,
    duration: String,
}

impl ReviewForm {
    /// Fields belong to the scene whose id came last before them. What is missing is as if it were empty.
    pub(super) fn of(fields: Vec<(String, String)>) -> Self {
        let mut form =
            Self { version: 0, act: Act::Save, title: String::new(), description: String::new(), scenes: Vec::new() };
        let (mut act, mut resolution, mut burns_captions) = ("save".to_owned(), Resolution::Hd, false);
        for (name, value) in fields {
            // Browsers send line ends as CR LF.
            let value = value.replace("\r\n", "\n");
            match (name.as_str(), form.scenes.last_mut()) {
                ("version", _) => form.version = value.parse().unwrap_or(0),
                ("title", _) => form.title = value,
                ("description", _) => form.description = value,
                ("do", _) => act = value,
                ("resolution", _) => resolution = Resolution::from_word(&value).unwrap_or(resolution),
                ("burn-captions", _) => burns_captions = true,
                ("scene", _) => form.scenes.push(SceneForm { key: value, ..SceneForm::default() }),
                ("script", Some(scene)) => scene.words.script = value,
                ("display-text", Some(scene)) => scene.words.display_text = value,
                ("duration", Some(scene)) => scene.words.duration = value,
                ("earlier", Some(scene)) => scene.versions.earlier.push(value),
                ("instruction", Some(scene)) => scene.versions.instruction = value,
                _ => {}
            }
        }
        form.act = Act::of(&act, Settings { resolution, burns_captions });
        form
    }

    /// The places of the scenes in the order that the form asks for; `None` is a new scene.
    fn arranged(&self) -> Vec<Option<usize>> {
        let mut scenes: Vec<Option<usize>> = (0..self.scenes.len()).map(Some).collect();
        match &self.act {
            Act::Up(id) => {
                if let Some(at) = self.place(id).filter(|at| *at > 0) {
                    scenes.swap(at, at - 1);
                }
            }
            Act::Down(id) => {
                if let Some(at) = self.place(id).filter(|at| at + 1 < scenes.len()) {
                    scenes.swap(at, at + 1);
                }
            }
            Act::Remove(key) => scenes.retain(|at| at.is_none_or(|at| self.scenes[at].key != *key)),
            Act::AddBehind(id) => scenes.insert(self.place(id).map_or(0, |at| at + 1), None),
            Act::Save | Act::Redraft(_) | Act::Restore(_) | Act::Render(_) | Act::Cancel => {}
        }
        scenes
    }

    /// The place of a scene.
    pub(super) fn place(&self, key: &str) -> Option<usize> {
        self.scenes.iter().position(|scene| scene.key == key)
    }

    /// Whether it is as large as the page's own forms can be.
    pub(super) fn is_of_a_video(&self) -> bool {
        let has_few = |scene: &SceneForm| scene.versions.earlier.len() <= MOST_EARLIER;
        self.scenes.len() <= MOST_SCENES && self.scenes.iter().all(has_few)
    }

    /// The request for another version of the scene at a place.
    pub(super) fn draft_request(&self, at: usize) -> Value {
        let SceneVersions { earlier, instruction, .. } = &self.scenes[at].versions;
        let earlier = earlier.iter().map(|version| json!({ "script": SceneWords::of(version).script }));
        json!({
            "place": at,
            "scenes": self.scenes.iter().map(|scene| json!({ "script": scene.words.script })).collect::<Value>(),
            "earlierScenes": earlier.collect::<Value>(),
            "instruction": instruction,
        })
    }

    /// Another version takes the place of the scene at a place.
    pub(super) fn redraft(&mut self, at: usize, drafted: DraftedScene) {
        let SceneTextDraft { script, display_text, duration } = drafted.scene;
        let SceneForm { words, versions, .. } = &mut self.scenes[at];
        let before = std::mem::replace(words, SceneWords { script, display_text, duration: duration.to_string() });
        versions.earlier.push(before.to_json());
        let surplus = versions.earlier.len().saturating_sub(MOST_EARLIER);
        versions.earlier.drain(..surplus);
        versions.is_instruction_ignored = drafted.credit.instruction_ignored;
    }

    /// The scene at a place has no other version.
    pub(super) fn keep(&mut self, at: usize, reason: String) {
        self.scenes[at].versions.fault = Some(reason);
    }

    /// The version before takes the place of the present one, which becomes the first of the earlier ones: whoever goes on sees
    /// each of them again.
    pub(super) fn restore(&mut self, id: &str) {
        let Some(at) = self.place(id) else { return };
        let SceneForm { words, versions, .. } = &mut self.scenes[at];
        if let Some(earlier) = versions.earlier.pop() {
            let present = std::mem::replace(words, SceneWords::of(&earlier));
            versions.earlier.insert(0, present.to_json());
        }
    }

    /// The change of the video that the form asks for.
    pub(super) fn change(&self) -> Value {
        let change =
            |at: Option<usize>| at.map_or_else(|| SceneForm::default().change(), |at| self.scenes[at].change());
        let scenes: Vec<Value> = self.arranged().into_iter().map(change).collect();
        json!({ "title": self.title, "description": self.description, "scenes": scenes })
    }

    /// The number that the page showed for a scene of [`ReviewForm::change`].
    pub(super) fn number_of(&self, index: usize) -> Option<usize> {
        let at = self.arranged().into_iter().nth(index)??;
        Some(at + 1)
    }

    /// The stored video with the words of the form, which were not saved. The next save is one of the version that the form was
    /// made of, unless its reader is told of the stored one: then scenes that are gone become new ones.
    pub(super) fn over(&self, stored: VideoReview, tells_of_stored: bool) -> Shown {
        // A picture shows the video's title and the scene's number among all, too.
        let has_same_frame = stored.title == self.title && stored.scenes.len() == self.scenes.len();
        let scenes = self.scenes.iter().enumerate().map(|(at, scene)| {
            let SceneForm { key, words, mut versions } = scene.clone();
            let place = stored.scenes.iter().position(|known| known.id.to_string() == key);
            let known = place.map(|place| &stored.scenes[place]);
            let is_shown = |known: &Scene| known.display_text == words.display_text && place == Some(at);
            let picture = match known {
                Some(known) if has_same_frame && is_shown(known) => ScenePicture::Current,
                Some(_) => ScenePicture::Outdated,
                None => ScenePicture::None,
            };
            versions.is_unsaved = !versions.earlier.is_empty() && known.is_none_or(|known| !words.are_of(known));
            let becomes_new = key.is_empty() || known.is_none() && tells_of_stored;
            let key = if becomes_new { format!("new-{at}") } else { key };
            let SceneWords { script, display_text, duration } = words;
            SceneFields { key, script, display_text, duration, picture, versions }
        });
        let scenes = scenes.collect();
        let version = if tells_of_stored { stored.version } else { self.version };
        let (title, description) = (self.title.clone(), self.description.clone());
        Shown { review: VideoReview { title, description, version, ..stored }, scenes, is_saved: false }
    }
}

impl Act {
    fn of(text: &str, settings: Settings) -> Self {
        match text.split_once(':').unwrap_or((text, "")) {
            ("up", id) => Self::Up(id.to_owned()),
            ("down", id) => Self::Down(id.to_owned()),
            ("remove", id) => Self::Remove(id.to_owned()),
            ("add", id) => Self::AddBehind(id.to_owned()),
            ("redraft", id) => Self::Redraft(id.to_owned()),
            ("restore", id) => Self::Restore(id.to_owned()),
            ("render", _) => Self::Render(settings),
            ("cancel", _) => Self::Cancel,
            _ => Self::Save,
        }
    }

    /// Where the page is to be shown after it, as the end of its address: at the scene that it was about.
    pub(super) fn fragment(&self, review: &VideoReview) -> String {
        let shown = |at: usize| review.scenes.get(at).map(|scene| format!("#scene-{}", scene.id)).unwrap_or_default();
        let place = |id: &String| review.scenes.iter().position(|scene| scene.id.to_string() == *id);
        match self {
            Self::Up(id) | Self::Down(id) => place(id).map(shown).unwrap_or_default(),
            Self::AddBehind(id) => shown(place(id).map_or(0, |at| at + 1)),
            Self::Save | Self::Remove(_) | Self::Redraft(_) | Self::Restore(_) | Self::Render(_) | Self::Cancel => {
                String::new()
            }
        }
    }
}

impl SceneWords {
    /// A version that the form carries; empty where it was tampered with.
    fn of(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// Whether a stored scene has the same.
    fn are_of(&self, scene: &Scene) -> bool {
        let texts = (self.script.as_str(), self.display_text.as_str());
        texts == (scene.script.as_str(), scene.display_text.as_str()) && self.seconds() == Some(scene.duration)
    }

    fn to_json(&self) -> String {
        json!(self).to_string()
    }

    /// The duration, written with a point or a comma.
    fn seconds(&self) -> Option<f64> {
        self.duration.trim().replace(',', ".").parse().ok().filter(|seconds: &f64| seconds.is_finite())
    }
}

impl SceneForm {
    fn change(&self) -> Value {
        let words = &self.words;
        let mut change = json!({ "script": words.script, "displayText": words.display_text });
        if self.key.parse::<SceneId>().is_ok() {
            change["id"] = json!(self.key);
        }
        if !words.duration.trim().is_empty() {
            // What is no number is refused by its name, as any other value that is none.
            change["duration"] = words.seconds().map_or_else(|| json!(words.duration), |seconds| json!(seconds));
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "01a1ff30-5255-70d8-ba65-e32cced178fa";
    const B: &str = "01a1ff30-5255-70d8-ba65-e32cced178fb";
    const NEW: &str = "new-2";

    /// A form with two stored scenes and a new one, and a button of one of them.
    fn form(act: &str, more: &[(&str, &str)]) -> ReviewForm {
        let scenes = [(A, "One.", "2"), (B, "Two.", "5"), (NEW, "Three.", "")];
        let scenes = scenes.iter().flat_map(|(key, script, duration)| {
            [("scene", *key), ("script", *script), ("display-text", "x"), ("duration", *duration)]
        });
        let fields = [("version", "3"), ("title", "Cells"), ("description", ""), ("do", act)].into_iter().chain(scenes);
        let fields = fields.chain(more.iter().copied());
        ReviewForm::of(fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// The ids of the scenes in their order, and the scripts of those that have none.
    fn order(act: &str) -> Vec<String> {
        let change = form(act, &[]).change();
        let text = |scene: &Value| scene["id"].as_str().or(scene["script"].as_str()).unwrap().to_owned();
        change["scenes"].as_array().unwrap().iter().map(text).collect()
    }

    #[test]
    fn buttons_move_add_and_remove_scenes() {
        let new = "Three.";
        for (button, scene, expected) in [
            ("save", "", [A, B, new].as_slice()),
            ("up", B, &[B, A, new]),
            ("up", A, &[A, B, new]),
            ("down", B, &[A, new, B]),
            ("down", NEW, &[A, B, new]),
            ("remove", B, &[A, new]),
            ("remove", NEW, &[A, B]),
            ("remove", "x", &[A, B, new]),
            ("add", B, &[A, B, "", new]),
            ("add", "", &["", A, B, new]),
            ("nonsense", A, &[A, B, new]),
        ] {
            assert_eq!(order(&format!("{button}:{scene}")), expected, "{button} {scene}");
        }
    }

    #[test]
    fn words_are_saved_whatever_the_button() {
        let change = form(&format!("up:{B}"), &[]).change();
        assert_eq!(change["scenes"][0], json!({ "id": B, "script": "Two.", "displayText": "x", "duration": 5.0 }));
        assert_eq!(change["scenes"][2], json!({ "script": "Three.", "displayText": "x" }));
    }

    #[test]
    fn the_render_button_takes_its_settings_along() {
        let asked = form("render", &[("resolution", "1080p"), ("burn-captions", "on")]).act;
        assert_eq!(asked, Act::Render(Settings { resolution: Resolution::FullHd, burns_captions: true }));
        let usual = form("render", &[("resolution", "8k")]).act;
        assert_eq!(usual, Act::Render(Settings { resolution: Resolution::Hd, burns_captions: false }));
    }

    #[test]
    fn seconds_have_a_point_or_a_comma_and_what_is_no_number_is_left_to_the_operation_to_refuse() {
        let seconds = |text: &str| {
            let form = ReviewForm::of(vec![("scene".into(), "a".into()), ("duration".into(), text.into())]);
            form.change()["scenes"][0]["duration"].clone()
        };
        assert_eq!([seconds("0,5"), seconds(" 1.5 ")], [json!(0.5), json!(1.5)]);
        assert_eq!([seconds("long"), seconds("NaN"), seconds("inf")], [json!("long"), json!("NaN"), json!("inf")]);
    }
}
