//! `/docs` and `/docs/platform`: the API reference of a surface, made on the server from its OpenAPI document.
//!
//! Why no ready-made viewer: Swagger UI is 1.5 MB of script that writes `innerHTML`, makes functions from text and shows nothing
//! without script, so its page could not have the policy of ours, on the origin of the admin console. This page is read
//! like any other; whoever wants to try calls takes the document, which it links.

mod read;
mod schema;

use askama::Template;
use markup::Sanitizer;
use serde_json::Value;

use crate::language::Language;
use crate::pages::Markup;
use crate::pages::shell::{Access, Shell, Site, Stage};
use crate::texts::Texts;
use read::{Group, group_operations};
use schema::{Schema, named_schemas};

/// A surface that has a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surface {
    /// `/v1/content`
    Content,
    /// `/v1/platform`
    Platform,
}

impl Surface {
    const ALL: [Self; 2] = [Self::Content, Self::Platform];

    /// Where the page is, below the service's root.
    const fn page(self) -> &'static str {
        match self {
            Self::Content => "/docs",
            Self::Platform => "/docs/platform",
        }
    }

    /// Where the document is, below the service's root.
    const fn document_path(self) -> &'static str {
        match self {
            Self::Content => "/openapi/content.json",
            Self::Platform => "/openapi/platform.json",
        }
    }

    fn document(self) -> Value {
        let document = match self {
            Self::Content => content::api::openapi(),
            Self::Platform => platform::api::openapi(),
        };
        serde_json::to_value(document).expect("an OpenAPI document serializes")
    }
}

/// A link to the reference of another surface.
struct Other {
    title: String,
    url: String,
}

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage {
    shell: Shell,
    kind: String,
    title: String,
    /// Empty: what the document says of itself is Markdown.
    description: String,
    about: Markup,
    document_url: String,
    others: Vec<Other>,
    groups: Vec<Group>,
    schemas: Vec<Schema>,
}

/// Writes the document's descriptions, which are Markdown.
struct Prose(Sanitizer);

impl Prose {
    fn write(&self, markdown: &str) -> Markup {
        Markup(self.0.content(markdown))
    }
}

/// The page. It is the same for everybody as long as the program runs.
pub(crate) fn page(site: &Site, surface: Surface) -> String {
    write(site, surface, &surface.document()).expect("the reference is written to memory")
}

fn write(site: &Site, surface: Surface, document: &Value) -> askama::Result<String> {
    let language = Language::of("en");
    let (texts, access, stage) = (Texts::of(&language), Access::Public, Stage::Whole);
    let shell = Shell { texts, language, access, stage, is_answered: false, site: site.clone() };
    let prose = Prose(Sanitizer::new(vec![]));
    let others = Surface::ALL.into_iter().filter(|other| *other != surface).map(|other| Other {
        title: other.document()["info"]["title"].as_str().unwrap_or_default().to_owned(),
        url: format!("{}{}", site.root, other.page()),
    });
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let page = ReferencePage {
        shell,
        kind: format!("OpenAPI {} · {}", text("/openapi"), text("/info/version")),
        title: text("/info/title"),
        description: String::new(),
        about: prose.write(&text("/info/description")),
        document_url: format!("{}{}", site.root, surface.document_path()),
        others: others.collect(),
        groups: group_operations(&prose, document),
        schemas: named_schemas(&prose, document),
    };
    page.render()
}

#[cfg(test)]
mod tests {
    use scraper::{Html, Selector};

    use super::*;

    fn select(page: &Html, selector: &str) -> Vec<String> {
        let found: Vec<_> = page.select(&Selector::parse(selector).unwrap()).collect();
        found.iter().map(|element| element.text().collect::<String>()).collect()
    }

    #[test]
    fn every_operation_and_schema_of_the_document_is_on_the_page() {
        for surface in Surface::ALL {
            assert_is_whole(surface);
        }
    }

    fn assert_is_whole(surface: Surface) {
        let document = surface.document();
        let html = write(&Site { root: "/school".into() }, surface, &document).unwrap();
        let page = Html::parse_document(&html);
        let other = if surface == Surface::Content { "/school/docs/platform" } else { "/school/docs" };
        assert_eq!(select(&page, &format!("main a[href='{other}']")).len(), 1);
        let items: Vec<_> =
            ["paths", "webhooks"].iter().flat_map(|member| document[*member].as_object().unwrap()).collect();
        let operations: usize = items.iter().map(|(_, item)| item.as_object().unwrap().len()).sum();
        assert!(operations > 10);
        assert_eq!(select(&page, ".operation").len(), operations);
        let shown = select(&page, ".operation .path");
        for (path, _) in items {
            assert!(shown.contains(path), "{path}");
        }
        for name in document["components"]["schemas"].as_object().unwrap().keys() {
            assert_eq!(select(&page, &format!("[id='schema-{name}']")).len(), 1, "{name}");
        }
    }

    #[test]
    fn examples_of_bodies_answers_and_errors_are_on_the_page() {
        let document = Surface::Content.document();
        let page = Html::parse_document(&page(&Site { root: String::new() }, Surface::Content));
        let shown: Vec<Value> = select(&page, "pre").iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        let modules = &document["paths"]["/v1/content/classrooms/{classroomId}/modules"]["post"];
        for example in [
            &modules["requestBody"]["content"]["application/json"]["example"],
            &modules["responses"]["201"]["content"]["application/json"]["example"],
            &document["webhooks"]["content.failed"]["post"]["requestBody"]["content"]["application/json"]["example"],
            &document["components"]["schemas"]["ContentErrorBody"]["example"],
        ] {
            assert!(example.is_object() && shown.contains(example), "{example}");
        }
    }

    #[test]
    fn links_and_ids_of_the_page_hold() {
        for surface in Surface::ALL {
            let page = Html::parse_document(&page(&Site { root: String::new() }, surface));
            let ids: Vec<_> = page.select(&Selector::parse("[id]").unwrap()).filter_map(|one| one.attr("id")).collect();
            let unique: std::collections::BTreeSet<_> = ids.iter().collect();
            assert_eq!(ids.len(), unique.len());
            for link in page.select(&Selector::parse("a[href^='#']").unwrap()) {
                let id = link.attr("href").unwrap().trim_start_matches('#');
                assert!(ids.contains(&id), "#{id}");
            }
        }
    }

    #[test]
    fn texts_of_the_document_are_no_markup() {
        let attack = "<script>alert(1)</script>";
        let document = serde_json::json!({
            "openapi": "3.1.0",
            "info": { "title": attack, "version": attack, "description": attack },
            "paths": { attack: { "get": { "tags": [attack], "summary": attack, "description": attack, "operationId": attack,
                "parameters": [{ "name": attack, "in": "query", "schema": { "type": attack } }],
                "responses": { "200": { "description": attack } } } } },
            "components": { "schemas": { "a\"b": { "type": "object", "properties": { attack: { "example": attack } } } } },
        });
        let html = write(&Site { root: String::new() }, Surface::Content, &document).unwrap();
        assert!(select(&Html::parse_document(&html), "script").is_empty(), "{html}");
    }
}
