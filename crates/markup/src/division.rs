//! Where the source of a content can be divided, so that its parts can be edited and moved one by one.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use crate::{format, pieces};

/// Elements that hold what belongs together: no part begins inside of one.
const CONTAINERS: [&[u8]; 16] = [
    b"article",
    b"aside",
    b"blockquote",
    b"details",
    b"div",
    b"dl",
    b"figure",
    b"footer",
    b"header",
    b"math",
    b"ol",
    b"pre",
    b"section",
    b"svg",
    b"table",
    b"ul",
];

/// The parts of a content's source, in order: each but the first begins at a section, or, where there is none, at a heading of
/// the highest level that occurs. The parts together are the source, byte for byte. Markdown is one part, and so is what has
/// neither; an empty source has none.
pub fn divide_source(source: &str) -> Vec<&str> {
    let cuts = if is_markdown(source) { Vec::new() } else { cuts(source) };
    let mut parts = Vec::with_capacity(cuts.len() + 1);
    let mut from = 0;
    for cut in cuts {
        if !source[from..cut].trim().is_empty() {
            parts.push(&source[from..cut]);
            from = cut;
        }
    }
    parts.extend(Some(&source[from..]).filter(|rest| !rest.is_empty()));
    parts
}

/// Whether pages read a source as Markdown.
pub fn is_markdown(source: &str) -> bool {
    format::is_markdown(source, &pieces::read(source))
}

/// Where parts begin, as byte offsets.
fn cuts(source: &str) -> Vec<usize> {
    let (mut sections, mut headings) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(source, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let name: &[u8] = &tag.name;
                // Where the tokenizer is a byte off, nothing is cut rather than a tag in two.
                let is_tag = source.as_bytes().get(tag.span.start) == Some(&b'<');
                if depth == 0 && is_tag {
                    match name {
                        b"section" => sections.push(tag.span.start),
                        [b'h', level @ b'1'..=b'6'] => headings.push((*level, tag.span.start)),
                        _ => {}
                    }
                }
                if CONTAINERS.contains(&name) && !tag.self_closing {
                    depth += 1;
                }
            }
            Token::EndTag(tag) if CONTAINERS.contains(&&tag.name[..]) => depth = depth.saturating_sub(1),
            _ => {}
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
        for whole in ["<p>a</p><!-- <h2>no</h2> --><p>b</p>", "<div><h2>A</h2><h2>B</h2></div>", "<p>plain</p>"] {
            assert_eq!(divide_source(whole), [whole]);
        }
    }

    #[test]
    fn markdown_is_one_part_and_nothing_is_none() {
        assert_eq!(divide_source("# A\n\ntext\n\n# B\n"), ["# A\n\ntext\n\n# B\n"]);
        assert!(divide_source("").is_empty());
    }

    proptest! {
        #[test]
        fn the_parts_together_are_the_source(
            source in "(<h2>|</h2>|<section>|</section>|<div>|</div>|<p>|<pre>|<!--|-->|é|\u{1f600}| |\r\n|text|<h2|\"|&amp;|<script>|</script>){0,30}",
        ) {
            prop_assert_eq!(divide_source(&source).concat(), source);
        }
    }
}
