//! Quizzes in rows: tables whose first row names the parts of a question, as spreadsheets export them, and lines whose
//! cells stand between tabs.

use serde_json::{Map, Value, json};

use super::super::blocks::Body;
use super::super::names::{Role, fold, has_role};
use super::super::pointer::Pointer;
use super::names::{Part, part, part_by_words};
use super::{ask, drafts};
use crate::phrases::Phrases;

/// Most cells of a row.
const MOST_CELLS: usize = 40;
/// Longest text beside a row of names, in bytes.
const LONGEST_LABEL: usize = 60;
/// Most members of a record that holds a line.
const MOST_BESIDE: usize = 8;

/// What a table asks; none where its first row does not name the parts of a question.
pub(in crate::reading) fn of_rows(
    rows: &[Value],
    at: &Pointer,
    in_quiz: bool,
    phrases: &Phrases,
) -> Option<Vec<(Pointer, Body)>> {
    let records = records(rows, in_quiz)?;
    Some(asked(&records, |row| at.index(row), at, phrases))
}

/// What an object with a row of names and with rows of as many cells asks; none where it is no quiz.
pub(in crate::reading) fn of_sheet(
    sheet: &Map<String, Value>,
    at: &Pointer,
    in_quiz: bool,
    phrases: &Phrases,
) -> Option<Vec<(Pointer, Body)>> {
    let is_head =
        |value: &Value| value.as_array().is_some_and(|names| names.len() > 2 && names.iter().all(Value::is_string));
    let is_rows = |value: &Value| {
        value.as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(|row| row.as_array().is_some()))
    };
    // What stands beside them would be lost.
    let is_little = |value: &Value| {
        value.as_str().map_or(!value.is_array() && !value.is_object(), |text| text.len() <= LONGEST_LABEL)
    };
    let (name, rows) = sheet.iter().find(|(_, value)| is_rows(value))?;
    let (head, _) = sheet.iter().find(|(_, value)| is_head(value))?;
    if sheet.iter().any(|(other, value)| other != name && other != head && !is_little(value)) {
        return None;
    }
    let rows: Vec<Value> = std::iter::once(sheet.get(head)?.clone()).chain(rows.as_array()?.iter().cloned()).collect();
    let records = records(&rows, in_quiz)?;
    let place = at.key(name);
    Some(asked(&records, |row| place.index(row.saturating_sub(1)), at, phrases))
}

/// What the tabbed lines of a text ask; none where they are no quiz.
pub(in crate::reading) fn of_tabbed(
    text: &str,
    at: &Pointer,
    in_quiz: bool,
    phrases: &Phrases,
) -> Option<Vec<(Pointer, Body)>> {
    let lines: Option<Vec<Value>> = text.lines().filter(|line| !line.trim().is_empty()).map(blackboard).collect();
    let records = match lines.filter(|lines| !lines.is_empty()) {
        Some(lines) => lines,
        None => records(&tabbed_rows(text)?, in_quiz)?,
    };
    Some(asked(&records, |_| at.clone(), at, phrases))
}

/// The same of records, each of which has such a line as a member; none where one has not.
pub(super) fn of_lines_in_records(values: &[Value], at: &Pointer, phrases: &Phrases) -> Option<Vec<(Pointer, Body)>> {
    let record = |value: &Value| {
        let members = value.as_object().filter(|members| members.len() <= MOST_BESIDE)?;
        let (line, found) = members.iter().find_map(|(name, value)| Some((name, blackboard(value.as_str()?)?)))?;
        let beside =
            members.iter().filter(|(name, _)| *name != line).map(|(name, value)| (name.clone(), value.clone()));
        Some(Value::Object(beside.chain(found.as_object()?.clone()).collect()))
    };
    let records: Vec<Value> = values.iter().map(record).collect::<Option<_>>()?;
    if records.is_empty() {
        return None;
    }
    Some(asked(&records, |row| at.index(row), at, phrases))
}

/// The cells of a text whose lines all have the same number of them, between tabs.
pub(in crate::reading) fn tabbed_rows(text: &str) -> Option<Vec<Value>> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let cells = lines.first()?.split('\t').count();
    let even = lines.iter().all(|line| line.split('\t').count() == cells);
    let row = |line: &&str| Value::from_iter(line.split('\t').map(str::trim));
    (lines.len() > 1 && (2..=MOST_CELLS).contains(&cells) && even).then(|| lines.iter().map(row).collect())
}

