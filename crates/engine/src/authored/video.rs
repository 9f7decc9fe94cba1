//! The video: an outline, then the scenes of its parts at once.
//!
//! A model writes what is said and shown. How long a scene takes is computed here from what is said.

use language::normal::{normal, shorten};
use language::{profile, sentences};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::Brief;
use super::desk::{Assignment, Desk};
use super::ground::Ground;
use super::items::{excerpt_faults, given_of};
use super::outline::{self, Product};
use super::prompt;
use super::sources::Shown;
use super::wording::{self, line};
use crate::builtin::speech::Voice;
use crate::drafts::{Citation, SceneDraft, VideoDraft};
use crate::generator::GenerationError;

/// Most parts, and about how much each is told from, in words.
const MOST_PARTS: usize = 12;
const WORDS: usize = 300;
/// Most scenes of a part, and characters of what is said in one.
const SCENES: usize = 5;
const SCRIPT: usize = 900;
/// Longest text on a scene, in words and characters.
const DISPLAY: (usize, usize) = (12, 80);
/// Longest scene, in seconds; what takes longer is told in two.
const LONGEST: f64 = 45.0;

const INSTRUCTIONS: &str = "\
Your part of the work is some scenes of a video: what a narrator says, and the few words on the screen meanwhile.

- `scenes`: 1 to 5. `script`: 2 to 5 complete sentences to be spoken, 20 to 80 words; numbers and signs as they are read out; \
no stage directions, no addresses. `display`: at most 8 words that name what is told. `excerpts`: what the scene is told from.
- The scenes follow one another and those of the other parts: no greeting and no farewell unless the task asks for it.";

/// Scenes to be written.
pub(super) struct Telling<'a> {
    brief: Brief<'a>,
    is_first: bool,
    is_last: bool,
}

/// Scenes as a model writes them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chapter {
    pub(super) scenes: Vec<Scene>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scene {
    pub(super) script: String,
    pub(super) display: String,
    excerpts: Vec<u32>,
}

pub(super) async fn draft(desk: &Desk<'_>, ground: &Ground) -> Result<VideoDraft, GenerationError> {
    let sources = desk.sources;
    let most = (sources.words() / WORDS + 2).min(MOST_PARTS);
    let outline = outline::plan(desk, ground, Product::Video, most).await?;
    let parts = outline::parts(sources, &outline.parts, most);
    let plan: Vec<String> = parts.iter().map(|part| part.heading.clone()).collect();
    let characters = desk.limits.part_characters;
    let telling = |(at, part)| Telling {
        brief: Brief::new((sources, ground), part, &plan, characters),
        is_first: at == 0,
        is_last: at + 1 == parts.len(),
    };
    let telling: Vec<Telling<'_>> = desk.compute(|| parts.iter().enumerate().map(telling).collect());
    let chapters = desk.all(&telling).await?;
    let (mut scenes, mut citations) = (Vec::new(), Vec::new());
    let voice = Voice::of(&sources.language);
    for scene in chapters.into_iter().flat_map(|chapter| chapter.scenes) {
        for script in scripts(&scene.script, &voice) {
            let pointers = sources.pointers(&scene.excerpts);
            citations.push(Citation::new("scenes", scenes.len(), pointers));
            let duration_seconds = voice.duration(&script);
            scenes.push(SceneDraft { script, display_text: displayed(&scene.display), duration_seconds });
        }
    }
    let seconds: f64 = scenes.iter().map(|scene| scene.duration_seconds).sum();
    Ok(VideoDraft {
        title: outline.title,
        description: outline.description,
        language: sources.language.clone(),
        aspect_ratio: "16:9".to_owned(),
        target_duration_seconds: seconds.round() as u32,
        scenes,
        citations,
    })
}

/// What a narrator says, in scenes that are not too long.
pub(super) fn scripts(script: &str, voice: &Voice) -> Vec<String> {
    let profile = profile::of(voice.tag());
    // A sentence that can't be spoken is left out; the others stand without it.
    let said: Vec<String> = sentences::split(script, profile).into_iter().filter_map(|part| voice.say(part)).collect();
    let script = sentences::joined(said.iter().map(String::as_str));
    voice.split(&script, LONGEST).into_iter().filter(|part| !part.is_empty()).collect()
}

/// Nothing on the screen may look like markup.
pub(super) fn displayed(text: &str) -> String {
    let plain: String = text.chars().filter(|character| !matches!(character, '<' | '>')).collect();
    shorten(&line(&plain), DISPLAY.0, DISPLAY.1 - 1)
}

