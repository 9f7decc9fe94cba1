//! Outlines: nested lists, numbered lines, headings, bare indented lines, or prose, as a tree.
//!
//! People write outlines in any of these ways and mix them. A line's place in the tree follows from its
//! mark (`##`, `2.1`, `-`, `a)`, none) and its indent, compared with the lines above it. Nothing is lost
//! and nothing fails: a line that fits no pattern is a label or a paragraph.

use language::script::word_count;
use language::sentences::is_closed;
use markup::entities;

use super::blocks::Body;
use super::flat::labelled;
use super::html;
use super::markdown::{bullet_mark, indent, inline_decoded, is_rule};
use super::pointer::Pointer;

/// Deepest level; what is deeper stands on it.
const MAX_DEPTH: usize = 6;
/// Longest line that is a label and no prose, in words and characters.
const LABEL: (usize, usize) = (14, 100);

/// A line of an outline with what stands below it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    /// On one line, without its mark.
    pub(crate) text: String,
    /// A paragraph, and not a label.
    pub(crate) prose: bool,
    pub(crate) below: Vec<Node>,
}

/// The tree of a text: plain, Markdown or HTML.
pub(crate) fn read(text: &str) -> Vec<Node> {
    let plain = if html::looks_like(text) { lines_of_html(text) } else { entities::decode(text) };
    let mut reader = Reader::default();
    let mut run: Vec<&str> = Vec::new();
    for line in plain.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with('|') && trimmed.len() > 2 {
            reader.unmarked(&std::mem::take(&mut run));
            reader.row(trimmed);
            continue;
        }
        let mark = Mark::read(trimmed);
        if mark.is_none() && !trimmed.is_empty() && !is_rule(trimmed) && !is_fence(trimmed) {
            run.push(line);
            continue;
        }
        reader.unmarked(&std::mem::take(&mut run));
        if let Some((mark, text)) = mark {
            reader.marked(mark, indent(line), text);
        }
    }
    reader.unmarked(&run);
    nest(reader.lines)
}

/// Every text of a tree, in order.
pub(crate) fn each_node<'n>(nodes: &'n [Node], say: &mut impl FnMut(&'n Node)) {
    for node in nodes {
        say(node);
        each_node(&node.below, say);
    }
}

/// The blocks of HTML as the lines of an outline.
fn lines_of_html(text: &str) -> String {
    let mut lines = String::new();
    let mut line = |mark: &str, text: &str| {
        lines.push_str(mark);
        lines.push_str(text);
        lines.push('\n');
    };
    for block in html::read(text, &Pointer::root(""), 1) {
        match &block.body {
            Body::Heading { level, text } => line(&format!("{} ", "#".repeat(usize::from(*level))), text),
            Body::List { items, steps } => {
                for item in items {
                    let mark = if *steps { "1. " } else { "- " };
                    line(&format!("{}{mark}", "  ".repeat(usize::from(item.level))), &item.text.text);
                }
            }
            Body::Definitions(pairs) => {
                pairs.iter().for_each(|pair| line("- ", &labelled(&pair.term, &pair.definition)));
            }
            Body::Table(table) => {
                table.rows.iter().for_each(|row| line("- ", &row.cells.join(" – ")));
            }
            body => super::flat::each_text(body, &mut |text| line("", text)),
        }
        line("", "");
    }
    lines
}

/// What a line begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Heading(usize),
    /// "2.1.3": the depth that it says itself.
    Numbered(usize),
    Number,
    Roman,
    Letter,
    /// "一、".
    Han,
    Bullet,
    None,
}

impl Mark {
    /// The mark of a trimmed line, with the text behind it; none where there is no mark.
    fn read(line: &str) -> Option<(Self, &str)> {
        let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&hashes) && line[hashes..].starts_with(' ') {
            let text = line[hashes..].trim().trim_end_matches('#').trim_end();
            return (!text.is_empty()).then_some((Self::Heading(hashes), text));
        }
        if let Some(text) = bullet_mark(line) {
            let text = ["[ ] ", "[x] ", "[X] "].iter().find_map(|check| text.strip_prefix(check)).unwrap_or(text);
            return (!text.is_empty()).then_some((Self::Bullet, text));
        }
        let line = line.strip_prefix(['(', '（']).unwrap_or(line);
        let end = line.find([' ', '\t', ')', '、', '）'])?;
        let (sign, rest) = line.split_at(end);
        let closed = rest.starts_with([')', '、', '）']);
        let text = rest.trim_start_matches([')', '、', '）']).trim();
        let dotted = sign.ends_with(['.', ':', '．']);
        let sign = sign.trim_end_matches(['.', ':', '．']);
        if text.is_empty() || sign.is_empty() || sign.len() > 16 {
            return None;
        }
        let numbers: Vec<&str> = sign.split('.').collect();
        let digits =
            numbers.iter().all(|part| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()));
        let mark = match numbers.len() {
            1 if digits && (closed || dotted) => Self::Number,
            2..=MAX_DEPTH if digits => Self::Numbered(numbers.len()),
            1 if (closed || dotted) && sign.chars().all(|character| "一二三四五六七八九十".contains(character)) => {
                Self::Han
            }
            1 if (closed || dotted) && sign.bytes().all(|byte| b"IVX".contains(&byte)) => Self::Roman,
            1 if (closed || dotted) && sign.len() > 1 && sign.bytes().all(|byte| b"ivx".contains(&byte)) => Self::Roman,
            1 if (closed || dotted) && sign.len() == 1 && sign.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                Self::Letter
            }
            _ => return None,
        };
        Some((mark, text))
    }
}

