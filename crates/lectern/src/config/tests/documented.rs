//! `docs/configuration.md` and `docs/models.md` describe every setting.

use std::collections::BTreeSet;

use super::*;

const CONFIGURATION: &str = include_str!("../../../../../docs/configuration.md");
const MODELS: &str = include_str!("../../../../../docs/models.md");

/// The settings that `lectern config` knows: variables with their keys in the file.
fn known() -> Vec<(String, String)> {
    let json = read("", &[]).unwrap().to_json();
    let sections = json.as_object().unwrap().iter();
    let settings = sections.flat_map(|(section, settings)| {
        let settings = settings.as_object().unwrap().iter();
        settings
            .map(move |(key, setting)| (setting["variable"].as_str().unwrap().to_owned(), format!("{section}.{key}")))
    });
    settings.collect()
}

#[test]
fn every_setting_is_documented_with_its_key_in_the_file() {
    for (variable, key) in known() {
        if key.starts_with("model.") {
            let part = variable.trim_start_matches("LECTERN_MODEL");
            assert!(MODELS.contains(&format!("`{variable}`")) || MODELS.contains(&format!("`{part}`")), "{variable}");
            continue;
        }
        let row = CONFIGURATION.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{variable}`")));
        let row = row.unwrap_or_else(|| panic!("docs/configuration.md lacks {variable}"));
        assert!(row.contains(&format!("`{key}`")), "{row} lacks {key}");
    }
}

#[test]
fn nothing_is_documented_that_is_no_setting() {
    let known: BTreeSet<_> = known().into_iter().map(|(variable, _)| variable).collect();
    let rows = CONFIGURATION.lines().filter(|line| line.starts_with("| `LECTERN_"));
    let named =
        rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').filter(|word| word.starts_with("LECTERN_")));
    let unknown: Vec<_> = named.filter(|variable| !known.contains(*variable)).collect();
    assert_eq!(unknown, ["LECTERN_CONFIG", "LECTERN_ADMIN_PASSWORD"], "those without a place in the file");
}
