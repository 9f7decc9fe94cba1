//! Pages that say why there is no page: in the reader's language, and without a hint of what only the operator may know.

use askama::Template;
use http::StatusCode;

use super::shell::{Access, Shell, Site, Stage};
use crate::language::Language;
use crate::texts::Texts;

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Unknown, not public, or opened with the wrong token: all the same to whoever asks.
    NotFound,
    /// The store is away, or too many pages are being made.
    Unavailable,
    /// The answers are longer than the limit.
    TooLarge,
    /// The body is of another type than forms are.
    NoForm,
    /// The form did not arrive in full.
    CutForm,
    /// A defect.
    Broken,
}

impl Missing {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NoForm => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::CutForm => StatusCode::BAD_REQUEST,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

#[derive(Template)]
#[template(path = "error.html")]
pub(crate) struct ErrorPage {
    pub(crate) shell: Shell,
    pub(crate) kind: String,
    pub(crate) title: &'static str,
    pub(crate) note: &'static str,
}

impl ErrorPage {
    pub(crate) fn new(site: &Site, texts: &'static Texts, missing: Missing) -> Self {
        let (title, note) = match missing {
            Missing::NotFound => (texts.not_found, texts.not_found_note),
            Missing::Unavailable => (texts.unavailable, texts.unavailable_note),
            Missing::TooLarge => (texts.too_large, texts.too_large_note),
            Missing::NoForm | Missing::CutForm => (texts.no_form, texts.no_form_note),
            Missing::Broken => (texts.broken, texts.broken_note),
        };
        let language = Language::of(texts.tag);
        let (access, stage, is_answered) = (Access::Public, Stage::Whole, true);
        let shell = Shell { texts, language, access, stage, is_answered, site: site.clone() };
        Self { shell, kind: missing.status().as_str().to_owned(), title, note }
    }
}