/// A line with its place.
struct Line {
    depth: usize,
    text: String,
    prose: bool,
}

#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    /// The marks and indents of the lines that the next one may stand below.
    above: Vec<(Mark, usize)>,
}

impl Reader {
    fn marked(&mut self, mark: Mark, indent: usize, text: &str) {
        let headings = self.headings();
        match mark {
            Mark::Heading(level) => {
                let kept = self.above[..headings]
                    .iter()
                    .take_while(|(mark, _)| matches!(mark, Mark::Heading(above) if *above < level));
                let kept = kept.count();
                self.above.truncate(kept);
            }
            Mark::Numbered(depth) => self.above.truncate(headings + depth - 1),
            mark => self.step_out(mark, indent, headings),
        }
        self.push(mark, indent, text, false);
    }

    /// A row of a table as a point.
    fn row(&mut self, line: &str) {
        let cells = line.split('|').map(str::trim).filter(|cell| cell.contains(char::is_alphanumeric));
        let text = cells.collect::<Vec<_>>().join(" – ");
        if !text.is_empty() {
            self.marked(Mark::Bullet, 0, &text);
        }
    }

    /// Leaves the lines that this one does not stand below.
    fn step_out(&mut self, mark: Mark, indent: usize, headings: usize) {
        while self.above.len() > headings && self.above.last().is_some_and(|(_, above)| *above > indent) {
            self.above.pop();
        }
        let level = self.above[headings..].iter().rev().take_while(|(_, above)| *above == indent).count();
        let from = self.above.len() - level;
        let same = self.above[from..].iter().position(|(above, _)| *above == mark || is_number(*above, mark));
        match same {
            Some(at) => self.above.truncate(from + at),
            // A line without a mark never belongs to a marked one beside it.
            None if mark == Mark::None => self.above.truncate(from),
            None => {}
        }
    }

    /// Lines without marks that follow each other: labels, an indented outline, or a paragraph.
    fn unmarked(&mut self, lines: &[&str]) {
        let Some(first) = lines.first() else { return };
        let indents: Vec<usize> = lines.iter().map(|line| indent(line)).collect();
        let stepped = indents.iter().any(|indent| *indent != indents[0]);
        let labels = lines.iter().all(|line| is_label(line.trim()));
        if stepped || labels {
            for (line, indent) in lines.iter().zip(indents) {
                self.plain(line.trim(), indent, !is_label(line.trim()));
            }
        } else if lines.len() > 1 && is_label(first.trim()) && !is_label(lines[1].trim()) && first.chars().count() < 60
        {
            self.plain(first.trim(), indents[0], false);
            self.plain(&lines[1..].join("\n"), indents[0], true);
        } else {
            self.plain(&lines.join("\n"), indents[0], true);
        }
    }

    fn plain(&mut self, text: &str, indent: usize, prose: bool) {
        let headings = self.headings();
        if !prose {
            self.step_out(Mark::None, indent, headings);
            return self.push(Mark::None, indent, text, false);
        }
        // Prose stands below the label or heading above it; behind a list, beside the list.
        while self.above[headings..]
            .last()
            .is_some_and(|(mark, above)| *above > indent || *above == indent && *mark != Mark::None)
        {
            self.above.pop();
        }
        self.note(text, true);
    }

    fn push(&mut self, mark: Mark, indent: usize, text: &str, prose: bool) {
        self.above.truncate(MAX_DEPTH - 1);
        self.note(text, prose);
        self.above.push((mark, indent));
    }

    fn note(&mut self, text: &str, prose: bool) {
        let text = inline_decoded(text).text;
        if !text.is_empty() {
            let depth = self.above.len().min(MAX_DEPTH - 1);
            self.lines.push(Line { depth, text, prose });
        }
    }

