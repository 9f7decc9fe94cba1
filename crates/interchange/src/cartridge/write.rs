//! A course as a Common Cartridge 1.3: manifest, pages, assessments, links.

mod assessment;
mod item;
mod manifest;

use std::collections::HashSet;
use std::io::{self, Seek, Write};

use self::assessment::Assessment;
use super::extension::{self, Entry as ExtensionEntry};
use crate::archive::path::is_web;
use crate::archive::write::Archive;
use crate::model::{CourseContent, Entry, Link, TestContent};
use crate::page;
use crate::qti::write::check_characters;
use crate::report::{Loss, Report, shown};
use crate::xml::names::{digest, language_tag};
use crate::xml::write::Writer;

/// Writes the cartridge, one entry after the other; what it can't hold of the course comes back.
pub(crate) fn package(course: &CourseContent, out: impl Write + Seek) -> io::Result<Report> {
    let mut report = Report::default();
    check_whole(course, &mut report);
    let mut archive = Archive::new(out);
    let mut resources = Vec::new();
    let mut taken = HashSet::new();
    for entry in &course.entries {
        let (kind, title) = match entry {
            Entry::Module(module) => ("module", &module.title),
            Entry::Test(test) => ("test", &test.title),
            Entry::Link(link) => ("link", &link.title),
        };
        let id = identifier(kind, &course.title, title, &mut taken);
        if let Some(resource) = resource(entry, id, &mut archive, &mut report)? {
            resources.push(resource);
        }
    }
    archive.add("imsmanifest.xml", manifest::write(course, &resources))?;
    archive.finish()?;
    Ok(report)
}

/// An entry as the manifest names it.
struct Resource<'a> {
    id: String,
    title: &'a str,
    kind: ResourceKind,
    file: String,
    /// The extension's file, where there is one.
    extension: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ResourceKind {
    Page,
    Assessment,
    Link,
}

/// An identifier that the entry keeps in every export of the course, and that no other course has.
fn identifier(kind: &str, course: &str, title: &str, taken: &mut HashSet<String>) -> String {
    let mut number = 0;
    loop {
        let id = digest(kind, &[course, title, &number.to_string()]);
        if taken.insert(id.clone()) {
            return id;
        }
        number += 1;
    }
}

/// Writes an entry's files; none when the cartridge can't hold it, which is reported.
fn resource<'a>(
    entry: &'a Entry,
    id: String,
    archive: &mut Archive<impl Write + Seek>,
    report: &mut Report,
) -> io::Result<Option<Resource<'a>>> {
    Ok(match entry {
        Entry::Module(module) => {
            let file = format!("modules/{id}.html");
            let (html, losses) = page::write::page(module, page::Pictures::OnTheWeb, &file);
            report.extend(losses);
            archive.add(&file, html)?;
            Some(Resource { id, title: &module.title, kind: ResourceKind::Page, file, extension: None })
        }
        Entry::Test(test) if test.items.is_empty() => {
            let message = format!("The test “{}” has no questions and was left out.", shown(&test.title));
            report.add("imsmanifest.xml", Loss::Resource, message);
            None
        }
        Entry::Test(test) => Some(test_resource(test, id, archive, report)?),
        Entry::Link(link) if !is_web(&link.url) => {
            let message = format!("The link “{}” leads to no web page and was left out.", shown(&link.title));
            report.add("imsmanifest.xml", Loss::Link, message);
            None
        }
        Entry::Link(link) => {
            let file = format!("links/{id}.xml");
            check_characters([link.title.as_str(), link.url.as_str()].into_iter(), &file, report);
            archive.add(&file, web_link(link))?;
            Some(Resource { id, title: &link.title, kind: ResourceKind::Link, file, extension: None })
        }
    })
}

/// Writes an assessment and its extension.
fn test_resource<'a>(
    test: &'a TestContent,
    id: String,
    archive: &mut Archive<impl Write + Seek>,
    report: &mut Report,
) -> io::Result<Resource<'a>> {
    let file = format!("tests/{id}/assessment.xml");
    let extension = format!("tests/{id}/{}", extension::FILE);
    let assessment = Assessment::of(test, &id, &file, report);
    archive.add(&file, assessment.write())?;
    let entries = assessment.parts.iter().map(|part| ExtensionEntry {
        item: part.item,
        identifier: &part.identifier,
        is_essay_only: part.is_essay_only(),
    });
    archive.add(&extension, extension::write(&assessment.test, entries))?;
    Ok(Resource { id, title: &test.title, kind: ResourceKind::Assessment, file, extension: Some(extension) })
}

fn web_link(link: &Link) -> String {
    let mut writer = Writer::new();
    writer.open(
        "webLink",
        &[
            ("xmlns", &"http://www.imsglobal.org/xsd/imsccv1p3/imswl_v1p3"),
            ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
            (
                "xsi:schemaLocation",
                &"http://www.imsglobal.org/xsd/imsccv1p3/imswl_v1p3 \
                  http://www.imsglobal.org/profile/cc/ccv1p3/ccv1p3_imswl_v1p3.xsd",
            ),
        ],
    );
    writer.leaf("title", &[], &link.title);
    writer.empty("url", &[("href", &link.url), ("target", &"_blank")]);
    writer.close();
    writer.finish()
}

fn check_whole(course: &CourseContent, report: &mut Report) {
    let file = "imsmanifest.xml";
    if !course.language.is_empty() && language_tag(&course.language).is_none() {
        report.add(file, Loss::Metadata, "The language is no language tag and was left out.");
    }
    let texts = [&course.title, &course.description, &course.level];
    check_characters(texts.into_iter().map(String::as_str), file, report);
}
