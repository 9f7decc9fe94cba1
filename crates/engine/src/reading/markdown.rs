//! Reads plain and Markdown text: headings, lists, tables, fenced code, conversations, paragraphs,
//! and the emphasis inside them.
//!
//! It reads what teachers write, not all of CommonMark, and it never fails: what is no mark is text.
//! Every search for a closing mark is bounded, so the time stays linear.

use super::blocks::{Block, Body, Code, Item, Row, Table, Turn};
use super::inline::{MarkKind, Passage, PassageBuilder, keep_lines, squeeze};
use super::pointer::Pointer;

/// How far a closing mark is looked for, in bytes.
const MARK_REACH: usize = 300;
/// Lines shorter than this (in characters) were broken on purpose, not to fit a page.
const DELIBERATE_LINE: usize = 50;
/// Longest name in front of a colon that can be a speaker, in characters.
const MAX_SPEAKER: usize = 24;

/// The blocks of a text; headings in it start at `level`.
pub(crate) fn read(text: &str, pointer: &Pointer, level: u8) -> Vec<Block> {
    let mut reader = Reader { pointer, level, blocks: Vec::new(), lines: Vec::new(), items: Vec::new(), steps: false };
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence)) {
            reader.flush();
            let body: Vec<&str> = lines.by_ref().take_while(|line| !line.trim_start().starts_with(fence)).collect();
            reader.push(Body::Code(Code { language: None, text: keep_lines(&body.join("\n")), output: None }));
        } else if let Some((before, header)) = lines.peek().and_then(|next| open_header(trimmed, next)) {
            reader.line(before);
            reader.flush();
            let mut rows = vec![header];
            while let Some(row) = lines.next_if(|line| line.contains('|')) {
                rows.push(row.trim());
            }
            reader.table(&rows);
        } else if trimmed.starts_with('|') && trimmed.len() > 2 {
            reader.flush();
            let mut rows = vec![trimmed];
            while let Some(row) = lines.next_if(|line| line.trim_start().starts_with('|')) {
                rows.push(row.trim());
            }
            reader.table(&rows);
        } else {
            reader.line(line);
        }
    }
    reader.flush();
    reader.blocks.retain(|block| !matches!(&block.body, Body::Code(code) if code.text.is_empty()));
    reader.blocks
}

struct Reader<'a> {
    pointer: &'a Pointer,
    level: u8,
    blocks: Vec<Block>,
    lines: Vec<&'a str>,
    items: Vec<Item>,
    steps: bool,
}

impl<'a> Reader<'a> {
    fn push(&mut self, body: Body) {
        self.blocks.push(Block::taught(self.pointer.clone(), body));
    }

    fn line(&mut self, line: &'a str) {
        let trimmed = line.trim();
        if trimmed.is_empty() || is_rule(trimmed) {
            self.flush_lines();
            if is_rule(trimmed) {
                self.flush();
            }
        } else if let Some((depth, text)) = heading(trimmed) {
            self.flush();
            let level = (self.level + depth - 1).min(4);
            self.push(Body::Heading { level, text: inline(text).text });
        } else if let Some((ordered, text)) = bullet(trimmed) {
            self.flush_lines();
            if !self.items.is_empty() && ordered != self.steps && indent(line) == 0 {
                self.flush_items();
            }
            if self.items.is_empty() {
                self.steps = ordered;
            }
            let level = u8::try_from(indent(line) / 2).unwrap_or(3).min(3);
            let level = level.min(self.items.last().map_or(0, |item| item.level + 1));
            self.items.push(Item { pointer: self.pointer.clone(), level, text: inline(text), notes: Vec::new() });
        } else if !self.items.is_empty() && indent(line) >= 2 {
            self.continue_item(trimmed);
        } else {
            self.flush_items();
            self.lines.push(trimmed.trim_start_matches("> ").trim_start_matches('>'));
        }
    }

