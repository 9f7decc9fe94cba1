//! The tool over two sources of the folder: its figures agree with each other and with the sheets.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;
use crate::sheet::Columns;
use crate::support::level_of;

/// A folder with two of the sources and what is kept beside them.
fn two_sources() -> (tempfile::TempDir, PathBuf) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = tempfile::tempdir().unwrap();
    let folder = beside.path().join("sources");
    fs::create_dir(&folder).unwrap();
    for name in ["mitosis_en.json", "verkehr_de.json"] {
        fs::copy(home.join("sources").join(name), folder.join(name)).unwrap();
    }
    fs::copy(home.join("secrets.json"), beside.path().join("secrets.json")).unwrap();
    fs::write(beside.path().join("kept.txt"), "verkehr_de.json\n").unwrap();
    (beside, folder)
}

#[test]
fn figures_are_consistent() {
    let (_beside, folder) = two_sources();
    let expansions = expand(&folder, Set::All).unwrap();
    let items: Vec<Item> = expansions.iter().flat_map(items::of).collect();
    let figures = measure::measure(&expansions, &items);
    let [quizzes, modules] = figures
        .kinds
        .values()
        .fold([0, 0], |[quizzes, modules], kind| [quizzes + kind.in_quizzes, modules + kind.in_modules]);
    assert!(!items.is_empty());
    assert_eq!(quizzes + modules, items.len());
    assert_eq!(figures.sources.iter().map(|source| source.quiz_items).sum::<usize>(), quizzes);
    assert_eq!(figures.sources.iter().map(|source| source.module_items).sum::<usize>(), modules);
    let verdicts = items.iter().filter(|item| item.kind == "true-false").count();
    assert_eq!(figures.keys.is_true + figures.keys.is_false, verdicts);
    let positioned: usize = figures.keys.positions.values().flatten().sum();
    let last = figures.guesses.iter().find(|guess| guess.script == "the last option").unwrap();
    assert_eq!(last.items, positioned);
    for source in &figures.sources {
        assert!(source.words > 200 && source.spoken > 0.0 && source.cpu_ms > 0.0, "{source:?}");
        assert!((0.0..=1.0).contains(&source.module_copied), "{source:?}");
        assert!(source.failures.is_empty(), "{source:?}");
    }
    assert!(figures.long_level_cpu_ms > 0.0);
    let mut printed = Vec::new();
    report::print(&mut printed, &figures).unwrap();
    assert!(String::from_utf8(printed).unwrap().contains("| all 2 |"));
    serde_json::to_string(&figures).unwrap();
}

#[test]
fn an_item_has_the_lesson_that_it_cites() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = sources::read_all(&home.join("sources")).unwrap();
    let mut source = sources.into_iter().find(|source| source.name == "volleyball_en").unwrap();
    // A lesson that is a string: items cite the lesson itself.
    let told =
        "Osmosis is the movement of water through a membrane. In 1748 Jean-Antoine Nollet described it in Paris.";
    source.payload = json!({ "level": { "title": "Water", "lessons": [told] } });
    source.level = level_of(&source.payload);
    let items = items::of(&Expansion::of(source));
    assert!(!items.is_empty() && items.iter().all(|item| item.pointers[0] == "/level/lessons/0"));
    assert!(items.iter().all(|item| item.lesson.starts_with("Osmosis is the movement") && !item.cited.is_empty()));
}

#[test]
fn a_set_is_the_sources_that_kept_txt_lists() {
    let (_beside, folder) = two_sources();
    let names = |set| -> Vec<String> {
        expand(&folder, set).unwrap().into_iter().map(|expansion| expansion.source.name).collect()
    };
    assert_eq!(names(Set::Kept), ["verkehr_de"]);
    assert_eq!(names(Set::Open), ["mitosis_en"]);
}

