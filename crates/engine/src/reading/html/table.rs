//! Tables of HTML, with cells that reach over columns and rows.

use super::super::blocks::{Row, Table};
use super::super::pointer::Pointer;

/// Most columns or rows that a cell reaches over.
const MOST_SPANNED: usize = 20;
/// Most columns.
const MOST_COLUMNS: usize = 200;

/// A table in the making.
#[derive(Default)]
pub(super) struct Grid {
    rows: Vec<Row>,
    /// How many rows from the top name the columns.
    heads: usize,
    /// The row that is open names columns so far.
    heading: bool,
    in_head: bool,
    /// Cells of earlier rows that reach into later ones: column, rows left, text.
    reaching: Vec<(usize, usize, String)>,
    /// Of the open cell: columns and rows.
    span: (usize, usize),
}

impl Grid {
    pub(super) fn begin_head(&mut self, is_head: bool) {
        self.end_row();
        self.in_head = is_head;
    }

    pub(super) fn begin_row(&mut self, pointer: &Pointer) {
        self.end_row();
        self.rows.push(Row { pointer: pointer.clone(), cells: Vec::new() });
        self.heading = true;
    }

    pub(super) fn begin_cell(&mut self, is_head: bool, columns: Option<&str>, rows: Option<&str>, pointer: &Pointer) {
        self.end_cell();
        if self.rows.is_empty() {
            self.begin_row(pointer);
        }
        self.fill();
        self.heading &= is_head;
        let span =
            |value: Option<&str>| value.and_then(|value| value.trim().parse().ok()).unwrap_or(1).clamp(1, MOST_SPANNED);
        self.span = (span(columns), span(rows));
        if let Some(row) = self.rows.last_mut()
            && row.cells.len() < MOST_COLUMNS
        {
            row.cells.push(String::new());
        }
    }

    /// Adds to the open cell; false when there is none.
    pub(super) fn add(&mut self, text: &str) -> bool {
        let Some(cell) = self.rows.last_mut().and_then(|row| row.cells.last_mut()) else { return false };
        if !cell.is_empty() {
            cell.push(' ');
        }
        cell.push_str(text);
        true
    }

    /// Lets the open cell reach over its columns and rows.
    pub(super) fn end_cell(&mut self) {
        let (columns, rows) = std::mem::replace(&mut self.span, (1, 1));
        let Some(row) = self.rows.last_mut() else { return };
        let Some(text) = row.cells.last().cloned() else { return };
        let at = row.cells.len() - 1;
        for more in 0..columns {
            if more > 0 && row.cells.len() < MOST_COLUMNS {
                row.cells.push(if rows > 1 || self.in_head { text.clone() } else { String::new() });
            }
            if rows > 1 && self.reaching.len() < MOST_COLUMNS {
                self.reaching.push((at + more, rows - 1, text.clone()));
            }
        }
    }

    /// Puts what reaches down from earlier rows where the open row has come to.
    fn fill(&mut self) {
        let Some(row) = self.rows.last_mut() else { return };
        while row.cells.len() < MOST_COLUMNS
            && let Some(at) = self.reaching.iter().position(|(column, left, _)| *column == row.cells.len() && *left > 0)
        {
            let (_, left, text) = &mut self.reaching[at];
            row.cells.push(text.clone());
            *left -= 1;
            if *left == 0 {
                self.reaching.swap_remove(at);
            }
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        if self.rows.is_empty() {
            return;
        }
        self.fill();
        let first = self.heads + 1 == self.rows.len();
        let filled = self.rows.last().is_some_and(|row| !row.cells.is_empty());
        if first && filled && (self.heading || self.in_head) && (self.in_head || self.heads == 0) {
            self.heads += 1;
        }
        if self.rows.last().is_some_and(|row| row.cells.is_empty()) {
            self.rows.pop();
        }
    }

    /// The table; none where no cell has text.
    pub(super) fn finish(mut self) -> Option<Table> {
        self.end_row();
        let mut columns: Vec<String> = Vec::new();
        if self.heads > 0 && self.rows.len() > self.heads {
            for row in self.rows.drain(..self.heads) {
                for (at, cell) in row.cells.into_iter().enumerate() {
                    match columns.get_mut(at) {
                        Some(column) if cell.is_empty() || *column == cell => {}
                        Some(column) if column.is_empty() => *column = cell,
                        Some(column) => *column = format!("{column} {cell}"),
                        None => columns.push(cell),
                    }
                }
            }
        }
        self.rows.retain(|row| row.cells.iter().any(|cell| !cell.is_empty()));
        (!self.rows.is_empty()).then_some(Table { columns, keyed: false, rows: self.rows })
    }
}
