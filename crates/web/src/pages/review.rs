//! The page where a video is edited and rendered. Its own words are English, as those of everything for administrators.

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
    /// In playing order.
    pub(crate) scenes: Vec<SceneFields>,
    pub(crate) is_saved: bool,
}

/// A scene as a form.
#[derive(Clone, Debug)]
pub(crate) struct SceneFields {
    /// The scene's name within the form: its id, or `new-` and a number where no scene of the id is stored.
    pub(crate) key: String,
    pub(crate) script: String,
    pub(crate) display_text: String,
    /// Seconds, as they were typed.
    pub(crate) duration: String,
    pub(crate) picture: ScenePicture,
    pub(crate) versions: SceneVersions,
}

/// The relation of a scene's picture, which shows what is stored, to the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScenePicture {
    /// It shows the words of the form.
    Current,
    /// It shows other words.
    Outdated,
    /// The scene is not stored.
    None,
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
    /// Whether the present version is another one than the stored one.
    pub(crate) is_unsaved: bool,
}

impl Shown {
    /// The video as it is stored.
    pub(crate) fn stored(review: VideoReview) -> Self {
        let scenes = review.scenes.iter().map(|scene| SceneFields {
            key: scene.id.to_string(),
            script: scene.script.clone(),
            display_text: scene.display_text.clone(),
            duration: scene.duration.to_string(),
            picture: ScenePicture::Current,
            versions: SceneVersions::default(),
        });
        Self { scenes: scenes.collect(), review, is_saved: true }
    }
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
    /// Width and height of the scenes' pictures, in pixels.
    picture_size: (u32, u32),
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
        let Shown { review, scenes, is_saved } = shown;
        let seconds: f64 = review.scenes.iter().map(|scene| scene.duration).sum();
        let rendering = review.rendering;
        let settings = rendering.rendering.as_ref().map(|asked| (asked.resolution, asked.burn_captions));
        Self {
            shell: Shell::new(site, "en", Access::Launch, Stage::Whole),
            address,
            state,
            title: review.title,
            description: review.description,
            version: review.version,
            scenes,
            picture_size: picture_size(&review.aspect_ratio),
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

/// Width and height of a picture with this aspect ratio, as `getScenePicture` draws it.
fn picture_size(aspect_ratio: &str) -> (u32, u32) {
    const SHORTER_SIDE: u32 = 360;
    let sides =
        aspect_ratio.split_once(':').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let (width, height): (u32, u32) = sides.filter(|(width, height)| *width > 0 && *height > 0).unwrap_or((16, 9));
    let longer_side = SHORTER_SIDE * width.max(height).min(2 * width.min(height)) / width.min(height);
    if width >= height { (longer_side, SHORTER_SIDE) } else { (SHORTER_SIDE, longer_side) }
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