#[test]
fn a_secret_in_a_learners_text_is_a_leak() {
    let (_beside, folder) = two_sources();
    let mut expansion = expand(&folder, Set::Open).unwrap().remove(0);
    let mut module = expansion.module.clone().unwrap();
    module.content_html = "<p>Learners read of Mrs <b>Okafor</b> and of the Kronos box.</p>".to_owned();
    expansion.module = Ok(module);
    let own = Item {
        id: "own".to_owned(),
        source: "mitosis_en".to_owned(),
        question: "In which phase do the chromosomes line up in the middle of the cell?".to_owned(),
        explanation: "Remember the M rule of Mrs Okafor.".to_owned(),
        ..Item::default()
    };
    let other = Item { id: "other".to_owned(), question: "What is mitosis?".to_owned(), ..own.clone() };
    expansion.video = Err(engine::GenerationError::source_empty());
    assert_eq!(leaks::own_asked(&expansion, std::slice::from_ref(&own)), 1);
    assert_eq!(leaks::own_asked(&expansion, std::slice::from_ref(&other)), 0);
    let places: Vec<(String, String)> =
        leaks::leaks(&expansion, &[own, other]).into_iter().map(|leak| (leak.place, leak.secret)).collect();
    let expected = [("module", "KRONOS"), ("module", "Mrs Okafor"), ("other", "Mrs Okafor")];
    assert_eq!(places, expected.map(|(place, secret)| (place.to_owned(), secret.to_owned())));
}

#[test]
fn blind_sheets_name_neither_source_nor_kind() {
    let (_beside, folder) = two_sources();
    let expansions = expand(&folder, Set::All).unwrap();
    let all: Vec<Item> = expansions.iter().flat_map(items::of).collect();
    let drawn = items::draw(&all, 7, 3);
    assert_eq!((drawn.len(), items::draw(&all, 7, 3)), (7, drawn.clone()));
    assert_ne!(items::draw(&all, 7, 4), drawn);
    let out = tempfile::tempdir().unwrap();
    assert_eq!(sheet::write_blind(out.path(), &drawn).unwrap(), 1);
    for name in ["sheet-01.csv", "sheet-01.html"] {
        let text = fs::read_to_string(out.path().join(name)).unwrap();
        assert!(text.contains("item-001"), "{name}");
        for told in ["mitosis_en", "verkehr_de", "open-ended", "true-false", "/level/lessons"] {
            assert!(!text.contains(told), "{name} tells {told}");
        }
    }
    let items = items::read(&fs::read_to_string(out.path().join("items.csv")).unwrap()).unwrap();
    assert_eq!(
        items.iter().map(|item| &item.kind).collect::<Vec<_>>(),
        drawn.iter().map(|item| &item.kind).collect::<Vec<_>>()
    );
}

#[test]
fn the_page_escapes_what_items_hold() {
    let item = Item { id: "1".to_owned(), question: "<script>x</script> & \"y\"".to_owned(), ..Item::default() };
    let page = sheet::page("Review", &[item], Columns::All);
    assert!(!page.contains("{store}") && !page.contains("{title}") && !page.contains("{names}"));
    assert!(page.contains("&lt;script&gt;x&lt;/script&gt; &amp; &quot;y&quot;"));
}

/// Every source is a payload with 2 to 8 lessons, and every listed file exists.
#[test]
fn the_folder_is_as_the_readme_says() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = sources::read_all(&home.join("sources")).unwrap();
    let languages: std::collections::BTreeSet<String> =
        sources.iter().map(|source| language::primary_subtag(&source.level.language)).collect();
    assert!(sources.len() >= 30 && languages.len() >= 12, "{} sources, {languages:?}", sources.len());
    assert!(sources.iter().filter(|source| source.is_kept).count() >= 20);
    for source in &sources {
        assert!((2..=8).contains(&source.level.lessons.len()), "{}", source.name);
        let written = source.payload.to_string();
        let told = source.secrets.own.iter().flat_map(|own| own.texts.iter().chain([&own.question]));
        for secret in source.secrets.never.iter().chain(told) {
            let escaped = serde_json::to_string(secret).unwrap();
            assert!(written.contains(escaped.trim_matches('"')), "{}: {secret}", source.name);
        }
    }
    let files: Vec<String> = sources.iter().map(|source| format!("{}.json", source.name)).collect();
    for listed in fs::read_to_string(home.join("kept.txt")).unwrap().lines() {
        assert!(files.contains(&listed.to_owned()), "{listed}");
    }
}