    /// An indented line below an item belongs to it.
    fn continue_item(&mut self, text: &str) {
        let more = inline(text);
        if let Some(item) = self.items.last_mut() {
            let offset = item.text.text.len() + 1;
            item.text.text.push(' ');
            item.text.text.push_str(&more.text);
            item.text.marks.extend(more.marks.into_iter().map(|mut mark| {
                mark.start += offset;
                mark.end += offset;
                mark
            }));
        }
    }

    fn flush(&mut self) {
        self.flush_lines();
        self.flush_items();
    }

    fn flush_items(&mut self) {
        self.items.retain(|item| !item.text.text.is_empty());
        if !self.items.is_empty() {
            let items = std::mem::take(&mut self.items);
            let steps = self.steps;
            self.push(Body::List { steps, items });
        }
    }

    fn flush_lines(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() {
            return;
        }
        self.flush_items();
        if let Some(turns) = conversation(&lines, self.pointer) {
            self.push(Body::Dialogue(turns));
        } else if broken_on_purpose(&lines) {
            for line in lines {
                self.paragraph(line);
            }
        } else {
            self.paragraph(&lines.join("\n"));
        }
    }

    fn paragraph(&mut self, text: &str) {
        let passage = inline(text);
        if !passage.text.is_empty() {
            self.push(Body::Paragraph(passage));
        }
    }

    fn table(&mut self, lines: &[&str]) {
        let mut rows: Vec<Vec<String>> = lines.iter().map(|line| cells(line)).collect();
        let columns = if lines.get(1).is_some_and(|line| is_delimiter(line)) { rows.remove(0) } else { Vec::new() };
        rows.retain(|cells| !cells.iter().all(|cell| is_delimiter(cell)));
        let rows = rows.into_iter().map(|cells| Row { pointer: self.pointer.clone(), cells }).collect();
        self.push(Body::Table(Table { columns, rows }));
    }
}

/// The row of dashes below a table's header, or a cell of it.
fn is_delimiter(line: &str) -> bool {
    line.contains('-') && line.chars().all(|character| matches!(character, '|' | '-' | ':' | ' ' | '\t'))
}

/// A table's header that does not open with a bar, with the text that stands in front of it: by the
/// row of dashes below it, whatever the header has more than that stands in front.
fn open_header<'l>(line: &'l str, next: &str) -> Option<(&'l str, &'l str)> {
    let dashes = next.trim();
    if line.starts_with('|') || !line.contains('|') || !dashes.contains('|') || !is_delimiter(dashes) {
        return None;
    }
    let width = |line: &str| line.trim_matches('|').split('|').count();
    if width(line) <= width(dashes) {
        return Some(("", line));
    }
    let (before, _) = line.split_once('|')?;
    Some((before.trim_end(), &line[before.len()..]))
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split('|').map(|cell| inline(cell).text).collect()
}

pub(super) fn indent(line: &str) -> usize {
    line.chars()
        .take_while(|character| character.is_whitespace())
        .map(|character| if character == '\t' { 4 } else { 1 })
        .sum()
}

pub(super) fn is_rule(line: &str) -> bool {
    line.len() >= 3
        && (line.bytes().all(|byte| byte == b'-')
            || line.bytes().all(|byte| byte == b'*')
            || line.bytes().all(|byte| byte == b'_')
            || line.bytes().all(|byte| byte == b'='))
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let depth = line.bytes().take_while(|byte| *byte == b'#').count();
    let text = line.get(depth..)?;
    if depth == 0 || depth > 6 || !text.starts_with(' ') {
        return None;
    }
    let text = text.trim().trim_end_matches('#').trim_end();
    let depth = u8::try_from(depth).unwrap_or(6);
    (!text.is_empty()).then_some((depth.clamp(1, 4), text))
}

