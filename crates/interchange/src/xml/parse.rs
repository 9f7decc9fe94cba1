//! Reading XML into a tree, within limits.

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use quick_xml::{XmlVersion, escape};

use super::encoding::decode;
use super::{Element, Node, is_character, is_space};
use crate::error::ImportError;
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_TAG_BYTES, MAX_XML_ATTRIBUTES, MAX_XML_DEPTH, MAX_XML_ELEMENTS};
use crate::report::shown;

/// The root element of an XML file. `file` is its name for error sentences.
pub(crate) fn parse(bytes: &[u8], file: &str) -> Result<Element, ImportError> {
    let name = || shown(file);
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(ImportError::FileTooLarge { file: name() });
    }
    let text = decode(bytes).map_err(|_| ImportError::Encoding { file: name() })?;
    if text.contains('\0') {
        return Err(ImportError::Nul { file: name() });
    }
    if !text.chars().all(is_character) {
        return Err(ImportError::Malformed { file: name() });
    }
    let mut builder = Builder { file, open: Vec::new(), root: None, elements: 0 };
    let mut reader = Reader::from_str(&text);
    loop {
        let event = reader.read_event().map_err(|_| builder.malformed())?;
        if matches!(event, Event::Eof) {
            return builder.finish();
        }
        builder.take(event)?;
    }
}

struct Builder<'f> {
    file: &'f str,
    open: Vec<Element>,
    root: Option<Element>,
    elements: usize,
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>) -> Result<(), ImportError> {
        match event {
            Event::Start(tag) => {
                let element = self.element(&tag)?;
                self.open.push(element);
            }
            Event::Empty(tag) => {
                let element = self.element(&tag)?;
                self.close(element)?;
            }
            Event::End(_) => {
                let element = self.open.pop().ok_or_else(|| self.malformed())?;
                self.close(element)?;
            }
            Event::Text(text) => self.text(&text.xml10_content())?,
            Event::CData(text) => self.text(&text.xml10_content())?,
            Event::GeneralRef(reference) => {
                let resolved = resolve(&reference).ok_or_else(|| self.malformed())?;
                self.text(&resolved)?;
            }
            Event::DocType(_) => return Err(ImportError::DocumentType { file: shown(self.file) }),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Eof => {}
        }
        Ok(())
    }

    fn element(&mut self, tag: &BytesStart<'_>) -> Result<Element, ImportError> {
        if self.open.len() >= MAX_XML_DEPTH {
            return Err(ImportError::TooDeep { file: shown(self.file) });
        }
        self.elements += 1;
        if self.elements > MAX_XML_ELEMENTS || tag.len() > MAX_TAG_BYTES {
            return Err(self.too_complex());
        }
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|_| self.malformed())?;
            if attributes.len() >= MAX_XML_ATTRIBUTES {
                return Err(self.too_complex());
            }
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|_| self.malformed())?;
            if !value.chars().all(is_character) {
                return Err(self.malformed());
            }
            attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        let name = tag.local_name().as_ref().to_owned();
        Ok(Element { name, attributes, children: Vec::new() })
    }

    fn close(&mut self, element: Element) -> Result<(), ImportError> {
        match self.open.last_mut() {
            Some(parent) => parent.children.push(Node::Element(element)),
            None if self.root.is_none() => self.root = Some(element),
            None => return Err(self.malformed()),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), ImportError> {
        match self.open.last_mut() {
            Some(parent) => parent.push_text(text),
            None if text.chars().all(is_space) => {}
            None => return Err(self.malformed()),
        }
        Ok(())
    }

    fn finish(self) -> Result<Element, ImportError> {
        let malformed = self.malformed();
        if self.open.is_empty() { self.root.ok_or(malformed) } else { Err(malformed) }
    }

    fn malformed(&self) -> ImportError {
        ImportError::Malformed { file: shown(self.file) }
    }

    fn too_complex(&self) -> ImportError {
        ImportError::TooComplex { file: shown(self.file) }
    }
}

