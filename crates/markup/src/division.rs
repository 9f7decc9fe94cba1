//! Where the source of a content can be divided, so that its parts can be edited and moved one by one.

use std::ops::Range;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use crate::{format, pieces};

/// Elements that hold what belongs together: no part begins inside of one.
const CONTAINERS: [&[u8]; 17] = [
    b"article",
    b"aside",
    b"blockquote",
    b"details",
    b"div",
    b"dl",
    b"figure",
    b"footer",
    b"header",
    b"main",
    b"math",
    b"ol",
    b"pre",
    b"section",
    b"svg",
    b"table",
    b"ul",
];
/// Containers that may hold a whole content, and are then no part of it.
const WRAPPERS: [&[u8]; 3] = [b"article", b"div", b"main"];

/// A content's source in pieces. Together and in this order they are the source, byte for byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Division<'a> {
    /// The tags that open what holds the whole content, with the space behind them; mostly empty.
    pub opening: &'a str,
    /// Each but the first begins at a section, or, where there is none, at a heading of the highest level that occurs. Markdown is
    /// one part, and so is what has neither; an empty source has none.
    pub parts: Vec<&'a str>,
    /// The tags that close what holds the whole content, with the space before them.
    pub closing: &'a str,
}

impl<'a> Division<'a> {
    /// Divides a source.
    pub fn of(source: &'a str) -> Self {
        let tags = if is_markdown(source) { Vec::new() } else { tags(source) };
        let (content, tags) = unwrap(source, &tags);
        // Space around the parts stays where it is when they move.
        let inner = &source[content.clone()];
        let start = content.start + inner.len() - inner.trim_start().len();
        let content = start..start.max(content.start + inner.trim_end().len());
        let mut parts = Vec::new();
        let mut from = content.start;
        for cut in cuts(tags) {
            if !source[from..cut].trim().is_empty() {
                parts.push(&source[from..cut]);
                from = cut;
            }
        }
        parts.extend(Some(&source[from..content.end]).filter(|rest| !rest.is_empty()));
        Self { opening: &source[..content.start], parts, closing: &source[content.end..] }
    }
}

/// Whether pages read a source as Markdown.
pub fn is_markdown(source: &str) -> bool {
    format::is_markdown(source, &pieces::read(source))
}

/// A tag that a division depends on, and where it is.
struct Tag {
    name: Name,
    is_opening: bool,
    at: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Section,
    Heading(u8),
    Wrapper,
    OtherContainer,
}

fn tags(source: &str) -> Vec<Tag> {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    let tokens = Tokenizer::new_with_emitter(source, emitter);
    let tags = tokens.filter_map(|token| {
        let Ok(token) = token;
        let (name, is_opening, span) = match &token {
            Token::StartTag(tag) if !tag.self_closing => (&tag.name, true, tag.span),
            Token::EndTag(tag) => (&tag.name, false, tag.span),
            _ => return None,
        };
        // Where the tokenizer's place is not a tag's, nothing is cut rather than a tag in two.
        let text = source.get(span.start..span.end)?;
        let is_whole = text.starts_with('<') && text.ends_with('>');
        let name = Name::of(name).filter(|name| is_opening || !matches!(name, Name::Heading(_)))?;
        is_whole.then_some(Tag { name, is_opening, at: span.start..span.end })
    });
    tags.collect()
}

impl Name {
    fn of(name: &[u8]) -> Option<Self> {
        match name {
            b"section" => Some(Self::Section),
            [b'h', level @ b'1'..=b'6'] => Some(Self::Heading(*level)),
            wrapper if WRAPPERS.contains(&wrapper) => Some(Self::Wrapper),
            other if CONTAINERS.contains(&other) => Some(Self::OtherContainer),
            _ => None,
        }
    }
}

/// What is inside of the elements that hold everything.
fn unwrap<'t>(source: &str, mut tags: &'t [Tag]) -> (Range<usize>, &'t [Tag]) {
    let mut content = 0..source.len();
    while let [first, inner @ .., last] = tags {
        let is_first = source[content.start..first.at.start].trim().is_empty();
        let is_last = source[last.at.end..content.end].trim().is_empty();
        let is_pair = first.name == Name::Wrapper && last.name == Name::Wrapper && first.is_opening && !last.is_opening;
        if !(is_first && is_last && is_pair && is_closed(inner)) {
            break;
        }
        (content, tags) = (first.at.end..last.at.start, inner);
    }
    (content, tags)
}

