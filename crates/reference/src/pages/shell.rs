//! The frame of every page: navigation, search, breadcrumbs.

use askama::Template;

use crate::assets;
use crate::document::{Operation, Surface};
use crate::library::Library;

/// A link with its text.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) text: String,
    pub(crate) href: String,
    pub(crate) is_current: bool,
    /// The method of an operation; may be empty.
    pub(crate) method: String,
}

/// A group of the navigation.
#[derive(Clone, Debug)]
pub(crate) struct NavGroup {
    pub(crate) name: String,
    pub(crate) is_open: bool,
    pub(crate) links: Vec<Link>,
}

/// What every template needs.
#[derive(Clone, Debug)]
pub(crate) struct Shell {
    pub(crate) root: String,
    pub(crate) title: String,
    pub(crate) crumbs: Vec<Link>,
    pub(crate) query: String,
    guides: Vec<Link>,
    surfaces: Vec<Link>,
    groups: Vec<NavGroup>,
    /// The address of this page below the root.
    path: String,
}

impl Shell {
    /// The frame of the page at `path` below the root.
    pub(crate) fn new(library: &Library, title: &str, path: &str) -> Self {
        let root = library.root.clone();
        let link = |text: &str, href: &str| Link {
            text: text.to_owned(),
            href: format!("{root}{href}"),
            is_current: href == path,
            method: String::new(),
        };
        let guides =
            library.guides.iter().map(|guide| link(&guide.text.title, &format!("/docs/guides/{}", guide.name)));
        let surfaces = library.references.iter().map(|reference| link(&reference.title, reference.surface.page()));
        Self {
            title: title.to_owned(),
            crumbs: Vec::new(),
            query: String::new(),
            guides: guides.collect(),
            surfaces: surfaces.collect(),
            groups: Vec::new(),
            path: path.to_owned(),
            root,
        }
    }

    /// With the groups of a surface in the navigation, and the way to it; `current` is an operation of it.
    pub(crate) fn within(mut self, library: &Library, surface: Surface, current: Option<&Operation>) -> Self {
        self = self.at(library, surface);
        let reference = library.reference(surface);
        let link = |operation: &Operation| Link {
            text: if operation.is_event { operation.path.clone() } else { operation.summary.clone() },
            href: format!("{}{}", self.root, operation.page()),
            is_current: current.is_some_and(|current| current.number == operation.number),
            method: if operation.is_event { "EVENT".to_owned() } else { operation.method.clone() },
        };
        let group = |group: &crate::document::Group| NavGroup {
            name: group.name.clone(),
            is_open: current.is_some_and(|current| current.group == group.name),
            links: group.operations.iter().map(link).collect(),
        };
        self.groups = reference.groups.iter().map(group).collect();
        self
    }

    /// With the surface marked as the current one.
    pub(crate) fn at(mut self, library: &Library, surface: Surface) -> Self {
        for link in &mut self.surfaces {
            link.is_current = link.text == library.reference(surface).title;
        }
        self
    }

    pub(crate) fn crumb(mut self, text: &str, path: &str) -> Self {
        let href = format!("{}{path}", self.root);
        self.crumbs.push(Link { text: text.to_owned(), href, is_current: false, method: String::new() });
        self
    }

    /// The address of a file of [`crate::assets`].
    pub(crate) fn asset(&self, name: &str) -> String {
        format!("{}/docs/assets/{}", self.root, assets::ASSETS.address(name))
    }

    pub(crate) fn guides(&self) -> &[Link] {
        &self.guides
    }

    pub(crate) fn surfaces(&self) -> &[Link] {
        &self.surfaces
    }

    pub(crate) fn groups(&self) -> &[NavGroup] {
        &self.groups
    }

    pub(crate) fn is_at(&self, path: &str) -> bool {
        self.path == path
    }
}

/// The page that says that there is none.
#[derive(Template)]
#[template(path = "missing.html")]
pub(crate) struct Missing {
    shell: Shell,
}

impl Missing {
    pub(crate) fn new(library: &Library) -> Self {
        Self { shell: Shell::new(library, "There is no such page", "") }
    }
}