/// A character reference or one of the five entities that XML itself defines.
fn resolve(reference: &BytesRef<'_>) -> Option<String> {
    if reference.is_char_ref() {
        let c = reference.resolve_char_ref().ok()??;
        return is_character(c).then(|| c.to_string());
    }
    escape::resolve_xml_entity(reference).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<Element, ImportError> {
        parse(text.as_bytes(), "a.xml")
    }

    fn code(text: &str) -> &'static str {
        read(text).unwrap_err().code()
    }

    #[test]
    fn text_attributes_and_children_are_read() {
        let root = read(
            "<?xml version='1.0'?>\n<q:a xmlns:q='u' x='1&#10;2'>t&lt;&#x41;<![CDATA[<b>]]><c/>\r\nu<!-- --></q:a>\n",
        )
        .unwrap();
        assert_eq!((root.name.as_str(), root.attribute("x")), ("a", Some("1\n2")));
        assert_eq!(root.text(), "t<A<b>\nu");
        assert_eq!(root.descendants().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["a", "c"]);
    }

    #[test]
    fn document_types_are_refused_whatever_is_in_them() {
        for doctype in [
            "<!DOCTYPE a>",
            "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>",
            "<!DOCTYPE a [<!ENTITY b 'bbbbbbbb'><!ENTITY c '&b;&b;&b;'>]>",
            "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://example.org/x'> %p;]>",
        ] {
            assert_eq!(code(&format!("{doctype}<a>&c;</a>")), "document-type");
        }
    }

    #[test]
    fn undefined_entities_are_malformed() {
        assert_eq!(code("<a>&nbsp;</a>"), "malformed");
        assert_eq!(code("<a b='&x;'/>"), "malformed");
    }

    #[test]
    fn depth_elements_attributes_and_tags_are_limited() {
        let deep = |n: usize| format!("{}{}", "<a>".repeat(n), "</a>".repeat(n));
        assert!(read(&deep(MAX_XML_DEPTH)).is_ok());
        assert_eq!(code(&deep(MAX_XML_DEPTH + 1)), "too-deep");
        assert_eq!(code(&deep(200_000)), "too-deep");
        assert_eq!(code(&format!("<a>{}</a>", "<b/>".repeat(MAX_XML_ELEMENTS))), "too-complex");
        assert_eq!(code(&format!("<a b='{}'/>", "x".repeat(MAX_TAG_BYTES))), "too-complex");
        let attributes: String = (0..=MAX_XML_ATTRIBUTES).map(|n| format!(" a{n}=''")).collect();
        assert_eq!(code(&format!("<a{attributes}/>")), "too-complex");
        assert_eq!(code(&"x".repeat(MAX_DOCUMENT_BYTES + 1)), "file-too-large");
    }

    #[test]
    fn what_is_no_xml_is_malformed() {
        for text in [
            "",
            "  ",
            "x",
            "<a>",
            "</a>",
            "<a></b>",
            "<a/><b/>",
            "<a/>x",
            "<a b='1' b='2'/>",
            "<a>\u{1}</a>",
            "<a>&#1;</a>",
            "<a b='&#0;'/>",
            "<a b='&#8;'/>",
            "<a",
            "<a b=>",
            "<a>&",
            "<a>\u{ffff}</a>",
        ] {
            assert_eq!(code(text), "malformed", "{text:?}");
        }
        assert_eq!(code("<a>\0</a>"), "nul");
        assert_eq!(parse(b"<a>\xff</a>", "a.xml").unwrap_err().code(), "encoding");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes, "a.xml");
        }

        #[test]
        fn no_markup_makes_it_panic(text in "(<[a-c]( x='[a&;]{0,2}')?/?>|</[a-c]>|[a&;#x0-9]{0,5}|<!\\[CDATA\\[|\\]\\]>|<!--|-->|<\\?x){0,20}") {
            let _ = parse(text.as_bytes(), "a.xml");
        }
    }
}
