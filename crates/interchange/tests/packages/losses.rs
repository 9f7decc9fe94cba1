//! What a format can't hold is in the report, and the rest is written all the same.

use interchange::model::{CourseContent, Entry, Item, ItemKind, Link, ModuleContent, Passing, TestContent};
use interchange::{Loss, Package, TestFormat, export_course, export_module, export_test, import};

use crate::checker;

fn item(kind: ItemKind, options: &[&str], answers: &[&str]) -> Item {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Item {
        id: "1".to_owned(),
        question: "What?".to_owned(),
        kind,
        options: texts(options),
        correct_answers: texts(answers),
        explanation: String::new(),
        score: 1.0,
    }
}

fn test(items: Vec<Item>) -> TestContent {
    TestContent { title: "T".to_owned(), items, ..TestContent::default() }
}

fn course(entry: Entry) -> CourseContent {
    CourseContent { entries: vec![entry], ..CourseContent::default() }
}

#[track_caller]
fn assert_reported(package: &Package, code: Loss) {
    assert!(package.report.findings.iter().any(|finding| finding.code == code), "{:?}", package.report);
}

/// Exports in QTI of both versions and in a cartridge; all are valid.
fn exports(content: &TestContent) -> [Package; 3] {
    let packages = [
        export_test(content, TestFormat::Qti21),
        export_test(content, TestFormat::Qti30),
        export_course(&course(Entry::Test(content.clone()))),
    ];
    checker::qti::check(&packages[0].bytes, &checker::qti::V21);
    checker::qti::check(&packages[1].bytes, &checker::qti::V30);
    checker::cartridge::check(&packages[2].bytes);
    packages
}

#[test]
fn a_key_that_is_no_option() {
    for package in exports(&test(vec![item(ItemKind::Select, &["a", "b", "c"], &["a", "x"])])) {
        assert_reported(&package, Loss::Answer);
    }
}

#[test]
fn a_choice_without_options() {
    for package in exports(&test(vec![item(ItemKind::Select, &[], &[])])) {
        assert_reported(&package, Loss::Question);
        assert!(import(&package.bytes).is_ok());
    }
}

#[test]
fn options_of_a_question_that_has_none() {
    for package in exports(&test(vec![item(ItemKind::Blank, &["a"], &["b"])])) {
        assert_reported(&package, Loss::Answer);
    }
}

#[test]
fn points_that_are_no_number() {
    for score in [f64::NAN, f64::INFINITY, -1.0] {
        let item = Item { score, ..item(ItemKind::Blank, &[], &["b"]) };
        for package in exports(&TestContent { passing: Some(Passing::Points(score)), ..test(vec![item]) }) {
            assert_reported(&package, Loss::Scoring);
            assert!(import(&package.bytes).is_ok());
        }
    }
}

#[test]
fn control_characters() {
    let item = Item { question: "a\u{1}b\u{b}c\u{fffe}".to_owned(), ..item(ItemKind::OpenEnded, &[], &[]) };
    for package in exports(&test(vec![item])) {
        assert_reported(&package, Loss::Characters);
    }
}

#[test]
fn a_language_that_is_none() {
    for package in
        exports(&TestContent { language: "not a tag".to_owned(), ..test(vec![item(ItemKind::Blank, &[], &["b"])]) })
    {
        assert_reported(&package, Loss::Metadata);
    }
}

#[test]
fn the_same_text_twice() {
    let doubled = [
        item(ItemKind::Select, &["a", "a", "b"], &["a", "a"]),
        item(ItemKind::Select, &["a", "b", "c"], &["a", "a"]),
        item(ItemKind::Blank, &[], &["a", "a"]),
        item(ItemKind::Blank, &[], &["a", "b"]),
    ];
    let [old, new, cartridge] = exports(&test(doubled.to_vec()));
    for package in [old, new] {
        let items = import(&package.bytes).unwrap().tests.remove(0).items;
        assert_eq!(items[0].correct_answers, ["a", "a"]);
        assert_reported(&package, Loss::Answer);
    }
    assert_reported(&cartridge, Loss::Answer);
}

#[test]
fn what_other_systems_will_not_see_of_a_cartridge() {
    let content = TestContent {
        passing: Some(Passing::Percentage(60.0)),
        ..test(vec![
            Item { score: 2.5, ..item(ItemKind::Select, &["a", "b"], &["b"]) },
            Item { id: "2".to_owned(), ..item(ItemKind::Submission, &[], &[]) },
        ])
    };
    let package = export_course(&course(Entry::Test(content.clone())));
    assert_reported(&package, Loss::Scoring);
    assert_reported(&package, Loss::Question);
    assert_eq!(import(&package.bytes).unwrap().courses[0].entries, [Entry::Test(content)]);
}

#[test]
fn entries_that_a_cartridge_can_not_hold() {
    let link = |url: &str| Entry::Link(Link { title: "L".to_owned(), url: url.to_owned() });
    for entry in [link("javascript:alert(1)"), link("file:///etc/passwd"), link("")] {
        assert_reported(&export_course(&course(entry)), Loss::Link);
    }
    assert_reported(&export_course(&course(Entry::Test(test(Vec::new())))), Loss::Resource);
}

#[test]
fn markup_and_metadata_that_a_page_can_not_hold() {
    let module = ModuleContent {
        html: "<p onclick=\"x()\">a</p><script>x()</script>".to_owned(),
        metadata: "[1]".to_owned(),
        language: "x y".to_owned(),
        ..ModuleContent::default()
    };
    let package = export_module(&module);
    assert_reported(&package, Loss::Markup);
    assert_reported(&package, Loss::Metadata);
    assert_eq!(import(&package.bytes).unwrap().modules[0].html, "<p>a</p>");
}
