//! The names of QTI 2.x and of QTI 3.0.

use std::fmt::Display;

use crate::xml::write::{Attribute, Markup, Writer};

/// A version that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    V21,
    V30,
}

impl Dialect {
    /// The namespace of items and tests.
    pub(crate) fn namespace(self) -> &'static str {
        match self {
            Self::V21 => "http://www.imsglobal.org/xsd/imsqti_v2p1",
            Self::V30 => "http://www.imsglobal.org/xsd/imsqtiasi_v3p0",
        }
    }

    /// Where the schema of items and tests is published.
    fn schema(self) -> &'static str {
        match self {
            Self::V21 => "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd",
            Self::V30 => "https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd",
        }
    }

    /// The namespace of the manifest.
    pub(crate) fn manifest_namespace(self) -> &'static str {
        match self {
            Self::V21 => "http://www.imsglobal.org/xsd/imscp_v1p1",
            Self::V30 => "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
        }
    }

    /// Where the schema of the manifest is published.
    pub(crate) fn manifest_schema(self) -> &'static str {
        match self {
            Self::V21 => "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd",
            Self::V30 => "https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqtiv3p0_imscpv1p2_v1p0.xsd",
        }
    }

    /// What the manifest says that the package is: `schema` and `schemaversion`.
    pub(crate) fn package(self) -> (&'static str, &'static str) {
        match self {
            Self::V21 => ("QTIv2.1 Package", "1.0.0"),
            Self::V30 => ("QTI Package", "3.0.0"),
        }
    }

    /// The resource type of an item.
    pub(crate) fn item_type(self) -> &'static str {
        match self {
            Self::V21 => "imsqti_item_xmlv2p1",
            Self::V30 => "imsqti_item_xmlv3p0",
        }
    }

    /// The resource type of a test.
    pub(crate) fn test_type(self) -> &'static str {
        match self {
            Self::V21 => "imsqti_test_xmlv2p1",
            Self::V30 => "imsqti_test_xmlv3p0",
        }
    }

    fn element(self, name: &str) -> String {
        match self {
            Self::V21 => name.to_owned(),
            Self::V30 => format!("qti-{}", kebab(name)),
        }
    }

    fn attribute(self, name: &str) -> String {
        match self {
            Self::V21 => name.to_owned(),
            Self::V30 => kebab(name),
        }
    }
}

/// The name in 2.x of an element or attribute of either version.
pub(super) fn canonical(name: &str) -> String {
    let mut parts = name.strip_prefix("qti-").unwrap_or(name).split('-');
    let mut canonical = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        canonical.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        canonical.push_str(letters.as_str());
    }
    canonical
}

fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}

/// A QTI document in the making, in the names of 2.x.
pub(super) struct Sheet {
    pub(super) dialect: Dialect,
    writer: Writer,
}

impl Sheet {
    /// A document with its root element open.
    pub(super) fn new(dialect: Dialect, root: &str, attributes: &[Attribute<'_>]) -> Self {
        let location = format!("{} {}", dialect.namespace(), dialect.schema());
        let mut all: Vec<Attribute<'_>> = vec![
            ("xmlns", &"" as &dyn Display),
            ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:schemaLocation", &location),
        ];
        let namespace = dialect.namespace();
        all[0].1 = &namespace;
        let names: Vec<String> = attributes.iter().map(|(name, _)| dialect.attribute(name)).collect();
        all.extend(names.iter().zip(attributes).map(|(name, (_, value))| (name.as_str(), *value)));
        let mut writer = Writer::new();
        writer.open(&dialect.element(root), &all);
        Self { dialect, writer }
    }

    pub(super) fn open(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.with_names(attributes, |writer, dialect, attributes| writer.open(&dialect.element(name), attributes));
    }

    pub(super) fn close(&mut self) {
        self.writer.close();
    }

    pub(super) fn empty(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.with_names(attributes, |writer, dialect, attributes| writer.empty(&dialect.element(name), attributes));
    }

    pub(super) fn leaf(&mut self, name: &str, attributes: &[Attribute<'_>], text: &str) {
        self.with_names(attributes, |writer, dialect, attributes| {
            writer.leaf(&dialect.element(name), attributes, text);
        });
    }

    pub(super) fn mixed(&mut self, name: &str, attributes: &[Attribute<'_>], content: &Markup) {
        self.with_names(attributes, |writer, dialect, attributes| {
            writer.mixed(&dialect.element(name), attributes, content);
        });
    }

    /// An element without content, to be put into a text.
    pub(super) fn inline(&self, name: &str, attributes: &[Attribute<'_>]) -> Markup {
        let names: Vec<String> = attributes.iter().map(|(name, _)| self.dialect.attribute(name)).collect();
        let attributes: Vec<Attribute<'_>> =
            names.iter().zip(attributes).map(|(name, (_, value))| (name.as_str(), *value)).collect();
        crate::xml::write::inline(&self.dialect.element(name), &attributes)
    }

    /// A block of XHTML, which has the same name in both versions.
    pub(super) fn xhtml(&mut self, name: &str, attributes: &[Attribute<'_>], content: &Markup) {
        self.writer.mixed(name, attributes, content);
    }

    /// Begins an XHTML element that has elements inside.
    pub(super) fn open_xhtml(&mut self, name: &str) {
        self.writer.open(name, &[]);
    }

    /// The document, its root element closed.
    pub(super) fn finish(mut self) -> String {
        self.writer.close();
        self.writer.finish()
    }

    fn with_names(&mut self, attributes: &[Attribute<'_>], write: impl Fn(&mut Writer, Dialect, &[Attribute<'_>])) {
        let names: Vec<String> = attributes.iter().map(|(name, _)| self.dialect.attribute(name)).collect();
        let attributes: Vec<Attribute<'_>> =
            names.iter().zip(attributes).map(|(name, (_, value))| (name.as_str(), *value)).collect();
        write(&mut self.writer, self.dialect, &attributes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_translated_both_ways() {
        for name in ["choiceInteraction", "baseType", "mapKey", "p", "xml:lang", "assessmentItem"] {
            assert_eq!(canonical(&Dialect::V30.element(name)), name);
            assert_eq!(canonical(&Dialect::V21.element(name)), name);
            assert_eq!(canonical(&Dialect::V30.attribute(name)), name);
        }
        assert_eq!(Dialect::V30.element("textEntryInteraction"), "qti-text-entry-interaction");
    }
}