/// Whether tags close what they open and nothing else.
fn is_closed(tags: &[Tag]) -> bool {
    let mut depth = 0_usize;
    for tag in tags.iter().filter(|tag| !matches!(tag.name, Name::Heading(_))) {
        let next = if tag.is_opening { depth.checked_add(1) } else { depth.checked_sub(1) };
        let Some(next) = next else { return false };
        depth = next;
    }
    depth == 0
}

/// Where parts begin, as byte offsets.
fn cuts(tags: &[Tag]) -> Vec<usize> {
    let (mut sections, mut headings) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    for tag in tags {
        match tag.name {
            Name::Section if tag.is_opening && depth == 0 => sections.push(tag.at.start),
            Name::Heading(level) if depth == 0 => headings.push((level, tag.at.start)),
            _ => {}
        }
        if !matches!(tag.name, Name::Heading(_)) {
            depth = if tag.is_opening { depth + 1 } else { depth.saturating_sub(1) };
        }
    }
    if !sections.is_empty() {
        return sections;
    }
    let highest = headings.iter().map(|(level, _)| *level).min();
    headings.into_iter().filter(|(level, _)| Some(*level) == highest).map(|(_, start)| start).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn divide_source(source: &str) -> Vec<&str> {
        let division = Division::of(source);
        assert_eq!((division.opening, division.closing), ("", ""));
        division.parts
    }

    #[test]
    fn what_holds_everything_is_no_part() {
        let source = "<article lang=\"en>\">\n<div><section>a</section><section>b</section></div>\n</article>\n";
        let division = Division::of(source);
        assert_eq!(division.opening, "<article lang=\"en>\">\n<div>");
        assert_eq!(division.parts, ["<section>a</section>", "<section>b</section>"]);
        assert_eq!(division.closing, "</div>\n</article>\n");
        let two = "<div><h2>a</h2></div><div><h2>b</h2></div>";
        assert_eq!(divide_source(two), [two]);
    }

    #[test]
    fn a_deck_is_divided_at_its_sections() {
        let deck =
            "<section class=\"slide\"><h2>One</h2></section>\n<section><div><section>inner</section></div></section>";
        assert_eq!(
            divide_source(deck),
            [
                "<section class=\"slide\"><h2>One</h2></section>\n",
                "<section><div><section>inner</section></div></section>",
            ]
        );
    }

    #[test]
    fn a_text_is_divided_at_its_highest_headings() {
        let text = "<p>Before.</p><h2>Ä</h2><p>a</p><h3>Deeper</h3><div><h2>Inside</h2></div><h2 id=\"b\">B</h2>";
        assert_eq!(
            divide_source(text),
            ["<p>Before.</p>", "<h2>Ä</h2><p>a</p><h3>Deeper</h3><div><h2>Inside</h2></div>", "<h2 id=\"b\">B</h2>",]
        );
    }

    #[test]
    fn what_only_looks_like_a_heading_divides_nothing() {
        for whole in ["<p>a</p><!-- <h2>no</h2> --><p>b</p>", "<ul><li><h2>A</h2><h2>B</h2></li></ul>", "<p>plain</p>"]
        {
            assert_eq!(divide_source(whole), [whole]);
        }
    }

    #[test]
    fn markdown_is_one_part_and_nothing_is_none() {
        assert_eq!(divide_source("# A\n\ntext\n\n# B"), ["# A\n\ntext\n\n# B"]);
        assert!(divide_source("").is_empty());
    }

    proptest! {
        #[test]
        fn the_parts_together_are_the_source(
            source in "(<h2>|</h2>|<section>|</section>|<div>|</div>|<article a='>'>|</article>|<p>|<pre>|<!--|-->|é|\u{1f600}| |\r\n|text|<h2|\"|&amp;|<script>|</script>){0,30}",
        ) {
            let division = Division::of(&source);
            let whole = [division.opening, &division.parts.concat(), division.closing].concat();
            prop_assert_eq!(whole, source);
        }
    }
}
