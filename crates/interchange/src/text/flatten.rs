//! Markup as plain text: lines for blocks, collapsed white space, preformatted text as it is.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use super::Notes;
use super::elements::{is_block, is_formatting, is_no_text};
use super::formula::Formula;
use crate::xml::{Element, Node, is_space};

/// Stands where a gap in a text is to be filled in.
pub(crate) const GAP: &str = "____";

/// The text of an XHTML element's content.
pub(crate) fn flatten(element: &Element) -> (String, Notes) {
    let mut flattener = Flattener::default();
    flattener.content(element);
    flattener.finish()
}

/// The text of an HTML fragment.
pub(crate) fn flatten_html(html: &str) -> (String, Notes) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut flattener = Flattener::default();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name);
                let value = |name: &str| {
                    tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(&value.value).into_owned())
                };
                flattener.start(&name, value);
                if tag.self_closing {
                    flattener.end(&name);
                }
            }
            Token::EndTag(tag) => flattener.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => flattener.text(&String::from_utf8_lossy(&text.value).replace('\0', "")),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    flattener.finish()
}

/// Collects text from markup, piece by piece.
#[derive(Default)]
pub(crate) struct Flattener {
    out: String,
    notes: Notes,
    /// White space was met and not written yet.
    space: bool,
    /// A block began or ended and its line break is not written yet.
    line: bool,
    /// Preformatted elements around.
    preformatted: usize,
    /// What of `out` must not be trimmed: the preformatted text.
    kept: Option<(usize, usize)>,
    /// The element whose content is not text, and how many of its name are open.
    skipped: Option<(String, usize)>,
    /// The formula that is being read.
    formula: Option<Formula>,
}

impl Flattener {
    /// Takes an element's content.
    pub(crate) fn content(&mut self, element: &Element) {
        for node in &element.children {
            match node {
                Node::Text(text) => self.text(text),
                Node::Element(child) => {
                    self.start(&child.name, |name| child.attribute(name).map(str::to_owned));
                    self.content(child);
                    self.end(&child.name);
                }
            }
        }
    }

