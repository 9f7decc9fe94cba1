//! HTML that may go on a page: an allow-list, strictly nested, with nothing that runs or loads.
//!
//! The reader here is stricter than a browser on purpose. Whatever it does not know is a defect, so
//! a draft that passes means the same to every browser.

use std::collections::HashSet;

use super::Report;

const ELEMENTS: [&str; 69] = [
    "article",
    "section",
    "header",
    "footer",
    "aside",
    "div",
    "span",
    "p",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "caption",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "th",
    "td",
    "colgroup",
    "blockquote",
    "q",
    "cite",
    "pre",
    "code",
    "kbd",
    "samp",
    "var",
    "em",
    "strong",
    "b",
    "i",
    "u",
    "s",
    "mark",
    "small",
    "sub",
    "sup",
    "abbr",
    "dfn",
    "time",
    "figure",
    "figcaption",
    "details",
    "summary",
    "a",
    "ruby",
    "rt",
    "rp",
    "bdi",
    "bdo",
    "del",
    "ins",
    "address",
    "data",
    "wbr",
    "br",
    "hr",
    "nav",
    "h1",
    "img",
];
const VOID: [&str; 4] = ["br", "hr", "img", "wbr"];
const ATTRIBUTES: [&str; 23] = [
    "id",
    "class",
    "lang",
    "dir",
    "title",
    "scope",
    "colspan",
    "rowspan",
    "headers",
    "start",
    "value",
    "type",
    "reversed",
    "href",
    "open",
    "datetime",
    "cite",
    "role",
    "abbr",
    "rel",
    "translate",
    "src",
    "alt",
];
/// Most defects of one text; more help nobody.
const MAX_DEFECTS: usize = 50;
/// Deepest nesting of elements.
const MAX_DEPTH: usize = 64;

/// Checks a fragment and counts its sections. `part` names it in the report.
pub(super) fn check(report: &mut Report, part: &str, html: &str) -> usize {
    let mut reader = Reader {
        report,
        part,
        open: Vec::new(),
        ids: HashSet::new(),
        heading: 1,
        sections: 0,
        text: false,
        defects: 0,
    };
    reader.read(html);
    while let Some(name) = reader.open.pop() {
        reader.defect("html_unclosed", format!("<{name}> is not closed"));
    }
    let (sections, text) = (reader.sections, reader.text);
    report.require(text, part, "blank", "the content has no text");
    sections
}

/// A piece of a fragment that passed [`check`].
pub(super) enum Piece<'h> {
    Open {
        name: &'h str,
        attributes: &'h str,
    },
    Close,
    /// An element that has no end.
    Void,
    Text(&'h str),
}

/// The pieces of a fragment in order.
pub(super) fn pieces(html: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = html;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(tag) = rest.strip_prefix('<') else {
            let (text, more) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
            rest = more;
            return Some(Piece::Text(text));
        };
        let end = end_of_tag(tag)?;
        rest = &tag[end + 1..];
        let tag = &tag[..end];
        let name_end = tag.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let (name, attributes) = tag.split_at(name_end);
        Some(match name {
            "" => Piece::Close,
            name if VOID.contains(&name) => Piece::Void,
            name => Piece::Open { name, attributes },
        })
    })
}

/// Whether a text that should be plain holds a tag that a browser would act on.
pub(super) fn has_tag(text: &str) -> bool {
    const ACTIVE: [&str; 8] = ["<script", "<style", "<iframe", "<img", "<svg", "<object", "<a ", "</"];
    let lower = text.to_ascii_lowercase();
    ACTIVE.iter().any(|tag| lower.contains(tag)) && lower.contains('>')
}

struct Reader<'r, 'h> {
    report: &'r mut Report,
    part: &'r str,
    open: Vec<&'h str>,
    ids: HashSet<&'h str>,
    heading: u8,
    sections: usize,
    text: bool,
    defects: usize,
}

