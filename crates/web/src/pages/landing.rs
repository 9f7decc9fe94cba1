//! The page at the service's root: what this is, whether it works, and where to go on.
//!
//! In English, as the API reference: it is for those who run the service and write programs for it.

use askama::Template;
use serde::Serialize;

use super::shell::{Access, Shell, Site, Stage};
use crate::language::Language;
use crate::texts::Texts;

/// What the page and its JSON form say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Service {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// `ready`, or `not ready`; the word of `/readyz`.
    pub(crate) status: &'static str,
    pub(crate) links: Links,
}

/// Addresses, below the service's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Links {
    pub(crate) content_docs: String,
    pub(crate) platform_docs: String,
    pub(crate) content_openapi: String,
    pub(crate) platform_openapi: String,
    pub(crate) health: String,
    pub(crate) readiness: String,
}

impl Service {
    /// `base` is the address that the links begin with, without a slash at its end.
    pub(crate) fn new(base: &str, is_ready: bool) -> Self {
        let link = |path: &str| format!("{base}{path}");
        Self {
            name: "Lectern",
            version: env!("CARGO_PKG_VERSION"),
            status: if is_ready { "ready" } else { "not ready" },
            links: Links {
                content_docs: link("/docs"),
                platform_docs: link("/docs/platform"),
                content_openapi: link("/openapi/content.json"),
                platform_openapi: link("/openapi/platform.json"),
                health: link("/healthz"),
                readiness: link("/readyz"),
            },
        }
    }
}

/// The page.
#[derive(Template)]
#[template(path = "landing.html")]
pub(crate) struct LandingPage {
    pub(crate) shell: Shell,
    pub(crate) title: &'static str,
    pub(crate) is_ready: bool,
    /// Whether the reader has a session of the console.
    pub(crate) is_signed_in: bool,
    pub(crate) service: Service,
}

impl LandingPage {
    pub(crate) fn new(site: &Site, is_ready: bool, is_signed_in: bool) -> Self {
        let language = Language::of("en");
        let (texts, access, stage) = (Texts::of(&language), Access::Public, Stage::Whole);
        // Not for search engines: nobody looks for a server.
        let shell = Shell { texts, language, access, stage, is_answered: true, site: site.clone() };
        let service = Service::new(&site.root, is_ready);
        Self { shell, title: service.name, is_ready, is_signed_in, service }
    }
}
