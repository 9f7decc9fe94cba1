//! Markup as a flat list of pieces, properly nested and of bounded depth.
//!
//! Whatever comes in, [`read`] leaves only allowed elements, each of them closed, none deeper than
//! [`MOST_NESTED`]. This is not the guard against scripts, which is [`crate::clean`]; it is what keeps that guard's
//! parser cheap. HTML's own rules for broken nesting make 70 kB of unclosed tags into 90 MB of elements, and take half a
//! minute for it; from properly nested tags no parser can make more than there is.

use std::fmt::Write as _;

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};

use crate::allowed::{self, EVERYWHERE};
use crate::escape::escape_into;

/// Elements deeper than this lose their tags; their text stays.
pub(crate) const MOST_NESTED: usize = 100;

/// Text longer than this, in bytes, is written in several runs: what serializes the guard's tree looks, at each `&` of a
/// run, through the run's whole rest.
const LONGEST_RUN: usize = 4096;
/// An attribute with a longer value, in bytes, is left out: it costs what a run costs, and can't be divided.
const LONGEST_VALUE: usize = 8192;
/// Stands between two runs, and is not there any more when the guard is done.
const BREAK: &str = "<!---->";

/// A part of the markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// An element begins; a void one also ends.
    Open {
        name: &'static str,
        /// Decoded values.
        attributes: Vec<(&'static str, String)>,
        /// Whether its class says that it holds a speaker's notes.
        is_notes: bool,
    },
    /// The innermost element ends.
    Close(&'static str),
    /// Decoded text.
    Text(String),
}

impl Piece {
    /// Text that a reader would see.
    pub(crate) fn visible_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !text.trim().is_empty() => Some(text),
            _ => None,
        }
    }
}

/// Reads any text as HTML.
pub(crate) fn read(html: &str) -> Vec<Piece> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut reader = Reader::default();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => reader.start(tag),
            Token::EndTag(tag) => reader.end(&tag.name),
            Token::String(text) => reader.text(&text),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    reader.close_down_to(0);
    reader.pieces
}

/// Writes pieces as HTML.
pub(crate) fn write(pieces: &[Piece]) -> String {
    let mut html = String::new();
    for piece in pieces {
        match piece {
            Piece::Open { name, attributes, .. } => {
                html.push('<');
                html.push_str(name);
                for (attribute, value) in attributes {
                    let _ = write!(html, " {attribute}=\"");
                    escape_into(value, &mut html);
                    html.push('"');
                }
                html.push('>');
            }
            Piece::Close(name) => {
                let _ = write!(html, "</{name}>");
            }
            Piece::Text(text) => {
                for (number, run) in runs(text).enumerate() {
                    if number > 0 {
                        html.push_str(BREAK);
                    }
                    escape_into(run, &mut html);
                }
            }
        }
    }
    html
}

/// A text in runs of at most [`LONGEST_RUN`] bytes.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (run, after) = rest.split_at(rest.floor_char_boundary(LONGEST_RUN));
        rest = after;
        Some(run)
    })
}

/// Where an open element must not be closed from inside: a cell has its own flow.
const CELLS: [&str; 4] = ["td", "th", "caption", "table"];

#[derive(Default)]
struct Reader {
    pieces: Vec<Piece>,
    open: Vec<&'static str>,
    /// The element whose content is dropped, and how many of its name are open.
    dropping: Option<(Vec<u8>, usize)>,
}

