//! Review sheets: the items with empty columns for marks, as CSV and as a page that collects the marks in the browser.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use language::normal::stable_hash;

use crate::csv::push_line;
use crate::items::{COLUMNS, Item, cells};

/// Items on a blind sheet.
pub(crate) const SHEET: usize = 50;
/// The columns for marks, with the marks that they take; a comment is free.
pub(crate) const MARKS: [(&str, &[&str]); 4] = [
    ("key", &["right", "wrong", "several", "unanswerable"]),
    ("worth", &["good", "trivial", "silly"]),
    ("action", &["keep", "edit", "cut"]),
    ("comment", &[]),
];
/// The columns that would tell a judge how an item was made.
const HIDDEN: [&str; 3] = ["source", "kind", "pointers"];

/// Which columns a sheet has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    All,
    /// Without what tells how an item was made.
    Blind,
}

impl Columns {
    fn shown(self) -> impl Iterator<Item = usize> {
        (0..COLUMNS.len()).filter(move |at| self == Self::All || !HIDDEN.contains(&COLUMNS[*at]))
    }
}

/// The sheet with all columns as CSV.
pub(crate) fn csv(items: &[Item]) -> String {
    table(items, Columns::All)
}

fn table(items: &[Item], columns: Columns) -> String {
    let mut text = String::new();
    push_line(&mut text, columns.shown().map(|at| COLUMNS[at]).chain(MARKS.map(|(name, _)| name)));
    for item in items {
        let cells = cells(item);
        push_line(&mut text, columns.shown().map(|at| cells[at].as_str()).chain(MARKS.map(|_| "")));
    }
    text
}

/// Writes blind sheets of 50 items (`sheet-01.csv`, `sheet-01.html`, …) and `items.csv`, which says where the items come from
/// and is not for judges. Returns how many sheets there are.
pub(crate) fn write_blind(folder: &Path, items: &[Item]) -> anyhow::Result<usize> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut files = vec![("items.csv".to_owned(), csv(items))];
    for (at, part) in items.chunks(SHEET).enumerate() {
        let name = format!("sheet-{:02}", at + 1);
        files.push((format!("{name}.csv"), table(part, Columns::Blind)));
        files.push((format!("{name}.html"), page(&name, part, Columns::Blind)));
    }
    for (name, text) in &files {
        fs::write(folder.join(name), text).with_context(|| name.clone())?;
    }
    Ok(items.len().div_ceil(SHEET))
}

/// The sheet as a page. Marks are kept in the browser; a button saves them as CSV with the columns `id` and the marks.
pub(crate) fn page(title: &str, items: &[Item], columns: Columns) -> String {
    let cards: String = items.iter().map(|item| card(item, columns)).collect();
    let names: Vec<&str> = MARKS.iter().map(|(name, _)| *name).collect();
    // Browsers keep one store for all local files: another draw must not find the marks of this one.
    let store = format!("{:016x}", stable_hash(&cards));
    PAGE.replace("{store}", &store)
        .replace("{title}", &escaped(title))
        .replace("{names}", &names.join(","))
        .replace("{cards}", &cards)
}

fn card(item: &Item, columns: Columns) -> String {
    let facts: Vec<&str> = match columns {
        Columns::All => vec![&item.id, &item.language, &item.kind],
        Columns::Blind => vec![&item.id, &item.language],
    };
    let options: String = item
        .options
        .iter()
        .map(|option| {
            let class = if item.keys.contains(option) { " class=key" } else { "" };
            format!("<li{class}>{}</li>", escaped(option))
        })
        .collect();
    let marks: String = MARKS.iter().map(|(name, marks)| field(name, marks)).collect();
    format!(
        "<article data-id=\"{id}\"><header>{facts}</header><div dir=auto><h2>{question}</h2><ul>{options}</ul>\
         <p><b>Answer:</b> {keys}</p><p><b>Explanation:</b> {explanation}</p>\
         <blockquote>{cited}</blockquote><details><summary>Lesson</summary><pre>{lesson}</pre></details></div><form>{marks}</form></article>\n",
        id = escaped(&item.id),
        facts = escaped(&facts.join(" · ")),
        question = escaped(&item.question),
        keys = escaped(&item.keys.join(" | ")),
        explanation = escaped(&item.explanation),
        cited = escaped(&item.cited),
        lesson = escaped(&item.lesson),
    )
}

fn field(name: &str, marks: &[&str]) -> String {
    if marks.is_empty() {
        return format!("<label>{name} <input name={name}></label>");
    }
    let options: String = marks.iter().map(|mark| format!("<option>{mark}</option>")).collect();
    format!("<label>{name} <select name={name}><option></option>{options}</select></label>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const PAGE: &str = include_str!("sheet.html");
