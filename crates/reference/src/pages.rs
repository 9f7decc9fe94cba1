//! The pages by their addresses.

mod indexes;
mod operation;
mod schema;
mod shell;
mod texts;

use askama::Template as _;

use crate::document::Surface;
use crate::library::Library;
use crate::search;

pub(crate) use shell::Missing;
use shell::Shell;

/// The page at a path below the service's root, as HTML; `None` where there is none.
pub(crate) fn page(library: &Library, path: &str) -> Option<askama::Result<String>> {
    let parts: Vec<&str> = path.strip_prefix("/docs")?.split('/').filter(|part| !part.is_empty()).collect();
    Some(match *parts.as_slice() {
        [] => indexes::SurfacePage::new(library, Surface::Content).render(),
        ["platform"] => indexes::SurfacePage::new(library, Surface::Platform).render(),
        ["identity"] => indexes::SurfacePage::new(library, Surface::Identity).render(),
        ["events"] => indexes::EventsPage::new(library).render(),
        ["events", name] => operation::OperationPage::new(library, library.event(name)?).render(),
        ["errors"] => indexes::ErrorsPage::new(library).render(),
        ["changelog"] => texts::TextPage::changelog(library).render(),
        ["guides"] => texts::GuidesPage::new(library).render(),
        ["guides", name] => texts::TextPage::guide(library, name)?.render(),
        [surface, "schemas", name] => schema::SchemaPage::new(library, Surface::find(surface)?, name)?.render(),
        [surface, id] => {
            let operation = library.operation(Surface::find(surface)?, id)?;
            operation::OperationPage::new(library, operation).render()
        }
        _ => return None,
    })
}

/// The results of a search, as HTML.
pub(crate) fn results(library: &Library, query: &str) -> askama::Result<String> {
    indexes::SearchPage::new(library, query, search::find(&library.entries, query)).render()
}
