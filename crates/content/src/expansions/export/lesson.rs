//! A module as a source: its sections are the lessons.
//!
//! The module's content is the caller's HTML, well-formed or not. It is cut at its headings, nothing more: what the
//! pieces say is read by the generator.

use serde_json::{Value, json};

use crate::modules::Module;
use crate::resources::fields::LONGEST_TITLE;

/// The most lessons of a source; what comes after stays with the last one.
const MOST_LESSONS: usize = 1_000;

/// A payload that expands to what the module is about.
pub(super) fn payload(module: &Module) -> Value {
    source_of(&module.title, &module.language, &module.description, &module.content)
}

/// Without content there is still the description to tell.
fn source_of(title: &str, language: &str, description: &str, content: &str) -> Value {
    let sections = sections(content);
    let lessons: Vec<Value> = match sections.is_empty() {
        true => vec![json!({ "title": title, "type": "content", "content": description })],
        false => sections.iter().map(Section::lesson).collect(),
    };
    json!({ "language": language, "category": title, "lessons": lessons })
}

/// A piece of HTML below its heading.
#[derive(Debug, PartialEq, Eq)]
struct Section<'a> {
    title: String,
    html: &'a str,
}

impl Section<'_> {
    fn lesson(&self) -> Value {
        match self.title.as_str() {
            "" => json!({ "type": "content", "content": self.html }),
            title => json!({ "title": title, "type": "content", "content": self.html }),
        }
    }

    fn is_empty(&self) -> bool {
        self.title.is_empty() && text_of(self.html).is_empty()
    }
}

/// Cuts HTML at the headings of its topmost level that structures it: the first that occurs twice, or else the
/// first that occurs. What stands before the first heading is a section without a title.
fn sections(html: &str) -> Vec<Section<'_>> {
    let headings = headings(html);
    let count = |level: u8| headings.iter().filter(|heading| heading.level == level).count();
    let level = (1..=6).find(|level| count(*level) > 1).or_else(|| (1..=6).find(|level| count(*level) == 1));
    let mut cuts: Vec<&Heading> = headings.iter().filter(|heading| Some(heading.level) == level).collect();
    cuts.truncate(MOST_LESSONS - 1);
    let before = Section { title: String::new(), html: &html[..cuts.first().map_or(html.len(), |cut| cut.start)] };
    let ends = cuts.iter().skip(1).map(|next| next.start).chain([html.len()]);
    let below = cuts.iter().zip(ends).map(|(cut, end)| {
        let title = text_of(&html[cut.text.0..cut.text.1]).chars().take(LONGEST_TITLE).collect();
        Section { title, html: &html[cut.end..end] }
    });
    std::iter::once(before).chain(below).filter(|section| !section.is_empty()).collect()
}

/// A heading: where its tag starts, its text from where to where, where its closing tag ends.
struct Heading {
    level: u8,
    start: usize,
    text: (usize, usize),
    end: usize,
}

/// The closed headings of HTML, in order. Nothing is looked at more than once for each level: callers' content is long.
fn headings(html: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut unclosed = [false; 7];
    let mut at = 0;
    while let Some(start) = html[at..].find('<').map(|next| at + next) {
        at = start + 1;
        let Some(level) = heading_level(&html[at..]).filter(|level| !unclosed[usize::from(*level)]) else { continue };
        let Some(text) = html[at..].find('>').map(|next| at + next + 1) else { break };
        match closing(html, text, level) {
            Some((close, end)) => {
                found.push(Heading { level, start, text: (text, close), end });
                at = end;
            }
            None => unclosed[usize::from(level)] = true,
        }
    }
    found
}

/// The level of a heading whose tag goes on like this: `h2 class="x">…`.
fn heading_level(rest: &str) -> Option<u8> {
    let digits = rest.strip_prefix(['h', 'H'])?;
    let level = digits.chars().next()?.to_digit(10).and_then(|digit| u8::try_from(digit).ok())?;
    let ends_name = digits[1..].starts_with(|next: char| next == '>' || next.is_whitespace());
    ((1..=6).contains(&level) && ends_name).then_some(level)
}

/// Where the closing tag of a heading begins and ends.
fn closing(html: &str, from: usize, level: u8) -> Option<(usize, usize)> {
    let mut at = from;
    while let Some(start) = html[at..].find("</").map(|next| at + next) {
        at = start + 2;
        if heading_level(&html[at..]) == Some(level) {
            let end = html[at..].find('>').map(|next| at + next + 1)?;
            return Some((start, end));
        }
    }
    None
}

