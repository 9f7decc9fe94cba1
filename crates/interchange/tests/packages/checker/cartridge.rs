//! The rules of Common Cartridge 1.3.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node;

use super::{Files, all, assert_order, manifest, one, required, unpack, xml};

const NAMESPACE: &str = "http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1";
const LOM: &str = "http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest";
const ASSESSMENT: &str = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2";
const WEB_LINK: &str = "http://www.imsglobal.org/xsd/imsccv1p3/imswl_v1p3";
const ASSESSMENT_TYPE: &str = "imsqti_xmlv1p2/imscc_xmlv1p3/assessment";
const LINK_TYPE: &str = "imswl_xmlv1p3";
const ASSOCIATED_TYPE: &str = "associatedcontent/imscc_xmlv1p3/learning-application-resource";

/// Checks a cartridge.
pub(crate) fn check(bytes: &[u8]) {
    let files = unpack(bytes);
    let document = xml(&files, "imsmanifest.xml");
    let resources = manifest(&files, &document, NAMESPACE);
    let metadata = one(document.root_element(), "metadata");
    assert_order(metadata, &["schema", "schemaversion", "lom"]);
    assert_eq!(one(metadata, "schema").text(), Some("IMS Common Cartridge"));
    assert_eq!(one(metadata, "schemaversion").text(), Some("1.3.0"));
    assert_eq!(one(metadata, "lom").tag_name().namespace(), Some(LOM));
    check_organization(document.root_element(), &resources);
    for (identifier, resource) in &resources {
        check_resource(&files, identifier, *resource, &resources);
    }
}

fn check_organization(root: Node<'_, '_>, resources: &BTreeMap<String, Node<'_, '_>>) {
    let organization = one(one(root, "organizations"), "organization");
    assert_eq!(required(organization, "structure"), "rooted-hierarchy");
    let top = one(organization, "item");
    assert!(all(top, "title").next().is_none(), "the root has no title");
    for item in all(top, "item") {
        one(item, "title");
        assert!(all(item, "item").next().is_none(), "[8b] an entry has no entries");
        let target = resources.get(required(item, "identifierref")).expect("the entry shows a resource");
        assert_ne!(required(*target, "type"), ASSOCIATED_TYPE);
    }
}

fn check_resource(files: &Files, identifier: &str, resource: Node<'_, '_>, resources: &BTreeMap<String, Node<'_, '_>>) {
    let paths: Vec<&str> = all(resource, "file").map(|file| required(file, "href")).collect();
    let targets = || all(resource, "dependency").map(|node| resources[required(node, "identifierref")]);
    match required(resource, "type") {
        "webcontent" => {
            assert!(resource.attribute("href").is_some(), "[5g]");
            assert_eq!(targets().count(), 0);
            assert!(files[paths[0]].starts_with("<!doctype html>"));
        }
        ASSESSMENT_TYPE => {
            assert_eq!(paths.len(), 1, "[3a] [3b] {identifier}");
            assert!(resource.attribute("href").is_none(), "[3c] {identifier}");
            for target in targets() {
                assert_eq!(required(target, "type"), ASSOCIATED_TYPE, "[3d] to [3h]");
                let folder = |path: &str| path.rsplit_once('/').unwrap().0.to_owned();
                let associated = required(one(target, "file"), "href");
                assert_eq!(folder(associated), folder(paths[0]), "associated content is beside its resource");
            }
            check_assessment(files, paths[0]);
        }
        LINK_TYPE => {
            assert_eq!(paths.len(), 1, "[2a] [2b]");
            assert!(resource.attribute("href").is_none(), "[2c]");
            assert_eq!(targets().count(), 0, "[2d]");
            let document = xml(files, paths[0]);
            let root = document.root_element();
            assert_eq!((root.tag_name().name(), root.tag_name().namespace()), ("webLink", Some(WEB_LINK)));
            assert_order(root, &["title", "url"]);
            assert!(required(one(root, "url"), "href").starts_with("http"));
        }
        ASSOCIATED_TYPE => {
            assert!(resource.attribute("href").is_some(), "[6g]");
            xml(files, paths[0]);
        }
        other => panic!("a resource of type {other}"),
    }
}

fn check_assessment(files: &Files, path: &str) {
    let document = xml(files, path);
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.tag_name().namespace()), ("questestinterop", Some(ASSESSMENT)));
    let assessment = one(root, "assessment");
    required(assessment, "ident");
    required(assessment, "title");
    assert_order(assessment, &["qtimetadata", "rubric", "presentation_material", "section"]);
    let fields = fields(one(assessment, "qtimetadata"));
    for (label, entry) in &fields {
        let is_valid = match label.as_str() {
            "cc_profile" => entry == "cc.exam.v0p1",
            "qmd_assessmenttype" => entry == "Examination",
            "qmd_scoretype" => entry == "Percentage",
            "qmd_timelimit" => entry.parse::<u32>().is_ok_and(|minutes| (1..527_041).contains(&minutes)),
            _ => false,
        };
        assert!(is_valid, "[1a] to [1j] {label}={entry}");
    }
    let section = one(assessment, "section");
    required(section, "ident");
    let mut identifiers = BTreeSet::new();
    let mut count = 0;
    for item in all(section, "item") {
        assert!(identifiers.insert(required(item, "ident")), "[13a]");
        check_item(item);
        count += 1;
    }
    assert!(count > 0, "a section has items");
}

