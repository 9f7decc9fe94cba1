//! The page that shows a secret once. It answers the form that made the secret, so the secret has no address.

use askama::Template;

use super::Page;
use crate::shell::Shell;
use crate::visit::page;

/// A secret and what to do with it.
pub(crate) struct Secret {
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// `None` when the form was sent before: the API shows a secret once.
    pub(crate) value: Option<String>,
    pub(crate) more: String,
}

#[derive(Template)]
#[template(path = "reveal.html")]
pub(crate) struct Reveal {
    pub(crate) shell: Shell,
    pub(crate) secret: Secret,
    /// Where the reader goes afterwards.
    pub(crate) back: String,
}

impl Reveal {
    pub(crate) fn page(&self) -> Page {
        Ok(page(self))
    }
}
