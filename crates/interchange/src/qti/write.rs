//! A test as a QTI package: manifest, test and items.

mod item;
pub(crate) mod shape;
mod test;

use std::collections::HashSet;
use std::io::{self, Seek, Write};

use super::Dialect;
use crate::archive::write::Archive;
use crate::lom::{self, Description};
use crate::model::{Item, Passing, TestContent};
use crate::report::{Loss, Report};
use crate::xml::is_character;
use crate::xml::names::{digest, language_tag};
use crate::xml::write::Writer;

/// The test's file in the package.
const TEST_FILE: &str = "test.xml";

/// Writes the package; what QTI can't hold of the test comes back.
pub(crate) fn package(test: &TestContent, dialect: Dialect, out: impl Write + Seek) -> io::Result<Report> {
    let mut report = Report::default();
    let test = &checked(test, &mut report);
    let parts: Vec<Part<'_>> = parts(test);
    let mut archive = Archive::new(out);
    archive.add("imsmanifest.xml", manifest(test, &parts, dialect))?;
    archive.add(TEST_FILE, test::write(test, &parts, dialect))?;
    for (number, part) in (1..).zip(&parts) {
        check_item(part, &mut report);
        archive.add(part.file(), item::write(part, number, &test.language, dialect, &mut report))?;
    }
    archive.finish()?;
    Ok(report)
}

/// An item and what it is called in the package.
pub(super) struct Part<'a> {
    item: &'a Item,
    identifier: String,
}

impl Part<'_> {
    fn file(&self) -> String {
        format!("items/{}.xml", self.identifier)
    }
}

/// Gives every item an identifier that no item of another test has: systems take items of one identifier
/// for the same item. The same item gets the same one every time.
fn parts(test: &TestContent) -> Vec<Part<'_>> {
    let mut taken = HashSet::new();
    let identifier = |(number, item): (usize, &Item)| {
        let identifier = digest("item", &[&test.title, &item.id]);
        if taken.insert(identifier.clone()) { identifier } else { digest("item", &[&identifier, &number.to_string()]) }
    };
    let identifiers: Vec<String> = test.items.iter().enumerate().map(identifier).collect();
    test.items.iter().zip(identifiers).map(|(item, identifier)| Part { item, identifier }).collect()
}

/// An identifier for the whole test that changes with its items.
pub(super) fn test_identifier(test: &TestContent, prefix: &str) -> String {
    let ids = test.items.iter().flat_map(|item| [item.id.as_str(), item.question.as_str()]);
    digest(prefix, &[test.title.as_str()].into_iter().chain(ids).collect::<Vec<_>>())
}

fn manifest(test: &TestContent, parts: &[Part<'_>], dialect: Dialect) -> String {
    let mut writer = Writer::new();
    let location = format!("{} {}", dialect.manifest_namespace(), dialect.manifest_schema());
    writer.open(
        "manifest",
        &[
            ("xmlns", &dialect.manifest_namespace()),
            ("xmlns:imsmd", &"http://ltsc.ieee.org/xsd/LOM"),
            ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:schemaLocation", &location),
            ("identifier", &test_identifier(test, "package")),
        ],
    );
    let (schema, version) = dialect.package();
    writer.open("metadata", &[]);
    writer.leaf("schema", &[], schema);
    writer.leaf("schemaversion", &[], version);
    writer.close();
    writer.empty("organizations", &[]);
    writer.open("resources", &[]);
    test_resource(&mut writer, test, parts, dialect);
    for part in parts {
        item_resource(&mut writer, part, dialect);
    }
    writer.close();
    writer.close();
    writer.finish()
}

fn test_resource(writer: &mut Writer, test: &TestContent, parts: &[Part<'_>], dialect: Dialect) {
    let identifier = test_identifier(test, "test");
    writer.open("resource", &[("identifier", &identifier), ("type", &dialect.test_type()), ("href", &TEST_FILE)]);
    let description = Description {
        id: String::new(),
        title: test.title.clone(),
        language: test.language.clone(),
        description: test.description.clone(),
        subject: test.subject.clone(),
        level: test.level.clone(),
    };
    writer.open("metadata", &[]);
    lom::write(writer, "imsmd", &description);
    writer.close();
    writer.empty("file", &[("href", &TEST_FILE)]);
    for part in parts {
        writer.empty("dependency", &[("identifierref", &part.identifier)]);
    }
    writer.close();
}

fn item_resource(writer: &mut Writer, part: &Part<'_>, dialect: Dialect) {
    let file = part.file();
    writer.open("resource", &[("identifier", &part.identifier), ("type", &dialect.item_type()), ("href", &file)]);
    writer.open("metadata", &[]);
    lom::write(writer, "imsmd", &Description { id: part.item.id.clone(), ..Description::default() });
    writer.close();
    writer.empty("file", &[("href", &file)]);
    writer.close();
}

/// The test as it can be written, what is lost of it as a whole noted.
fn checked(test: &TestContent, report: &mut Report) -> TestContent {
    let mut test = test.clone();
    if !test.language.is_empty() && language_tag(&test.language).is_none() {
        report.add(TEST_FILE, Loss::Metadata, "The language is no language tag and was left out.");
    }
    let texts = [&test.title, &test.description, &test.subject, &test.level];
    check_characters(texts.into_iter().map(String::as_str), TEST_FILE, report);
    if test.time_limit_minutes.is_some_and(|minutes| !minutes.is_finite() || minutes <= 0.0) {
        report.add(TEST_FILE, Loss::Behaviour, "The time limit is no number of minutes and was left out.");
        test.time_limit_minutes = None;
    }
    if !test.passing.is_none_or(is_sensible) {
        report.add(TEST_FILE, Loss::Scoring, "What it takes to pass is no number of points and was left out.");
        test.passing = None;
    }
    test
}

fn is_sensible(passing: Passing) -> bool {
    let (Passing::Percentage(value) | Passing::Points(value)) = passing;
    value.is_finite() && value >= 0.0
}

/// Notes what is lost of an item, whatever its type.
fn check_item(part: &Part<'_>, report: &mut Report) {
    let item = part.item;
    let texts =
        [&item.id, &item.question, &item.explanation].into_iter().chain(&item.options).chain(&item.correct_answers);
    check_characters(texts.map(String::as_str), &part.file(), report);
    if !item.kind.has_options() && !item.options.is_empty() {
        let message = format!("The options were left out: a question of type “{}” has none.", item.kind.name());
        report.add(&part.file(), Loss::Answer, message);
    }
}

/// Notes characters that XML can't hold; the writer leaves them out.
pub(crate) fn check_characters<'a>(mut texts: impl Iterator<Item = &'a str>, file: &str, report: &mut Report) {
    if texts.any(|text| !text.chars().all(is_character)) {
        report.add(file, Loss::Characters, "Control characters were left out.");
    }
}
