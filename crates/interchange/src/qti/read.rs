//! Tests out of QTI packages of version 2.0 to 3.0, our own and other systems'.

mod answers;
mod body;
mod item;
mod test;

use std::collections::{BTreeSet, HashMap, HashSet};

pub(crate) use item::{has_too_many, is_true_false};

use super::dialect::canonical;
use crate::error::ImportError;
use crate::manifest::Resource;
use crate::model::{Item, TestContent};
use crate::report::Loss;
use crate::upload::Upload;
use crate::xml::Element;

/// What a resource of a package is to QTI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Test,
    Item,
    /// A part of a test or an item that is read where it is referred to, or not at all.
    Part,
}

/// What a resource type is to QTI 2 and 3; none when it is something else.
pub(crate) fn kind(resource_type: &str) -> Option<Kind> {
    let (name, version) = resource_type.strip_prefix("imsqti_")?.split_once("_xmlv")?;
    if !version.starts_with(['2', '3']) {
        return None;
    }
    match name {
        "test" | "assessment" => Some(Kind::Test),
        "item" => Some(Kind::Item),
        _ => Some(Kind::Part),
    }
}

/// Reads all tests, and the items in no test as one more.
pub(crate) fn tests(package: &mut Upload<'_>) -> Result<Vec<TestContent>, ImportError> {
    let begins_with = |kind_of: Kind| {
        let first = |resource: &Resource| resource.files.first().cloned();
        move |resource: &Resource| (kind(&resource.kind) == Some(kind_of)).then(|| first(resource)).flatten()
    };
    let test_files: Vec<String> = package.manifest.resources.iter().filter_map(begins_with(Kind::Test)).collect();
    let item_files: Vec<String> = package.manifest.resources.iter().filter_map(begins_with(Kind::Item)).collect();
    let mut used = BTreeSet::new();
    let mut tests = Vec::new();
    for file in test_files {
        if let Some(root) = package.document(&file)? {
            tests.extend(test::read(package, &file, renamed(root), &mut used)?);
        }
    }
    let loose: Vec<String> = item_files.into_iter().filter(|file| !used.contains(file)).collect();
    if !loose.is_empty() {
        if !tests.is_empty() {
            let path = package.manifest_path.clone();
            package.report.add(&path, Loss::Structure, "The questions in no test became a test of their own.");
        }
        tests.extend(test::of_loose_items(package, &loose)?);
    }
    Ok(tests)
}

/// A document in the names of QTI 2.
fn renamed(mut root: Element) -> Element {
    if root.name.starts_with("qti-") {
        root.rename(canonical);
    }
    root
}

/// Gives items of the same id new ones.
pub(crate) fn make_ids_unique(items: &mut [Item]) {
    let mut taken: HashSet<String> = items.iter().map(|item| item.id.clone()).collect();
    // The number that the next item of an id would get.
    let mut next: HashMap<String, usize> = HashMap::new();
    for item in items {
        let Some(number) = next.get_mut(&item.id) else {
            next.insert(item.id.clone(), 2);
            continue;
        };
        loop {
            let id = format!("{}-{number}", item.id);
            *number += 1;
            if taken.insert(id.clone()) {
                item.id = id;
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_the_same_id_get_new_ones() {
        let item = |id: &str| Item {
            id: id.to_owned(),
            question: String::new(),
            kind: crate::model::ItemKind::Blank,
            options: Vec::new(),
            correct_answers: Vec::new(),
            explanation: String::new(),
            score: 1.0,
        };
        let mut items = ["a", "a", "a-2", "", "a", ""].map(item);
        make_ids_unique(&mut items);
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
        assert_eq!(ids[..4], ["a", "a-3", "a-2", ""]);
    }

    #[test]
    fn resource_types_of_all_versions_are_known() {
        for (resource_type, expected) in [
            ("imsqti_test_xmlv2p1", Some(Kind::Test)),
            ("imsqti_assessment_xmlv2p1", Some(Kind::Test)),
            ("imsqti_item_xmlv2p0", Some(Kind::Item)),
            ("imsqti_item_xmlv3p0", Some(Kind::Item)),
            ("imsqti_stimulus_xmlv3p0", Some(Kind::Part)),
            ("imsqti_xmlv1p2/imscc_xmlv1p3/assessment", None),
            ("webcontent", None),
        ] {
            assert_eq!(kind(resource_type), expected, "{resource_type}");
        }
    }
}
