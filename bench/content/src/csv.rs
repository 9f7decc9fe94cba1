//! Comma-separated values as spreadsheets write and read them (RFC 4180): quoted cells may hold commas, quotes and lines.

use std::collections::HashMap;

use anyhow::bail;

/// A table whose first line names its columns.
pub(crate) struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a table. Spreadsheets of some countries separate by semicolons; the first line tells.
    pub(crate) fn read(text: &str) -> anyhow::Result<Self> {
        let text = text.trim_start_matches('\u{FEFF}');
        let first = text.lines().next().unwrap_or_default();
        let separator = if first.contains(';') && !first.contains(',') { ';' } else { ',' };
        let mut rows = parse(text, separator).into_iter();
        let Some(header) = rows.next() else { bail!("the sheet is empty") };
        let columns = header.iter().enumerate().map(|(at, name)| (name.trim().to_lowercase(), at)).collect();
        Ok(Self { columns, rows: rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect() })
    }

    /// How many rows there are below the first line.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A cell; `None` when there is no such column. A short row has blank cells.
    pub(crate) fn cell(&self, row: usize, column: &str) -> Option<&str> {
        let at = *self.columns.get(column)?;
        Some(self.rows.get(row).and_then(|row| row.get(at)).map_or("", String::as_str))
    }
}

fn parse(text: &str, separator: char) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if is_quoted && signs.peek() == Some(&'"') => {
                signs.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() => is_quoted = true,
            '\r' if !is_quoted && signs.peek() == Some(&'\n') => {}
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            sign if sign == separator && !is_quoted => row.push(std::mem::take(&mut cell)),
            sign => cell.push(sign),
        }
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows
}

/// Appends a line. A cell that a spreadsheet would take for a formula begins with an apostrophe.
pub(crate) fn push_line<S: AsRef<str>>(text: &mut String, cells: impl IntoIterator<Item = S>) {
    for (at, cell) in cells.into_iter().enumerate() {
        let cell = cell.as_ref();
        let guard = if cell.starts_with(['=', '+', '@', '\t']) { "'" } else { "" };
        text.push_str(if at == 0 { "\"" } else { ",\"" });
        text.push_str(guard);
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut text = String::new();
        push_line(&mut text, ["id", "question"]);
        push_line(&mut text, ["1", "He said \"no\",\nand left"]);
        let table = Table::read(&text).unwrap();
        assert_eq!((table.len(), table.cell(0, "question")), (1, Some("He said \"no\",\nand left")));
        assert_eq!(table.cell(0, "marks"), None);
    }

    #[test]
    fn semicolons_and_byte_order_marks_of_spreadsheets_are_read() {
        let table = Table::read("\u{FEFF}ID;key\n1;wrong\n\n2\n").unwrap();
        assert_eq!((table.len(), table.cell(0, "key"), table.cell(1, "key")), (2, Some("wrong"), Some("")));
    }

    #[test]
    fn formulas_are_written_as_text() {
        let mut text = String::new();
        push_line(&mut text, ["=1+1"]);
        assert_eq!(text, "\"'=1+1\"\r\n");
    }
}
