//! Writing XML: elements that are always closed, text that is always escaped.
//!
//! Element-only content is indented. Content with text is written on one line, so that no white space is
//! added to it.

use std::fmt::{Display, Write as _};

use super::is_character;

/// An attribute: its name and value.
pub(crate) type Attribute<'a> = (&'a str, &'a dyn Display);

/// Text that is well-formed markup already: made by [`escape`] or by the writers of this crate.
pub(crate) struct Markup(pub(crate) String);

/// An XML document in the making.
pub(crate) struct Writer {
    out: String,
    open: Vec<String>,
}

impl Writer {
    /// A document with its declaration.
    pub(crate) fn new() -> Self {
        Self { out: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(), open: Vec::new() }
    }

    /// Begins an element that has elements inside.
    pub(crate) fn open(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.start(name, attributes);
        self.out.push('>');
        self.open.push(name.to_owned());
    }

    /// Ends the element that was begun last.
    pub(crate) fn close(&mut self) {
        let name = self.open.pop().expect("as many elements are closed as were opened");
        self.line();
        let _ = write!(self.out, "</{name}>");
    }

    /// An element without content.
    pub(crate) fn empty(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.start(name, attributes);
        self.out.push_str("/>");
    }

    /// An element with text inside.
    pub(crate) fn leaf(&mut self, name: &str, attributes: &[Attribute<'_>], text: &str) {
        self.mixed(name, attributes, &Markup(escape(text)));
    }

    /// An element with text and elements inside.
    pub(crate) fn mixed(&mut self, name: &str, attributes: &[Attribute<'_>], content: &Markup) {
        self.start(name, attributes);
        let _ = write!(self.out, ">{}</{name}>", content.0);
    }

    /// The document.
    pub(crate) fn finish(mut self) -> String {
        assert!(self.open.is_empty(), "all elements are closed");
        self.out.push('\n');
        self.out
    }

    fn start(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.line();
        self.out.push_str(&start(name, attributes));
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.open.len() {
            self.out.push_str("  ");
        }
    }
}

/// An element without content, to be put into a text.
pub(crate) fn inline(name: &str, attributes: &[Attribute<'_>]) -> Markup {
    Markup(format!("{}/>", start(name, attributes)))
}

/// A start tag without its end.
fn start(name: &str, attributes: &[Attribute<'_>]) -> String {
    let mut tag = format!("<{name}");
    for (name, value) in attributes {
        let _ = write!(tag, " {name}=\"{}\"", escape_attribute(&value.to_string()));
    }
    tag
}

/// The text as XML content. Characters that XML can't hold are left out.
pub(crate) fn escape(text: &str) -> String {
    escaped(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        // A bare one would become a line feed.
        '\r' => Some("&#13;"),
        _ => None,
    })
}

/// The text as an attribute's value. White space other than a space would become one, were it bare.
fn escape_attribute(text: &str) -> String {
    escaped(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        _ => None,
    })
}

fn escaped(text: &str, reference: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| is_character(*c)) {
        match reference(c) {
            Some(reference) => out.push_str(reference),
            None => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::xml::parse;

    #[test]
    fn elements_are_indented_and_text_is_not() {
        let mut writer = Writer::new();
        writer.open("a", &[("n", &1), ("t", &"\"<\n")]);
        writer.leaf("b", &[], "x & y");
        writer.empty("c", &[]);
        writer.close();
        assert_eq!(
            writer.finish(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a n=\"1\" t=\"&quot;&lt;&#10;\">\n  <b>x &amp; y</b>\n  <c/>\n</a>\n"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(text in any::<String>()) {
            let mut writer = Writer::new();
            writer.leaf("a", &[("b", &text)], &text);
            let root = parse(writer.finish().as_bytes(), "a.xml").unwrap();
            let held: String = text.chars().filter(|c| is_character(*c)).collect();
            prop_assert_eq!(root.attribute("b"), Some(held.as_str()));
            prop_assert_eq!(root.text(), held);
        }
    }
}
