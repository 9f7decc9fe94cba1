//! The marks of two judges, and the figures that they become.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use language::primary_subtag;

use crate::csv::Table;
use crate::items::Item;
use crate::sheet::MARKS;

/// What one judge says of one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marks {
    key: String,
    worth: String,
    action: String,
}

impl Marks {
    fn faults(&self) -> [bool; 3] {
        [self.key != "right", self.worth != "good", self.action != "keep"]
    }
}

/// The marks of one judge by the items' ids.
pub(crate) type Judge = HashMap<String, Marks>;

/// The marks for a group of items. Each judge's mark counts.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Group {
    /// Items that both judges marked.
    pub(crate) items: usize,
    /// Marks of the two judges: bad keys, not worth asking, to edit or cut.
    pub(crate) faults: [[usize; 3]; 2],
    /// Items on which both judges agree about each.
    pub(crate) agreed: [usize; 3],
}

/// The figures of all items, by kind and by language.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Judged {
    pub(crate) all: Group,
    pub(crate) kinds: BTreeMap<String, Group>,
    pub(crate) languages: BTreeMap<String, Group>,
}

/// Reads the filled sheets of a judge: a CSV file, or all of a folder. Rows without marks are left out.
pub(crate) fn read(path: &Path) -> anyhow::Result<Judge> {
    let mut judge = Judge::new();
    for file in files(path)? {
        let name = || file.display().to_string();
        let table = Table::read(&fs::read_to_string(&file).with_context(name)?).with_context(name)?;
        for row in 0..table.len() {
            if let Some((id, marks)) = of_row(&table, row).with_context(|| format!("{}, row {}", name(), row + 2))?
                && judge.insert(id.clone(), marks).is_some()
            {
                bail!("{}: item {id} is marked twice", name());
            }
        }
    }
    if judge.is_empty() {
        bail!("{}: no item is marked", path.display());
    }
    Ok(judge)
}

fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries: Vec<_> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
    let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "csv"));
    files.sort();
    Ok(files)
}

fn of_row(table: &Table, row: usize) -> anyhow::Result<Option<(String, Marks)>> {
    let mut found = Vec::new();
    for (column, allowed) in MARKS.iter().filter(|(_, allowed)| !allowed.is_empty()) {
        let mark = table.cell(row, column).with_context(|| format!("there is no column {column}"))?;
        let mark = mark.trim().to_lowercase();
        if !mark.is_empty() && !allowed.contains(&mark.as_str()) {
            bail!("{column} is \"{mark}\", and it must be one of {}", allowed.join(", "));
        }
        found.push(mark);
    }
    if found.iter().all(String::is_empty) {
        return Ok(None);
    }
    if let Some(at) = found.iter().position(String::is_empty) {
        bail!("{} has no mark, but others have", MARKS[at].0);
    }
    let id = table.cell(row, "id").context("there is no column id")?.trim().to_owned();
    let [key, worth, action] = found.try_into().ok().context("a row has three marks")?;
    Ok(Some((id, Marks { key, worth, action })))
}

/// The figures over the items that both judges marked.
pub(crate) fn figures(items: &[Item], judges: [&Judge; 2]) -> anyhow::Result<Judged> {
    let mut judged = Judged::default();
    for id in judges.iter().flat_map(|judge| judge.keys()) {
        if !items.iter().any(|item| item.id == *id) {
            bail!("item {id} is marked, but the sheet of the items does not have it");
        }
    }
    for item in items {
        let (Some(first), Some(second)) = (judges[0].get(&item.id), judges[1].get(&item.id)) else { continue };
        let groups = [
            &mut judged.all,
            judged.kinds.entry(item.kind.clone()).or_default(),
            judged.languages.entry(primary_subtag(&item.language)).or_default(),
        ];
        for group in groups {
            group.add([first.faults(), second.faults()]);
        }
    }
    if judged.all.items == 0 {
        bail!("no item is marked by both judges");
    }
    Ok(judged)
}

impl Group {
    fn add(&mut self, faults: [[bool; 3]; 2]) {
        self.items += 1;
        for at in 0..3 {
            self.agreed[at] += usize::from(faults[0][at] == faults[1][at]);
            for (counted, faults) in self.faults.iter_mut().zip(faults) {
                counted[at] += usize::from(faults[at]);
            }
        }
    }