/// The text of a piece of HTML, its white space collapsed.
fn text_of(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        text.push_str(&rest[..open]);
        text.push(' ');
        match rest[open..].find('>') {
            Some(close) => rest = &rest[open + close + 1..],
            None => rest = "",
        }
    }
    text.push_str(rest);
    let entities = [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let text = entities.iter().fold(text, |text, (entity, character)| text.replace(entity, character));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use engine::Generator as _;
    use proptest::prelude::*;

    use crate::expansions::payload::source_level as source;

    use super::*;

    fn titles_and_texts(html: &str) -> Vec<(String, String)> {
        sections(html).into_iter().map(|section| (section.title.clone(), text_of(section.html))).collect()
    }

    fn pair(title: &str, text: &str) -> (String, String) {
        (title.to_owned(), text.to_owned())
    }

    #[test]
    fn content_is_cut_at_the_headings_that_structure_it() {
        let html = "<article><h1>Cells</h1><p>Intro.</p><section><h2 id=\"a\">The <b>cell</b> &amp; co</h2><p>Alive.</p></section>\
                    <section><H2>Nucleus</H2><h3>DNA</h3><p>Inside.</p></section></article>";
        assert_eq!(
            titles_and_texts(html),
            [pair("", "Cells Intro."), pair("The cell & co", "Alive."), pair("Nucleus", "DNA Inside.")]
        );
        assert_eq!(titles_and_texts("<h3>One</h3><p>A.</p>"), [pair("One", "A.")]);
        assert_eq!(titles_and_texts("<p>No heading.</p>"), [pair("", "No heading.")]);
        assert_eq!(titles_and_texts("# Markdown\n\nText"), [pair("", "# Markdown Text")]);
    }

    #[tokio::test]
    async fn the_built_in_generator_makes_valid_drafts_of_a_module() {
        let content = "<h2>The cell</h2><p>A cell is the smallest unit of life. Every living thing is made of cells.</p>\
                       <h2>The nucleus</h2><p>The nucleus keeps the DNA. The DNA holds the plan of the cell.</p>";
        for (content, description) in [(content, ""), ("", "A cell is the smallest unit of life.")] {
            let source = source(&source_of("Cells", "en", description, content)).unwrap();
            let video = engine::Builtin.video(&source, &engine::BareBench::default()).await.unwrap();
            assert!(engine::check_video(&video).is_ok());
            let quiz = engine::Builtin.quiz(&source, &engine::BareBench::default()).await.unwrap();
            assert!(engine::check_quiz(&quiz).is_ok());
        }
    }

    #[test]
    fn what_is_no_closed_heading_cuts_nothing() {
        for html in ["<h2>Open", "<h2 Open", "<header>A</header>", "<h7>A</h7>", "<hr>A", "<h", "a < h2"] {
            assert_eq!(sections(html).iter().filter(|section| !section.title.is_empty()).count(), 0, "{html}");
        }
        assert!(sections("").is_empty() && sections("<p> &nbsp; </p>").is_empty());
    }

    #[test]
    fn a_source_has_no_more_lessons_than_a_source_may_have() {
        let html: String = (0..1_500).map(|n| format!("<h2>{n}</h2><p>Text {n}.</p>")).collect();
        let found = sections(&html);
        assert_eq!(found.len(), MOST_LESSONS - 1);
        assert!(found.last().unwrap().html.contains("Text 1499."));
    }

    #[test]
    fn long_content_takes_no_longer_than_its_length() {
        for piece in ["<h1><h2><h3>", "<h1>a</h1>", "<h2", "</h2>", "<h1></h2>", "<H3>a</h3>"] {
            let _ = sections(&piece.repeat(1_000_000 / piece.len()));
        }
    }

    proptest! {
        #[test]
        fn no_text_is_lost_and_nothing_panics(html in "(<h[1-3]>|</h[1-3]>|<p>|</p>|[a-z ]|ä|<|&amp;){0,40}") {
            let whole: String = text_of(&html).split_whitespace().collect();
            let pieces: String = titles_and_texts(&html).iter().map(|(title, text)| format!("{title}{text}")).collect();
            let pieces: String = pieces.split_whitespace().collect();
            prop_assert_eq!(pieces, whole);
        }
    }
}
