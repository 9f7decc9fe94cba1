//! What is known of elements by their names.

/// Elements whose content is no text for learners.
const DROPPED: [&str; 10] =
    ["head", "title", "noscript", "template", "iframe", "object", "svg", "select", "textarea", "button"];
/// A closing tag of one of these says that a text is HTML.
const TELLING: [&str; 40] = [
    "p",
    "div",
    "span",
    "b",
    "strong",
    "i",
    "em",
    "u",
    "a",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "section",
    "article",
    "script",
    "style",
    "body",
    "html",
    "dl",
    "pre",
    "code",
    "sub",
    "sup",
    "blockquote",
    "figure",
    "math",
    "details",
    "mark",
    "small",
    "font",
];
/// All others that HTML, MathML and what authors use of SVG know.
const OTHERS: [&str; 92] = [
    "abbr",
    "address",
    "area",
    "aside",
    "audio",
    "base",
    "bdi",
    "bdo",
    "big",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "cite",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "del",
    "dfn",
    "dialog",
    "dt",
    "embed",
    "fieldset",
    "figcaption",
    "footer",
    "form",
    "head",
    "header",
    "hgroup",
    "hr",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "link",
    "main",
    "map",
    "menu",
    "meta",
    "meter",
    "nav",
    "noscript",
    "object",
    "optgroup",
    "option",
    "output",
    "param",
    "picture",
    "progress",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "search",
    "select",
    "slot",
    "source",
    "strike",
    "summary",
    "svg",
    "tbody",
    "template",
    "textarea",
    "tfoot",
    "thead",
    "time",
    "title",
    "track",
    "tt",
    "var",
    "video",
    "wbr",
    "mi",
    "mo",
    "mn",
    "mrow",
    "msup",
    "msub",
    "msubsup",
    "mfrac",
    "msqrt",
    "mtext",
    "semantics",
    "annotation",
];
/// Elements that end a paragraph.
const BLOCKS: [&str; 24] = [
    "p", "div", "br", "hr", "section", "article", "header", "footer", "main", "aside", "caption", "dl", "form",
    "fieldset", "legend", "address", "center", "nav", "details", "summary", "body", "html", "hgroup", "option",
];

/// The name of the tag that a text is behind the `<` of, in small letters.
pub(super) fn name_of(text: &str) -> String {
    let name: String = text.chars().take(16).take_while(char::is_ascii_alphanumeric).collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) { name.to_ascii_lowercase() } else { String::new() }
}

/// Whether a name is an element's and not, say, a type's in a text about programs.
pub(super) fn is_known(name: &str) -> bool {
    TELLING.contains(&name)
        || OTHERS.contains(&name)
        || is_custom(name)
        || matches!(name, "mover" | "munder" | "mtable" | "mtr" | "mtd")
}

/// Whether a name is one that a page may give to elements of its own.
fn is_custom(name: &str) -> bool {
    let parts = name.split('-');
    name.contains('-')
        && parts.clone().count() <= 6
        && parts.into_iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Whether what is in an element is dropped.
pub(super) fn is_dropped(name: &str) -> bool {
    DROPPED.contains(&name)
}

/// Whether an element ends a paragraph.
pub(super) fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name)
}

/// The level of a heading.
pub(super) fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

/// Whether a tag shows a picture that is on the web.
fn is_picture(tag: &str) -> bool {
    let tag = &tag[..tag.find('>').unwrap_or(0)];
    ["src=\"http", "src='http", "src=http"].iter().any(|source| tag.contains(source))
}

/// Whether the tags of a text say that it is HTML.
pub(super) fn tells(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let quoted = rest[..at].ends_with('`');
        rest = &rest[at + 1..];
        if quoted {
            continue;
        }
        let name = name_of(rest.strip_prefix('/').unwrap_or(rest));
        let telling = if rest.starts_with('/') {
            TELLING.contains(&name.as_str())
        } else {
            matches!(name.as_str(), "br" | "hr") || name == "img" && is_picture(rest)
        };
        if telling {
            return true;
        }
    }
    false
}
