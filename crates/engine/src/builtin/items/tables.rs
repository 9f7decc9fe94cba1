//! Questions about tables: what stands where, and which row has the most or the least.

use language::fill;
use language::normal::normal;
use language::script::word_count;
use language::sentences::is_closed;

use crate::drafts::{OmissionReason, QuizItemKind};
use crate::reading::blocks::{Body, Row, Table};
use crate::reading::flat::labelled;
use crate::reading::is_address;
use crate::reading::names::{Role, has_role};
use crate::text::numbers;
use crate::text::stems::stems;

use super::{Candidate, Evidence, Form, MAX_ENTRIES, MAX_LABEL, MAX_OPTION, Rank, Workshop, fits, pick, rotated};

/// Most questions about one table's cells.
const MOST: usize = 4;
/// Fewest rows of which one has most or least, or that stand against each other in a table of two columns, and most words of a cell that is asked for.
const MIN_COMPARED: usize = 5;
const MAX_WORDS: usize = 8;
/// Fewest rows of a table that is asked about.
const MIN_ROWS: usize = 3;
/// How much of its lesson a cell is about, and a comparison of a whole column.
const CELL: f64 = 0.6;
const COLUMN: f64 = 0.8;

impl Workshop<'_> {
    pub(super) fn about_tables(&self, lesson: usize, found: &mut Vec<Candidate>) {
        for block in self.lesson(lesson).reading.blocks.iter().filter(|block| block.teaches()).take(MAX_ENTRIES) {
            let Body::Table(table) = &block.body else { continue };
            let rows: Vec<&Row> = table.rows.iter().take(MAX_ENTRIES).collect();
            let Some(view) = View::of(table, rows) else { continue };
            self.cells(lesson, &view, found);
            for column in view.others() {
                self.extremes(lesson, &view, column, found);
            }
        }
    }

    /// Whether a column's name can be shown. Keys of records may have lost their accents and their case.
    fn is_label(&self, lesson: usize, table: &Table, label: &str) -> bool {
        is_name(label) && (!table.keyed || self.is_worded(lesson, label))
    }

    /// Whether a name that was made of a key is one that readers know: in the language's own letters, a word of English in an
    /// English lesson, or one that the lessons use.
    pub(super) fn is_worded(&self, lesson: usize, label: &str) -> bool {
        let letters = label.chars().filter(|letter| letter.is_alphabetic());
        let own = letters.clone().any(|letter| !letter.is_ascii());
        let (count, english) = (letters.count(), self.lesson(lesson).profile.tag == "en");
        own || english && count > 3 || count > 1 && self.said.mentions(label)
    }

    fn cells(&self, lesson: usize, view: &View<'_>, found: &mut Vec<Candidate>) {
        let others: Vec<usize> = view.others().collect();
        let seed = view.table.columns.join(" ");
        let mut made = 0;
        for (turn, at) in rotated(view.rows.len(), &seed).enumerate() {
            let column = others[(turn + pick(&seed, others.len())) % others.len()];
            if let Some(candidate) = self.cell(lesson, view, at, column) {
                found.push(candidate);
                made += 1;
            }
            if made == MOST {
                return;
            }
        }
    }

    fn cell(&self, lesson: usize, view: &View<'_>, at: usize, column: usize) -> Option<Candidate> {
        let View { table, rows, naming } = view;
        let label = &table.columns[column];
        let row = rows[at];
        let (name, cell) = (row.cells.get(*naming)?, row.cells.get(column)?);
        let told = self.is_label(lesson, table, label) && !has_role(label, Role::Technical) && is_short(cell);
        let empty = |cell: &str| !cell.chars().any(char::is_alphanumeric);
        // Figures of examples are nothing to learn by heart; which is the highest may be.
        let values = rows.iter().filter_map(|row| numbers::quantity(row.cells.get(column)?));
        let years = values.clone().count() == rows.len() && values.clone().all(|value| value.is_year());
        let digits = |text: &str| text.chars().filter(|character| character.is_numeric()).count();
        let letters = cell.chars().filter(|character| character.is_alphabetic()).count();
        // "4400 Payables 1,785.00 €" is a record and no value.
        let record = letters > 0 && numbers::find(cell).len() > 1;
        let figure = (numbers::quantity(cell).is_some() || digits(cell) > letters || record) && !years;
        if figure || !told || empty(cell) || is_address(cell) || normal(cell) == normal(name) {
            return None;
        }
        // "vou a Roma" stands beside "volto de Roma".
        if !stems(&normal(cell)).is_disjoint(&stems(&normal(name))) {
            self.tally.note(QuizItemKind::Select, OmissionReason::GivesAway);
            return None;
        }
        // "State: Liquid" says what is liquid; "Name: Helium" would say no more than "Helium".
        let of = Some(&table.columns[*naming]).filter(|first| is_name(first) && !has_role(first, Role::Title));
        let row_name = labelled(of.map_or("", String::as_str), name);
        let question = fill(self.phrases().cell_of, &[("column", label), ("row", &row_name)]);
        let wrong: Vec<String> = rotated(rows.len(), &question)
            .filter_map(|other| rows[other].cells.get(column))
            .filter(|other| years || numbers::quantity(other).is_none())
            .filter(|other| is_short(other) && !is_address(other) && !empty(other) && !overlaps(cell, other))
            .cloned()
            .collect();
        let quote = format!("{name} – {label}: {cell}");
        let fact = format!("cell {} {column}", normal(name));
        let evidence = Evidence { lesson, pointer: &row.pointer, quote: &quote, fact, weight: CELL };
        // A table of two columns, which its author has headed, tells one thing of each row. Cells of other tables may be of different
        // kinds, so that only one answers the question.
        let tells_one = table.columns.len() == 2 && !table.keyed && rows.len() >= MIN_COMPARED;
        let rank = if tells_one { Rank::Sound } else { Rank::Ordered };
        Some(self.candidate(evidence, rank, question, form_of(cell, wrong)))
    }

    /// Which row has the highest, or the lowest, value of a column of numbers in one unit?
    fn extremes(&self, lesson: usize, view: &View<'_>, column: usize, found: &mut Vec<Candidate>) {
        let View { table, rows, naming } = view;
        let label = &table.columns[column];
        let value = |row: &&Row| Some((row.cells.get(*naming)?.clone(), numbers::quantity(row.cells.get(column)?)?));
        let values: Option<Vec<(String, numbers::Quantity)>> = rows.iter().map(value).collect();
        let Some(mut values) = values.filter(|_| self.is_label(lesson, table, label) && rows.len() >= MIN_COMPARED)
        else {
            return;
        };
        let one_unit = values.iter().all(|(_, value)| value.unit == values[0].1.unit);
        let years = values.iter().all(|(_, value)| value.is_year());
        // A column that only counts the rows says nothing of them.
        let counts =
            rows.iter().zip(1_u32..).all(|(row, at)| row.cells.get(column).is_some_and(|cell| *cell == at.to_string()));
        // "Group 17" and "GHS05" are labels, and not more than others.
        let begins = |(_, value): &(String, numbers::Quantity)| !value.text.starts_with(char::is_alphabetic);
        // "5xx" is a code, and "5km" is none.
        let tag = self.lesson(lesson).profile.tag;
        let coded = |(_, value): &(String, numbers::Quantity)| {
            let behind = value.text.trim_start_matches(|sign: char| !sign.is_alphabetic());
            value.text.len() > behind.len()
                && value.text[..value.text.len() - behind.len()].ends_with(char::is_numeric)
                && !language::speech(tag).begins_with_unit(behind)
        };
        let measured = !values[0].1.unit.is_empty() && values.iter().all(begins) && !values.iter().any(coded);
        if !one_unit || !measured || years || counts {
            self.tally.note(QuizItemKind::Select, OmissionReason::NoStatement);
            return;
        }
        values.sort_by(|(_, left), (_, right)| left.value.total_cmp(&right.value));
        for (phrase, highest) in [(self.phrases().highest_of, true), (self.phrases().lowest_of, false)] {
            let mut order: Vec<&(String, numbers::Quantity)> = values.iter().collect();
            if highest {
                order.reverse();
            }
            if order[0].1.value == order[1].1.value {
                self.tally.note(QuizItemKind::Select, OmissionReason::SeveralKeys);
                continue;
            }
            let key = order[0].0.clone();
            let Some(row) = rows.iter().find(|row| row.cells.get(*naming) == Some(&key)) else { continue };
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

/// A table with the column that names its rows.
struct View<'t> {
    table: &'t Table,
    rows: Vec<&'t Row>,
    naming: usize,
}

impl<'t> View<'t> {
    /// None where no column names each row in words, or with a year.
    fn of(table: &'t Table, rows: Vec<&'t Row>) -> Option<Self> {
        if table.columns.len() < 2 || rows.len() < MIN_ROWS {
            return None;
        }
        let distinct = |column: usize| {
            let mut names: Vec<String> =
                rows.iter().filter_map(|row| row.cells.get(column).map(|cell| normal(cell))).collect();
            names.sort_unstable();
            names.dedup();
            names.len() == rows.len()
        };
        let named = |column: usize, test: fn(&str) -> bool| {
            let fits = rows.iter().all(|row| row.cells.get(column).is_some_and(|cell| is_name(cell) && test(cell)));
            fits && distinct(column)
        };
        let columns = 0..table.columns.len();
        let naming = columns.clone().find(|column| named(*column, is_worded)).or_else(|| {
            let years = |cell: &str| numbers::quantity(cell).is_some_and(|quantity| quantity.is_year());
            columns.clone().find(|column| named(*column, years))
        })?;
        Some(Self { table, rows, naming })
    }

    /// The columns that say something of the rows.
    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let naming = self.naming;
        (0..self.table.columns.len()).filter(move |column| *column != naming)
    }
}

/// Words, and neither a quantity nor a code such as "EK-7".
fn is_worded(text: &str) -> bool {
    let code = |word: &str| word.contains(|digit: char| digit.is_numeric()) && word.contains(char::is_alphabetic);
    text.chars().filter(|character| character.is_alphabetic()).count() >= 2
        && numbers::quantity(text).is_none()
        && !(text.split_whitespace().count() == 1 && code(text))
}

/// A value of a column against others of it; numbers in one unit are shown in order.
pub(super) fn form_of(key: &str, wrong: Vec<String>) -> Form {
    let quantities = || {
        let asked = numbers::quantity(key)?;
        let mut others: Vec<numbers::Quantity> = Vec::new();
        for other in &wrong {
            // A value in another unit would be told at once.
            let Some(other) = numbers::quantity(other).filter(|other| other.unit == asked.unit) else { continue };
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

/// A value, and no sentence.
fn is_short(cell: &str) -> bool {
    fits(cell, MAX_OPTION) && word_count(cell) <= MAX_WORDS && !is_closed(cell)
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
