//! Brings the lines that people write into the form that CommonMark reads as they mean it.
//!
//! - Every bullet is a dash, and the depth of an item is four spaces a level.
//! - A list begins and ends where its lines do; a line that is not set in does not go on with an item.
//! - A rule below a sentence is a rule and no heading.
//! - Tables have as many columns as their widest row; those without a header get an empty one.
//! - A prompt of an interpreter begins code.
//!
//! Nothing but marks and white space changes. Each line is looked at once.

use std::iter::Peekable;
use std::str::Lines;

use language::script::is_unspaced;
use language::sentences::is_closed;

use super::super::math::GUARD;
use super::lines::{bullet, fence, indent, is_heading, is_rule, needs_guard};
use super::table::Run;

/// Deepest level of an item.
const DEEPEST: usize = 3;
/// Stands beside marks of emphasis that touch signs in scripts without spaces; it is taken out again.
pub(super) const JOINT: char = '\u{2005}';

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Text,
    Item,
    Quote,
    Other,
}

/// The text as CommonMark.
pub(super) fn tidy(text: &str) -> String {
    let mut writer =
        Writer { out: String::with_capacity(text.len() + text.len() / 8), last: Line::Blank, indents: Vec::new() };
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        writer.line(line, &mut lines);
    }
    writer.out
}

struct Writer {
    out: String,
    last: Line,
    /// How far the items were set in that the next line may stand below.
    indents: Vec<usize>,
}

