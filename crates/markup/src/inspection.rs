//! Reads finished HTML as a browser would, and names whatever should not be there.

use scraper::{Html, Node};

use crate::allowed::{self, EVERYWHERE};
use crate::clean::ID_PREFIX;
use crate::pieces::MOST_NESTED;

/// The parser may add `tbody` and `tr`, and a `p` here and there.
const MOST_DEEP: usize = 2 * MOST_NESTED;

/// Fails unless the HTML, wherever on a page it is put, has only what is allowed and means the same when it is
/// written and read again (which is where mutation attacks live).
#[track_caller]
pub(crate) fn assert_harmless(html: &str, about: &str) {
    for (before, after) in
        [("", ""), ("<div>", "</div>"), ("<table><tr><td>", "</td></tr></table>"), ("<details><summary>", "")]
    {
        let parsed = Html::parse_fragment(&format!("{before}{html}{after}"));
        let faults = faults(&parsed);
        assert!(faults.is_empty(), "{about:?}\n -> {html:?}\n {faults:?}");
    }
    let once = Html::parse_fragment(html).html();
    assert_eq!(Html::parse_fragment(&once).html(), once, "{about:?} mutates");
}

fn faults(parsed: &Html) -> Vec<String> {
    let mut faults = Vec::new();
    for node in parsed.tree.nodes() {
        if node.ancestors().count() > MOST_DEEP {
            faults.push("too deep".to_owned());
        }
        match node.value() {
            Node::Comment(_) | Node::Doctype(_) | Node::ProcessingInstruction(_) => faults.push("no text".to_owned()),
            Node::Element(element) => {
                let name = element.name();
                let own = allowed::element(name.as_bytes()).map_or(&[][..], |(_, own)| own);
                if !matches!(name, "html" | "body") && allowed::element(name.as_bytes()).is_none() {
                    faults.push(format!("<{name}>"));
                }
                for (attribute, value) in element.attrs() {
                    if !is_harmless(name, own, attribute, value) {
                        faults.push(format!("<{name} {attribute}={value:?}>"));
                    }
                }
            }
            Node::Document | Node::Fragment | Node::Text(_) => {}
        }
    }
    faults
}

fn is_harmless(element: &str, own: &[&str], attribute: &str, value: &str) -> bool {
    let schemes = ["https://", "http://", "mailto:", "tel:"];
    match attribute {
        "href" => {
            value.starts_with(&format!("#{ID_PREFIX}"))
                || value == "#"
                || schemes.iter().any(|scheme| value.starts_with(scheme))
        }
        "rel" => element == "a" && value.contains("noopener"),
        "loading" => element == "img" && value == "lazy",
        "class" => element == "span" && value == "picture",
        "src" => value.starts_with("https://media.example/"),
        "id" | "headers" | "aria-labelledby" | "aria-describedby" => {
            value.split_ascii_whitespace().all(|id| id.starts_with(ID_PREFIX))
        }
        other => own.contains(&other) || EVERYWHERE.contains(&other),
    }
}
