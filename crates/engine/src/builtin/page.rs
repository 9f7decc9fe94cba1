//! Writes HTML: elements opened and closed in pairs, every text escaped.

use crate::reading::inline::{MarkKind, Passage};

/// An HTML fragment in the making.
#[derive(Default)]
pub(crate) struct Page {
    html: String,
}

impl Page {
    /// An element around what `inside` writes. `attributes` are trusted.
    pub(crate) fn element(&mut self, name: &str, attributes: &str, inside: impl FnOnce(&mut Self)) {
        self.html.push('<');
        self.html.push_str(name);
        if !attributes.is_empty() {
            self.html.push(' ');
            self.html.push_str(attributes);
        }
        self.html.push('>');
        inside(self);
        self.html.push_str("</");
        self.html.push_str(name);
        self.html.push('>');
    }

    /// An element that holds only text.
    pub(crate) fn text_element(&mut self, name: &str, attributes: &str, text: &str) {
        self.element(name, attributes, |page| page.text(text));
    }

    /// A section under its heading, which names it for those who listen. `id` is trusted.
    pub(crate) fn section(&mut self, id: &str, heading: &str, inside: impl FnOnce(&mut Self)) {
        self.element("section", &format!("id=\"{id}\" aria-labelledby=\"{id}-title\""), |page| {
            page.line();
            page.text_element("h2", &format!("id=\"{id}-title\""), heading);
            page.line();
            inside(page);
        });
        self.line();
    }

    pub(crate) fn text(&mut self, text: &str) {
        escape_into(text, &mut self.html);
    }

    /// Running text with its emphasis.
    pub(crate) fn passage(&mut self, passage: &Passage) {
        let mut at = 0;
        for mark in &passage.marks {
            self.text(&passage.text[at..mark.start]);
            let text = &passage.text[mark.start..mark.end];
            match &mark.kind {
                MarkKind::Strong => self.text_element("strong", "", text),
                MarkKind::Emphasis => self.text_element("em", "", text),
                MarkKind::Code => self.text_element("code", "", text),
                MarkKind::Link(address) => self.text_element("a", &format!("href=\"{}\"", escaped(address)), text),
                MarkKind::Formula => self.text(text),
            }
            at = mark.end;
        }
        self.text(&passage.text[at..]);
    }

    /// HTML that a page has written.
    pub(crate) fn written(&mut self, html: &str) {
        self.html.push_str(html);
    }

    pub(crate) fn line(&mut self) {
        self.html.push('\n');
    }

    pub(crate) fn finish(self) -> String {
        self.html
    }
}

/// Text as it may stand in an element or in a quoted attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    escape_into(text, &mut escaped);
    escaped
}

fn escape_into(text: &str, html: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => continue,
        };
        html.push_str(&text[from..at]);
        html.push_str(reference);
        from = at + 1;
    }
    html.push_str(&text[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_not_leave_its_place() {
        let mut page = Page::default();
        page.text_element("p", "", "a < b & \"c\" <script>alert('x')</script>");
        assert_eq!(
            page.finish(),
            "<p>a &lt; b &amp; &quot;c&quot; &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>"
        );
    }
}
