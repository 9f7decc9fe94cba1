//! A resource as its form has it, and how it differs from the one that is stored.

use markup::Division;
use serde_json::{Map, Value, json};

use super::item::{Item, lines};
use super::versions::Versions;
use crate::api::content::Resource;
use crate::api::resources::StoredResource;
use crate::fields::Fields;
use crate::pages::resource_kind::Kind;

/// A part of the content: a slide, or a section of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// Names the part among those of the form.
    pub(crate) key: String,
    pub(crate) source: String,
    /// Whether it can be edited as it looks; Markdown is edited as it is written.
    pub(crate) is_html: bool,
    pub(crate) versions: Versions,
}

/// What a person can change of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) language: String,
    pub(crate) is_public: bool,
    /// The tags that hold the whole content.
    pub(crate) opening: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) closing: String,
    pub(crate) items: Vec<Item>,
}

impl Part {
    fn of(key: String, source: &str) -> Self {
        let source = lines(source);
        let is_html = source.trim().is_empty() || !markup::is_markdown(&source);
        Self { key, source, is_html, versions: Versions::default() }
    }

    /// The same entry of the form with another source.
    pub(crate) fn replace_by(&mut self, source: &str) {
        let versions = std::mem::take(&mut self.versions);
        *self = Self { versions, ..Self::of(std::mem::take(&mut self.key), source) };
    }

    /// Puts the version back that was there before the present one.
    pub(crate) fn bring_back(&mut self) {
        if let Some(earlier) = self.versions.restore(self.source.clone()) {
            self.replace_by(&earlier);
        }
    }
}

impl Draft {
    /// The resource as it is stored.
    pub(crate) fn stored(kind: &Kind, resource: &Resource, stored: &StoredResource) -> Self {
        let items = if stored.items.is_empty() { &stored.quizzes } else { &stored.items };
        let content = if kind.has_content { stored.content.as_str() } else { "" };
        let Division { opening, parts, closing } = Division::of(content);
        let parts = parts.into_iter().enumerate().map(|(at, source)| Part::of(at.to_string(), source));
        Self {
            title: lines(resource.label()),
            description: lines(&resource.description),
            language: resource.language.clone(),
            is_public: stored.is_public || stored.visibility == "PUBLIC",
            opening: lines(opening),
            parts: parts.collect(),
            closing: lines(closing),
            items: items.iter().enumerate().map(|(at, item)| Item::stored(at, item)).collect(),
        }
    }

    /// The resource as a form was sent.
    pub(crate) fn entered(fields: &Fields) -> Self {
        let part = |key: &str| {
            let name = format!("part-{key}");
            let versions = Versions::entered(&name, fields);
            Part { versions, ..Part::of(key.to_owned(), fields.typed(&name)) }
        };
        Self {
            title: lines(fields.get("title")),
            description: lines(fields.typed("description")),
            language: fields.get("language").to_owned(),
            is_public: fields.has("public", "yes"),
            opening: lines(fields.typed("opening")),
            closing: lines(fields.typed("closing")),
            parts: fields.all("part").into_iter().map(part).collect(),
            items: fields.all("item").into_iter().map(|key| Item::entered(key, fields)).collect(),
        }
    }

    fn content(&self) -> String {
        let parts = self.parts.iter().map(|part| part.source.as_str());
        std::iter::once(self.opening.as_str()).chain(parts).chain([self.closing.as_str()]).collect()
    }

    /// The members that this draft would change of what is stored, as the API takes them.
    pub(crate) fn change(&self, kind: &Kind, stored: &Self) -> Map<String, Value> {
        let mut change = Map::new();
        let mut set = |name: &str, differs: bool, value: Value| {
            if differs {
                change.insert(name.to_owned(), value);
            }
        };
        set(kind.title_member(), self.title != stored.title, json!(self.title));
        let description = if self.description.is_empty() { Value::Null } else { json!(self.description) };
        set("description", self.description != stored.description, description);
        set("language", self.language != stored.language, json!(self.language));
        let is_moved = self.is_public != stored.is_public;
        if kind.folder == "modules" {
            set("isPublic", is_moved, json!(self.is_public));
        } else {
            set("visibility", is_moved, json!(if self.is_public { "PUBLIC" } else { "PRIVATE" }));
        }
        if kind.has_content {
            let content = self.content();
            set("content", content != stored.content(), json!(content));
        }
        if let Some(items) = kind.items {
            let of = |draft: &Self| -> Value { draft.items.iter().map(|item| item.json(items)).collect() };
            set(kind.items_member(), of(self) != of(stored), of(self));
        }
        change
    }

    /// A key that no part and no item of the form has.
    pub(crate) fn new_key(&self) -> String {
        let keys = self.parts.iter().map(|part| &part.key).chain(self.items.iter().map(|item| &item.key));
        let taken: Vec<usize> = keys.filter_map(|key| key.strip_prefix('n')?.parse().ok()).collect();
        format!("n{}", taken.into_iter().max().map_or(1, |last| last.saturating_add(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module() -> (&'static Kind, Draft) {
        let kind = Kind::all().iter().find(|kind| kind.folder == "modules").unwrap();
        let value = json!({
            "title": "Rain", "description": "", "language": "en", "isPublic": false,
            "content": "<article>\n<h2>A</h2>\r\n<p>a</p><h2>B</h2></article>", "quizzes": [],
        });
        let (resource, stored) = (serde_json::from_value(value.clone()), serde_json::from_value(value));
        (kind, Draft::stored(kind, &resource.unwrap(), &stored.unwrap()))
    }

    fn sent(draft: &Draft) -> Draft {
        let mut pairs = vec![("title".to_owned(), draft.title.clone()), ("language".to_owned(), "en".to_owned())];
        pairs.push(("opening".to_owned(), draft.opening.replace('\n', "\r\n")));
        pairs.push(("closing".to_owned(), draft.closing.clone()));
        for part in &draft.parts {
            pairs.push(("part".to_owned(), part.key.clone()));
            pairs.push((format!("part-{}", part.key), part.source.replace('\n', "\r\n")));
        }
        Draft::entered(&Fields::from(pairs))
    }

    #[test]
    fn a_form_that_comes_back_as_it_was_shown_changes_nothing() {
        let (kind, stored) = module();
        assert_eq!(stored.parts.len(), 2);
        assert_eq!(sent(&stored).change(kind, &stored), Map::new());
    }

    #[test]
    fn only_what_differs_is_sent() {
        let (kind, stored) = module();
        let mut draft = stored.clone();
        draft.parts.swap(0, 1);
        draft.is_public = true;
        let change = draft.change(kind, &stored);
        assert_eq!(change["content"], "<article>\n<h2>B</h2><h2>A</h2>\n<p>a</p></article>");
        assert_eq!(change["isPublic"], true);
        assert_eq!(change.len(), 2);
    }

    #[test]
    fn new_keys_are_new() {
        let (_, mut draft) = module();
        assert_eq!(draft.new_key(), "n1");
        draft.parts[1].key = "n7".to_owned();
        assert_eq!(draft.new_key(), "n8");
    }
}
