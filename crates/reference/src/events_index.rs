//! The events of both surfaces: names from the code that dispatches them, bodies from the OpenAPI documents.

use events::platform::{PlatformEvent, RESERVED};

use crate::document::{Operation, Reference, Surface};

/// An event of a surface.
pub(crate) struct EventEntry<'l> {
    pub(crate) name: &'l str,
    pub(crate) summary: &'l str,
    pub(crate) href: String,
}

/// The events of a surface that are dispatched.
pub(crate) fn dispatched(reference: &Reference) -> Vec<EventEntry<'_>> {
    let entry = |operation: &'static str| find(reference, operation);
    match reference.surface {
        Surface::Platform => PlatformEvent::ALL.iter().filter_map(|event| entry(event.name())).collect(),
        _ => reference.operations().filter(|operation| operation.is_event).map(of).collect(),
    }
}

/// Names that can be subscribed to and are not dispatched.
pub(crate) fn reserved(surface: Surface) -> &'static [&'static str] {
    if surface == Surface::Platform { RESERVED } else { &[] }
}

fn find<'l>(reference: &'l Reference, name: &str) -> Option<EventEntry<'l>> {
    reference.operations().find(|operation| operation.is_event && operation.path == name).map(of)
}

fn of(operation: &Operation) -> EventEntry<'_> {
    EventEntry { name: &operation.path, summary: &operation.summary, href: operation.page() }
}
