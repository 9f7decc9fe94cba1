//! Reading `imsmanifest.xml`: the resources, what they depend on, and the order that they are in.
//!
//! QTI packages and Common Cartridges of all versions have the same manifest apart from namespaces.

use std::collections::{HashMap, HashSet};

use crate::archive::path::{self, Target};
use crate::error::ImportError;
use crate::limits::MAX_MANIFEST_ELEMENTS;
use crate::lom::{self, Description};
use crate::report::{Loss, Report, shown};
use crate::xml::Element;

/// What a package says that it holds.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// Of the whole.
    pub(crate) description: Description,
    /// Of the first organization, in order.
    pub(crate) outline: Vec<Outline>,
    pub(crate) resources: Vec<Resource>,
    by_id: HashMap<String, usize>,
    by_first_file: HashMap<String, usize>,
}

/// An item of the organization.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(crate) title: String,
    /// The resource that it shows.
    pub(crate) resource: Option<String>,
    pub(crate) inside: Vec<Outline>,
}

/// A resource.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) id: String,
    /// Such as `imsqti_item_xmlv2p1`.
    pub(crate) kind: String,
    /// Paths in the package; the one that the resource begins with comes first.
    pub(crate) files: Vec<String>,
    /// Ids of other resources, none twice.
    pub(crate) dependencies: Vec<String>,
    pub(crate) description: Description,
}

