//! Is it HTML or Markdown? The API says that content is HTML and that its type is `markdown`: both come in.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TextMergeStream, html};

use crate::allowed;
use crate::formulas::{Part, parts};
use crate::pieces::Piece;

/// Elements that hold blocks: text right inside them may be Markdown.
const CONTAINERS: [&str; 11] =
    ["article", "aside", "blockquote", "details", "div", "figure", "footer", "header", "li", "section", "td"];

/// Whether a text is to be read as Markdown: it has no blocks of HTML at all, or what stands outside of them (or in
/// blank lines inside of a container) has the marks of Markdown. Markdown may hold HTML; HTML is never read as Markdown,
/// which would take an indented line after a blank one for code.
pub(crate) fn is_markdown(text: &str, pieces: &[Piece]) -> bool {
    let starts_with =
        |tag: &str| text.trim_start().get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    if starts_with("<!doctype") || starts_with("<html") {
        return false;
    }
    let mut open: Vec<&str> = Vec::new();
    let mut has_blocks = false;
    let mut has_marks = false;
    for piece in pieces {
        match piece {
            Piece::Open { name, .. } => {
                has_blocks |= is_block(name);
                if !allowed::is_void(name) {
                    open.push(name);
                }
            }
            Piece::Close(_) => {
                open.pop();
            }
            Piece::Text(text) => {
                let may_be_markdown = match open.last() {
                    None => true,
                    Some(container) => CONTAINERS.contains(container) && text.contains("\n\n"),
                };
                has_marks |= may_be_markdown && is_marked(text);
            }
            Piece::Formula(_) => {}
        }
    }
    !has_blocks || has_marks
}

/// What Markdown has beside CommonMark.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_DEFINITION_LIST)
    .union(Options::ENABLE_TASKLISTS);

/// Markdown (CommonMark with tables, footnotes, strikethrough, definition and task lists) as HTML, not yet safe. LaTeX is
/// text there, between brackets with backslashes.
pub(crate) fn to_html(markdown: &str) -> String {
    let markdown = with_literal_formulas(markdown);
    // A page has no inputs but its own: a task's box is a sign.
    let events = Parser::new_ext(&markdown, EXTENSIONS).map(|event| match event {
        Event::TaskListMarker(is_done) => Event::Text(if is_done { "☑ " } else { "☐ " }.into()),
        other => other,
    });
    let mut written = String::new();
    html::push_html(&mut written, TextMergeStream::new(events));
    written
}

/// Escapes every sign of the formulas outside of code and addresses: Markdown would read `_` and `*` as emphasis, `|` as the
/// end of a cell, and take backslashes away.
fn with_literal_formulas(markdown: &str) -> Cow<'_, str> {
    if !["$", "\\(", "\\["].iter().any(|sign| markdown.contains(sign)) {
        return markdown.into();
    }
    let mut written = String::with_capacity(markdown.len());
    let mut at = 0;
    for (event, range) in Parser::new_ext(markdown, EXTENSIONS).into_offset_iter() {
        let Some(Range { start, end }) = verbatim(markdown, &event, range) else { continue };
        if start >= at {
            push_literal_formulas(&markdown[at..start], &mut written);
            written.push_str(&markdown[start..end]);
            at = end;
        }
    }
    push_literal_formulas(&markdown[at..], &mut written);
    written.into()
}

/// Where an event's source holds no text: code, tags, and the address of a link.
fn verbatim(markdown: &str, event: &Event<'_>, range: Range<usize>) -> Option<Range<usize>> {
    match event {
        Event::Code(_) | Event::Start(Tag::CodeBlock(_)) | Event::Html(_) | Event::InlineHtml(_) => Some(range),
        Event::Start(Tag::Link { .. } | Tag::Image { .. }) => match markdown[range.clone()].rfind("](") {
            Some(address) => Some(range.start + address..range.end),
            None => markdown[range.clone()].starts_with('<').then_some(range),
        },
        _ => None,
    }
}

fn push_literal_formulas(text: &str, written: &mut String) {
    for part in parts(text) {
        match part {
            Part::Text(text) => written.push_str(text),
            Part::Formula { latex, display } => {
                let (opener, closer) = if display { ("\\[", "\\]") } else { ("\\(", "\\)") };
                [opener, latex, closer].iter().for_each(|part| push_literal(part, written));
            }
        }
    }
}

/// Writes a text so that Markdown reads it as it is. Space at the end of a line would be a line break.
fn push_literal(text: &str, written: &mut String) {
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            written.push('\n');
        }
        for sign in line.trim_end().chars() {
            if sign.is_ascii_punctuation() {
                written.push('\\');
            }
            written.push(sign);
        }
    }
}

fn is_block(name: &str) -> bool {
    const BLOCKS: [&str; 10] = ["dl", "figure", "h1", "hr", "ol", "p", "pre", "table", "tr", "ul"];
    CONTAINERS.contains(&name) || BLOCKS.contains(&name) || allowed::heading_level(name).is_some()
}

/// Signs of Markdown that nobody writes in the running text of HTML.
fn is_marked(text: &str) -> bool {
    let is_block_mark = |line: &str| {
        let line = line.trim_start();
        let hashes = line.len() - line.trim_start_matches('#').len();
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let after = |prefix: usize| line[prefix..].starts_with(' ');
        ((1..=6).contains(&hashes) && after(hashes))
            || ["- ", "* ", "+ ", "> ", "```", "~~~", "|"].iter().any(|mark| line.starts_with(mark))
            || (digits > 0 && [". ", ") "].iter().any(|mark| line[digits..].starts_with(mark)))
    };
    text.contains("](") || text.matches("**").count() > 1 || text.lines().any(is_block_mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::read;

    fn is_markdown_text(text: &str) -> bool {
        is_markdown(text, &read(text))
    }

    #[test]
    fn html_is_told_from_markdown() {
        for html in [
            "<p>a</p>",
            "Intro<p>a</p>\n\n    <div>not code</div>",
            "<!doctype html><html><body><h1>a</h1>- b</body>",
            "<article>\n\n<section><h2>a</h2>\n\n<p>1. b</p>\n</section></article>",
            "<div>2 * 3 - 4</div>",
            "<ul>\n<li>a</li>\n</ul>",
        ] {
            assert!(!is_markdown_text(html), "{html}");
        }
        for markdown in [
            "",
            "plain",
            "a\n\nb with <b>bold</b>",
            "# Title\n\n<div>box</div>",
            "<details><summary>a</summary>\n\n**bold** and **more**\n\n- b\n\n</details>",
            "<p>a</p>\n\nSee [b](https://b.example).",
            "<div>\n\n1. one\n2. two\n\n</div>",
        ] {
            assert!(is_markdown_text(markdown), "{markdown}");
        }
    }

    #[test]
    fn markdown_has_the_usual_extensions_and_no_inputs() {
        let html = to_html("|a|\n|-|\n|1|\n\n- [x] done\n- [ ] open\n\n~~gone~~");
        assert!(html.contains("<td>1</td>") && html.contains("☑ done") && html.contains("<del>gone</del>"), "{html}");
        assert!(!html.contains("<input"));
    }
}
