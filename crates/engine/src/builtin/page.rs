//! Writes HTML: elements opened and closed in pairs, every text escaped.

use markup::formulas::{self, Part};
use markup::language_class;

use crate::checks::html;
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

    /// An element that holds text with formulas in it.
    pub(crate) fn plain_element(&mut self, name: &str, attributes: &str, text: &str) {
        self.element(name, attributes, |page| page.plain(text));
    }

    /// A section under its heading, which names it for those who listen. `id` is trusted.
    pub(crate) fn section(&mut self, id: &str, heading: &str, inside: impl FnOnce(&mut Self)) {
        self.element("section", &format!("id=\"{id}\" aria-labelledby=\"{id}-title\""), |page| {
            page.line();
            page.plain_element("h2", &format!("id=\"{id}-title\""), heading);
            page.line();
            inside(page);
        });
        self.line();
    }

    pub(crate) fn text(&mut self, text: &str) {
        escape_into(text, &mut self.html);
    }

    /// Text that may hold formulas between dollar signs, as questions and cells of tables do.
    pub(crate) fn plain(&mut self, text: &str) {
        for part in formulas::parts(text) {
            match part {
                Part::Text(text) => self.text(text),
                Part::Formula { latex, display } => self.formula(latex, display),
            }
        }
    }

    /// A formula as MathML; LaTeX that can't be read is shown as code.
    pub(crate) fn formula(&mut self, latex: &str, display: bool) {
        match formulas::mathml(latex, display) {
            Some(mathml) => self.written(&mathml),
            None => self.text_element("code", "", latex),
        }
    }

    /// Code with its lines, and with the name of its language where that is one that a class can hold.
    pub(crate) fn code(&mut self, language: Option<&str>, text: &str) {
        let class = language.map(|language| format!("language-{}", language.trim().to_lowercase()));
        let class = class.filter(|class| language_class(class).is_some());
        let attributes = class.map_or(String::new(), |class| format!("class=\"{class}\""));
        self.element("pre", "", |page| page.text_element("code", &attributes, text));
    }

    /// A picture, or its description where the address leads to none that a page can load.
    pub(crate) fn picture(&mut self, address: &str, description: &str) {
        if html::is_picture_address(address) {
            self.written(&format!("<img src=\"{}\" alt=\"{}\">", escaped(address), escaped(description)));
        } else {
            self.text_element("p", "", description);
        }
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
                MarkKind::Link(address) if html::is_link_address(address) => {
                    self.text_element("a", &format!("href=\"{}\"", escaped(address)), text);
                }
                MarkKind::Link(_) => self.text(text),
                MarkKind::Formula => self.marked_formula(text),
            }
            at = mark.end;
        }
        self.text(&passage.text[at..]);
    }

    /// A formula between its dollar signs.
    fn marked_formula(&mut self, text: &str) {
        let between = |sign| text.strip_prefix(sign).and_then(|text| text.strip_suffix(sign));
        match (between("$$"), between("$")) {
            (Some(latex), _) => self.formula(latex, true),
            (None, latex) => self.formula(latex.unwrap_or(text), false),
        }
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
    use crate::reading::inline::PassageBuilder;

    fn written(write: impl FnOnce(&mut Page)) -> String {
        let mut page = Page::default();
        write(&mut page);
        page.finish()
    }

    #[test]
    fn a_formula_is_mathml_and_what_can_not_be_read_is_code() {
        let root = formulas::mathml("\\sqrt{2}", false).unwrap();
        assert_eq!(written(|page| page.plain("a < $\\sqrt{2}$, $5 or $7")), format!("a &lt; {root}, $5 or $7"));
        assert_eq!(written(|page| page.formula("\\unknown<", true)), "<code>\\unknown&lt;</code>");
        let mut builder = PassageBuilder::default();
        builder.push_str("The root ");
        for (text, address) in [("$\\sqrt{2}$", None), ("$$\\sqrt{2}$$", None), ("b", Some("javascript:x"))] {
            builder.open(address.map_or(MarkKind::Formula, |address| MarkKind::Link(address.to_owned())));
            builder.push_str(text);
            builder.close();
        }
        let display = formulas::mathml("\\sqrt{2}", true).unwrap();
        assert_eq!(written(|page| page.passage(&builder.finish())), format!("The root {root}{display}b"));
    }

    #[test]
    fn code_has_the_class_of_its_language_when_it_is_a_name() {
        let code = |language| written(|page| page.code(language, "a < b"));
        assert_eq!(code(Some("C++")), "<pre><code class=\"language-c++\">a &lt; b</code></pre>");
        for none in [None, Some(""), Some("two words"), Some("a\" onclick=\"b")] {
            assert_eq!(code(none), "<pre><code>a &lt; b</code></pre>");
        }
    }

    #[test]
    fn pictures_that_no_page_can_load_are_their_descriptions() {
        let picture = |address| written(|page| page.picture(address, "A \"cell\""));
        assert_eq!(
            picture("https://a.example/b.png"),
            "<img src=\"https://a.example/b.png\" alt=\"A &quot;cell&quot;\">"
        );
        for none in ["b.png", "javascript:x", "data:image/png;base64,AA", "//a.example/b.png", "/b.png"] {
            assert_eq!(picture(none), "<p>A &quot;cell&quot;</p>");
        }
    }

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
