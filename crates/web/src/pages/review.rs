//! The page where a video is edited and rendered. Its own words are English, as those of everything for administrators.

use std::collections::{HashMap, HashSet};

use askama::Template;
use content::resources::Status;
use content::videos::renderings::{RenderStatus, Resolution};
use platform::videos::{RenderedFile, VideoReview};

use super::shell::{Access, Attributes, Shell, Site, Stage};

/// What the page says besides the video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The form was saved.
    Saved,
    /// Somebody else saved the video meanwhile.
    ChangedMeanwhile,
    /// The form has these faults.
    Invalid(Vec<String>),
    /// It was not carried out for this reason.
    Refused(String),
    /// It was saved, and what was asked for besides was not done for this reason.
    SavedOnly(String),
}

/// A video as the page shows it: as it is stored, or with the words of a form that was not saved.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) review: VideoReview,
    /// The ids of scenes that somebody removed meanwhile.
    pub(crate) gone: HashSet<String>,
    /// The other versions of scenes, by the scenes' ids.
    pub(crate) versions: HashMap<String, SceneVersions>,
    pub(crate) is_saved: bool,
}

impl Shown {
    /// The video as it is stored.
    pub(crate) fn stored(review: VideoReview) -> Self {
        Self { review, gone: HashSet::new(), versions: HashMap::new(), is_saved: true }
    }
}

/// The versions of a scene, of which none but the present one is saved with the form.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SceneVersions {
    /// The versions that were shown before, as JSON, the last one at the end.
    pub(crate) earlier: Vec<String>,
    /// The reviewer's wish for the next version.
    pub(crate) instruction: String,
    /// The reason why there is no other version.
    pub(crate) fault: Option<String>,
    pub(crate) is_instruction_ignored: bool,
}

/// A scene as a form.
#[derive(Clone, Debug)]
pub(crate) struct SceneFields {
    id: String,
    /// Whether somebody removed it meanwhile: then it would be a new one.
    is_gone: bool,
    number: usize,
    script: String,
    display_text: String,
    duration: f64,
    is_first: bool,
    is_last: bool,
    versions: SceneVersions,
}

#[derive(Template)]
#[template(path = "review.html")]
pub(crate) struct ReviewPage {
    shell: Shell,
    /// The address of the page.
    address: String,
    /// The address of what the page shows, as JSON.
    state: String,
    title: String,
    description: String,
    version: i64,
    scenes: Vec<SceneFields>,
    /// Minutes and seconds.
    length: String,
    can_be_edited: bool,
    status: RenderStatus,
    /// Of the rendering that was asked for last: scenes that are rendered, and all.
    progress: Option<(u32, u32)>,
    failure: Option<String>,
    settings: (Resolution, bool),
    file: Option<RenderedFile>,
    notice: Option<Notice>,
    /// Whether the form has words that are stored nowhere.
    is_unsaved: bool,
    language: String,
}

impl ReviewPage {
    pub(crate) fn new(site: &Site, shown: Shown, (address, state): (String, String), notice: Option<Notice>) -> Self {
        let Shown { review, gone, mut versions, is_saved } = shown;
        let (count, seconds) = (review.scenes.len(), review.scenes.iter().map(|scene| scene.duration).sum::<f64>());
        let scenes = (1..).zip(review.scenes).map(|(number, scene)| SceneFields {
            is_gone: gone.contains(&scene.id.to_string()),
            id: scene.id.to_string(),
            number,
            script: scene.script,
            display_text: scene.display_text,
            duration: scene.duration,
            is_first: number == 1,
            is_last: number == count,
            versions: versions.remove(&scene.id.to_string()).unwrap_or_default(),
        });
        let rendering = review.rendering;
        let settings = rendering.rendering.as_ref().map(|asked| (asked.resolution, asked.burn_captions));
        Self {
            shell: Shell::new(site, "en", Access::Launch, Stage::Whole),
            address,
            state,
            title: review.title,
            description: review.description,
            version: review.version,
            scenes: scenes.collect(),
            length: clock(seconds),
            can_be_edited: !matches!(review.status, Status::Queued | Status::Processing),
            status: rendering.render_status,
            progress: rendering.rendering.as_ref().map(|asked| (asked.scenes_done, asked.scenes)),
            failure: rendering.error.map(|failure| failure.message),
            settings: settings.unwrap_or((Resolution::Hd, false)),
            file: rendering.file,
            notice,
            is_unsaved: !is_saved,
            language: review.language,
        }
    }

    fn is_under_way(&self) -> bool {
        matches!(self.status, RenderStatus::Queued | RenderStatus::Rendering)
    }

    /// How far the rendering is, as a sentence.
    fn status_text(&self) -> String {
        match (self.status, self.progress) {
            (RenderStatus::Idle, _) => "Not rendered yet.".to_owned(),
            (RenderStatus::Queued, _) => "Waiting for its turn.".to_owned(),
            (RenderStatus::Rendering, Some((done, all))) => format!("Rendering: {done} of {all} scenes are done."),
            (RenderStatus::Rendering, None) => "Rendering.".to_owned(),
            (RenderStatus::Completed, _) => match &self.file {
                Some(file) if file.is_outdated => "Rendered before the last changes.".to_owned(),
                _ => "Rendered.".to_owned(),
            },
            (RenderStatus::Failed, _) => "Rendering failed.".to_owned(),
        }
    }

    /// The attributes of a field that holds the video's own words.
    fn own(&self) -> Attributes {
        Shell::new(&self.shell.site, &self.language, Access::Launch, Stage::Whole).foreign_to("en")
    }

    fn is_large(&self) -> bool {
        self.settings.0 == Resolution::FullHd
    }

    fn burns_captions(&self) -> bool {
        self.settings.1
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what fits")]
fn clock(seconds: f64) -> String {
    let whole = seconds.round().clamp(0.0, 1e7) as u64;
    format!("{}:{:02}", whole / 60, whole % 60)
}

/// Megabytes with one decimal.
#[expect(clippy::cast_precision_loss, reason = "sizes of files")]
fn megabytes(bytes: &i64) -> String {
    format!("{:.1} MB", *bytes as f64 / 1e6)
}
