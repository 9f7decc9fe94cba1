//! Runs of lines that are tables, written as tables of one width, so that no cell of a wider row is lost.

use std::iter::Peekable;
use std::str::Lines;

/// Most columns that a table is widened to; wider rows lose no text, they are one cell from there on.
const MAX_WIDTH: usize = 64;

/// A table's lines.
pub(super) struct Run<'l> {
    /// Text that stands in front of the header on its line.
    pub(super) before: &'l str,
    header: Option<Vec<&'l str>>,
    rows: Vec<Vec<&'l str>>,
}

impl<'l> Run<'l> {
    /// Reads the table that begins with a line; none where the line is no row of one.
    pub(super) fn begin(line: &'l str, lines: &mut Peekable<Lines<'l>>) -> Option<Self> {
        let next = lines.peek().map(|next| next.trim());
        if let Some((before, header)) = next.and_then(|next| open_header(line, next)) {
            lines.next();
            let mut run = Self { before, header: Some(cells(header)), rows: Vec::new() };
            while let Some(row) = lines.next_if(|line| line.contains('|')) {
                run.row(row.trim());
            }
            return Some(run);
        }
        if !line.starts_with('|') || line.len() <= 2 {
            return None;
        }
        let mut run = Self { before: "", header: None, rows: Vec::new() };
        if next.is_some_and(|next| next.starts_with('|') && is_delimiter(next)) {
            lines.next();
            run.header = Some(cells(line));
        } else {
            run.row(line);
        }
        while let Some(row) = lines.next_if(|line| line.trim_start().starts_with('|')) {
            run.row(row.trim());
        }
        Some(run)
    }

    fn row(&mut self, line: &'l str) {
        if !is_delimiter(line) {
            self.rows.push(cells(line));
        }
    }

    /// Writes the table as GitHub's dialect has it.
    pub(super) fn write(&self, out: &mut String) {
        let rows = self.rows.iter().chain(&self.header);
        let width = rows.map(Vec::len).max().unwrap_or(1).clamp(1, MAX_WIDTH);
        write_row(self.header.as_deref().unwrap_or_default(), width, out);
        out.push_str(&"|---".repeat(width));
        out.push_str("|\n");
        self.rows.iter().for_each(|row| write_row(row, width, out));
    }
}

fn write_row(cells: &[&str], width: usize, out: &mut String) {
    for at in 0..width {
        out.push_str("| ");
        if at + 1 == width && cells.len() > width {
            out.push_str(&cells[at..].join(" "));
        } else {
            out.push_str(cells.get(at).copied().unwrap_or_default());
        }
        out.push(' ');
    }
    out.push_str("|\n");
}

/// The row of dashes below a table's header.
fn is_delimiter(line: &str) -> bool {
    line.contains('-') && line.chars().all(|character| matches!(character, '|' | '-' | ':' | ' ' | '\t'))
}

/// A table's header that does not open with a bar, with the text that stands in front of it: by the
/// row of dashes below it, whatever the header has more than that stands in front.
fn open_header<'l>(line: &'l str, dashes: &str) -> Option<(&'l str, &'l str)> {
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

/// The cells of a row. A bar behind a backslash or in code parts none.
fn cells(line: &str) -> Vec<&str> {
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, character) in line.char_indices() {
        match character {
            '|' if !escaped => {
                cells.push(line[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    let rest = line[start..].trim();
    if !rest.is_empty() {
        cells.push(rest);
    }
    cells
}