impl Writer {
    fn line<'l>(&mut self, line: &'l str, lines: &mut Peekable<Lines<'l>>) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return self.write(Line::Blank, "");
        }
        if let Some(marks) = fence(trimmed) {
            return self.fenced(line, marks, lines);
        }
        if let Some(run) = Run::begin(trimmed, lines) {
            return self.table(&run);
        }
        if trimmed.starts_with(">>> ") {
            return self.prompt(trimmed, lines);
        }
        if is_rule(trimmed) {
            return self.rule(trimmed);
        }
        if is_heading(trimmed) {
            self.part();
            return self.write(Line::Other, trimmed);
        }
        if let Some((ordered, text)) = bullet(trimmed) {
            return self.item(ordered, text, indent(line));
        }
        if trimmed.starts_with('>') {
            if self.last != Line::Quote {
                self.part();
            }
            self.indents.clear();
            return self.write(Line::Quote, &joints(trimmed));
        }
        self.text(line, trimmed);
    }

    fn write(&mut self, kind: Line, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
        self.last = kind;
    }

    /// Parts a line from the one before it.
    fn part(&mut self) {
        if self.last != Line::Blank {
            self.write(Line::Blank, "");
        }
    }

    fn text(&mut self, line: &str, trimmed: &str) {
        let depth = indent(line);
        if !self.indents.is_empty() && depth >= 2 {
            let level = self.indents.len();
            let text = joints(trimmed);
            let kind = if self.last == Line::Blank { Line::Text } else { self.last };
            self.write(kind, &format!("{}{text}", "    ".repeat(level)));
            return;
        }
        if !self.indents.is_empty() || matches!(self.last, Line::Quote | Line::Item) {
            self.part();
            self.indents.clear();
        }
        let broken = if line.ends_with("  ") { "  " } else { "" };
        let code = depth >= 4 && self.last != Line::Text;
        let (set_in, guard) =
            (if code { "    " } else { "" }, if needs_guard(trimmed) { GUARD.to_string() } else { String::new() });
        let text = if code { line.trim_end().to_owned() } else { joints(trimmed) };
        let text = if code { text.replacen('\t', "    ", 1) } else { format!("{set_in}{guard}{text}{broken}") };
        self.write(if code { Line::Other } else { Line::Text }, &text);
    }

    fn item(&mut self, ordered: bool, text: &str, depth: usize) {
        while self.indents.last().is_some_and(|above| *above > depth) {
            self.indents.pop();
        }
        match self.indents.last() {
            Some(above) if depth < above + 2 => {}
            _ if self.indents.len() <= DEEPEST => self.indents.push(depth),
            _ => {}
        }
        if matches!(self.last, Line::Text | Line::Quote) && self.indents.len() == 1 {
            self.part();
        }
        let text = text.trim_start_matches(GUARD);
        let mark = if ordered { "1. " } else { "- " };
        let mut line = "    ".repeat(self.indents.len() - 1);
        line.push_str(mark);
        // What is an item of an item on one line is text.
        if bullet(text).is_some() || is_heading(text) || text.starts_with('>') || is_rule(text) {
            line.push(GUARD);
        }
        line.push_str(&joints(text));
        self.write(Line::Item, &line);
    }

    fn rule(&mut self, trimmed: &str) {
        let title = self.out.trim_end_matches('\n').rsplit('\n').next().unwrap_or_default();
        let alone = self.out.trim_end_matches('\n').rsplit('\n').nth(1).is_none_or(|above| above.trim().is_empty());
        let underlines = self.last == Line::Text
            && trimmed.starts_with(['-', '='])
            && alone
            && title.chars().count() <= 80
            && !is_closed(title);
        if !underlines {
            self.part();
            self.indents.clear();
        }
        let line = if underlines { trimmed } else { "***" };
        self.write(Line::Other, line);
        self.write(Line::Blank, "");
    }

    /// Copies a fence with what is in it, as deep as the item that it stands in.
    fn fenced(&mut self, line: &str, marks: &str, lines: &mut Peekable<Lines<'_>>) {
        let depth = indent(line);
        if self.indents.is_empty() || depth < 2 {
            self.indents.clear();
            self.part();
        }
        let set_in = "    ".repeat(self.indents.len());
        self.write(Line::Other, &format!("{set_in}{}", line.trim()));
        for line in lines.by_ref() {
            let trimmed = line.trim();
            let ends = trimmed.starts_with(marks) && trimmed.trim_start_matches(&marks[..1]).is_empty();
            if ends {
                self.write(Line::Other, &format!("{set_in}{trimmed}"));
                break;
            }
            let skipped = line.char_indices().find(|(at, character)| *at >= depth || !character.is_whitespace());
            let text = skipped.map_or("", |(at, _)| &line[at..]);
            self.write(Line::Other, &format!("{set_in}{text}"));
        }
        if self.indents.is_empty() {
            self.write(Line::Blank, "");
        }
    }

    /// What an interpreter shows is code, until a blank line.
    fn prompt(&mut self, first: &str, lines: &mut Peekable<Lines<'_>>) {
        self.part();
        self.indents.clear();
        self.write(Line::Other, "~~~~ pycon");
        self.write(Line::Other, first);
        while let Some(line) = lines.next_if(|line| !line.trim().is_empty()) {
            self.write(Line::Other, line);
        }
        self.write(Line::Other, "~~~~");
        self.write(Line::Blank, "");
    }

    fn table(&mut self, run: &Run<'_>) {
        if !run.before.is_empty() {
            self.text(run.before, run.before);
        }
        self.part();
        self.indents.clear();
        run.write(&mut self.out);
        self.last = Line::Other;
        self.write(Line::Blank, "");
    }
}

/// Marks of emphasis that touch signs are none in CommonMark, unless a space is beside them; scripts without spaces have none.
fn joints(line: &str) -> String {
    if !line.contains("**") || !line.chars().any(is_unspaced) {
        return line.to_owned();
    }
    let mut joined = String::with_capacity(line.len() + 8);
    let mut rest = line;
    let mut opens = true;
    while let Some(at) = rest.find("**") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        joined.push_str(before);
        let touches = |character: Option<char>| character.is_some_and(is_unspaced);
        if opens && touches(joined.chars().next_back()) {
            joined.push(JOINT);
        }
        joined.push_str("**");
        if !opens && touches(after.chars().next()) {
            joined.push(JOINT);
        }
        opens = !opens;
        rest = after;
    }
    joined.push_str(rest);
    joined
}