    /// Takes the start of an element; `value` looks its attributes up.
    pub(crate) fn start(&mut self, name: &str, value: impl Fn(&str) -> Option<String>) {
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth += usize::from(skipped == name);
            return;
        }
        if let Some(formula) = &mut self.formula {
            formula.start(name, value("encoding").as_deref());
            return;
        }
        if is_no_text(name) {
            self.skipped = Some((name.to_owned(), 1));
        }
        match name {
            "pre" => {
                self.block();
                self.flush();
                self.preformatted += 1;
                self.keep(self.out.len());
            }
            "br" => {
                self.space = false;
                self.flush();
                self.out.push('\n');
            }
            "img" => {
                self.notes.pictures.insert(value("src").unwrap_or_default());
                self.text(&value("alt").unwrap_or_default());
            }
            "a" => {
                self.notes.links.extend(value("href"));
            }
            "td" | "th" => self.space = true,
            "table" => self.notes.has_table = true,
            "math" => self.formula = Some(Formula::new(value("display").as_deref())),
            "audio" | "video" | "object" | "embed" | "iframe" | "svg" | "canvas" => self.notes.has_medium = true,
            _ => self.notes.has_formatting |= is_formatting(name),
        }
        if is_block(name) {
            self.block();
        }
    }

    /// Takes the end of an element.
    pub(crate) fn end(&mut self, name: &str) {
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth -= usize::from(skipped == name);
            if *depth == 0 {
                self.skipped = None;
            }
            return;
        }
        if let Some(formula) = &mut self.formula {
            if formula.end(name) {
                self.end_formula();
            }
            return;
        }
        if name == "pre" && self.preformatted > 0 {
            self.preformatted -= 1;
            self.keep(self.out.len());
        }
        if is_block(name) {
            self.block();
        }
    }

    /// Takes text.
    pub(crate) fn text(&mut self, text: &str) {
        if self.skipped.is_some() || text.is_empty() {
            return;
        }
        if let Some(formula) = &mut self.formula {
            formula.text(text);
            return;
        }
        if self.preformatted > 0 {
            self.literal(text);
            return;
        }
        for c in text.chars() {
            if is_space(c) || c == '\u{c}' {
                self.space = true;
            } else {
                self.flush();
                self.out.push(c);
            }
        }
    }

    /// Writes text as it is.
    fn literal(&mut self, text: &str) {
        self.flush();
        self.out.push_str(text);
        if self.preformatted > 0 {
            self.keep(self.out.len());
        }
    }

    /// Writes the formula that was read.
    fn end_formula(&mut self) {
        let Some(formula) = self.formula.take() else { return };
        let before = if self.space || self.line { "" } else { self.out.as_str() };
        match formula.finish(before) {
            Ok(latex) => self.literal(&latex),
            Err(signs) => {
                self.notes.has_formula = true;
                self.text(&signs);
            }
        }
    }

    /// Puts the sign for a gap.
    pub(crate) fn gap(&mut self, label: &str) {
        self.text(&format!("{label}{GAP}"));
    }

    /// What follows stands on a line of its own.
    pub(crate) fn block(&mut self) {
        self.line = true;
        self.space = false;
    }

    /// The text, and what it could not hold.
    pub(crate) fn finish(mut self) -> (String, Notes) {
        self.end_formula();
        let (start, end) = self.kept.unwrap_or((self.out.len(), 0));
        let trimmed = self.out.trim_end_matches('\n').len().max(end);
        self.out.truncate(trimmed);
        let leading = self.out.len() - self.out.trim_start_matches('\n').len();
        (self.out.split_off(leading.min(start).min(trimmed)), self.notes)
    }

    /// Writes the line break or the space that is due before more text.
    fn flush(&mut self) {
        let is_new_line = self.out.is_empty() || self.out.ends_with('\n');
        if self.line && !is_new_line {
            self.out.push('\n');
        } else if self.space && !is_new_line {
            self.out.push(' ');
        }
        self.line = false;
        self.space = false;
    }

    fn keep(&mut self, end: usize) {
        let start = self.kept.map_or(end, |(start, _)| start);
        self.kept = Some((start, end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &str) -> String {
        flatten_html(html).0
    }

    #[test]
    fn blocks_become_lines_and_white_space_collapses() {
        assert_eq!(text(" <p>a\n  b</p>\n<p>c<br>d </p><ul><li>e<li>f</ul>"), "a b\nc\nd\ne\nf");
        assert_eq!(text("a <b> b </b> c"), "a b c");
        assert_eq!(text("<table><tr><td>1<td>2<tr><td>3</table>"), "1 2\n3");
        assert_eq!(text("<p>a</p><br><br>"), "a");
    }

    #[test]
    fn preformatted_text_is_kept() {
        assert_eq!(text("<p>x</p><pre>  a\n    b\n</pre><p>c</p>"), "x\n  a\n    b\nc");
        assert_eq!(text("<pre>\n\na</pre>"), "\n\na");
    }

    #[test]
    fn what_is_no_text_is_left_out() {
        assert_eq!(text("a<script>alert(1)</script><style>b{}</style><svg><text>x</text></svg>c\0d"), "acd");
    }

    #[test]
    fn what_text_can_not_hold_is_noted() {
        let (text, notes) =
            flatten_html("<b>a</b> <img src='x.png' alt='A dog'> <a href='https://e.org'>l</a> <video></video>");
        assert_eq!(text, "a A dog l");
        assert!(notes.has_formatting && notes.has_medium && !notes.has_table);
        assert!(notes.pictures.contains("x.png") && notes.links.contains("https://e.org"));
        let mut report = crate::report::Report::default();
        notes.report(&mut report, "a.xml");
        assert_eq!(report.findings.len(), 4);
    }
}
