//! What a manifest says about a whole in LOM (Learning Object Metadata).
//!
//! The same elements are read and written in QTI manifests and in cartridges; only the namespaces
//! differ, and the caller binds them.

use crate::xml::Element;
use crate::xml::names::language_tag;
use crate::xml::write::Writer;

/// Names the taxonomy and the catalog that ids, subjects and levels come from.
const SOURCE: &str = "Lectern";
/// The vocabulary that the standard itself defines.
const STANDARD: &str = "LOMv1.0";

/// What is said; empty where nothing is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Description {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) language: String,
    pub(crate) description: String,
    pub(crate) subject: String,
    pub(crate) level: String,
}

/// Writes a `lom` element. `prefix` is bound by the document.
pub(crate) fn write(writer: &mut Writer, prefix: &str, description: &Description) {
    let lom = Lom { prefix, language: language_tag(&description.language) };
    writer.open(&lom.name("lom"), &[]);
    writer.open(&lom.name("general"), &[]);
    if !description.id.is_empty() {
        writer.open(&lom.name("identifier"), &[]);
        writer.leaf(&lom.name("catalog"), &[], SOURCE);
        writer.leaf(&lom.name("entry"), &[], &description.id);
        writer.close();
    }
    lom.string(writer, "title", &description.title);
    if let Some(language) = lom.language {
        writer.leaf(&lom.name("language"), &[], language);
    }
    lom.string(writer, "description", &description.description);
    writer.close();
    lom.classification(writer, "discipline", &description.subject);
    lom.classification(writer, "educational level", &description.level);
    writer.close();
}

struct Lom<'a> {
    prefix: &'a str,
    language: Option<&'a str>,
}

impl Lom<'_> {
    fn name(&self, name: &str) -> String {
        format!("{}:{name}", self.prefix)
    }

    fn string(&self, writer: &mut Writer, name: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        writer.open(&self.name(name), &[]);
        match &self.language {
            Some(language) => writer.leaf(&self.name("string"), &[("language", language)], text),
            None => writer.leaf(&self.name("string"), &[], text),
        }
        writer.close();
    }

    fn classification(&self, writer: &mut Writer, purpose: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        writer.open(&self.name("classification"), &[]);
        writer.open(&self.name("purpose"), &[]);
        writer.leaf(&self.name("source"), &[], STANDARD);
        writer.leaf(&self.name("value"), &[], purpose);
        writer.close();
        writer.open(&self.name("taxonPath"), &[]);
        self.string(writer, "source", SOURCE);
        writer.open(&self.name("taxon"), &[]);
        self.string(writer, "entry", value);
        writer.close();
        writer.close();
        writer.close();
    }
}

/// Reads the `lom` element inside `parent`.
pub(crate) fn read(parent: &Element) -> Description {
    let Some(lom) = parent.first("lom") else { return Description::default() };
    let text = |way: &[&str]| lom.at(way).map(Element::text).unwrap_or_default();
    let string = |name| text(&["general", name, "string"]);
    Description {
        id: id(lom).unwrap_or_default(),
        title: string("title"),
        language: language_tag(text(&["general", "language"]).trim()).unwrap_or_default().to_owned(),
        description: string("description"),
        subject: classified(lom, "discipline"),
        level: classified(lom, "educational level"),
    }
}

/// Whether `metadata` says something that is not kept: authors, rights, keywords, standards.
pub(crate) fn has_more(metadata: &Element) -> bool {
    const KEPT: [&str; 4] = ["schema", "schemaversion", "lom", "general"];
    const GENERAL: [&str; 4] = ["identifier", "title", "language", "description"];
    let says = |element: &Element| !element.text().trim().is_empty();
    let lom = metadata.first("lom");
    let beside = metadata.elements().filter(|element| !KEPT.contains(&element.name.as_str()));
    let areas = lom.into_iter().flat_map(Element::elements);
    let areas = areas.filter(|area| !matches!(area.name.as_str(), "general" | "classification"));
    let general = lom.and_then(|lom| lom.first("general")).into_iter().flat_map(Element::elements);
    let general = general.filter(|element| !GENERAL.contains(&element.name.as_str()));
    beside.chain(areas).chain(general).any(says)
}

/// The id in our own catalog; others' ids mean nothing here.
fn id(lom: &Element) -> Option<String> {
    let own = |identifier: &&Element| identifier.first("catalog").is_some_and(|catalog| catalog.text() == SOURCE);
    let identifier = lom.first("general")?.all("identifier").find(own)?;
    Some(identifier.first("entry")?.text())
}

/// The entry of the first classification of a purpose.
fn classified(lom: &Element, purpose: &str) -> String {
    let of_purpose = |classification: &&Element| {
        classification.at(&["purpose", "value"]).is_some_and(|value| value.text().trim() == purpose)
    };
    let entry = lom
        .all("classification")
        .find(of_purpose)
        .and_then(|found| found.at(&["taxonPath", "taxon", "entry", "string"]));
    entry.map(Element::text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    #[test]
    fn a_description_comes_back() {
        let description = Description {
            id: "id & more".to_owned(),
            title: "Cells".to_owned(),
            language: "en-GB".to_owned(),
            description: "About\ncells".to_owned(),
            subject: "Biology".to_owned(),
            level: "MEDIUM".to_owned(),
        };
        for description in [description, Description::default()] {
            let mut writer = Writer::new();
            writer.open("metadata", &[("xmlns:l", &"u")]);
            write(&mut writer, "l", &description);
            writer.close();
            assert_eq!(read(&parse(writer.finish().as_bytes(), "m").unwrap()), description);
        }
    }
}
