//! The pages that lead to others: a surface's operations and schemas, errors, events, results of a search.

use askama::Template;

use super::Shell;
use crate::document::{Group, Reference, Surface};
use crate::errors::ErrorCase;
use crate::events_index::{self, EventEntry};
use crate::guides::Guide;
use crate::html::Html;
use crate::library::Library;
use crate::markdown;
use crate::search::Entry;

/// `/docs`, `/docs/platform`, `/docs/identity`.
#[derive(Template)]
#[template(path = "surface.html")]
pub(super) struct SurfacePage<'l> {
    shell: Shell,
    reference: &'l Reference,
    about: Html,
    /// On the first page, which begins the documentation.
    guides: &'l [Guide],
}

impl<'l> SurfacePage<'l> {
    pub(super) fn new(library: &'l Library, surface: Surface) -> Self {
        let reference = library.reference(surface);
        let shell = Shell::new(library, &reference.title, surface.page()).at(library, surface);
        let guides: &[Guide] = if surface == Surface::Content { &library.guides } else { &[] };
        Self { shell, reference, about: markdown::inline_prose(&reference.about), guides }
    }

    fn groups(&self) -> &[Group] {
        &self.reference.groups
    }
}

/// The events of a surface.
pub(super) struct SurfaceEvents<'l> {
    pub(super) title: &'l str,
    pub(super) events: Vec<EventEntry<'l>>,
    pub(super) reserved: &'static [&'static str],
}

/// `/docs/events`.
#[derive(Template)]
#[template(path = "events.html")]
pub(super) struct EventsPage<'l> {
    shell: Shell,
    surfaces: Vec<SurfaceEvents<'l>>,
}

impl<'l> EventsPage<'l> {
    pub(super) fn new(library: &'l Library) -> Self {
        let of = |reference: &'l Reference| SurfaceEvents {
            title: &reference.title,
            events: events_index::dispatched(reference),
            reserved: events_index::reserved(reference.surface),
        };
        let surfaces = library.references.iter().map(of).filter(|surface| !surface.events.is_empty());
        Self { shell: Shell::new(library, "Webhook events", "/docs/events"), surfaces: surfaces.collect() }
    }
}

/// `/docs/errors`.
#[derive(Template)]
#[template(path = "errors.html")]
pub(super) struct ErrorsPage<'l> {
    shell: Shell,
    cases: &'l [ErrorCase],
    codes: Vec<(&'static str, Vec<&'l ErrorCase>)>,
    platform_example: Html,
    content_example: Html,
}

impl<'l> ErrorsPage<'l> {
    pub(super) fn new(library: &'l Library) -> Self {
        let mut codes: Vec<(&'static str, Vec<&ErrorCase>)> = Vec::new();
        for case in &library.errors {
            match codes.iter_mut().find(|(code, _)| *code == case.code) {
                Some((_, cases)) => cases.push(case),
                None => codes.push((case.code, vec![case])),
            }
        }
        let example = |surface: Surface, name: &str| {
            let value = &library.reference(surface).document["components"]["schemas"][name]["example"];
            markdown::code_block(&serde_json::to_string_pretty(value).unwrap_or_default(), "json")
        };
        Self {
            shell: Shell::new(library, "Errors", "/docs/errors"),
            cases: &library.errors,
            codes,
            platform_example: example(Surface::Platform, "PlatformErrorBody"),
            content_example: example(Surface::Content, "ContentErrorBody"),
        }
    }

    /// Whether the case begins those of its status.
    fn is_first(&self, place: &usize) -> bool {
        *place == 0 || self.cases[*place].status != self.cases[place - 1].status
    }

    fn prose(&self, text: &str) -> Html {
        markdown::inline_prose(text)
    }
}

/// `/docs/search`.
#[derive(Template)]
#[template(path = "search.html")]
pub(super) struct SearchPage<'l> {
    shell: Shell,
    results: Vec<&'l Entry>,
}

impl<'l> SearchPage<'l> {
    pub(super) fn new(library: &'l Library, query: &str, results: Vec<&'l Entry>) -> Self {
        let mut shell = Shell::new(library, "Search", "/docs/search");
        shell.query = query.to_owned();
        Self { shell, results }
    }
}