impl<'a> Telling<'a> {
    /// Scenes in the midst of a video.
    pub(super) fn amid(brief: Brief<'a>) -> Self {
        Self { brief, is_first: false, is_last: false }
    }
}

impl Telling<'_> {
    fn scene_faults(&self, scene: &Scene) -> Vec<String> {
        let mut faults: Vec<String> = excerpt_faults(&scene.excerpts, self.brief.given()).into_iter().collect();
        faults.extend(wording::length("`script`", &scene.script, SCRIPT));
        faults.extend(wording::length("`display`", &scene.display, DISPLAY.1));
        if scripts(&scene.script, &Voice::of(&self.brief.sources.language)).is_empty()
            || displayed(&scene.display).is_empty()
        {
            faults.push("a scene has nothing to say or to show".to_owned());
        }
        faults.extend(self.brief.ground.inventions(&scene.script));
        faults.extend(self.brief.ground.inventions_in_heading(&scene.display));
        faults
    }
}

impl Assignment for Telling<'_> {
    type Piece = Chapter;
    const MOST_TOKENS: u32 = 4_000;

    fn name(&self) -> &'static str {
        "scenes"
    }

    fn instructions(&self) -> String {
        INSTRUCTIONS.to_owned()
    }

    fn schema(&self) -> Value {
        let scene = prompt::object(json!({
            "script": prompt::text("What the narrator says."),
            "display": prompt::text("The words on the screen."),
            "excerpts": prompt::numbers(),
        }));
        prompt::object(json!({ "scenes": prompt::list(scene) }))
    }

    fn material(&self) -> &Shown {
        &self.brief.shown
    }

    fn shorter(&self) -> Self {
        Self { brief: self.brief.shorter(), ..*self }
    }

    fn task(&self) -> String {
        let mut task =
            "Write the scenes of the part that `part` names; `plan` lists the headings of all parts.".to_owned();
        if self.is_first {
            task.push_str(" The part is the first: its first scene says in a sentence what the video is about.");
        }
        if self.is_last {
            task.push_str(" The part is the last: its last scene ends with what to keep in mind.");
        }
        task
    }

    fn data(&self) -> Value {
        self.brief.data("part")
    }

    fn fitted(&self, chapter: Chapter) -> Chapter {
        let scene = |scene: Scene| Scene {
            script: line(&scene.script),
            display: line(&scene.display),
            excerpts: scene.excerpts,
        };
        Chapter { scenes: chapter.scenes.into_iter().map(scene).collect() }
    }

    fn texts(&self, chapter: &Chapter) -> Vec<String> {
        let said: Vec<&str> = chapter.scenes.iter().map(|scene| scene.script.as_str()).collect();
        vec![said.join(" ")]
    }

    fn faults(&self, chapter: &Chapter) -> Vec<String> {
        let mut faults = Vec::new();
        faults.extend(wording::entries("`scenes`", chapter.scenes.len(), SCENES));
        for (at, scene) in chapter.scenes.iter().enumerate().take(SCENES) {
            faults.extend(self.scene_faults(scene).into_iter().map(|fault| format!("scenes[{at}]: {fault}")));
        }
        faults.extend(outline::repeated("the script", chapter.scenes.iter().map(|scene| scene.script.as_str())));
        faults
    }

    fn mended(&self, chapter: Chapter) -> Option<(Chapter, usize)> {
        let mut dropped = 0;
        let mut seen = std::collections::HashSet::new();
        let mut mend = |mut scene: Scene| {
            let (script, sentences) = self.brief.ground.without_inventions(&scene.script);
            dropped += sentences;
            scene.script = script;
            scene.excerpts = given_of(scene.excerpts, self.brief.given());
            if !self.brief.ground.inventions_in_heading(&scene.display).is_empty()
                || wording::length("", &scene.display, DISPLAY.1).is_some()
            {
                scene.display = shorten(self.brief.heading(), DISPLAY.0, DISPLAY.1 - 1);
            }
            let sound = self.scene_faults(&scene).is_empty() && seen.insert(normal(&scene.script));
            dropped += usize::from(!sound);
            sound.then_some(scene)
        };
        let scenes: Vec<Scene> = chapter.scenes.into_iter().take(SCENES).filter_map(&mut mend).collect();
        (!scenes.is_empty()).then_some((Chapter { scenes }, dropped))
    }
}
