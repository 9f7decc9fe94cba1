//! Is it HTML or Markdown? The API says that content is HTML and that its type is `markdown`: both come in.

use pulldown_cmark::{Event, Options, Parser, TextMergeStream, html};

use crate::allowed;
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
        }
    }
    !has_blocks || has_marks
}

/// Markdown (CommonMark with tables, footnotes, strikethrough, definition and task lists) as HTML, not yet safe.
pub(crate) fn to_html(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_TASKLISTS;
    // A page has no inputs but its own: a task's box is a sign.
    let events = Parser::new_ext(markdown, options).map(|event| match event {
        Event::TaskListMarker(is_done) => Event::Text(if is_done { "☑ " } else { "☐ " }.into()),
        other => other,
    });
    let mut written = String::new();
    html::push_html(&mut written, TextMergeStream::new(events));
    written
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