fn asked(records: &[Value], place: impl Fn(usize) -> Pointer, at: &Pointer, phrases: &Phrases) -> Vec<(Pointer, Body)> {
    let drafts = drafts(records, at, true).into_iter().enumerate();
    let found = drafts.filter_map(|(row, draft)| {
        let (_, mut draft) = draft?;
        // The cells of a row have no names in the source.
        draft.cite(place(row));
        Some((place(row), draft))
    });
    ask(found.collect(), phrases)
}

/// The rows as objects with the names of the first row; it becomes nothing itself, so that the places stay. A table of problems
/// and solutions, or of questions and answers, teaches, unless its name says that it is a quiz.
fn records(rows: &[Value], in_quiz: bool) -> Option<Vec<Value>> {
    let cells = |row: &Value| row.as_array().filter(|cells| cells.len() <= MOST_CELLS).cloned();
    let rows: Vec<Vec<Value>> = rows.iter().map(cells).collect::<Option<_>>()?;
    let (head, rows) = rows.split_first()?;
    let names: Vec<&str> = head.iter().map(Value::as_str).collect::<Option<_>>()?;
    let any = |wanted: &[Part]| {
        names.iter().any(|name| wanted.contains(&part(name)) || wanted.contains(&part_by_words(name)))
    };
    let asks = any(&[Part::Question]) || names.iter().any(|name| has_role(name, Role::Problem));
    let offers = any(&[Part::Options]) || names_a_series(&names);
    if rows.is_empty() || !asks || !any(&[Part::Key, Part::Options, Part::Accepted, Part::Pairs]) || !offers && !in_quiz
    {
        return None;
    }
    let filled = |cell: &Value| !cell.is_null() && cell.as_str().is_none_or(|text| !text.trim().is_empty());
    let record = |row: &Vec<Value>| {
        let named = names.iter().zip(row).filter(|(_, cell)| filled(cell));
        Value::Object(named.map(|(name, cell)| ((*name).to_owned(), cell.clone())).collect::<Map<_, _>>())
    };
    Some(std::iter::once(Value::Null).chain(rows.iter().map(record)).collect())
}

/// "opt1", "opt2": names that differ in their last letter or digit, which counts.
fn names_a_series(names: &[&str]) -> bool {
    let ends = |name: &str, label: [char; 2]| {
        let folded = fold(name);
        label.into_iter().find_map(|label| folded.strip_suffix(label)).map(str::to_owned)
    };
    names
        .iter()
        .filter_map(|name| ends(name, ['a', '1']))
        .any(|prefix| names.iter().any(|other| ends(other, ['b', '2']).is_some_and(|other| other == prefix)))
}

/// A line of the file that Blackboard takes questions from: the kind, the question, and what the kind needs.
fn blackboard(line: &str) -> Option<Value> {
    let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [kind, question, rest @ ..] = &cells[..] else { return None };
    let rest = || rest.iter().filter(|cell| !cell.is_empty());
    let pairs = || rest().copied().collect::<Vec<&str>>();
    let more = match *kind {
        "MC" | "MA" => {
            let option = |pair: &[&str]| json!({"text": pair[0], "correct": pair[1].eq_ignore_ascii_case("correct")});
            json!({"options": pairs().chunks_exact(2).map(option).collect::<Vec<_>>()})
        }
        "TF" => json!({"answer": rest().next()?.eq_ignore_ascii_case("true")}),
        "ESS" | "SR" => json!({"answer": rest().next()}),
        "ORD" => json!({"type": "ordering", "answer": pairs()}),
        "MAT" => json!({"pairs": pairs().chunks_exact(2).collect::<Vec<_>>()}),
        "FIB" => json!({"accepted": pairs()}),
        "NUM" => json!({"answer": rest().next()?, "tolerance": rest().nth(1)}),
        "FIB_PLUS" | "FIL" | "OP" | "JUMBLED_SENTENCE" | "QUIZ_BOWL" => json!({}),
        _ => return None,
    };
    let Value::Object(mut record) = more else { return None };
    record.insert("question".to_owned(), Value::from(*question));
    (!question.is_empty()).then_some(Value::Object(record))
}
