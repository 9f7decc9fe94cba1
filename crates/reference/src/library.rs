//! Everything that pages are made of, read once.

use crate::document::{Operation, Reference, Surface};
use crate::errors::{self, ErrorCase};
use crate::guides::{self, Guide};
use crate::markdown::Rendered;
use crate::routes::Documents;
use crate::search::{self, Entry};

/// The documents, the guides and the index.
pub(crate) struct Library {
    /// The path below which the service is reached, without a slash at its end; mostly empty.
    pub(crate) root: String,
    pub(crate) references: Vec<Reference>,
    pub(crate) guides: Vec<Guide>,
    pub(crate) changelog: Rendered,
    pub(crate) errors: Vec<ErrorCase>,
    pub(crate) entries: Vec<Entry>,
}

impl Library {
    /// Reads the documents and the texts. Takes tens of milliseconds.
    pub(crate) fn read(root: &str, documents: &Documents) -> Self {
        let makers = [documents.content, documents.platform, documents.identity];
        let made = Surface::ALL.into_iter().zip(makers);
        let references: Vec<Reference> = made.map(|(surface, make)| Reference::read(surface, make())).collect();
        let (guides, changelog, errors) = (guides::guides(root), guides::changelog(root), errors::cases());
        let entries = search::entries(&references, &guides, &changelog, &errors);
        Self { root: root.to_owned(), references, guides, changelog, errors, entries }
    }

    pub(crate) fn reference(&self, surface: Surface) -> &Reference {
        &self.references[surface as usize]
    }

    /// The operation of this id.
    pub(crate) fn operation(&self, surface: Surface, id: &str) -> Option<&Operation> {
        self.reference(surface).operations().find(|operation| operation.id == id && !operation.is_event)
    }

    /// The event of this name.
    pub(crate) fn event(&self, name: &str) -> Option<&Operation> {
        let all = self.references.iter().flat_map(Reference::operations);
        all.filter(|operation| operation.is_event).find(|event| event.path == name)
    }

    /// The entries as `search.js` reads them: kind, title, text and address of each.
    pub(crate) fn index(&self) -> String {
        let row = |entry: &Entry| [&entry.kind, &entry.title, &entry.text, &entry.href].map(String::clone);
        serde_json::to_string(&self.entries.iter().map(row).collect::<Vec<_>>()).expect("texts serialize")
    }
}
