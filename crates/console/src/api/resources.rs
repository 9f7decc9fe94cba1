//! A resource of a classroom with everything that can be edited.

use serde::Deserialize;

/// A course, module, slide deck, test or video.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct StoredResource {
    pub(crate) is_public: bool,
    pub(crate) visibility: String,
    pub(crate) content: String,
    /// The items of a module.
    pub(crate) quizzes: Vec<StoredItem>,
    /// The items of a test.
    pub(crate) items: Vec<StoredItem>,
    /// The modules of a course.
    pub(crate) contents: Vec<CourseEntry>,
    /// The scenes of a video.
    pub(crate) scenes: Vec<StoredScene>,
}

/// A question of a module or a test.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct StoredItem {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) item_type: String,
    pub(crate) title: String,
    pub(crate) question: String,
    pub(crate) options: Vec<String>,
    pub(crate) correct_answers: Vec<String>,
    pub(crate) explanation: String,
    pub(crate) score: f64,
    pub(crate) show_feedback: bool,
}

/// A drafted part of a resource: the member that was asked for, and who made it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DraftedPart {
    pub(crate) item: Option<StoredItem>,
    pub(crate) quiz: Option<StoredItem>,
    pub(crate) section: Option<String>,
    pub(crate) slide: Option<String>,
    pub(crate) instruction_ignored: bool,
}

/// A module of a course.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CourseEntry {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) status: String,
}

/// A scene of a video.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct StoredScene {
    pub(crate) display_text: String,
    pub(crate) script: String,
    /// In seconds.
    pub(crate) duration: f64,
}
