//! The page of a schema.

use askama::Template;

use super::Shell;
use crate::document::{Operation, Surface};
use crate::html::Html;
use crate::library::Library;
use crate::markdown;
use crate::sample::{self, Extent};
use crate::schema::{self, Field, TypeName, text};

/// `/docs/{surface}/schemas/{name}`.
#[derive(Template)]
#[template(path = "schema.html")]
pub(super) struct SchemaPage<'l> {
    shell: Shell,
    /// The address that schemas' names are put behind.
    schemas_at: String,
    about: Html,
    type_name: TypeName,
    fields: Vec<Field>,
    example: Html,
    users: Vec<&'l Operation>,
}

impl<'l> SchemaPage<'l> {
    pub(super) fn new(library: &'l Library, surface: Surface, name: &str) -> Option<Self> {
        let reference = library.reference(surface);
        let found = reference.schema(name)?;
        let shell = Shell::new(library, name, &reference.schema_page(name))
            .within(library, surface, None)
            .crumb(&reference.title, surface.page())
            .crumb("Schemas", &format!("{}#schemas", surface.page()));
        let example = sample::of_schema(&reference.document, found, "", Extent::Whole);
        Some(Self {
            shell,
            schemas_at: format!("{}/docs/{}/schemas/", library.root, surface.slug()),
            about: markdown::inline_prose(&text(found, "description")),
            type_name: schema::type_name(found),
            fields: schema::fields(found),
            example: markdown::code_block(&serde_json::to_string_pretty(&example).unwrap_or_default(), "json"),
            users: reference.users_of(name),
        })
    }
}
