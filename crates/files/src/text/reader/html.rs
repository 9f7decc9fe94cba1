//! HTML as text: lines for blocks, collapsed white space, preformatted text as it is, pictures by their descriptions.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};

use super::super::outcome::Unread;
use super::super::sink::Sink;
use crate::kind::decode_html;

/// Elements whose text stands on lines of its own.
const BLOCKS: &str = "address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption figure \
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main nav ol option p pre section summary table tbody \
    tfoot thead tr ul";
/// Elements whose content nobody reads.
const UNSEEN: &str = "script style title template noscript iframe object svg canvas datalist";

pub(super) fn read(bytes: &[u8], sink: &mut Sink) -> Result<(), Unread> {
    let html = decode_html(bytes).ok_or(Unread::Damaged)?;
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut page = Page { sink, space: false, preformatted: 0, unseen: None, is_first_cell: true, is_item: false };
    for token in Tokenizer::new_with_emitter(html.as_ref(), emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => page.start(&tag),
            Token::EndTag(tag) => page.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => page.text(&String::from_utf8_lossy(&text.value)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    // A script that never ends has swallowed the rest of a page that was cut off.
    if page.unseen.is_some() { Err(Unread::Damaged) } else { Ok(()) }
}

struct Page<'s> {
    sink: &'s mut Sink,
    /// White space was met and not written yet.
    space: bool,
    /// Preformatted elements around.
    preformatted: usize,
    /// The element whose content is not text, and how many of its name are open.
    unseen: Option<(String, usize)>,
    is_first_cell: bool,
    /// An item of a list began, and its sign is not written yet.
    is_item: bool,
}

impl Page<'_> {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name);
        if let Some((unseen, depth)) = &mut self.unseen {
            *depth += usize::from(*unseen == name && !tag.self_closing);
            return;
        }
        if is_one_of(UNSEEN, &name) {
            self.unseen = (!tag.self_closing).then(|| (name.into_owned(), 1));
            return;
        }
        if is_one_of(BLOCKS, &name) {
            self.block();
        }
        match &*name {
            "li" => self.is_item = true,
            "pre" => self.preformatted += 1,
            "tr" => self.is_first_cell = true,
            "td" | "th" => self.cell(),
            "img" | "area" => {
                let description = tag.attributes.get(b"alt".as_slice()).map(|alt| alt.value.to_vec());
                self.space = true;
                self.text(&String::from_utf8_lossy(&description.unwrap_or_default()));
                self.space = true;
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((unseen, depth)) = &mut self.unseen {
            *depth -= usize::from(unseen == name);
            if *depth == 0 {
                self.unseen = None;
            }
            return;
        }
        if name == "pre" {
            self.preformatted = self.preformatted.saturating_sub(1);
        }
        if is_one_of(BLOCKS, name) {
            self.block();
        }
    }

    fn text(&mut self, text: &str) {
        if self.unseen.is_some() {
            return;
        }
        if self.preformatted > 0 {
            self.begin_item();
            return self.sink.push_str(text);
        }
        for c in text.chars() {
            if matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}') {
                self.space = true;
            } else {
                self.begin_item();
                if std::mem::take(&mut self.space) {
                    self.sink.space();
                }
                self.sink.push(c);
            }
        }
    }

    fn begin_item(&mut self) {
        if std::mem::take(&mut self.is_item) {
            self.space = false;
            self.sink.push_str("- ");
        }
    }

    fn block(&mut self) {
        self.space = false;
        self.sink.line();
    }

    fn cell(&mut self) {
        if !std::mem::take(&mut self.is_first_cell) {
            self.space = false;
            self.sink.space();
            self.sink.push_str("| ");
        }
    }
}

fn is_one_of(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::outcome::FileText;
    use super::*;

    fn text(html: &str) -> String {
        let mut sink = Sink::new(10_000);
        if let Err(reason) = read(html.as_bytes(), &mut sink) {
            return reason.code().to_owned();
        }
        match sink.finish() {
            FileText::Whole(text) => text,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn blocks_are_lines_and_white_space_collapses() {
        assert_eq!(text("<h1>A\n b</h1> <p>c <b>d</b>e&amp;f<p>g<br>h"), "A b\nc de&f\ng\nh");
        assert_eq!(text("<ul><li>a<li><p>b</ul>"), "- a\n- b");
        assert_eq!(text("<table><tr><th>a<th>b<tr><td>1</td> <td>2</td></table>"), "a | b\n1 | 2");
        assert_eq!(text("<pre>if x:\n    y</pre>z"), "if x:\n    y\nz");
        assert_eq!(text("see <img alt='a dog' src=x> there"), "see a dog there");
    }

    #[test]
    fn what_nobody_reads_is_left_out() {
        assert_eq!(
            text("<title>t</title>a<script>if (1<2) x()</script><svg><svg></svg>s</svg><style>b{}</style>b<!-- c -->"),
            "ab"
        );
        assert_eq!(text("<head><title>t</title></head><body>a"), "a");
    }

    #[test]
    fn a_page_that_ends_within_a_script_is_damaged() {
        assert_eq!(read(b"<p>a<script>if (x", &mut Sink::new(9)), Err(Unread::Damaged));
    }

    #[test]
    fn the_time_is_linear_in_any_text() {
        let piece = "<div><p a=b><table><td><pre>x</p>&#x";
        testkit::assert_linear("html", 500, |times| piece.repeat(times), |html| drop(text(html)));
    }

    proptest! {
        #[test]
        fn no_page_makes_it_panic(html in "(<[a-z/!]{0,4}|[<>&;a-z\"'= ]{0,5}|<pre>|</pre>|<script>|</script>|<td>){0,30}") {
            let _ = text(&html);
        }
    }
}
