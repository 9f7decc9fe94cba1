//! Measures what the built-in generator makes of a folder of sources, prints review sheets, and turns the marks of judges
//! into figures. `bench/content/README.md` explains every figure.
//!
//! ```text
//! cargo run --release -p content-bench -- bench/content/sources --items items.csv --page items.html
//! cargo run --release -p content-bench -- bench/content/sources --set kept --blind 300 --seed 7 --out target/blind
//! cargo run --release -p content-bench -- --judged target/judge-a target/judge-b --items target/blind/items.csv
//! ```

mod csv;
mod expand;
mod guess;
mod items;
mod keys;
mod leaks;
mod marks;
mod measure;
mod report;
mod requests;
mod sheet;
mod sources;
#[path = "../../../crates/engine/tests/support/mod.rs"]
mod support;
mod text;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Parser, ValueEnum};

use expand::Expansion;
use items::Item;

/// Measures what the built-in generator makes of a folder of sources.
#[derive(Parser)]
struct Options {
    /// The folder with the sources: the payload of an expansion in each `*.json`.
    #[arg(required_unless_present = "judged")]
    folder: Option<PathBuf>,
    /// The sources to expand: those that `kept.txt` beside the folder lists, the others, or all.
    #[arg(long, value_enum, default_value = "all")]
    set: Set,
    /// Writes the review sheet as CSV. With `--judged`: the sheet with all columns that the judged items come from.
    #[arg(long)]
    items: Option<PathBuf>,
    /// Writes the review sheet as an HTML page.
    #[arg(long)]
    page: Option<PathBuf>,
    /// Prints the figures as JSON.
    #[arg(long)]
    json: bool,
    /// Draws this many items at random into sheets of 50, which name neither source nor kind.
    #[arg(long, requires = "out")]
    blind: Option<usize>,
    /// Decides which items are drawn.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for the blind sheets.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Reads the filled sheets of two judges (a file or a folder of CSV files each) and prints their figures.
    #[arg(long, num_args = 2, value_names = ["FIRST", "SECOND"], requires = "items", conflicts_with = "folder")]
    judged: Option<Vec<PathBuf>>,
}

/// A half of the sources.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Set {
    /// Every source.
    All,
    /// Looked at while the generator is developed.
    Open,
    /// Looked at only by judges.
    Kept,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let mut out = io::stdout().lock();
    if let (Some([first, second]), Some(items)) = (options.judged.as_deref(), &options.items) {
        let items = items::read(&read(items)?)?;
        let figures = marks::figures(&items, [&marks::read(first)?, &marks::read(second)?])?;
        return Ok(marks::print(&mut out, &figures)?);
    }
    let folder = options.folder.as_deref().context("name a folder of sources")?;
    let expansions = expand(folder, options.set)?;
    let items: Vec<Item> = expansions.iter().flat_map(items::of).collect();
    if let Some(count) = options.blind {
        let into = options.out.as_deref().context("name a folder for the sheets with --out")?;
        let drawn = items::draw(&items, count, options.seed);
        let sheets = sheet::write_blind(into, &drawn)?;
        return Ok(writeln!(out, "{} items in {sheets} sheets in {}", drawn.len(), into.display())?);
    }
    if let Some(path) = &options.items {
        write(path, &sheet::csv(&items))?;
    }
    if let Some(path) = &options.page {
        write(path, &sheet::page("Review", &items, sheet::Columns::All))?;
    }
    let figures = measure::measure(&expansions, &items);
    if options.json {
        serde_json::to_writer_pretty(&mut out, &figures)?;
        writeln!(out)?;
    } else {
        report::print(&mut out, &figures)?;
    }
    Ok(())
}

fn expand(folder: &Path, set: Set) -> anyhow::Result<Vec<Expansion>> {
    let sources = sources::read_all(folder)?;
    let wanted = sources.into_iter().filter(|source| match set {
        Set::All => true,
        Set::Open => !source.is_kept,
        Set::Kept => source.is_kept,
    });
    Ok(wanted.map(Expansion::of).collect())
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests;