/// The metadata fields of an element, none twice.
fn fields(metadata: Node<'_, '_>) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    for field in all(metadata, "qtimetadatafield") {
        assert_order(field, &["fieldlabel", "fieldentry"]);
        let text = |name| one(field, name).text().unwrap_or_default().to_owned();
        assert!(fields.insert(text("fieldlabel"), text("fieldentry")).is_none(), "[1k] [2g] a field is there twice");
    }
    fields
}

fn check_item(item: Node<'_, '_>) {
    assert_order(item, &["itemmetadata", "presentation", "resprocessing", "itemfeedback"]);
    let fields = fields(one(one(item, "itemmetadata"), "qtimetadata"));
    for (label, entry) in &fields {
        let is_valid = match label.as_str() {
            "cc_profile" => entry.starts_with("cc.") && entry.ends_with(".v0p1"),
            "cc_weighting" => entry.parse::<u32>().is_ok_and(|weight| (1..100).contains(&weight)),
            "qmd_scoringpermitted" => entry == "Yes",
            "qmd_computerscored" => ["Yes", "No"].contains(&entry.as_str()),
            _ => false,
        };
        assert!(is_valid, "[2a] to [2e] {label}={entry}");
    }
    let presentation = one(item, "presentation");
    assert_order(presentation, &["material", "response_lid", "response_str"]);
    let choices: Vec<&str> = named(item, "response_label")
        .filter(|label| label.parent_element().is_some_and(|parent| parent.tag_name().name() == "render_choice"))
        .map(|label| required(label, "ident"))
        .collect();
    let response = presentation.children().rfind(Node::is_element).unwrap();
    let is_lid = response.tag_name().name() == "response_lid";
    let cardinality = required(response, "rcardinality");
    let values: Vec<&str> = named(item, "varequal").map(|equal| equal.text().unwrap_or_default()).collect();
    let responds = named(item, "varequal").all(|equal| required(equal, "respident") == required(response, "ident"));
    assert!(responds, "[3e] [4e] [5e] [6c]");
    assert_eq!(named(item, "varsubstring").count(), 0);
    match fields["cc_profile"].as_str() {
        "cc.true_false.v0p1" => {
            assert!(is_lid && cardinality == "Single" && choices.len() == 2 && !values.is_empty(), "[3]");
        }
        "cc.multiple_choice.v0p1" => {
            assert!(is_lid && cardinality == "Single" && choices.len() > 2 && !values.is_empty(), "[4]");
        }
        "cc.multiple_response.v0p1" => {
            assert!(is_lid && cardinality == "Multiple" && choices.len() > 1 && !values.is_empty(), "[5]");
        }
        "cc.fib.v0p1" => assert!(!is_lid && !values.is_empty(), "[6]"),
        "cc.essay.v0p1" => {
            assert!(!is_lid && values.is_empty(), "[8a] [8c]");
            assert_eq!(fields.get("qmd_computerscored").map(String::as_str), Some("No"), "[8f]");
            assert!(named(item, "solution").count() < 2, "[8e]");
        }
        other => panic!("[2b] {other}"),
    }
    if is_lid {
        assert_eq!(choices.iter().collect::<BTreeSet<_>>().len(), choices.len());
        assert!(values.iter().all(|value| choices.contains(value)), "[9a] keys are among the choices");
    }
    check_processing(item);
}

fn check_processing(item: Node<'_, '_>) {
    for processing in all(item, "resprocessing") {
        assert_order(processing, &["outcomes", "respcondition"]);
        assert_eq!(required(one(one(processing, "outcomes"), "decvar"), "varname"), "SCORE");
        assert!(all(processing, "respcondition").count() > 0);
        for condition in all(processing, "respcondition") {
            assert_order(condition, &["conditionvar", "setvar", "displayfeedback"]);
            assert!(one(condition, "conditionvar").children().any(|node| node.is_element()));
        }
    }
    let shown: BTreeMap<&str, &str> = named(item, "displayfeedback")
        .map(|shown| (required(shown, "linkrefid"), required(shown, "feedbacktype")))
        .collect();
    let feedback: BTreeSet<&str> = all(item, "itemfeedback").map(|feedback| required(feedback, "ident")).collect();
    assert_eq!(shown.keys().copied().collect::<BTreeSet<_>>(), feedback, "[11d] [12c] [12d]");
    for (ident, kind) in shown {
        assert_eq!(ident == "solution", kind == "Solution", "[11a] [12a]");
    }
    for feedback in all(item, "itemfeedback") {
        let is_solution = required(feedback, "ident") == "solution";
        assert_eq!(all(feedback, "solution").count(), usize::from(is_solution), "[11b]");
        assert_eq!(all(feedback, "flow_mat").count(), usize::from(!is_solution), "[11c]");
    }
}

fn named<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'a str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.descendants().filter(move |inside| inside.is_element() && inside.tag_name().name() == name)
}
