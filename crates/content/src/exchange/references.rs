//! Tests and links in a course. A course is made of modules; one that stands for something else says so by its type and
//! names it in its metadata:
//!
//! | type | metadata | stands for |
//! |---|---|---|
//! | `link` | `{ "url": "https://…" }` | a page elsewhere |
//! | `test` | `{ "testId": "…" }` | a test of the same classroom |
//!
//! An import makes such modules, and whoever wants a test or a link in a course makes one with the operations that there
//! are. Its content is a link for readers; a module that says more goes out as a module, a test after it.

use kernel::id::TestId;
use kernel::json::JsonText;
use markup::escape;
use serde_json::{Value, json};
use url::Url;

use crate::modules::Module;

/// The type of a module that stands for a page elsewhere.
const LINK: &str = "link";
/// The type of a module that stands for a test.
const TEST: &str = "test";
/// The longest address, in bytes.
const LONGEST_URL: usize = 2_000;

/// What a module stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    Link(String),
    Test(TestId),
}

/// A module's type, content and metadata when it stands for something.
pub(super) struct Stand {
    pub(super) kind: &'static str,
    pub(super) content: String,
    pub(super) metadata: Value,
}

/// What a module stands for; `None` for a module of its own.
pub(super) fn reference_of(module: &Module) -> Option<Reference> {
    match module.kind.as_str() {
        LINK => {
            let metadata: Value = serde_json::from_str(module.metadata.as_str()).ok()?;
            Some(Reference::Link(metadata["url"].as_str().filter(|url| is_link(url))?.to_owned()))
        }
        TEST => named_test(&module.metadata).map(Reference::Test),
        _ => None,
    }
}

/// The test that the metadata of a module of type `test` names.
pub(crate) fn named_test(metadata: &JsonText) -> Option<TestId> {
    let metadata: Value = serde_json::from_str(metadata.as_str()).ok()?;
    metadata["testId"].as_str()?.parse().ok()
}

/// Whether a module's type says that it stands for something, be it there or not.
pub(super) fn stands_for_something(module: &Module) -> bool {
    [LINK, TEST].contains(&module.kind.as_str())
}

/// The test that a module stands for.
pub fn test_of(module: &Module) -> Option<TestId> {
    match reference_of(module)? {
        Reference::Test(id) => Some(id),
        Reference::Link(_) => None,
    }
}

/// Whether a module that stands for something has nothing to say of its own.
pub(super) fn is_bare(module: &Module) -> bool {
    let inner = module.content.strip_prefix("<p><a href=\"").and_then(|rest| rest.strip_suffix("</a></p>"));
    let is_one_link = inner.is_some_and(|inner| !inner.contains('<'));
    let has_no_quiz = module.quizzes.as_str() == "[]";
    has_no_quiz && module.description.is_empty() && (module.content.is_empty() || is_one_link)
}

/// A page elsewhere.
pub(super) fn link(url: &str) -> Stand {
    Stand { kind: LINK, content: one_link(url, url), metadata: json!({ "url": url }) }
}

/// A test whose public page is at `url`.
pub(super) fn test(id: TestId, name: &str, url: &str) -> Stand {
    Stand { kind: TEST, content: one_link(url, name), metadata: json!({ "testId": id }) }
}

/// Whether an address can be followed from a page.
pub(super) fn is_link(url: &str) -> bool {
    let is_web = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    url.len() <= LONGEST_URL && Url::parse(url).is_ok_and(is_web)
}

fn one_link(url: &str, text: &str) -> String {
    format!("<p><a href=\"{}\">{}</a></p>", escape(url), escape(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_pages_are_links() {
        for url in ["https://example.org/a?b=c#d", "HTTP://example.org", "https://example.org/ü \"x\""] {
            assert!(is_link(url), "{url}");
        }
        let long = format!("https://example.org/{}", "x".repeat(2_000));
        for wrong in
            ["", "javascript:alert(1)", "data:text/html,x", "https://", "//example.org", "/a", "ftp://a/b", &long]
        {
            assert!(!is_link(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_a_link_says_is_text() {
        let stand = link("https://example.org/?a=\"><script>&b");
        assert_eq!(stand.content.matches('<').count(), 4, "{}", stand.content);
        assert!(!stand.content.contains("<script"));
    }
}
