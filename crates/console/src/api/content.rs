//! Answers of the content surface.

use serde::Deserialize;

use super::identity::Role;

/// An organization of the signed-in person.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Organization {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) role: Role,
}

impl Organization {
    /// Whether the person edits its content.
    pub(crate) fn is_taught(&self) -> bool {
        self.role >= Role::Teacher
    }

    /// The address that ends a member's membership.
    pub(crate) fn leaving(&self, user: &str) -> String {
        format!("/console/organizations/{}/people/members/{user}/remove", self.id)
    }

    /// Whether the person manages it.
    pub(crate) fn is_administered(&self) -> bool {
        self.role >= Role::Admin
    }
}

/// The daily budget for answers on pages.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PageGrading {
    pub(crate) open_answers_per_day: i64,
    pub(crate) open_answers_today: i64,
}

impl PageGrading {
    /// The part of the budget that is used, of one.
    #[expect(clippy::cast_precision_loss, reason = "counts of a day are small")]
    pub(crate) fn share(&self) -> f64 {
        self.open_answers_today as f64 / self.open_answers_per_day.max(1) as f64
    }

    pub(crate) fn tone(&self) -> &'static str {
        if self.share() > 0.9 {
            "danger"
        } else if self.share() > 0.7 {
            "warning"
        } else {
            ""
        }
    }
}

/// A classroom of an organization.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Classroom {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) locale: String,
}

/// The link by which a video is edited.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct EditLink {
    pub(crate) edit_token: String,
}

/// A course, module, slide deck, test or video.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Resource {
    pub(crate) id: String,
    /// The title of all kinds but tests.
    pub(crate) title: String,
    /// The name of a test.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) language: String,
    pub(crate) status: String,
    pub(crate) preview_url: Option<String>,
    pub(crate) public_url: Option<String>,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
    pub(crate) version: i64,
    pub(crate) error: Option<Failure>,
}

impl Resource {
    /// The title, or the name of a test.
    pub(crate) fn label(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }

    /// The learners' page, if its address is one that a browser may follow.
    pub(crate) fn link(&self) -> Option<&str> {
        let link = self.public_url.as_deref().or(self.preview_url.as_deref());
        link.filter(|link| is_web_address(link))
    }
}

/// Whether an address leads to a page, and runs nothing.
pub(crate) fn is_web_address(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

/// Why something was not made.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
}

/// A job that makes resources of a source.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Expansion {
    pub(crate) id: String,
    pub(crate) classroom_id: String,
    pub(crate) status: String,
    pub(crate) source_title: String,
    pub(crate) source_type: String,
    pub(crate) created_at: String,
    pub(crate) completed_at: Option<String>,
    pub(crate) error: Option<Failure>,
    pub(crate) outputs: Vec<Output>,
}

impl Expansion {
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.status.as_str(), "queued" | "processing")
    }
}

/// One output of a job.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Output {
    pub(crate) output_type: String,
    pub(crate) status: String,
    pub(crate) resource_type: Option<String>,
    pub(crate) resource_id: Option<String>,
    pub(crate) error: Option<Failure>,
    pub(crate) manifest: Option<Manifest>,
}

/// The description of a finished output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Manifest {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) urls: Option<Urls>,
}

/// Addresses of the learners' page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Urls {
    pub(crate) preview_url: Option<String>,
    pub(crate) public_url: Option<String>,
}

impl Output {
    /// The place of the resource that was made in its classroom: `modules/` and its ID.
    pub(crate) fn place(&self) -> Option<String> {
        let kind = self.resource_type.as_deref().filter(|kind| kind.bytes().all(|byte| byte.is_ascii_lowercase()))?;
        let is_id = |id: &&str| id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        self.resource_id.as_deref().filter(is_id).map(|id| format!("{kind}s/{id}"))
    }

    /// The learners' page, if there is one.
    pub(crate) fn link(&self) -> Option<&str> {
        let urls = self.manifest.as_ref()?.urls.as_ref()?;
        urls.public_url.as_deref().or(urls.preview_url.as_deref()).filter(|link| is_web_address(link))
    }
}
