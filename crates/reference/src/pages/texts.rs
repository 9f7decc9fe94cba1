//! The pages of guides and of the changelog.

use askama::Template;

use super::Shell;
use crate::guides::Guide;
use crate::library::Library;
use crate::markdown::{Heading, Rendered};

/// `/docs/guides/{name}`, `/docs/changelog`.
#[derive(Template)]
#[template(path = "text.html")]
pub(super) struct TextPage<'l> {
    shell: Shell,
    text: &'l Rendered,
    /// The guide that follows.
    next: Option<&'l Guide>,
}

impl<'l> TextPage<'l> {
    pub(super) fn changelog(library: &'l Library) -> Self {
        let shell = Shell::new(library, &library.changelog.title, "/docs/changelog");
        Self { shell, text: &library.changelog, next: None }
    }

    pub(super) fn guide(library: &'l Library, name: &str) -> Option<Self> {
        let place = library.guides.iter().position(|guide| guide.name == name)?;
        let guide = &library.guides[place];
        let shell =
            Shell::new(library, &guide.text.title, &format!("/docs/guides/{name}")).crumb("Guides", "/docs/guides");
        Some(Self { shell, text: &guide.text, next: library.guides.get(place + 1) })
    }

    /// The headings of the page's table of contents.
    fn contents(&self) -> Vec<&Heading> {
        self.text.headings.iter().filter(|heading| heading.level == 2).collect()
    }
}

/// `/docs/guides`.
#[derive(Template)]
#[template(path = "guides.html")]
pub(super) struct GuidesPage<'l> {
    shell: Shell,
    guides: &'l [Guide],
}

impl<'l> GuidesPage<'l> {
    pub(super) fn new(library: &'l Library) -> Self {
        Self { shell: Shell::new(library, "Guides", "/docs/guides"), guides: &library.guides }
    }
}
