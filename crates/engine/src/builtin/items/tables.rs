//! Questions about tables: what stands where, and which row has the most or the least.

use language::fill;
use language::normal::normal;

use crate::drafts::QuizItemKind;
use crate::reading::blocks::{Body, Row, Table};
use crate::reading::flat::labelled;
use crate::reading::is_address;
use crate::reading::names::{Role, has_role};
use crate::text::numbers;

use super::{
    Candidate, Evidence, Form, MAX_ENTRIES, MAX_LABEL, MAX_OPTION, Rank, Reason, Workshop, fits, pick, rotated,
};

/// Most questions about one table's cells.
const MOST: usize = 4;
/// How much of its lesson a cell is about, and a comparison of a whole column.
const CELL: f64 = 0.6;
const COLUMN: f64 = 0.8;

impl Workshop<'_> {
    pub(super) fn about_tables(&self, lesson: usize, found: &mut Vec<Candidate>) {
        for block in self.lesson(lesson).reading.blocks.iter().filter(|block| block.teaches()).take(MAX_ENTRIES) {
            let Body::Table(table) = &block.body else { continue };
            let rows: Vec<&Row> = table.rows.iter().take(MAX_ENTRIES).collect();
            if table.columns.len() < 2 || rows.len() < 3 {
                continue;
            }
            self.cells(lesson, table, &rows, found);
            for column in 1..table.columns.len() {
                self.extremes(lesson, table, &rows, column, found);
            }
        }
    }

    fn cells(&self, lesson: usize, table: &Table, rows: &[&Row], found: &mut Vec<Candidate>) {
        let columns = table.columns.len();
        let seed = table.columns.join(" ");
        let mut made = 0;
        for (turn, at) in rotated(rows.len(), &seed).enumerate() {
            let column = 1 + (turn + pick(&seed, columns - 1)) % (columns - 1);
            if let Some(candidate) = self.cell(lesson, table, rows, at, column) {
                found.push(candidate);
                made += 1;
            }
            if made == MOST {
                return;
            }
        }
    }

    fn cell(&self, lesson: usize, table: &Table, rows: &[&Row], at: usize, column: usize) -> Option<Candidate> {
        let label = &table.columns[column];
        let row = rows[at];
        let (name, cell) = (row.cells.first()?, row.cells.get(column)?);
        let told = is_name(name) && is_name(label) && !has_role(label, Role::Technical) && fits(cell, MAX_OPTION);
        let alone = rows.iter().filter(|other| other.cells.first() == Some(name)).count() == 1;
        let empty = |cell: &str| !cell.chars().any(char::is_alphanumeric);
        if !told || !alone || empty(cell) || is_address(cell) || normal(cell) == normal(name) {
            return None;
        }
        // "State: Liquid" says what is liquid; "Name: Helium" would say no more than "Helium".
        let of = table.columns.first().filter(|first| is_name(first) && !has_role(first, Role::Title));
        let question =
            fill(self.phrases().cell_of, &[("column", label), ("row", &labelled(of.map_or("", String::as_str), name))]);
        let wrong: Vec<String> = rotated(rows.len(), &question)
            .filter_map(|other| rows[other].cells.get(column))
            .filter(|other| fits(other, MAX_OPTION) && !is_address(other) && !empty(other) && !overlaps(cell, other))
            .cloned()
            .collect();
        let quote = format!("{name} – {label}: {cell}");
        let fact = format!("cell {} {column}", normal(name));
        let evidence = Evidence { lesson, pointer: &row.pointer, quote: &quote, fact, weight: CELL };
        Some(self.candidate(evidence, Rank::Sound, question, form_of(cell, wrong)))
    }

    /// Which row has the highest and which the lowest value of a column of numbers in one unit?
    fn extremes(&self, lesson: usize, table: &Table, rows: &[&Row], column: usize, found: &mut Vec<Candidate>) {
        let label = &table.columns[column];
        let value = |row: &&Row| Some((row.cells.first()?.clone(), numbers::quantity(row.cells.get(column)?)?));
        let values: Option<Vec<(String, numbers::Quantity)>> = rows.iter().map(value).collect();
        let Some(mut values) = values.filter(|_| is_name(label) && rows.len() >= 4) else { return };
        let one_unit = values.iter().all(|(_, value)| value.unit == values[0].1.unit);
        let years = values.iter().all(|(_, value)| value.is_year());
        let named = values.iter().all(|(name, _)| is_name(name));
        if !one_unit || !named || years {
            self.tally.note(QuizItemKind::Select, Reason::NoStatement);
            return;
        }
        values.sort_by(|(_, left), (_, right)| left.value.total_cmp(&right.value));
        // A column that only counts the rows says nothing of them.
        if rows.iter().zip(1_u32..).all(|(row, at)| row.cells.get(column).is_some_and(|cell| *cell == at.to_string())) {
            return;
        }
        for (phrase, highest) in [(self.phrases().highest_of, true), (self.phrases().lowest_of, false)] {
            let mut order: Vec<&(String, numbers::Quantity)> = values.iter().collect();
            if highest {
                order.reverse();
            }
            if order[0].1.value == order[1].1.value {
                self.tally.note(QuizItemKind::Select, Reason::SeveralKeys);
                continue;
            }
            let key = order[0].0.clone();
            let Some(row) = rows.iter().find(|row| row.cells.first() == Some(&key)) else { continue };
            let question = fill(phrase, &[("column", label)]);
            let wrong = order[1..].iter().map(|(name, _)| name.clone()).take(6).collect();
            let told = |(name, value): &&(String, numbers::Quantity)| format!("{name}: {}", value.text);
            let quote = order.iter().take(4).map(told).collect::<Vec<_>>().join("; ");
            let fact = format!("column {lesson} {}", normal(label));
            let evidence = Evidence { lesson, pointer: &row.pointer, quote: &quote, fact, weight: COLUMN };
            found.push(self.candidate(evidence, Rank::Sound, question, Form::Choice { key, wrong }));
        }
    }
}

/// A value of a column against others of it; numbers in one unit are shown in order.
pub(super) fn form_of(key: &str, wrong: Vec<String>) -> Form {
    let quantities = || {
        let asked = numbers::quantity(key)?;
        let mut others: Vec<numbers::Quantity> = Vec::new();
        for other in &wrong {
            let other = numbers::quantity(other).filter(|other| other.unit == asked.unit)?;
            if other.value != asked.value && !others.iter().any(|known| known.value == other.value) {
                others.push(other);
            }
        }
        let (mut below, mut above): (Vec<_>, Vec<_>) = others.into_iter().partition(|other| other.value < asked.value);
        below.sort_by(|left, right| right.value.total_cmp(&left.value));
        above.sort_by(|left, right| left.value.total_cmp(&right.value));
        let texts = |found: Vec<numbers::Quantity>| found.into_iter().map(|other| other.text).collect();
        Some(Form::Number { key: key.to_owned(), below: texts(below), above: texts(above) })
    };
    quantities().unwrap_or_else(|| Form::Choice { key: key.to_owned(), wrong })
}

/// One value holds the other: "red" and "red or blue".
fn overlaps(key: &str, other: &str) -> bool {
    let (key, other) = (normal(key), normal(other));
    key == other || language::normal::mentions(&key, &other) || language::normal::mentions(&other, &key)
}

/// A text that can name a row or a column in a question.
pub(super) fn is_name(text: &str) -> bool {
    fits(text, MAX_LABEL) && text.chars().any(char::is_alphanumeric) && !is_address(text)
}