/// An item's text behind its bullet.
pub(super) fn bullet_mark(line: &str) -> Option<&str> {
    ["- ", "* ", "+ ", "• ", "– ", "‣ ", "・", "◦ "].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

/// An item's text behind its bullet or number; the flag says that it is numbered.
fn bullet(line: &str) -> Option<(bool, &str)> {
    if let Some(text) = bullet_mark(line) {
        return Some((false, text));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let rest = &line[digits..];
    let text = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).or_else(|| rest.strip_prefix('、'))?;
    Some((true, text.trim()))
}

/// Lines such as "Anna: Hello!", at least two of them by at least two speakers.
pub(crate) fn conversation(lines: &[&str], pointer: &Pointer) -> Option<Vec<Turn>> {
    if lines.len() < 2 {
        return None;
    }
    let mut turns = Vec::with_capacity(lines.len());
    for line in lines {
        let (speaker, said) = split_speaker(line)?;
        turns.push(Turn { pointer: pointer.clone(), speaker, line: said, notes: Vec::new() });
    }
    let mut speakers: Vec<&str> = turns.iter().map(|turn| turn.speaker.as_str()).collect();
    speakers.sort_unstable();
    speakers.dedup();
    let talk = turns.len() >= 3 && speakers.len() < turns.len();
    (speakers.len() >= 2 && speakers.len() <= 8 && talk).then_some(turns)
}

fn split_speaker(line: &str) -> Option<(String, String)> {
    let at = line.char_indices().take(MAX_SPEAKER).find(|(_, character)| matches!(character, ':' | '：'))?.0;
    let mark = line[at..].chars().next()?;
    let speaker = inline(&line[..at]).text.trim_matches('*').to_owned();
    let said = inline(line[at + mark.len_utf8()..].trim_start_matches('*')).text;
    let named = speaker.chars().any(char::is_alphabetic) && speaker.split(' ').count() <= 3;
    (named && !said.is_empty() && !said.starts_with("//")).then_some((speaker, said))
}

fn broken_on_purpose(lines: &[&str]) -> bool {
    lines.len() > 1
        && lines[..lines.len() - 1].iter().all(|line| {
            let ends = line.ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '؟', '।']);
            ends || (line.chars().count() < DELIBERATE_LINE && lines.len() > 2)
        })
}

/// Running text with Markdown's inline marks taken off.
pub(crate) fn inline(text: &str) -> Passage {
    let mut builder = PassageBuilder::default();
    push_inline(text, &mut builder, 0);
    builder.finish()
}

fn push_inline(text: &str, builder: &mut PassageBuilder, depth: u8) {
    let mut rest = text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let taken = if depth < 3 { span(rest, before, builder, depth) } else { 0 };
        if taken == 0 {
            builder.push(first);
            before = first;
            rest = &rest[first.len_utf8()..];
        } else {
            before = rest[..taken].chars().next_back().unwrap_or(' ');
            rest = &rest[taken..];
        }
    }
}

/// Reads a marked stretch at the start of `rest`; answers its length, 0 when there is none.
fn span(rest: &str, before: char, builder: &mut PassageBuilder, depth: u8) -> usize {
    match rest.as_bytes()[0] {
        b'$' => math(rest, builder),
        b'`' => code(rest, builder),
        b'*' | b'_' | b'~' => emphasis(rest, before, builder, depth),
        b'[' | b'!' => link(rest, builder, depth),
        b'\\' => match rest.as_bytes().get(1) {
            Some(escaped @ (b'*' | b'_' | b'#' | b'`' | b'~' | b'>' | b'$')) => {
                builder.push(char::from(*escaped));
                2
            }
            _ => 0,
        },
        _ => 0,
    }
}

/// Formulas stay as they are: a `_` or `*` in them is no mark.
fn math(rest: &str, builder: &mut PassageBuilder) -> usize {
    let fence = if rest.starts_with("$$") { "$$" } else { "$" };
    let body = &rest[fence.len()..];
    let Some(end) = find_near(body, fence) else { return 0 };
    let formula = &body[..end];
    if end == 0 || formula.starts_with(' ') || formula.ends_with(' ') {
        return 0;
    }
    builder.push_str(&rest[..fence.len() + end + fence.len()]);
    fence.len() * 2 + end
}

fn code(rest: &str, builder: &mut PassageBuilder) -> usize {
    let Some(end) = find_near(&rest[1..], "`").filter(|end| *end > 0) else { return 0 };
    builder.open(MarkKind::Code);
    builder.push_str(&rest[1..=end]);
    builder.close();
    end + 2
}

