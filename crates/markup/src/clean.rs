//! The guard: ammonia with a closed list of elements, attributes and addresses.
//!
//! It runs last, on whatever the other parts of this crate wrote, and trusts none of them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ammonia::{Builder, UrlRelative};
use url::Url;

use crate::allowed::{DROPPED_WHOLE, ELEMENTS, EVERYWHERE, language_class};
use crate::highlight::CLASSES;

/// Begins every id of content, so that it never names, or shadows, a part of the page around it.
pub(crate) const ID_PREFIX: &str = "content-";

/// The class of a description that stands for a picture; the only class there is beside the languages of code and the roles of
/// its words.
pub(crate) const PICTURE: &str = "picture";

/// Schemes that a link may have.
const LINK_SCHEMES: [&str; 4] = ["https", "http", "mailto", "tel"];

/// A cleaner that lets images come from these origins (`https://media.example`).
pub(crate) fn cleaner(image_origins: Vec<String>) -> Builder<'static> {
    let tag_attributes = ELEMENTS
        .iter()
        .filter(|(_, own)| !own.is_empty())
        .map(|(name, own)| (*name, own.iter().copied().collect()))
        // What they may say is in `filter`.
        .chain(["code", "pre", "span"].map(|name| (name, HashSet::from(["class"]))))
        .collect::<HashMap<&str, HashSet<&str>>>();
    let dropped = DROPPED_WHOLE.iter().filter_map(|name| std::str::from_utf8(name).ok());
    let mut builder = Builder::empty();
    builder
        .tags(ELEMENTS.iter().map(|(name, _)| *name).collect())
        .clean_content_tags(dropped.collect())
        .generic_attributes(EVERYWHERE.into_iter().collect())
        .tag_attributes(tag_attributes)
        .url_schemes(LINK_SCHEMES.into_iter().collect())
        // Other relative addresses don't pass `filter`.
        .url_relative(UrlRelative::PassThrough)
        // Not ours to vouch for, and nothing of a learner's page is told to where they lead.
        .link_rel(Some("nofollow noopener noreferrer ugc"))
        .set_tag_attribute_value("img", "loading", "lazy")
        .strip_comments(true)
        .attribute_filter(move |element, attribute, value| filter(&image_origins, element, attribute, value));
    builder
}

/// What an attribute may say; `None` takes it away.
fn filter<'v>(image_origins: &[String], element: &str, attribute: &str, value: &'v str) -> Option<Cow<'v, str>> {
    match (element, attribute) {
        (_, "id" | "headers" | "aria-labelledby" | "aria-describedby") => Some(prefixed(value).into()),
        ("code" | "pre", "class") => language_class(value).map(|_| value.into()),
        ("span", "class") => (value == PICTURE || CLASSES.contains(&value)).then_some(value.into()),
        (_, "class") => None,
        (_, "href") => link(value).map(Cow::from),
        (_, "src") => image(image_origins, value).map(Cow::from),
        (_, "dir") => ["ltr", "rtl", "auto"].contains(&&*value.to_ascii_lowercase()).then_some(value.into()),
        (_, "span" | "colspan" | "rowspan" | "width" | "height" | "start") | ("li", "value") => {
            value.trim().parse::<u16>().ok().map(|number| number.to_string().into())
        }
        _ => Some(value.into()),
    }
}

/// Ids, each with the prefix once.
fn prefixed(ids: &str) -> String {
    let ids = ids.split_ascii_whitespace().map(|id| format!("{ID_PREFIX}{}", id.strip_prefix(ID_PREFIX).unwrap_or(id)));
    ids.collect::<Vec<_>>().join(" ")
}

/// A place in the same content, or an absolute address in the one form that every browser reads alike.
pub(crate) fn link(value: &str) -> Option<String> {
    if let Some(id) = value.trim().strip_prefix('#') {
        return Some(format!("#{}", prefixed(id)));
    }
    let url = Url::parse(value).ok()?;
    let has_own_credentials = !url.username().is_empty() || url.password().is_some();
    (LINK_SCHEMES.contains(&url.scheme()) && !has_own_credentials).then(|| url.into())
}

/// The address of a picture from one of these origins.
pub(crate) fn image(origins: &[String], value: &str) -> Option<String> {
    let url = Url::parse(value).ok()?;
    origins.contains(&url.origin().ascii_serialization()).then(|| url.into())
}

/// Takes away the newlines that `<pre>` begins with: whoever reads HTML drops the first one, so each reading would find less.
pub(crate) fn without_lines_that_readers_drop(html: String) -> String {
    if !html.contains("<pre") {
        return html;
    }
    let mut stable = String::with_capacity(html.len());
    let mut rest = html.as_str();
    // No attribute holds a `>`: it is written as a reference.
    while let Some(end) = rest.find("<pre").and_then(|start| Some(start + rest[start..].find('>')? + 1)) {
        stable.push_str(&rest[..end]);
        rest = rest[end..].trim_start_matches('\n');
    }
    stable.push_str(rest);
    stable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preformatted_text_begins_with_no_line_that_the_next_reader_drops() {
        let cases = [
            ("<pre>\n\na\n\n</pre>", "<pre>a\n\n</pre>"),
            ("<p>\n</p><pre id=\"a\">\n a</pre>\n<pre>\n</pre>", "<p>\n</p><pre id=\"a\"> a</pre>\n<pre></pre>"),
            ("a\n<pre", "a\n<pre"),
            ("\n<p>a</p>", "\n<p>a</p>"),
        ];
        for (html, expected) in cases {
            assert_eq!(without_lines_that_readers_drop(html.to_owned()), expected);
        }
    }

    #[test]
    fn links_are_absolute_or_within_the_content() {
        assert_eq!(link("https://a.example/b c").as_deref(), Some("https://a.example/b%20c"));
        assert_eq!(link("mailto:a@b.example").as_deref(), Some("mailto:a@b.example"));
        assert_eq!(link(" #part-2").as_deref(), Some("#content-part-2"));
        assert_eq!(link("#content-part-2").as_deref(), Some("#content-part-2"));
        for refused in [
            "",
            "/auth/logout",
            "page.html",
            "//evil.example",
            "?q=1",
            "javascript:alert(1)",
            " java\tscript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:https://a.example/1",
            "https://lectern.example@evil.example/",
        ] {
            assert_eq!(link(refused), None, "{refused}");
        }
    }

    #[test]
    fn images_come_only_from_named_origins() {
        let named = ["https://media.example".to_owned()];
        assert_eq!(image(&named, "https://media.example/a.png").as_deref(), Some("https://media.example/a.png"));
        for refused in [
            "https://media.example.evil.example/a.png",
            "https://other.example/a.png",
            "http://media.example/a.png",
            "//media.example/a.png",
            "data:image/png;base64,AA",
        ] {
            assert_eq!(image(&named, refused), None, "{refused}");
        }
        assert_eq!(image(&[], "https://media.example/a.png"), None);
    }
}
