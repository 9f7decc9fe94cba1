//! Judges packages by the rules of the specifications. It shares no code with the writer: another XML parser,
//! another reading of the archive, names and rules written down again from the schemas.
//!
//! Rules are quoted by their number in the schematron part of the cartridge's schemas where they have one.

pub(crate) mod cartridge;
pub(crate) mod qti;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};

use roxmltree::{Document, Node};

/// A package's files by path.
pub(crate) type Files = BTreeMap<String, String>;

/// Unpacks an archive, and checks what holds for every archive.
pub(crate) fn unpack(bytes: &[u8]) -> Files {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    assert!(!archive.has_duplicate_names(), "a path is there twice");
    let mut files = Files::new();
    for number in 0..archive.len() {
        let mut file = archive.by_index(number).unwrap();
        let name = file.name().unwrap().into_owned();
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./".contains(&b)), "an unsafe path: {name}");
        assert!(!name.split('/').any(|part| part.is_empty() || part.starts_with('.')), "an unsafe path: {name}");
        assert_eq!(file.last_modified(), Some(zip::DateTime::DEFAULT), "{name}: the time is fixed");
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        files.insert(name, text);
    }
    files
}

/// Parses one of the XML files.
pub(crate) fn xml<'f>(files: &'f Files, path: &str) -> Document<'f> {
    let text = files.get(path).unwrap_or_else(|| panic!("{path} is not in the package"));
    Document::parse(text).unwrap_or_else(|error| panic!("{path}: {error}\n{text}"))
}

/// The child elements of a local name.
pub(crate) fn all<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'a str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The only child element of a local name.
pub(crate) fn one<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'a str) -> Node<'a, 'i> {
    let found: Vec<_> = all(node, name).collect();
    assert_eq!(found.len(), 1, "{} needs one {name}", node.tag_name().name());
    found[0]
}

/// An attribute that must be there.
pub(crate) fn required<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.attribute(name).unwrap_or_else(|| panic!("{} has no {name}", node.tag_name().name()))
}

/// Children are of these names and in this order.
pub(crate) fn assert_order(node: Node<'_, '_>, order: &[&str]) {
    let mut at = 0;
    for child in node.children().filter(Node::is_element) {
        let name = child.tag_name().name();
        let place = order[at..].iter().position(|known| *known == name);
        at += place.unwrap_or_else(|| panic!("{name} is out of place in {}: {order:?}", node.tag_name().name()));
    }
}

/// An XML name without a colon.
pub(crate) fn assert_ncname(name: &str) {
    let is_first = |c: char| c.is_alphabetic() || c == '_';
    let is_further = |c: char| is_first(c) || c.is_numeric() || "-.".contains(c);
    assert!(name.chars().next().is_some_and(is_first) && name.chars().all(is_further), "{name:?} is no NCName");
}

/// What holds for the manifest of every package. Gives the resources by identifier.
pub(crate) fn manifest<'a, 'i: 'a>(
    files: &Files,
    document: &'a Document<'i>,
    namespace: &str,
) -> BTreeMap<String, Node<'a, 'i>> {
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.tag_name().namespace()), ("manifest", Some(namespace)));
    assert_order(root, &["metadata", "organizations", "resources"]);
    let mut identifiers = BTreeSet::new();
    let is_own = |node: &Node<'_, '_>| node.tag_name().namespace() == Some(namespace);
    for node in root.descendants().filter(Node::is_element).filter(is_own) {
        if let Some(identifier) = node.attribute("identifier") {
            assert_ncname(identifier);
            assert!(identifiers.insert(identifier.to_owned()), "{identifier} is there twice");
        }
    }
    let mut listed = BTreeSet::from(["imsmanifest.xml".to_owned()]);
    let resources: BTreeMap<String, Node<'_, '_>> =
        all(one(root, "resources"), "resource").map(|node| (required(node, "identifier").to_owned(), node)).collect();
    for (identifier, resource) in &resources {
        assert_order(*resource, &["metadata", "file", "dependency"]);
        let hrefs: Vec<&str> = all(*resource, "file").map(|file| required(file, "href")).collect();
        assert!(!hrefs.is_empty(), "{identifier} has no file");
        assert_eq!(hrefs.iter().collect::<BTreeSet<_>>().len(), hrefs.len(), "[9a] {identifier} has a file twice");
        if let Some(href) = resource.attribute("href") {
            assert!(hrefs.contains(&href), "[10b] {identifier} begins with a file that it does not have");
        }
        for href in hrefs {
            assert!(files.contains_key(href), "{href} is not in the package");
            listed.insert(href.to_owned());
        }
        let targets: Vec<&str> = all(*resource, "dependency").map(|node| required(node, "identifierref")).collect();
        assert_eq!(targets.iter().collect::<BTreeSet<_>>().len(), targets.len(), "[7b] {identifier}");
        for target in targets {
            assert!(resources.contains_key(target), "{identifier} depends on {target}, which is not there");
            assert_ne!(target, identifier, "[7a]");
        }
    }
    let unlisted: Vec<_> = files.keys().filter(|file| !listed.contains(*file)).collect();
    assert!(unlisted.is_empty(), "not in the manifest: {unlisted:?}");
    resources
}