impl<'h> Reader<'_, 'h> {
    fn defect(&mut self, rule: &'static str, message: String) {
        self.defects += 1;
        if self.defects <= MAX_DEFECTS {
            self.report.add(self.part, rule, message);
        }
    }

    fn read(&mut self, html: &'h str) {
        let mut rest = html;
        while let Some(at) = rest.find('<') {
            self.run(&rest[..at]);
            rest = &rest[at + 1..];
            let Some(end) = end_of_tag(rest) else {
                self.defect("html_malformed", "a tag does not end".to_owned());
                return;
            };
            self.tag(&rest[..end]);
            rest = &rest[end + 1..];
        }
        self.run(rest);
    }

    fn run(&mut self, text: &str) {
        self.text |= !text.trim().is_empty();
        if text.contains('>') {
            self.defect("html_malformed", "a > stands alone".to_owned());
        }
        if text.contains(|character: char| character.is_control() && !matches!(character, '\n' | '\t')) {
            self.defect("control", "the content holds control characters".to_owned());
        }
    }

    fn tag(&mut self, tag: &'h str) {
        if let Some(name) = tag.strip_prefix('/') {
            match self.open.pop() {
                Some(open) if open == name => {}
                Some(open) => {
                    self.defect("html_nesting", format!("</{}> closes <{open}>", brief(name)));
                }
                None => self.defect("html_nesting", format!("</{}> closes nothing", brief(name))),
            }
            return;
        }
        let name_end = tag.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let name = &tag[..name_end];
        if !ELEMENTS.contains(&name) {
            self.defect("html_element", format!("<{}> is not allowed", brief(name)));
        }
        self.attributes(name, tag[name_end..].trim_end_matches('/'));
        self.outline(name);
        if !VOID.contains(&name) {
            if self.open.len() >= MAX_DEPTH {
                self.defect("html_depth", "elements are nested too deep".to_owned());
            }
            self.open.push(name);
        }
    }

    /// Headings go down one level at a time.
    fn outline(&mut self, name: &str) {
        self.sections += usize::from(name == "section");
        if let [b'h', digit @ b'1'..=b'6'] = name.as_bytes() {
            let level = digit - b'0';
            if level > self.heading + 1 {
                self.defect("html_headings", format!("a heading jumps from level {} to {level}", self.heading));
            }
            self.heading = level;
        }
    }

    fn attributes(&mut self, element: &str, text: &'h str) {
        let mut rest = text;
        loop {
            let trimmed = rest.trim_start();
            if trimmed.is_empty() {
                return;
            }
            if trimmed.len() == rest.len() {
                return self.defect("html_malformed", format!("the attributes of <{}> are not parted", brief(element)));
            }
            let name_end =
                trimmed.find(|character: char| character.is_whitespace() || character == '=').unwrap_or(trimmed.len());
            let name = &trimmed[..name_end];
            rest = &trimmed[name_end..];
            let value = match rest.strip_prefix("=\"") {
                Some(quoted) => {
                    let Some(end) = quoted.find('"') else {
                        return self.defect("html_malformed", "a value does not end".to_owned());
                    };
                    rest = &quoted[end + 1..];
                    &quoted[..end]
                }
                None if rest.starts_with('=') => {
                    return self
                        .defect("html_malformed", format!("the value of {} is not in double quotes", brief(name)));
                }
                None => "",
            };
            self.attribute(name, value);
        }
    }

    fn attribute(&mut self, name: &str, value: &'h str) {
        let known = ATTRIBUTES.contains(&name)
            || name.strip_prefix("aria-").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_lowercase()));
        if !known {
            self.defect("html_attribute", format!("the attribute {} is not allowed", brief(name)));
        }
        if name == "id" && !self.ids.insert(value) {
            self.defect("html_id", format!("the id {} is there twice", brief(value)));
        }
        let schemes: &[&str] = match name {
            "href" | "cite" => &["https://", "http://", "mailto:", "#", "/"],
            "src" => &["https://", "http://", "/"],
            _ => return,
        };
        if !schemes.iter().any(|scheme| value.starts_with(scheme)) || value.starts_with("//") {
            self.defect("html_url", format!("the address {} is not allowed", brief(value)));
        }
    }
}

/// Where the tag ends; a `>` inside quotes is no end.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b'>' && !quoted
    })
}

fn brief(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(40).collect()
}