fn emphasis(rest: &str, before: char, builder: &mut PassageBuilder, depth: u8) -> usize {
    let Some((mark, kind)) = [
        ("**", MarkKind::Strong),
        ("__", MarkKind::Strong),
        ("~~", MarkKind::Emphasis),
        ("*", MarkKind::Emphasis),
        ("_", MarkKind::Emphasis),
    ]
    .into_iter()
    .find(|(mark, _)| rest.starts_with(mark)) else {
        return 0;
    };
    let body = &rest[mark.len()..];
    let opens = body.chars().next().is_some_and(|next| !next.is_whitespace() && !mark.starts_with(next));
    let inside_word = before.is_ascii_alphanumeric() && mark != "**";
    if !opens || inside_word {
        return 0;
    }
    let Some(end) = find_near(body, mark) else { return 0 };
    let after = body[end + mark.len()..].chars().next().unwrap_or(' ');
    let closes = !body[..end].ends_with(char::is_whitespace) && (mark == "**" || !after.is_ascii_alphanumeric());
    if !closes || body[..end].contains('\n') && mark.len() == 1 {
        return 0;
    }
    if mark != "~~" {
        builder.open(kind);
    }
    push_inline(&body[..end], builder, depth + 1);
    if mark != "~~" {
        builder.close();
    }
    mark.len() * 2 + end
}

/// `[text](address)` is its text, `![text](address)` likewise.
fn link(rest: &str, builder: &mut PassageBuilder, depth: u8) -> usize {
    let start = if rest.starts_with("![") { 2 } else { 1 };
    if rest.as_bytes()[start - 1] != b'[' {
        return 0;
    }
    let Some(middle) = find_near(&rest[start..], "](") else { return 0 };
    let address = &rest[start + middle + 2..];
    let Some(end) = find_near(address, ")").filter(|end| !address[..*end].contains(['\n'])) else { return 0 };
    push_inline(&rest[start..start + middle], builder, depth + 1);
    start + middle + 2 + end + 1
}

/// `text.find(mark)` within reach.
fn find_near(text: &str, mark: &str) -> Option<usize> {
    let mut reach = text.len().min(MARK_REACH);
    while !text.is_char_boundary(reach) {
        reach -= 1;
    }
    text[..reach].find(mark)
}

/// The text of a short string, without a look for blocks.
pub(crate) fn plain_inline(text: &str) -> String {
    squeeze(&inline(text).text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_off_and_formulas_stay() {
        let passage = inline("A **cell** has `code_x`, 2*3*4, snake_case_name, $a_1*b_2$ and [a link](https://x.y).");
        assert_eq!(passage.text, "A cell has code_x, 2*3*4, snake_case_name, $a_1*b_2$ and a link.");
        assert_eq!(passage.marked_in(0..passage.text.len()).collect::<Vec<_>>(), ["cell", "code_x"]);
    }

    #[test]
    fn reads_blocks() {
        let text = "# Cells\nA cell is small.\n\n- one\n- two\n  - inner\n\n1. first\n2. second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```\nlet x = 1;\n```";
        let kinds: Vec<&str> = read(text, &Pointer::root("/x"), 1)
            .iter()
            .map(|block| match &block.body {
                Body::Heading { .. } => "heading",
                Body::Paragraph(_) => "paragraph",
                Body::List { steps: false, items } if items[2].level == 1 => "list",
                Body::List { .. } => "steps",
                Body::Table(table) if table.columns == ["a", "b"] => "table",
                Body::Code(_) => "code",
                _ => "other",
            })
            .collect();
        assert_eq!(kinds, ["heading", "paragraph", "list", "steps", "table", "code"]);
    }

    #[test]
    fn a_talk_needs_two_speakers_and_a_second_turn() {
        let pointer = Pointer::root("/x");
        assert!(conversation(&["Anna: Hi!", "Ben: Hello.", "Anna: Bye."], &pointer).is_some());
        assert!(conversation(&["Mitosis: division", "Osmosis: flow"], &pointer).is_none());
    }
}
