//! The checker finds what it is there to find: each of these breaks a rule of a sound package.

use std::panic::catch_unwind;

use interchange::model::{CourseContent, Entry, Item, ItemKind, Link, ModuleContent, TestContent};
use interchange::{TestFormat, export_course, export_test};

use crate::archives::zip;
use crate::checker;

fn test() -> TestContent {
    let item = |id: &str, kind, options: &[&str], answers: &[&str]| Item {
        id: id.to_owned(),
        question: "What?".to_owned(),
        kind,
        options: options.iter().map(|text| (*text).to_owned()).collect(),
        correct_answers: answers.iter().map(|text| (*text).to_owned()).collect(),
        explanation: "So.".to_owned(),
        score: 2.0,
    };
    TestContent {
        title: "T".to_owned(),
        items: vec![
            item("1", ItemKind::Select, &["a", "b", "c"], &["b"]),
            item("2", ItemKind::Blank, &[], &["x"]),
            item("3", ItemKind::OpenEnded, &[], &["y"]),
        ],
        ..TestContent::default()
    }
}

/// The package with a text replaced in all files whose path ends so.
fn broken(bytes: &[u8], ending: &str, from: &str, to: &str) -> Vec<u8> {
    let mut files = checker::unpack(bytes);
    let mut changed = 0;
    for (_, text) in files.iter_mut().filter(|(path, _)| path.ends_with(ending)) {
        changed += text.matches(from).count();
        *text = text.replace(from, to);
    }
    assert!(changed > 0, "{from} is not in {ending}");
    files.retain(|_, text| !text.is_empty());
    zip(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>())
}

#[test]
fn in_qti_packages() {
    let sound = export_test(&test(), TestFormat::Qti30).bytes;
    checker::qti::check(&sound, &checker::qti::V30);
    for (ending, from, to) in [
        ("imsmanifest.xml", "imsqti_item_xmlv3p0", "imsqti_item_xmlv2p1"),
        ("imsmanifest.xml", "imscp_v1p1\"", "imscp_v1p2\""),
        ("imsmanifest.xml", "QTI Package", "QTI"),
        ("imsmanifest.xml", "identifier=\"item-", "identifier=\"1-"),
        ("imsmanifest.xml", "<file href=\"items/", "<file href=\"things/"),
        ("imsmanifest.xml", "<dependency ", "<dependance "),
        ("test.xml", "href=\"items/", "href=\"things/"),
        ("test.xml", "visible=\"false\"", ""),
        (".xml", "identifier=\"RESPONSE\" cardinality", "identifier=\"ANSWER\" cardinality"),
        (".xml", "<qti-value>choice-2</qti-value>", "<qti-value>choice-9</qti-value>"),
        (".xml", "identifier=\"choice-1\"", "identifier=\"choice-2\""),
        (".xml", "base-type=\"identifier\"", "base-type=\"string\""),
        (".xml", "qti-item-body", "itemBody"),
        (".xml", "time-dependent=\"false\"", ""),
        (".xml", "<qti-map-response identifier=\"RESPONSE\"", "<qti-map-response identifier=\"OTHER\""),
        (".xml", "qti-content-body", "div"),
        (".xml", "view=\"scorer\"", "view=\"candidate\""),
        (".xml", "outcome-identifier=\"FEEDBACK\"", "outcome-identifier=\"OTHER\""),
        (".xml", "imsqtiasi_v3p0\"", "imsqtiasi_v3p1\""),
    ] {
        let package = broken(&sound, ending, from, to);
        assert!(catch_unwind(|| checker::qti::check(&package, &checker::qti::V30)).is_err(), "{from} -> {to}");
    }
}

#[test]
fn in_cartridges() {
    let entries = vec![
        Entry::Module(ModuleContent::default()),
        Entry::Test(test()),
        Entry::Link(Link { title: "L".to_owned(), url: "https://example.org/".to_owned() }),
    ];
    let sound = export_course(&CourseContent { entries, ..CourseContent::default() }).bytes;
    checker::cartridge::check(&sound);
    for (ending, from, to) in [
        ("imsmanifest.xml", "1.3.0", "1.2.0"),
        ("imsmanifest.xml", "imscc_xmlv1p3/assessment", "imscc_xmlv1p1/assessment"),
        ("imsmanifest.xml", "type=\"imswl_xmlv1p3\"", "type=\"imswl_xmlv1p3\" href=\"x\""),
        ("imsmanifest.xml", "structure=\"rooted-hierarchy\"", ""),
        ("imsmanifest.xml", "identifier=\"root\"", "identifier=\"organization\""),
        ("imsmanifest.xml", "identifierref=\"extension-", "identifierref=\"gone-"),
        ("assessment.xml", "cc.multiple_choice.v0p1", "cc.true_false.v0p1"),
        ("assessment.xml", "cc.exam.v0p1", "exam"),
        ("assessment.xml", "qmd_scoretype", "score_type"),
        ("assessment.xml", "<fieldentry>No</fieldentry>", "<fieldentry>Yes</fieldentry>"),
        ("assessment.xml", "<varequal respident=\"response1\">choice2", "<varequal respident=\"response1\">choice7"),
        ("assessment.xml", "<varequal respident=\"response1\">", "<varequal respident=\"other\">"),
        ("assessment.xml", "itemfeedback ident=\"general_fb\"", "itemfeedback ident=\"other_fb\""),
        ("assessment.xml", "itemmetadata", "metadata"),
        ("assessment.xml", "rcardinality=\"Single\"", "rcardinality=\"Multiple\""),
        (".xml", "imsccv1p3/imswl_v1p3\"", "imsccv1p1/imswl_v1p1\""),
        (".html", "<!doctype html>", "<div>"),
    ] {
        let package = broken(&sound, ending, from, to);
        assert!(catch_unwind(|| checker::cartridge::check(&package)).is_err(), "{from} -> {to}");
    }
}
