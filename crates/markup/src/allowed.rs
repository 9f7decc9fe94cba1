//! What may stand on a page: the elements and, for each, the attributes.
//!
//! Not here on purpose: anything that runs, loads, navigates or collects input; SVG and MathML (their parsing
//! rules are where mutation attacks live: [`crate::formulas`] prints formulas anew); `style` and classes of its own
//! (content must not dress up as the interface), but for the language of code; `role` (it must not speak like it
//! either); `nav` and `main` (a page has its own).

/// A name, and the attributes that only this element may have.
pub(crate) type Element = (&'static str, &'static [&'static str]);

/// Elements with their own attributes; [`EVERYWHERE`] comes on top.
pub(crate) const ELEMENTS: [Element; 69] = [
    ("a", &["href"]),
    ("abbr", &[]),
    ("address", &[]),
    ("article", &[]),
    ("aside", &[]),
    ("b", &[]),
    ("bdi", &[]),
    ("bdo", &[]),
    ("blockquote", &[]),
    ("br", &[]),
    ("caption", &[]),
    ("cite", &[]),
    ("code", &[]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("data", &["value"]),
    ("dd", &[]),
    ("del", &[]),
    ("details", &["open"]),
    ("dfn", &[]),
    ("div", &[]),
    ("dl", &[]),
    ("dt", &[]),
    ("em", &[]),
    ("figcaption", &[]),
    ("figure", &[]),
    ("footer", &[]),
    ("h1", &[]),
    ("h2", &[]),
    ("h3", &[]),
    ("h4", &[]),
    ("h5", &[]),
    ("h6", &[]),
    ("header", &[]),
    ("hr", &[]),
    ("i", &[]),
    ("img", &["src", "alt", "width", "height"]),
    ("ins", &[]),
    ("kbd", &[]),
    ("li", &["value"]),
    ("mark", &[]),
    ("ol", &["start", "reversed", "type"]),
    ("p", &[]),
    ("pre", &[]),
    ("q", &[]),
    ("rp", &[]),
    ("rt", &[]),
    ("ruby", &[]),
    ("s", &[]),
    ("samp", &[]),
    ("section", &[]),
    ("small", &[]),
    ("span", &[]),
    ("strong", &[]),
    ("sub", &[]),
    ("summary", &[]),
    ("sup", &[]),
    ("table", &[]),
    ("tbody", &[]),
    ("td", &["colspan", "rowspan", "headers"]),
    ("tfoot", &[]),
    ("th", &["colspan", "rowspan", "headers", "scope", "abbr"]),
    ("thead", &[]),
    ("time", &["datetime"]),
    ("tr", &[]),
    ("u", &[]),
    ("ul", &[]),
    ("var", &[]),
    ("wbr", &[]),
];

/// Attributes that every element may have.
pub(crate) const EVERYWHERE: [&str; 7] =
    ["id", "lang", "dir", "title", "aria-label", "aria-labelledby", "aria-describedby"];

/// Elements whose content is no text for a reader; of any other element that is not allowed, only the tags go.
pub(crate) const DROPPED_WHOLE: [&[u8]; 13] = [
    b"annotation",
    b"annotation-xml",
    b"datalist",
    b"iframe",
    b"noembed",
    b"noframes",
    b"script",
    b"select",
    b"style",
    b"svg",
    b"template",
    b"textarea",
    b"title",
];

/// The allowed element of this name.
pub(crate) fn element(name: &[u8]) -> Option<Element> {
    ELEMENTS.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok().map(|at| ELEMENTS[at])
}

/// The heading element of a level from 1 to 6.
pub(crate) fn heading(level: u8) -> &'static str {
    ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(level.clamp(1, 6)) - 1]
}

/// Elements without content and end tag.
pub(crate) fn is_void(name: &str) -> bool {
    matches!(name, "br" | "col" | "hr" | "img" | "wbr")
}

/// The level of a heading element.
pub(crate) fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

/// Whether an element ends an open paragraph.
pub(crate) fn closes_a_paragraph(name: &str) -> bool {
    const BLOCKS: [&str; 19] = [
        "address",
        "article",
        "aside",
        "blockquote",
        "details",
        "div",
        "dl",
        "figcaption",
        "figure",
        "footer",
        "header",
        "hr",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "ul",
    ];
    BLOCKS.contains(&name) || heading_level(name).is_some()
}

/// Whether an element holds more than running text, or is a part of one that does.
pub(crate) fn is_block(name: &str) -> bool {
    const PARTS: [&str; 12] =
        ["caption", "col", "colgroup", "dd", "dt", "li", "tbody", "td", "tfoot", "th", "thead", "tr"];
    closes_a_paragraph(name) || PARTS.contains(&name)
}

/// The class by which code names its language: `language-python`. Letters, digits and the signs of `c++`, `c#`, `.net`
/// and `objective-c`; at most 20.
pub fn language_class(class: &str) -> Option<&str> {
    let language = class.strip_prefix("language-")?;
    let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+#.-".contains(&byte);
    ((1..=20).contains(&language.len()) && language.bytes().all(is_sign)).then_some(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_sorted_and_nothing_is_both_allowed_and_dropped() {
        assert!(ELEMENTS.is_sorted_by(|(one, _), (next, _)| one < next));
        assert!(DROPPED_WHOLE.iter().all(|name| element(name).is_none()));
    }
}