impl Reader {
    fn start(&mut self, tag: StartTag<()>) {
        let name: &[u8] = &tag.name;
        if let Some((dropped, depth)) = &mut self.dropping {
            *depth += usize::from(dropped == name && !tag.self_closing);
            return;
        }
        if allowed::DROPPED_WHOLE.contains(&name) {
            self.dropping = (!tag.self_closing).then(|| (name.to_vec(), 1));
            return;
        }
        let Some((name, own)) = allowed::element(name) else { return };
        if !self.make_room(name) {
            return;
        }
        let mut is_notes = false;
        let mut attributes = Vec::new();
        for (attribute, value) in tag.attributes {
            let text = || String::from_utf8_lossy(&value.value).into_owned();
            let mut known = own.iter().chain(&EVERYWHERE);
            if let Some(attribute) = known.find(|known| known.as_bytes() == &**attribute) {
                if value.value.len() <= LONGEST_VALUE {
                    attributes.push((*attribute, text()));
                }
            } else if name == "aside" && &**attribute == b"class" {
                is_notes = text().split_ascii_whitespace().any(|class| class.eq_ignore_ascii_case("notes"));
            }
        }
        self.pieces.push(Piece::Open { name, attributes, is_notes });
        if !allowed::is_void(name) {
            self.open.push(name);
        }
    }

    fn end(&mut self, name: &[u8]) {
        if let Some((dropped, depth)) = &mut self.dropping {
            *depth -= usize::from(dropped == name);
            if *depth == 0 {
                self.dropping = None;
            }
            return;
        }
        let Some((name, _)) = allowed::element(name) else { return };
        let is_of_table =
            matches!(name, "table" | "caption" | "colgroup" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th");
        for (at, open) in self.open.iter().enumerate().rev() {
            if *open == name {
                return self.close_down_to(at);
            }
            if (CELLS.contains(open) && !is_of_table) || *open == "table" {
                return;
            }
        }
    }

    fn text(&mut self, text: &[u8]) {
        if self.dropping.is_none() {
            // A NUL is never text: what a parser makes of it depends on where it stands.
            let text = String::from_utf8_lossy(text).replace('\0', "");
            self.pieces.push(Piece::Text(text));
        }
    }

    /// Closes what the start of an element closes by itself. False when it can't stand here.
    fn make_room(&mut self, name: &'static str) -> bool {
        let has_place = match name {
            "caption" | "colgroup" | "thead" | "tbody" | "tfoot" => self.back_to(&["table"]),
            "col" => self.back_to(&["colgroup", "table"]),
            "tr" => self.back_to(&["thead", "tbody", "tfoot", "table"]),
            "td" | "th" => self.back_to(&["tr", "thead", "tbody", "tfoot", "table"]),
            "li" => self.close_within(&["li"], &["ul", "ol"]),
            "dt" | "dd" => self.close_within(&["dt", "dd"], &["dl"]),
            "rt" | "rp" => self.close_within(&["rt", "rp"], &["ruby"]) && self.open.contains(&"ruby"),
            "a" => self.close_within(&["a"], &[]),
            _ => true,
        };
        if closes_a_paragraph(name) {
            self.close_within(&["p"], &[]);
        }
        let is_in_heading = self.open.last().is_some_and(|open| allowed::heading_level(open).is_some());
        if allowed::heading_level(name).is_some() && is_in_heading {
            self.close_down_to(self.open.len() - 1);
        }
        has_place && self.open.len() < MOST_NESTED
    }

    /// Closes the innermost of `targets` unless one of `bounds` or a cell is in between.
    fn close_within(&mut self, targets: &[&str], bounds: &[&str]) -> bool {
        for (at, open) in self.open.iter().enumerate().rev() {
            if targets.contains(open) {
                self.close_down_to(at);
                break;
            }
            if bounds.contains(open) || CELLS.contains(open) {
                break;
            }
        }
        true
    }

    /// Closes everything inside the innermost of `parents`. False when there is none.
    fn back_to(&mut self, parents: &[&str]) -> bool {
        let parent = self.open.iter().rposition(|open| parents.contains(open));
        if let Some(at) = parent {
            self.close_down_to(at + 1);
        }
        parent.is_some()
    }

    fn close_down_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            let name = self.open.pop().expect("more are open than shall stay");
            self.pieces.push(Piece::Close(name));
        }
    }
}

