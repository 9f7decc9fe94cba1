//! HTML as text: lines for blocks, collapsed white space, preformatted text as it is, pictures by their descriptions.
//! What `look` says nobody sees is left out.

mod look;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};

use super::super::outcome::Unread;
use super::super::sink::Sink;
use crate::kind::decode_html;
use look::Looks;

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
    let looks = Looks::default();
    let mut page =
        Page { sink, looks, space: false, preformatted: 0, unseen: None, is_first_cell: true, is_item: false };
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
    looks: Looks,
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
        let is_block = is_one_of(BLOCKS, &name);
        self.looks.start(tag, is_block);
        if is_block {
            self.block();
        }
        match &*name {
            "li" => self.is_item = !self.looks.is_hidden(),
            "pre" => self.preformatted += 1,
            "tr" => self.is_first_cell = true,
            "td" | "th" => self.cell(),
            "img" | "area" => {
                let description = tag.attributes.get(b"alt".as_slice()).map(|alt| alt.value.to_vec());
                let description = description.unwrap_or_default();
                let description = String::from_utf8_lossy(&description);
                if self.looks.hides_tag(tag) {
                    return self.sink.hide(&description);
                }
                self.space = true;
                self.text(&description);
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
        self.looks.end(name.as_bytes());
        if name == "pre" {
            self.preformatted = self.preformatted.saturating_sub(1);
        }
        if is_one_of(BLOCKS, name) {
            self.block();
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((unseen, _)) = &self.unseen {
            if unseen == "style" {
                self.looks.style_sheet(text);
            }
            return;
        }
        if self.looks.is_hidden() {
            return self.sink.hide(text);
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
        match sink.finish().text {
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

    fn seen(html: &str) -> (String, bool) {
        let mut sink = Sink::new(10_000);
        read(html.as_bytes(), &mut sink).unwrap();
        let found = sink.finish();
        let text = if let FileText::Whole(text) = found.text { text } else { String::new() };
        (text, found.hides_text)
    }

    #[test]
    fn what_is_styled_to_be_unseen_is_left_out_and_said() {
        for hidden in [
            "<div style='display:none'>b</div>",
            "<div STYLE='color:red; Display : none !important'><b>b</b><p>b</div>",
            "<p hidden>b</p>",
            "<span style='visibility:hidden'>b</span>",
            "<span style='font-size:0'>b</span>",
            "<span style='font-size:0.5px'>b</span>",
            "<span style='font-size: 1pt'>b</span>",
            "<span style='color:white'>b</span>",
            "<span style='color:#FFF;background:#ffffff'>b</span>",
            "<span style='color:rgb(255, 255, 254)'>b</span>",
            "<span style='color:rgba(0,0,0,0)'>b</span>",
            "<font color=white>b</font>",
            "<span style='opacity:0'>b</span>",
            "<span style='position:absolute;left:-9999px'>b</span>",
            "<img style='display:none' alt=b>",
            "<div style='display:none'><div>b</div>b</i>b</div>",
        ] {
            assert_eq!(seen(&format!("a{hidden}<span>c</span>")).0.replace('\n', ""), "ac", "{hidden}");
            assert!(seen(&format!("a{hidden}<span>c</span>")).1, "{hidden}");
        }
    }

    #[test]
    fn what_is_seen_stays() {
        for shown in [
            "<p style='color:red'>b</p>",
            "<div style='font-size:0'><i style='font-size:12px'>b</i></div>",
            "<div style='visibility:hidden'><i style='visibility:visible'>b</i></div>",
            "<table><tr style='background:#333'><td style='color:white'>b</table>",
            "<style>h1{background:navy}</style><h1 style='color:#fff'>b</h1>",
            "<table bgcolor=black><tr><td><font color=white>b</font></table>",
            "<ul><li style='text-indent:-20px'>b</ul>",
            "<span style='font-size:small'>b</span>",
            "<div hidden></div>b",
            "<br hidden>b",
        ] {
            let (text, hides) = seen(&format!("a{shown}c"));
            assert!(text.contains('b') && !hides, "{shown}: {text}");
        }
    }

    #[test]
    fn a_hidden_element_without_an_end_ends_where_a_reader_ends_it() {
        assert_eq!(seen("<p hidden>a<p>b"), ("b".to_owned(), true));
        assert_eq!(seen("<ul><li hidden>a<ul><li>a</ul><li>b</ul>"), ("- b".to_owned(), true));
        assert_eq!(seen("<ul><li hidden>a</ul>b"), ("b".to_owned(), true));
        assert_eq!(seen("<table><tr><td hidden>a<td>b<tr><td>c</table>").0, "| b\nc");
        assert_eq!(seen("<div hidden>a"), (String::new(), true));
    }

    #[test]
    fn a_page_that_ends_within_a_script_is_damaged() {
        assert_eq!(read(b"<p>a<script>if (x", &mut Sink::new(9)), Err(Unread::Damaged));
    }

    #[test]
    fn the_time_is_linear_in_any_text() {
        let piece = "<div><p a=b><table><td><pre>x</p>&#x";
        testkit::assert_linear("html", 500, |times| piece.repeat(times), |html| drop(text(html)));
        let piece = "<i></b><span hidden><li></u>";
        testkit::assert_linear("looks", 500, |times| piece.repeat(times), |html| drop(text(html)));
    }

    proptest! {
        #[test]
        fn no_page_makes_it_panic(html in "(<[a-z/!]{0,4}|[<>&;a-z\"'= ]{0,5}|<pre>|</pre>|<script>|</script>|<td>){0,30}") {
            let _ = text(&html);
        }
    }
}
