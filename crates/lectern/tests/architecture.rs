//! The crates are those that ARCHITECTURE.md draws, and depend on each other as it draws them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
