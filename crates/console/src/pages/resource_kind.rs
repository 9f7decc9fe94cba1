//! The kinds of resources: their names, their operations, and what of them can be edited.

use crate::owner::Ids;
use crate::problem::ApiProblem;

/// What the items of a kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Items {
    /// The quiz items of a module.
    Quizzes,
    /// The items of a test.
    Test,
}

/// A kind of resource.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Its folder in addresses.
    pub(crate) folder: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) singular: &'static str,
    /// The operations, by their ids in the API document.
    pub(crate) list: &'static str,
    pub(crate) get: &'static str,
    pub(crate) update: &'static str,
    pub(crate) delete: &'static str,
    /// The operation that tries a failed generation again. An expansion's are tried again with their job.
    pub(crate) retry: Option<&'static str>,
    /// The operation that drafts another version of one part, where the editor shows parts.
    pub(crate) draft_part: Option<&'static str>,
    /// Whether there is a content: HTML or Markdown.
    pub(crate) has_content: bool,
    pub(crate) items: Option<Items>,
}

const KINDS: [Kind; 5] = [
    Kind {
        folder: "courses",
        plural: "Courses",
        singular: "course",
        list: "listCourses",
        get: "getCourse",
        update: "updateCourse",
        delete: "deleteCourse",
        retry: Some("retryCourse"),
        draft_part: None,
        has_content: false,
        items: None,
    },
    Kind {
        folder: "modules",
        plural: "Modules",
        singular: "module",
        list: "listModules",
        get: "getModule",
        update: "updateModule",
        delete: "deleteModule",
        retry: None,
        draft_part: Some("draftModulePart"),
        has_content: true,
        items: Some(Items::Quizzes),
    },
    Kind {
        folder: "slides",
        plural: "Slides",
        singular: "slide deck",
        list: "listSlides",
        get: "getSlide",
        update: "updateSlide",
        delete: "deleteSlide",
        retry: Some("retrySlide"),
        draft_part: Some("draftSlide"),
        has_content: true,
        items: None,
    },
    Kind {
        folder: "tests",
        plural: "Tests",
        singular: "test",
        list: "listTests",
        get: "getTest",
        update: "updateTest",
        delete: "deleteTest",
        retry: Some("retryTest"),
        draft_part: Some("draftTestItem"),
        has_content: false,
        items: Some(Items::Test),
    },
    Kind {
        folder: "videos",
        plural: "Videos",
        singular: "video",
        list: "listVideos",
        get: "getVideo",
        update: "updateVideo",
        delete: "deleteVideo",
        retry: Some("retryVideo"),
        draft_part: None,
        has_content: false,
        items: None,
    },
];

impl Kind {
    pub(crate) fn all() -> &'static [Self] {
        &KINDS
    }

    /// The kind that a page's path names.
    pub(crate) fn of(ids: &Ids) -> Result<&'static Self, ApiProblem> {
        KINDS.iter().find(|kind| kind.folder == ids.get("kind")).ok_or_else(ApiProblem::not_found)
    }

    pub(crate) fn is_video(&self) -> bool {
        self.folder == "videos"
    }

    pub(crate) fn is_course(&self) -> bool {
        self.folder == "courses"
    }

    /// The member that holds what the resource is called.
    pub(crate) fn title_member(&self) -> &'static str {
        if self.items == Some(Items::Test) { "name" } else { "title" }
    }

    /// The member that holds the items.
    pub(crate) fn items_member(&self) -> &'static str {
        if self.items == Some(Items::Test) { "items" } else { "quizzes" }
    }

    /// The way in which the first resource of the kind is made.
    pub(crate) fn origin(&self) -> &'static str {
        match self.folder {
            "courses" => "Courses are made through the API.",
            "slides" => "Slide decks are made through the API.",
            _ => "Send a source in the playground, or make one through the API.",
        }
    }

    /// What one part of the content is called.
    pub(crate) fn part(&self) -> &'static str {
        if self.folder == "slides" { "Slide" } else { "Section" }
    }
}
