//! The crates are those that ARCHITECTURE.md draws, and depend on each other as it draws them. A table is written by the folder
//! that it names.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use toml::Table;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The crates, from the top of the drawing to its bottom.
fn drawn() -> Vec<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let lines = text.lines().skip_while(|line| *line != "    crates/").skip(1);
    let names = lines.map_while(|line| line.strip_prefix("      "));
    // A description goes on in the next line.
    names.filter(|line| !line.starts_with(' ')).map(|line| line.split('/').next().unwrap().to_owned()).collect()
}

fn manifest(name: &str) -> Table {
    fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap().parse().unwrap()
}

#[test]
fn every_crate_is_drawn_once() {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let built: BTreeSet<String> = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let drawn = drawn();
    assert_eq!(drawn.iter().cloned().collect::<BTreeSet<_>>(), built);
    assert_eq!(drawn.len(), built.len());
}

#[test]
fn arrows_between_crates_point_down_and_only_tests_use_the_testkit() {
    let drawn = drawn();
    let place = |name: &str| drawn.iter().position(|drawn| drawn == name);
    for name in drawn.iter().filter(|name| !name.starts_with("testkit")) {
        let manifest = manifest(name);
        let dependencies = manifest.get("dependencies").and_then(|found| found.as_table()).cloned().unwrap_or_default();
        for dependency in dependencies.keys().filter(|dependency| place(dependency).is_some()) {
            assert!(place(dependency) > place(name), "{name} must not depend on {dependency}");
            assert!(!dependency.starts_with("testkit"), "{name} depends on {dependency} outside of tests");
        }
    }
}

/// The source files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn every_source_file_is_compiled() {
    for file in drawn().iter().flat_map(|name| files_below(&root().join("crates").join(name).join("src"))) {
        let (folder, stem) = (file.parent().unwrap(), file.file_stem().unwrap().to_str().unwrap());
        let (folder, module) = match stem {
            "lib" | "main" => continue,
            "mod" => (folder.parent().unwrap(), folder.file_name().unwrap().to_str().unwrap()),
            _ => (folder, stem),
        };
        let parents =
            [folder.join("mod.rs"), folder.with_extension("rs"), folder.join("lib.rs"), folder.join("main.rs")];
        let is_named =
            |parent: PathBuf| fs::read_to_string(parent).is_ok_and(|text| text.contains(&format!("mod {module};")));
        assert!(
            file.extension().is_some_and(|end| end != "rs") || parents.into_iter().any(is_named),
            "{}",
            file.display()
        );
    }
}

/// Reads of another crate's table: the folder, the table, and why.
const FOREIGN_READS: [(&str, &str, &str); 11] = [
    ("content/organizations", "membership", "an admin's organizations are found by one statement"),
    ("edge/admins", "organization", "who manages an organization is decided for every surface"),
    ("edge/admins", "workspace", "members of an organization act on its workspaces"),
    ("identity/invitations", "admin_user", "a mail names who invites"),
    ("identity/invitations", "organization", "a mail names the organization"),
    ("identity/oidc", "organization", "groups are mapped to slugs of organizations"),
    ("platform/credentials", "api_key", "a request finds its key and the key's workspace by one statement"),
    ("platform/notices", "api_key", "keys that end soon are found by one statement, and people are told their names"),
    ("platform/reconcile", "ledger_reservation", "evaluations and payments are compared by the database"),
    ("platform/statistics", "api_key", "an operator counts keys"),
    ("platform/workspaces", "organization", "a workspace is linked to an organization that exists"),
];

/// The folder of each table, as ARCHITECTURE.md lists them.
fn owners() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## Who writes which table\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut owners = BTreeMap::new();
    for line in section.lines().filter_map(|line| line.strip_prefix("    ")) {
        let (folder, tables) = line.split_once(' ').unwrap();
        for table in tables.split(',').next().unwrap().split_whitespace() {
            assert_eq!(owners.insert(table.to_owned(), folder.to_owned()), None, "{table} is listed twice");
        }
    }
    owners
}