impl Manifest {
    /// Where the resource of an id is.
    pub(crate) fn place(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The resource that begins with this file.
    pub(crate) fn resource_of(&self, file: &str) -> Option<&Resource> {
        self.by_first_file.get(file).map(|place| &self.resources[*place])
    }
}

/// Reads a manifest. References that lead out of the package refuse all of it.
pub(crate) fn read(root: &Element, file: &str, report: &mut Report) -> Result<Manifest, ImportError> {
    if root.name != "manifest" {
        return Err(ImportError::NoManifest);
    }
    if root.descendants().count() > MAX_MANIFEST_ELEMENTS {
        return Err(ImportError::TooComplex { file: shown(file) });
    }
    if root.first("manifest").is_some() {
        report.add(file, Loss::Structure, "Manifests inside the manifest were left out.");
    }
    if root.descendants().any(|element| element.name == "metadata" && lom::has_more(element)) {
        report.add(file, Loss::Metadata, "Metadata such as authors, rights and keywords was left out.");
    }
    let description = root.first("metadata").map(lom::read).unwrap_or_default();
    let base = based(path::folder(file), root, file)?;
    let mut resources = Vec::new();
    if let Some(listed) = root.first("resources") {
        let base = based(&base, listed, file)?;
        for element in listed.all("resource") {
            resources.push(resource(element, &base, file, report)?);
        }
    }
    let organizations = root.first("organizations");
    if organizations.is_some_and(|all| all.all("organization").count() > 1) {
        report.add(file, Loss::Structure, "Only the first of several organizations was read.");
    }
    let outline = organizations.and_then(|all| all.first("organization")).map(outline).unwrap_or_default();
    let mut by_id = HashMap::new();
    let mut by_first_file = HashMap::new();
    for (place, resource) in resources.iter().enumerate() {
        by_id.entry(resource.id.clone()).or_insert(place);
        if let Some(first) = resource.files.first() {
            by_first_file.entry(first.clone()).or_insert(place);
        }
    }
    Ok(Manifest { description, outline, resources, by_id, by_first_file })
}

/// Follows a reference relative to `base`; addresses on the web are reported and none.
pub(crate) fn follow(
    base: &str,
    reference: &str,
    file: &str,
    report: &mut Report,
) -> Result<Option<String>, ImportError> {
    match path::resolve(base, reference) {
        Ok(Target::Inside(path)) => Ok(Some(path)),
        Ok(Target::Web(address)) => {
            let message = format!("Something on the web was not fetched: “{}”.", shown(&address));
            report.add(file, Loss::Link, message);
            Ok(None)
        }
        Err(_) => Err(ImportError::PointsOutside { file: shown(file), target: shown(reference) }),
    }
}

/// The folder that references inside `element` are relative to.
fn based(base: &str, element: &Element, file: &str) -> Result<String, ImportError> {
    match element.attribute("xml:base").map(str::trim) {
        None | Some("" | "." | "./") => Ok(base.to_owned()),
        Some(own) => match path::resolve(base, own) {
            Ok(Target::Inside(path)) => Ok(path),
            _ => Err(ImportError::PointsOutside { file: shown(file), target: shown(own) }),
        },
    }
}

fn resource(element: &Element, base: &str, file: &str, report: &mut Report) -> Result<Resource, ImportError> {
    let base = based(base, element, file)?;
    let text = |name| element.attribute(name).unwrap_or_default().to_owned();
    let hrefs =
        element.attribute("href").into_iter().chain(element.all("file").filter_map(|file| file.attribute("href")));
    let mut files = Vec::new();
    let mut taken = HashSet::new();
    for href in hrefs {
        if let Some(path) = follow(&base, href, file, report)?.filter(|path| taken.insert(path.clone())) {
            files.push(path);
        }
    }
    let dependencies = element.all("dependency").filter_map(|dependency| dependency.attribute("identifierref"));
    let mut named = HashSet::new();
    let dependencies = dependencies.filter(|id| named.insert(*id)).map(str::to_owned).collect();
    Ok(Resource {
        id: text("identifier"),
        kind: text("type"),
        files,
        dependencies,
        description: element.first("metadata").map(lom::read).unwrap_or_default(),
    })
}

fn outline(parent: &Element) -> Vec<Outline> {
    let item = |element: &Element| Outline {
        title: element.first("title").map(Element::text).unwrap_or_default(),
        resource: element.attribute("identifierref").map(str::to_owned),
        inside: outline(element),
    };
    parent.all("item").map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    fn manifest(resources: &str) -> Result<(Manifest, Report), ImportError> {
        let text = format!(
            "<manifest xml:base='a/'><organizations/><resources xml:base='b'>{resources}</resources></manifest>"
        );
        let mut report = Report::default();
        let root = parse(text.as_bytes(), "imsmanifest.xml").unwrap();
        read(&root, "imsmanifest.xml", &mut report).map(|manifest| (manifest, report))
    }

    #[test]
    fn files_are_found_through_all_bases() {
        let (manifest, report) = manifest(
            "<resource identifier='r' type='t' href='x.xml'><file href='x.xml'/><file href='../y%20z.png'/>\
             <dependency identifierref='s'/><dependency identifierref='t'/><dependency identifierref='s'/></resource>",
        )
        .unwrap();
        let resource = &manifest.resources[manifest.place("r").unwrap()];
        assert_eq!(resource.files, ["a/b/x.xml", "a/y z.png"]);
        assert_eq!(resource.dependencies, ["s", "t"]);
        assert!(report.is_empty() && manifest.resource_of("a/b/x.xml").is_some());
    }

    #[test]
    fn references_out_of_the_package_refuse_all_of_it() {
        for href in ["../../../etc/passwd", "/etc/passwd", "C:\\x", "file:///x", "%2e%2e/%2e%2e/%2e%2e/x"] {
            let error = manifest(&format!("<resource identifier='r' type='t' href='{href}'/>")).unwrap_err();
            assert_eq!(error.code(), "points-outside", "{href}");
        }
        let error = manifest("<resource identifier='r' type='t' xml:base='../../../x'/>").unwrap_err();
        assert_eq!(error.code(), "points-outside");
    }

    #[test]
    fn what_is_on_the_web_is_not_fetched() {
        let (manifest, report) = manifest("<resource identifier='r' type='t' href='https://e.org/x'/>").unwrap();
        assert!(manifest.resources[0].files.is_empty());
        assert_eq!(report.findings[0].code, Loss::Link);
    }
}
