//! `lectern.xml`: what a test has and the cartridge's profile of QTI has no place for.
//!
//! A file of associated content that the assessment depends on. Other systems carry or drop it; the
//! assessment is complete without it. It never overrides what the assessment says: it only adds to it.

use std::collections::HashMap;

use crate::model::{Item, ItemKind, Passing, TestContent};
use crate::xml::Element;
use crate::xml::write::{Attribute, Writer};

/// The file's name, in the assessment's folder.
pub(crate) const FILE: &str = "lectern.xml";
/// The namespace of its elements.
pub(crate) const NAMESPACE: &str = "urn:lectern:interchange:1";
const ROOT: &str = "testExtension";

/// What was added to a test.
#[derive(Debug, Default)]
pub(crate) struct Extension {
    pub(crate) subject: String,
    pub(crate) level: String,
    pub(crate) time_limit_minutes: Option<f64>,
    pub(crate) passing: Option<Passing>,
    pub(crate) items: HashMap<String, ItemExtension>,
}

/// What was added to an item.
#[derive(Debug)]
pub(crate) struct ItemExtension {
    pub(crate) id: String,
    pub(crate) kind: ItemKind,
    pub(crate) score: f64,
    /// Options and keys of a question that went out as an essay though it has them.
    pub(crate) content: Option<(Vec<String>, Vec<String>)>,
}

/// An item, its identifier in the assessment, and whether its options and keys have no place there.
pub(super) struct Entry<'a> {
    pub(super) item: &'a Item,
    pub(super) identifier: &'a str,
    pub(super) is_essay_only: bool,
}

/// The file's content.
pub(super) fn write<'a>(test: &TestContent, entries: impl Iterator<Item = Entry<'a>>) -> String {
    let mut writer = Writer::new();
    let mut root: Vec<Attribute<'_>> = vec![("xmlns", &NAMESPACE), ("subject", &test.subject), ("level", &test.level)];
    match &test.passing {
        Some(Passing::Percentage(value)) => root.push(("passingPercentage", value)),
        Some(Passing::Points(value)) => root.push(("passingPoints", value)),
        None => {}
    }
    if let Some(minutes) = &test.time_limit_minutes {
        root.push(("timeLimitMinutes", minutes));
    }
    writer.open(ROOT, &root);
    for entry in entries {
        let item = entry.item;
        let attributes: [Attribute<'_>; 4] =
            [("ident", &entry.identifier), ("id", &item.id), ("type", &item.kind.name()), ("score", &item.score)];
        if entry.is_essay_only {
            writer.open("item", &attributes);
            for option in &item.options {
                writer.leaf("option", &[], option);
            }
            for answer in &item.correct_answers {
                writer.leaf("answer", &[], answer);
            }
            writer.close();
        } else {
            writer.empty("item", &attributes);
        }
    }
    writer.close();
    writer.finish()
}

/// Reads the file; none when it is something else.
pub(crate) fn read(root: &Element) -> Option<Extension> {
    if root.name != ROOT || root.attribute("xmlns") != Some(NAMESPACE) {
        return None;
    }
    let text = |name| root.attribute(name).unwrap_or_default().to_owned();
    let number = |name| root.attribute(name)?.parse::<f64>().ok();
    let percentage = number("passingPercentage").map(Passing::Percentage);
    Some(Extension {
        subject: text("subject"),
        level: text("level"),
        time_limit_minutes: number("timeLimitMinutes").filter(|minutes| minutes.is_finite() && *minutes > 0.0),
        passing: percentage.or_else(|| number("passingPoints").map(Passing::Points)),
        items: root.all("item").filter_map(item).collect(),
    })
}

fn item(element: &Element) -> Option<(String, ItemExtension)> {
    let texts = |name| element.all(name).map(Element::text).collect();
    let has_content = element.elements().next().is_some();
    let item = ItemExtension {
        id: element.attribute("id")?.to_owned(),
        kind: ItemKind::from_name(element.attribute("type")?)?,
        score: element.attribute("score")?.parse().ok()?,
        content: has_content.then(|| (texts("option"), texts("answer"))),
    };
    Some((element.attribute("ident")?.to_owned(), item))
}
