//! Markup as a flat list of pieces, properly nested and of bounded depth.
//!
//! Whatever comes in, [`read`] leaves only allowed elements, each of them closed, none deeper than
//! [`MOST_NESTED`]. This is not the guard against scripts, which is [`crate::clean`]; it is what keeps that guard's
//! parser cheap. HTML's own rules for broken nesting make 70 kB of unclosed tags into 90 MB of elements, and take half a
//! minute for it; from properly nested tags no parser can make more than there is.

use std::borrow::Cow;
use std::fmt::Write as _;

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};

use crate::allowed::{self, EVERYWHERE};
use crate::escape::escape_into;
use crate::formulas::{Builder, Formula, Part, Step, parts};

/// Elements deeper than this lose their tags; their text stays.
pub(crate) const MOST_NESTED: usize = 100;

/// Text longer than this, in bytes, is written in several runs: what serializes the guard's tree looks, at each `&` of a
/// run, through the run's whole rest.
const LONGEST_RUN: usize = 4096;
/// An attribute with a longer value, in bytes, is left out: it costs what a run costs, and can't be divided.
const LONGEST_VALUE: usize = 8192;
/// Stands between two runs, and is not there any more when the guard is done.
const BREAK: &str = "<!---->";
/// Stands around the number of a formula. It is no character of any text, and every parser lets it pass.
const MARK: char = '\u{FDD0}';
/// Elements in which a dollar sign is a dollar sign.
const VERBATIM: [&str; 4] = ["code", "kbd", "pre", "samp"];

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
    /// A formula, which the guard doesn't see: a mark stands for it.
    Formula(Formula),
}

impl Piece {
    /// Text that a reader would see; of a formula its LaTeX.
    pub(crate) fn visible_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(text) if !text.trim().is_empty() => Some(text.into()),
            Self::Formula(formula) => Some(formula.text().into()),
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
    reader.end_formula();
    reader.close_down_to(0);
    reader.pieces
}

/// Finds the LaTeX in the text outside of code.
pub(crate) fn with_formulas(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut found = Vec::with_capacity(pieces.len());
    let mut verbatim = 0_usize;
    let mut text = String::new();
    for piece in pieces {
        match &piece {
            Piece::Text(more) => {
                text.push_str(more);
                continue;
            }
            Piece::Open { name, .. } if VERBATIM.contains(name) => {
                divide(&mut text, verbatim > 0, &mut found);
                verbatim += 1;
            }
            Piece::Close(name) if VERBATIM.contains(name) => {
                divide(&mut text, verbatim > 0, &mut found);
                verbatim -= 1;
            }
            _ => divide(&mut text, verbatim > 0, &mut found),
        }
        found.push(piece);
    }
    divide(&mut text, verbatim > 0, &mut found);
    found
}

/// Takes a run of text, and adds its parts.
fn divide(text: &mut String, is_verbatim: bool, found: &mut Vec<Piece>) {
    let text = std::mem::take(text);
    if is_verbatim || !text.contains(['$', '\\']) {
        found.extend((!text.is_empty()).then_some(Piece::Text(text)));
        return;
    }
    for part in parts(&text) {
        match part {
            Part::Text(text) => found.push(Piece::Text(text.to_owned())),
            Part::Formula { latex, display } => found.extend(formula(latex, display)),
        }
    }
}

/// A formula as pieces; LaTeX that can't be read is code.
fn formula(latex: &str, display: bool) -> Vec<Piece> {
    match Formula::of_latex(latex, display) {
        Some(formula) => vec![Piece::Formula(formula)],
        None => vec![
            Piece::Open { name: "code", attributes: Vec::new(), is_notes: false },
            Piece::Text(latex.to_owned()),
            Piece::Close("code"),
        ],
    }
}

/// Writes pieces as HTML, with a mark for each formula: [`put_back`] writes the formulas over the marks.
pub(crate) fn write(pieces: &[Piece]) -> String {
    let mut html = String::new();
    let mut formulas = 0_usize;
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
            Piece::Formula(_) => {
                let _ = write!(html, "{MARK}{formulas}{MARK}");
                formulas += 1;
            }
        }
    }
    html
}

/// Puts the formulas of these pieces in the places of their marks.
pub(crate) fn put_back(html: String, pieces: &[Piece]) -> String {
    let formulas: Vec<&Formula> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Formula(formula) => Some(formula),
            _ => None,
        })
        .collect();
    if formulas.is_empty() {
        return html;
    }
    // What is between two marks is a number. No text holds a mark: the reader drops the character.
    let mut whole = String::with_capacity(html.len());
    for (at, part) in html.split(MARK).enumerate() {
        if at % 2 == 0 {
            whole.push_str(part);
        } else if let Some(formula) = part.parse::<usize>().ok().and_then(|number| formulas.get(number)) {
            whole.push_str(&formula.html());
        }
    }
    whole
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
    formula: Option<Builder>,
}

impl Reader {
    fn start(&mut self, tag: StartTag<()>) {
        if self.in_formula(|formula| formula.start(&tag)) {
            return;
        }
        let name: &[u8] = &tag.name;
        if let Some((dropped, depth)) = &mut self.dropping {
            *depth += usize::from(dropped == name && !tag.self_closing);
            return;
        }
        if name == b"math" {
            self.formula = Some(Builder::new(&tag)).filter(|formula| !formula.is_done());
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
            let text = || clean_text(&value.value);
            let mut known = own.iter().chain(&EVERYWHERE);
            if let Some(attribute) = known.find(|known| known.as_bytes() == &**attribute) {
                if value.value.len() <= LONGEST_VALUE {
                    attributes.push((*attribute, text()));
                }
            } else if &**attribute == b"class" {
                let classes = text();
                let mut classes = classes.split_ascii_whitespace();
                match name {
                    "aside" => is_notes = classes.any(|class| class.eq_ignore_ascii_case("notes")),
                    "code" | "pre" => {
                        let language = classes.find(|class| allowed::language_class(class).is_some());
                        attributes.extend(language.map(|class| ("class", class.to_owned())));
                    }
                    _ => {}
                }
            }
        }
        self.pieces.push(Piece::Open { name, attributes, is_notes });
        if !allowed::is_void(name) {
            self.open.push(name);
        }
    }

    fn end(&mut self, name: &[u8]) {
        if self.in_formula(|formula| formula.end(name)) {
            return;
        }
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
        if self.dropping.is_some() || self.in_formula(|formula| formula.text(text)) {
            return;
        }
        self.pieces.push(Piece::Text(clean_text(text)));
    }

    /// Gives a part of the markup to the open formula. False when none took it.
    fn in_formula(&mut self, read: impl FnOnce(&mut Builder) -> Step) -> bool {
        let Some(formula) = &mut self.formula else { return false };
        let step = read(formula);
        if step != Step::Taken {
            self.end_formula();
        }
        step != Step::Broken
    }

    fn end_formula(&mut self) {
        let formula = self.formula.take().map(Builder::renewed);
        self.pieces.extend(formula.filter(Formula::shows).map(Piece::Formula));
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
        if allowed::closes_a_paragraph(name) {
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

/// Text without the characters that mean something else to the next reader: what a parser makes of NUL depends on where it
/// stands, and the mark of formulas is ours.
fn clean_text(text: &[u8]) -> String {
    String::from_utf8_lossy(text).replace(['\0', MARK], "")
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
