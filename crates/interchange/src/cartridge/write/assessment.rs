//! A test as an assessment in the cartridge's profile of QTI 1.2.

use std::collections::HashSet;

use super::item::{self, Form};
use crate::cartridge::ASSESSMENT_NAMESPACE;
use crate::model::{Item, Passing, TestContent};
use crate::qti::write::check_characters;
use crate::report::{Loss, Report};
use crate::text::{self, is_plain};
use crate::xml::names::{digest, language_tag};
use crate::xml::write::{Attribute, Writer};

/// The most minutes that the profile has a place for.
const MAX_MINUTES: f64 = 527_040.0;

/// A test with its items' forms decided.
pub(super) struct Assessment<'a> {
    pub(super) test: TestContent,
    id: &'a str,
    pub(super) parts: Vec<Part<'a>>,
}

/// An item, what it is called in the assessment, and how it is asked there.
pub(super) struct Part<'a> {
    pub(super) item: &'a Item,
    pub(super) identifier: String,
    pub(super) form: Form,
}

impl Part<'_> {
    /// Whether it has options and keys that have no place in the assessment.
    pub(super) fn is_essay_only(&self) -> bool {
        self.form == Form::Essay && self.item.kind.has_options()
    }
}

impl<'a> Assessment<'a> {
    /// Decides the form of every item, and notes what other systems will not see.
    pub(super) fn of(test: &'a TestContent, id: &'a str, file: &str, report: &mut Report) -> Self {
        let mut checked = TestContent { items: Vec::new(), ..test.clone() };
        check_whole(&mut checked, file, report);
        let mut taken = HashSet::new();
        let identifier = |(number, item): (usize, &'a Item)| {
            let identifier = digest("item", &[id, &item.id]);
            if taken.insert(identifier.clone()) {
                identifier
            } else {
                digest("item", &[&identifier, &number.to_string()])
            }
        };
        let identifiers: Vec<String> = test.items.iter().enumerate().map(identifier).collect();
        let part = |(item, identifier)| Part { item, identifier, form: item::form(item, file, report) };
        let parts = test.items.iter().zip(identifiers).map(part).collect();
        Self { test: checked, id, parts }
    }

    /// The assessment's file.
    pub(super) fn write(&self) -> String {
        let mut writer = Writer::new();
        let location =
            format!("{ASSESSMENT_NAMESPACE} http://www.imsglobal.org/profile/cc/ccv1p3/ccv1p3_qtiasiv1p2p1_v1p0.xsd");
        writer.open(
            "questestinterop",
            &[
                ("xmlns", &ASSESSMENT_NAMESPACE),
                ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
                ("xsi:schemaLocation", &location),
            ],
        );
        let mut attributes: Vec<Attribute<'_>> = vec![("ident", &self.id), ("title", &self.test.title)];
        let language = language_tag(&self.test.language);
        if let Some(language) = &language {
            attributes.push(("xml:lang", language));
        }
        writer.open("assessment", &attributes);
        self.metadata(&mut writer);
        if !self.test.description.is_empty() {
            writer.open("rubric", &[]);
            material(&mut writer, &self.test.description);
            writer.close();
        }
        writer.open("section", &[("ident", &"root_section")]);
        for part in &self.parts {
            item::write(&mut writer, part);
        }
        writer.close();
        writer.close();
        writer.close();
        writer.finish()
    }

    fn metadata(&self, writer: &mut Writer) {
        writer.open("qtimetadata", &[]);
        field(writer, "cc_profile", "cc.exam.v0p1");
        field(writer, "qmd_assessmenttype", "Examination");
        field(writer, "qmd_scoretype", "Percentage");
        if let Some(minutes) = self.test.time_limit_minutes.filter(is_plain_limit) {
            field(writer, "qmd_timelimit", &minutes.to_string());
        }
        writer.close();
    }
}

/// A field of metadata.
pub(super) fn field(writer: &mut Writer, label: &str, entry: &str) {
    writer.open("qtimetadatafield", &[]);
    writer.leaf("fieldlabel", &[], label);
    writer.leaf("fieldentry", &[], entry);
    writer.close();
}

/// A text to be shown: plain where it is one line, else HTML.
pub(super) fn material(writer: &mut Writer, text: &str) {
    writer.open("material", &[]);
    if is_plain(text) {
        writer.leaf("mattext", &[("texttype", &"text/plain")], text);
    } else {
        writer.leaf("mattext", &[("texttype", &"text/html")], &text::block(text).0);
    }
    writer.close();
}

/// Whether the profile has a form for a time limit: whole minutes, a year at most.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "how a filter calls it")]
fn is_plain_limit(minutes: &f64) -> bool {
    minutes.fract() == 0.0 && (1.0..=MAX_MINUTES).contains(minutes)
}

fn check_whole(test: &mut TestContent, file: &str, report: &mut Report) {
    if !test.language.is_empty() && language_tag(&test.language).is_none() {
        report.add(file, Loss::Metadata, "The language is no language tag and was left out.");
    }
    let texts = [&test.title, &test.description, &test.subject, &test.level];
    check_characters(texts.into_iter().map(String::as_str), file, report);
    if test.time_limit_minutes.is_some_and(|minutes| !is_plain_limit(&minutes)) {
        report.add(file, Loss::Behaviour, "Other systems will not see the time limit.");
    }
    match test.passing {
        Some(Passing::Percentage(value) | Passing::Points(value)) if !(value.is_finite() && value >= 0.0) => {
            test.passing = None;
            report.add(file, Loss::Scoring, "What it takes to pass is no number of points and was left out.");
        }
        Some(_) => report.add(file, Loss::Scoring, "Other systems will not see what it takes to pass."),
        None => {}
    }
}