fn closes_a_paragraph(name: &str) -> bool {
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
    BLOCKS.contains(&name) || allowed::heading_level(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_read(html: &str, expected: &str) {
        assert_eq!(write(&read(html)), expected, "{html}");
    }

    #[test]
    fn no_run_of_text_is_long_and_none_is_lost() {
        let text = "é&".repeat(LONGEST_RUN);
        let written = write(&read(&format!("<p>{text}</p>")));
        assert!(written.split(BREAK).all(|run| run.len() <= 5 * LONGEST_RUN), "an & takes five bytes");
        assert_eq!(written.replace(BREAK, ""), format!("<p>{}</p>", text.replace('&', "&amp;")));
        assert_eq!(written.matches(BREAK).count(), text.len() / LONGEST_RUN);
        let safe = crate::Sanitizer::new(vec![]).html(&format!("<p>{text}</p>"));
        assert_eq!(safe.as_str(), format!("<p>{}</p>", text.replace('&', "&amp;")), "the breaks are gone");
        let values = ["x".repeat(LONGEST_VALUE), "x".repeat(LONGEST_VALUE + 1)];
        let images = values.map(|value| write(&read(&format!("<img alt=\"{value}\">"))));
        assert_eq!([images[0].len(), images[1].len()], [LONGEST_VALUE + 12, 5]);
    }

    #[test]
    fn well_formed_html_is_kept_as_it_is() {
        for html in [
            "<p>One <b>bold</b> &amp; one <i>more</i>.</p>\n<ul><li>a</li><li>b<ol start=\"3\"><li>c</li></ol></li></ul>",
            "<table><caption>T</caption><thead><tr><th scope=\"col\">A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
            "<dl><dt>a</dt><dd>b</dd></dl><details open=\"\"><summary>s</summary><p>t</p></details>",
            "<figure><img alt=\"x\" src=\"https://a.example/b.png\"><figcaption>c</figcaption></figure>",
            "<pre><code>if a &lt; b {\n    c\n}</code></pre>",
            "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>",
            "<table><tr><td><table><tr><td>in</td></tr></table></td><td>out</td></tr></table>",
        ] {
            assert_read(html, html);
        }
    }

    #[test]
    fn tags_that_html_lets_one_omit_are_added() {
        assert_read("<p>a<p>b<div>c", "<p>a</p><p>b</p><div>c</div>");
        assert_read(
            "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>",
            "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>",
        );
        assert_read("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>");
        assert_read(
            "<table><tr><td>1<td>2<tr><td>3</table>",
            "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>",
        );
        assert_read("<h2>a<h3>b</h3>", "<h2>a</h2><h3>b</h3>");
    }

    #[test]
    fn tags_that_close_nothing_or_stand_nowhere_go() {
        assert_read("a</p></div></b>b<td>c</td>", "abc");
        assert_read("<b>a<p>b</b>c</p>", "<b>a<p>b</p></b>c");
        assert_read(
            "<div><table><tr><td></div>x</td></tr></table></div>",
            "<div><table><tr><td>x</td></tr></table></div>",
        );
    }

    #[test]
    fn content_that_is_no_text_goes_with_its_tags() {
        assert_read("a<script>if (a < b) alert('</p>')</script>b<style>p{}</style>c", "abc");
        assert_read("a<svg><g><svg></svg><text>t</text></g></svg>b<svg/>c", "abc");
        assert_read("a<select><option>x</select>b<textarea><p>t</textarea>c<title>t</title>", "abc");
        assert_read("<custom-tag>a</custom-tag><font color=red>b</font><!-- c -->", "ab");
    }

    #[test]
    fn depth_is_bounded_and_text_is_not_lost() {
        let deep = format!("{}x{}", "<div>".repeat(5000), "</div>".repeat(5000));
        let pieces = read(&deep);
        assert_eq!(pieces.len(), 2 * MOST_NESTED + 1);
        assert!(write(&pieces).contains(">x<"));
    }

    #[test]
    fn values_and_text_are_escaped() {
        assert_read(
            "<p title='a\"b<c>&amp;'>1 < 2 &lt;b&gt; &amp;amp;",
            "<p title=\"a&quot;b&lt;c&gt;&amp;\">1 &lt; 2 &lt;b&gt; &amp;amp;</p>",
        );
    }
}
