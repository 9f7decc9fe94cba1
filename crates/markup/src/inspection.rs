//! Reads finished HTML as a browser would, and names whatever should not be there.

use scraper::node::Element;
use scraper::{Html, Node};

use crate::allowed::{self, EVERYWHERE};
use crate::clean::ID_PREFIX;
use crate::highlight::CLASSES;
use crate::pieces::MOST_NESTED;

/// The parser may add `tbody` and `tr`, and a `p` here and there; a formula may be as deep as the rest.
const MOST_DEEP: usize = 3 * MOST_NESTED;

/// Elements of MathML Core without those that hold HTML or images.
const MATHML: [&str; 28] = [
    "annotation",
    "math",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "none",
    "semantics",
];
/// Attributes of MathML that say how signs are set.
const MATHML_ATTRIBUTES: [&str; 26] = [
    "accent",
    "accentunder",
    "class",
    "columnalign",
    "columnspan",
    "depth",
    "dir",
    "display",
    "displaystyle",
    "encoding",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
];
const MATHML_NAMESPACE: &str = "http://www.w3.org/1998/Math/MathML";

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
            Node::Element(element) if &*element.name.ns == MATHML_NAMESPACE => {
                faults.extend(faults_of_mathml(element));
            }
            Node::Element(element) => {
                let name = element.name();
                let is_in_mathml =
                    |node: &Node| matches!(node, Node::Element(outer) if &*outer.name.ns == MATHML_NAMESPACE);
                if node.ancestors().any(|outer| is_in_mathml(outer.value())) {
                    faults.push(format!("<{name}> in a formula"));
                }
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

fn faults_of_mathml(element: &Element) -> Vec<String> {
    let name = element.name();
    let mut faults = Vec::new();
    if !MATHML.contains(&name) {
        faults.push(format!("<{name}> of MathML"));
    }
    for (attribute, value) in element.attrs() {
        let is_known = MATHML_ATTRIBUTES.contains(&attribute) || matches!(attribute, "voffset" | "width");
        let is_plain = value.chars().all(|sign| sign.is_ascii_alphanumeric() || "-+./% ".contains(sign));
        let is_annotation = attribute != "encoding" || value == "application/x-tex";
        if !is_known || !is_plain || !is_annotation || value.len() > 80 {
            faults.push(format!("<{name} {attribute}={value:?}> of MathML"));
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
        "class" => {
            let is_language =
                |language: &str| language.bytes().all(|byte| !byte.is_ascii_whitespace()) && language.len() <= 20;
            (element == "span" && (value == "picture" || CLASSES.contains(&value)))
                || (matches!(element, "code" | "pre") && value.strip_prefix("language-").is_some_and(is_language))
        }
        "src" => value.starts_with("https://media.example/"),
        "id" | "headers" | "aria-labelledby" | "aria-describedby" => {
            value.split_ascii_whitespace().all(|id| id.starts_with(ID_PREFIX))
        }
        other => own.contains(&other) || EVERYWHERE.contains(&other),
    }
}