    /// The share of marks that name a fault, over both judges, in percent.
    pub(crate) fn percent(&self, fault: usize) -> f64 {
        100.0 * (self.faults[0][fault] + self.faults[1][fault]) as f64 / (2 * self.items) as f64
    }

    /// Cohen's kappa: agreement beyond what two judges who mark at random would reach; `None` where both always mark
    /// the same.
    pub(crate) fn kappa(&self, fault: usize) -> Option<f64> {
        let of = self.items as f64;
        let [first, second] = self.faults.map(|faults| faults[fault] as f64 / of);
        let by_chance = first * second + (1.0 - first) * (1.0 - second);
        let observed = self.agreed[fault] as f64 / of;
        (by_chance < 1.0).then(|| (observed - by_chance) / (1.0 - by_chance))
    }
}

/// Prints the tables for `docs/generation.md`.
pub(crate) fn print(out: &mut impl Write, judged: &Judged) -> io::Result<()> {
    writeln!(
        out,
        "| items | marked twice | wrong, second or unanswerable key | silly or trivial | edit or cut | judges agree (key / worth / action) |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    line(out, "all", &judged.all)?;
    for (name, group) in judged.kinds.iter().chain(&judged.languages) {
        line(out, name, group)?;
    }
    let kappa = |fault| judged.all.kappa(fault).map_or_else(|| "–".to_owned(), |kappa| format!("{kappa:.2}"));
    writeln!(out, "\nCohen's kappa: key {}, worth {}, action {}.", kappa(0), kappa(1), kappa(2))
}

fn line(out: &mut impl Write, name: &str, group: &Group) -> io::Result<()> {
    let agreed = group.agreed.map(|agreed| format!("{:.0} %", 100.0 * agreed as f64 / group.items as f64));
    let [key, worth, action] = [0, 1, 2].map(|fault| group.percent(fault));
    writeln!(out, "| {name} | {} | {key:.1} % | {worth:.1} % | {action:.1} % | {} |", group.items, agreed.join(" / "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, kind: &str) -> Item {
        Item { id: id.to_owned(), kind: kind.to_owned(), language: "en".to_owned(), ..Item::default() }
    }

    fn judge(folder: &Path, name: &str, rows: &str) -> anyhow::Result<Judge> {
        let file = folder.join(name);
        fs::write(&file, format!("id,key,worth,action,comment\n{rows}"))?;
        read(&file)
    }

    #[test]
    fn marks_become_figures() {
        let folder = tempfile::tempdir().unwrap();
        let first = judge(folder.path(), "a.csv", "1,right,good,keep,\n2,wrong,silly,cut,no\n3,,,,\n").unwrap();
        let second = judge(folder.path(), "b.csv", "1,Right,trivial,edit,\n2,several,good,cut,\n").unwrap();
        let items = [item("1", "select"), item("2", "blank"), item("3", "blank")];
        let judged = figures(&items, [&first, &second]).unwrap();
        assert_eq!(judged.all.items, 2);
        assert_eq!([0, 1, 2].map(|fault| judged.all.percent(fault)), [50.0, 50.0, 75.0]);
        assert_eq!(judged.all.agreed, [2, 0, 1]);
        assert_eq!(judged.all.kappa(0), Some(1.0));
        assert_eq!(judged.kinds["select"].percent(0), 0.0);
    }

    #[test]
    fn what_is_no_mark_is_refused_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |rows| format!("{:#}", judge(folder.path(), "a.csv", rows).unwrap_err());
        assert!(refused("1,good,good,keep,\n").contains("row 2: key is \"good\""));
        assert!(refused("1,right,,keep,\n").contains("worth has no mark"));
        assert!(refused("1,right,good,keep,\n1,right,good,keep,\n").contains("marked twice"));
        assert!(refused("1,,,,\n").contains("no item is marked"));
    }

    #[test]
    fn marks_of_an_unknown_item_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let marks = judge(folder.path(), "a.csv", "9,right,good,keep,\n").unwrap();
        assert!(figures(&[item("1", "select")], [&marks, &marks]).is_err());
    }
}