/// What the program is made of, without its tests: a text for each file, beside the folder of the crate that it is in.
fn sources() -> Vec<(String, String)> {
    let mut sources = Vec::new();
    for name in drawn().iter().filter(|name| !name.starts_with("testkit")) {
        for file in ["lib.rs", "main.rs"].map(|file| root().join("crates").join(name).join("src").join(file)) {
            if file.exists() {
                add_source(&file, file.parent().unwrap(), (name, None), &mut sources);
            }
        }
    }
    sources
}

/// Adds a file and the modules that it declares, which are in `children`.
fn add_source(file: &Path, children: &Path, (name, folder): (&str, Option<&str>), sources: &mut Vec<(String, String)>) {
    let text = fs::read_to_string(file).unwrap();
    let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let (mut code, mut is_test) = (String::new(), false);
    for line in product.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let declared = line.strip_suffix(';').and_then(|line| line.split_once("mod "));
        if let Some((_, module)) = declared.filter(|(before, _)| before.is_empty() || before.starts_with("pub"))
            && !is_test
        {
            let (beside, below) = (children.join(format!("{module}.rs")), children.join(module).join("mod.rs"));
            let file = if beside.exists() { beside } else { below };
            add_source(&file, &children.join(module), (name, Some(folder.unwrap_or(module))), sources);
        }
        is_test = line == "#[cfg(test)]" || is_test && line.starts_with("#[");
        code += line;
        code.push('\n');
    }
    sources.push((format!("{name}/{}", folder.unwrap_or("lib")), code));
}

/// The tables that a pattern names in a text.
fn named<'t>(pattern: &str, text: &'t str) -> BTreeSet<&'t str> {
    Regex::new(pattern).unwrap().captures_iter(text).map(|found| found.get(1).unwrap().as_str()).collect()
}

#[test]
fn every_table_is_listed_with_its_folder() {
    let migrations = fs::read_dir(root().join("crates/store/migrations/sqlite")).unwrap();
    let all: String = migrations.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    // A table by such a name takes the place of another one.
    let made = named("CREATE TABLE ([a-z0-9_]+)", &all).into_iter().filter(|table| !table.ends_with("_new"));
    let listed = owners();
    assert_eq!(made.collect::<Vec<_>>(), listed.keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn each_table_is_written_by_one_folder() {
    let (owners, mut written) = (owners(), BTreeSet::new());
    for (folder, text) in &sources() {
        // A record can be inserted and updated.
        for table in named(r#"(?:INSERT INTO|UPDATE|DELETE FROM|\(table =)[ \n]+"?([a-z0-9_]+)"#, text) {
            let owner = owners.get(table).unwrap_or_else(|| panic!("{folder} writes {table}, which is no table"));
            assert_eq!(folder, owner, "{table} is not written by its own folder alone: call a function there");
            written.insert(table.to_owned());
        }
    }
    let unwritten: Vec<&String> = owners.keys().filter(|table| !written.contains(*table)).collect();
    assert_eq!(unwritten, ["resource_total"], "only triggers write it");
}

#[test]
fn a_statement_that_writes_names_its_table_but_for_those_of_records_and_resources() {
    let sources = sources();
    let is_put_in = Regex::new(r#"(?:INSERT INTO|UPDATE|DELETE FROM) ["{]"#).unwrap();
    let found = sources.iter().filter(|(_, text)| is_put_in.is_match(text)).map(|(folder, _)| folder.as_str());
    // PostgreSQL's engine recognizes an insert by its beginning.
    assert_eq!(found.collect::<BTreeSet<_>>(), ["content/resources", "store-macros/record", "store/postgres"].into());
}

#[test]
fn another_crate_reads_a_table_only_with_a_reason() {
    let (owners, mut reads) = (owners(), BTreeSet::new());
    for (folder, text) in &sources() {
        for table in named(r"(?:FROM|JOIN)[ \n]+([a-z0-9_]+)", text) {
            let crate_of = |folder: &str| folder.split('/').next().unwrap().to_owned();
            if owners.get(table).is_some_and(|owner| crate_of(owner) != crate_of(folder)) {
                reads.insert((folder.clone(), table.to_owned()));
            }
        }
    }
    let known = FOREIGN_READS.map(|(folder, table, _)| (folder.to_owned(), table.to_owned()));
    assert_eq!(reads, BTreeSet::from(known), "read it by a function of its owner, or say why not");
}
