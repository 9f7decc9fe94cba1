//! The OpenAPI document of a surface, read into groups of operations.

use serde_json::Value;

use crate::schema::text;

/// A part of the API with a document of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surface {
    /// `/v1/content`
    Content,
    /// `/v1/platform`
    Platform,
    /// `/auth`
    Identity,
}

impl Surface {
    pub(crate) const ALL: [Self; 3] = [Self::Content, Self::Platform, Self::Identity];

    /// The surface's part of addresses.
    pub(crate) const fn slug(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Platform => "platform",
            Self::Identity => "identity",
        }
    }

    /// Where the surface's index is, below the service's root.
    pub(crate) const fn page(self) -> &'static str {
        match self {
            Self::Content => "/docs",
            Self::Platform => "/docs/platform",
            Self::Identity => "/docs/identity",
        }
    }

    /// Where the document is, below the service's root.
    pub(crate) const fn document_path(self) -> &'static str {
        match self {
            Self::Content => "/openapi/content.json",
            Self::Platform => "/openapi/platform.json",
            Self::Identity => "/openapi/identity.json",
        }
    }

    /// The surface by its part of addresses.
    pub(crate) fn find(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|surface| surface.slug() == slug)
    }
}

/// The operations of one tag.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    /// For the group's id, from 1.
    pub(crate) number: usize,
    /// May be empty.
    pub(crate) about: String,
    pub(crate) operations: Vec<Operation>,
}

/// An operation, or an event: a request that the service makes.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) surface: Surface,
    /// From 1 in the order of the document, as old addresses name it.
    pub(crate) number: usize,
    pub(crate) id: String,
    pub(crate) group: String,
    pub(crate) method: String,
    /// A path, or an event's name.
    pub(crate) path: String,
    pub(crate) summary: String,
    pub(crate) is_event: bool,
    pub(crate) value: Value,
}

impl Operation {
    /// Where the operation's page is, below the service's root.
    pub(crate) fn page(&self) -> String {
        if self.is_event {
            return format!("/docs/events/{}", self.path);
        }
        format!("/docs/{}/{}", self.surface.slug(), self.id)
    }

    pub(crate) fn is_write(&self) -> bool {
        self.method != "GET"
    }
}

/// A surface's document.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) surface: Surface,
    pub(crate) title: String,
    pub(crate) about: String,
    /// `OpenAPI 3.1.0 · 0.1.0`
    pub(crate) kind: String,
    pub(crate) groups: Vec<Group>,
    /// Names in alphabetical order.
    pub(crate) schemas: Vec<String>,
    pub(crate) document: Value,
}

impl Reference {
    pub(crate) fn read(surface: Surface, document: Value) -> Self {
        let info = &document["info"];
        let names = document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten();
        let mut schemas: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        schemas.sort();
        Self {
            surface,
            title: text(info, "title"),
            about: text(info, "description"),
            kind: format!("OpenAPI {} · {}", text(&document, "openapi"), text(info, "version")),
            groups: group_operations(surface, &document),
            schemas,
            document,
        }
    }

    /// All operations and events.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.groups.iter().flat_map(|group| &group.operations)
    }

    /// The schema of this name.
    pub(crate) fn schema(&self, name: &str) -> Option<&Value> {
        self.document.get("components")?.get("schemas")?.get(name)
    }

    /// Where a schema's page is, below the service's root.
    pub(crate) fn schema_page(&self, name: &str) -> String {
        format!("/docs/{}/schemas/{name}", self.surface.slug())
    }

    /// The operations that name a schema, directly or through other schemas' names in their own text.
    pub(crate) fn users_of(&self, name: &str) -> Vec<&Operation> {
        let reference = format!("\"#/components/schemas/{name}\"");
        let is_error = name.ends_with("ErrorBody");
        self.operations().filter(|operation| !is_error && operation.value.to_string().contains(&reference)).collect()
    }
}

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// All operations by tag, in the order of the document's tags; then the webhooks, whose events stand where others have a path.
fn group_operations(surface: Surface, document: &Value) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let members = ["paths", "webhooks"].into_iter().filter_map(|member| Some((member, document[member].as_object()?)));
    let paths = members.flat_map(|(member, items)| items.iter().map(move |(path, item)| (member, path, item)));
    let operations = paths.flat_map(|(member, path, item)| {
        METHODS.into_iter().filter_map(move |method| Some((member, path, method, item.get(method)?)))
    });
    for (number, (member, path, method, value)) in (1..).zip(operations) {
        let is_event = member == "webhooks";
        let group = value["tags"][0].as_str().map_or_else(|| untagged(path), str::to_owned);
        let operation = Operation {
            surface,
            number,
            id: value["operationId"].as_str().map_or_else(|| format!("operation-{number}"), str::to_owned),
            group: group.clone(),
            method: method.to_ascii_uppercase(),
            path: path.clone(),
            // A title is plain text.
            summary: text(value, "summary").trim_end_matches('.').replace('`', ""),
            is_event,
            value: value.clone(),
        };
        match groups.iter_mut().find(|known| known.name == group) {
            Some(known) => known.operations.push(operation),
            None => groups.push(Group {
                about: about_group(document, &group),
                number: groups.len() + 1,
                name: group,
                operations: vec![operation],
            }),
        }
    }
    let tags = document["tags"].as_array().into_iter().flatten();
    let order: Vec<&str> = tags.filter_map(|tag| tag["name"].as_str()).collect();
    // Numbers are those of the operations' order, as old addresses have them.
    groups.sort_by_key(|group| order.iter().position(|name| *name == group.name).unwrap_or(order.len()));
    groups
}

/// A group for an operation without a tag.
fn untagged(path: &str) -> String {
    if path.starts_with("/auth/") { "Sign-in".to_owned() } else { "Other".to_owned() }
}

fn about_group(document: &Value, name: &str) -> String {
    let tags = document["tags"].as_array().into_iter().flatten();
    tags.filter(|tag| tag["name"] == name).map(|tag| text(tag, "description")).next().unwrap_or_default()
}

/// The credentials that an operation takes, in words.
pub(crate) fn credentials(value: &Value) -> String {
    let names = schemes(value).into_iter().map(|name| match name {
        "contentKey" => "content API key",
        "adminSession" => "admin session",
        "platformKey" => "platform API key",
        "operatorSession" => "operator session",
        "webhookSignature" => "signature of the service",
        other => other,
    });
    names.collect::<Vec<_>>().join(" or ")
}

/// The names of the schemes that an operation takes.
pub(crate) fn schemes(value: &Value) -> Vec<&str> {
    let options = value["security"].as_array().into_iter().flatten();
    options.filter_map(|option| option.as_object()?.keys().next()).map(String::as_str).collect()
}
