//! The search: an index that scripts read once, and the same search on the server for browsers without scripts.

use serde::Serialize;

use crate::document::Reference;
use crate::errors::ErrorCase;
use crate::guides::Guide;
use crate::markdown::Rendered;

/// The most results that are shown.
const MAX_RESULTS: usize = 40;
/// The longest text of an entry, in characters.
const MAX_TEXT: usize = 160;

/// Something that can be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Entry {
    /// `Guide`, `GET`, `Schema`, `Event`, `Error`, …
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) text: String,
    /// Below the service's root.
    pub(crate) href: String,
}

impl Entry {
    fn new(kind: &str, title: &str, text: &str, href: String) -> Self {
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_TEXT).collect();
        Self { kind: kind.to_owned(), title: title.to_owned(), text, href }
    }

    /// How well the entry fits the words, all of them in lower case; `None` when one of them is not in it. `search.js` has the same rules.
    fn rank(&self, words: &[&str]) -> Option<usize> {
        let title = self.title.to_lowercase();
        let whole = format!("{title} {} {}", self.text.to_lowercase(), self.kind.to_lowercase());
        let rank = |word: &&str| match title.find(*word) {
            Some(0) => Some(0),
            Some(_) => Some(1),
            None => whole.contains(*word).then_some(3),
        };
        words.iter().map(rank).sum()
    }
}

/// The entries that have all the words of a query, the best first.
pub(crate) fn find<'e>(entries: &'e [Entry], query: &str) -> Vec<&'e Entry> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<_> =
        entries.iter().filter_map(|entry| Some((entry.rank(&words)?, entry.title.len(), entry))).collect();
    found.sort_by_key(|(rank, length, _)| (*rank, *length));
    found.into_iter().map(|(_, _, entry)| entry).take(MAX_RESULTS).collect()
}

/// Everything that can be found.
pub(crate) fn entries(
    references: &[Reference],
    guides: &[Guide],
    changelog: &Rendered,
    errors: &[ErrorCase],
) -> Vec<Entry> {
    let mut entries = Vec::new();
    for guide in guides {
        add_text(&mut entries, "Guide", &format!("/docs/guides/{}", guide.name), &guide.text);
    }
    for reference in references {
        for operation in reference.operations() {
            let kind = if operation.is_event { "Event" } else { &operation.method };
            let text = if operation.is_event {
                operation.summary.clone()
            } else {
                format!("{} {}", operation.path, operation.id)
            };
            let title = if operation.is_event { &operation.path } else { &operation.summary };
            entries.push(Entry::new(kind, title, &text, operation.page()));
        }
        for name in &reference.schemas {
            let about = reference.schema(name).and_then(|schema| schema["description"].as_str()).unwrap_or_default();
            entries.push(Entry::new("Schema", name, about, reference.schema_page(name)));
        }
    }
    for case in errors {
        let text = format!("{} {} {}", case.status, case.code, case.meaning);
        entries.push(Entry::new("Error", case.title, &text, format!("/docs/errors#{}", case.id)));
    }
    entries.push(Entry::new("Changes", &changelog.title, "", "/docs/changelog".to_owned()));
    entries
}

fn add_text(entries: &mut Vec<Entry>, kind: &str, page: &str, text: &Rendered) {
    entries.push(Entry::new(kind, &text.title, text.sections.first().map_or("", String::as_str), page.to_owned()));
    for (heading, section) in text.headings.iter().zip(text.sections.iter().skip(1)) {
        let title = format!("{} · {}", heading.text, text.title);
        entries.push(Entry::new(kind, &title, section, format!("{page}#{}", heading.id)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_the_words_comes_first_and_every_word_counts() {
        let entry = |title: &str, text: &str| Entry::new("GET", title, text, String::new());
        let entries = [
            entry("Lists all modules", "/v1/modules"),
            entry("Modules", "a group"),
            entry("Creates a key", "modules of keys"),
        ];
        let titles = |query: &str| find(&entries, query).iter().map(|entry| entry.title.clone()).collect::<Vec<_>>();
        assert_eq!(titles("MODULE"), ["Modules", "Lists all modules", "Creates a key"]);
        assert_eq!(titles("modules key"), ["Creates a key"]);
        assert!(titles("  ").is_empty());
        assert!(titles("nothing of it").is_empty());
    }
}