    fn headings(&self) -> usize {
        self.above.iter().take_while(|(mark, _)| matches!(mark, Mark::Heading(_))).count()
    }
}

/// "1." and "1.1" are of one kind where a line says only its last number.
fn is_number(one: Mark, other: Mark) -> bool {
    matches!((one, other), (Mark::Numbered(1), Mark::Number))
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// Short, and not closed like a sentence. A question is a label.
fn is_label(line: &str) -> bool {
    let short = line.len() <= LABEL.1 * 4 && line.chars().count() <= LABEL.1 && word_count(line) <= LABEL.0;
    short && (!is_closed(line) || line.ends_with('!') && word_count(line) <= 4)
}

/// Lines with depths as a tree.
fn nest(lines: Vec<Line>) -> Vec<Node> {
    let mut open: Vec<Node> = vec![Node::default()];
    let close = |open: &mut Vec<Node>| {
        if let (Some(node), true) = (open.pop(), !open.is_empty())
            && let Some(parent) = open.last_mut()
        {
            parent.below.push(node);
        }
    };
    for line in lines {
        while open.len() > line.depth + 1 {
            close(&mut open);
        }
        open.push(Node { text: line.text, prose: line.prose, below: Vec::new() });
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map_or_else(Vec::new, |root| root.below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree in one line: "a(b c(d))"; prose in quotation marks.
    fn shown(text: &str) -> String {
        fn show(nodes: &[Node]) -> String {
            let each = |node: &Node| {
                let text = if node.prose { format!("“{}”", node.text) } else { node.text.clone() };
                if node.below.is_empty() { text } else { format!("{text}({})", show(&node.below)) }
            };
            nodes.iter().map(each).collect::<Vec<_>>().join(" ")
        }
        show(&read(text))
    }

    #[test]
    fn nested_lists_keep_their_nesting() {
        assert_eq!(shown("- a\n  - b\n    - c\n  - d\n- e"), "a(b(c) d) e");
        assert_eq!(shown("* a\n\t* b\n* c"), "a(b) c");
        assert_eq!(shown("1. a\n   - b\n   - c\n2. d"), "a(b c) d");
    }

    #[test]
    fn marks_tell_levels_where_indents_do_not() {
        assert_eq!(shown("1. a\n- b\n- c\n2. d\n- e"), "a(b c) d(e)");
        assert_eq!(shown("I. a\nA. b\n1. c\n2. d\nB. e\nII. f"), "a(b(c d) e) f");
        assert_eq!(shown("1. a\n1.1 b\n1.2 c\n1.2.1 d\n2. e"), "a(b c(d)) e");
        assert_eq!(shown("光合作用\n一、定义\n- 光能\n二、过程\n（三）结论"), "光合作用(定义(光能) 过程 结论)");
        assert_eq!(shown("1 a"), "1 a");
        assert_eq!(shown("1) a\n(2) b\n3、c"), "a b c");
    }

    #[test]
    fn headings_hold_what_follows() {
        assert_eq!(
            shown("# a\n## b\n- c\n## d\ntext of some length that ends here.\n# e"),
            "a(b(c) d(“text of some length that ends here.”)) e"
        );
        assert_eq!(shown("## a\n# b"), "a b");
    }

    #[test]
    fn bare_lines_are_labels_and_paragraphs_are_prose() {
        assert_eq!(shown("a\nb\n\nc"), "a b c");
        assert_eq!(shown("a\n  b\n  c\nd"), "a(b c) d");
        assert_eq!(shown("a\n- b\n\nc\n- d"), "a(b) c(d)");
        assert_eq!(shown("Cells are small.\nThey live."), "“Cells are small. They live.”");
        assert_eq!(shown("Cells\n\nCells are small."), "Cells(“Cells are small.”)");
        assert_eq!(shown("- a\nCells are small."), "a “Cells are small.”");
    }

    #[test]
    fn rows_of_tables_are_points() {
        assert_eq!(shown("a\n| b | c |\n|---|---|\n| d | e |"), "a(b – c d – e)");
    }

    #[test]
    fn html_is_an_outline_too() {
        assert_eq!(
            shown("<h1>a</h1><ul><li>b<ul><li>c</li></ul></li></ul><p>Cells are small.</p>"),
            "a(b(c) “Cells are small.”)"
        );
    }

    #[test]
    fn nothing_is_lost_in_depth() {
        let deep: String = (0..40).map(|at| format!("{}- n{at}\n", "  ".repeat(at))).collect();
        let mut count = 0;
        each_node(&read(&deep), &mut |_| count += 1);
        assert_eq!(count, 40);
    }
}
