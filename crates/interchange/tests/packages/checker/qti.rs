//! The rules of QTI 2.1 and 3.0 packages.

use std::collections::BTreeSet;

use roxmltree::Node;

use super::{Files, all, assert_ncname, assert_order, manifest, one, required, unpack, xml};

/// A version, by what its files say.
pub(crate) struct Version {
    pub(crate) manifest: &'static str,
    pub(crate) items: &'static str,
    pub(crate) schema: (&'static str, &'static str),
    pub(crate) types: (&'static str, &'static str),
    /// The name of an element or attribute, given as in 2.1.
    pub(crate) name: fn(&str) -> String,
    pub(crate) has_content_body: bool,
}

pub(crate) const V21: Version = Version {
    manifest: "http://www.imsglobal.org/xsd/imscp_v1p1",
    items: "http://www.imsglobal.org/xsd/imsqti_v2p1",
    schema: ("QTIv2.1 Package", "1.0.0"),
    types: ("imsqti_test_xmlv2p1", "imsqti_item_xmlv2p1"),
    name: str::to_owned,
    has_content_body: false,
};

pub(crate) const V30: Version = Version {
    manifest: "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
    items: "http://www.imsglobal.org/xsd/imsqtiasi_v3p0",
    schema: ("QTI Package", "3.0.0"),
    types: ("imsqti_test_xmlv3p0", "imsqti_item_xmlv3p0"),
    name: dashed,
    has_content_body: true,
};

fn dashed(name: &str) -> String {
    let mut dashed = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            dashed.push('-');
        }
        dashed.extend(letter.to_lowercase());
    }
    dashed
}

const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

impl Version {
    fn element(&self, name: &str) -> String {
        if self.has_content_body { format!("qti-{}", (self.name)(name)) } else { name.to_owned() }
    }

    fn elements(&self, names: &[&str]) -> Vec<String> {
        names.iter().map(|name| self.element(name)).collect()
    }

    fn attribute<'a>(&self, node: Node<'a, '_>, name: &str) -> &'a str {
        required(node, &(self.name)(name))
    }
}

/// Checks a package that holds one test.
pub(crate) fn check(bytes: &[u8], version: &Version) {
    let files = unpack(bytes);
    let document = xml(&files, "imsmanifest.xml");
    let resources = manifest(&files, &document, version.manifest);
    let metadata = one(document.root_element(), "metadata");
    assert_eq!(one(metadata, "schema").text(), Some(version.schema.0));
    assert_eq!(one(metadata, "schemaversion").text(), Some(version.schema.1));
    assert!(one(document.root_element(), "organizations").children().all(|node| !node.is_element()));
    let mut items = BTreeSet::new();
    let mut tests = Vec::new();
    for resource in resources.values() {
        let href = required(*resource, "href");
        match required(*resource, "type") {
            kind if kind == version.types.0 => tests.push((href, *resource)),
            kind if kind == version.types.1 => {
                check_item(&files, href, version);
                items.insert(href.to_owned());
            }
            other => panic!("a resource of type {other}"),
        }
    }
    assert_eq!(tests.len(), 1);
    let (href, resource) = tests[0];
    let referred = check_test(&files, href, version);
    assert_eq!(referred, items, "the test refers to all items");
    let dependencies: BTreeSet<&str> =
        all(resource, "dependency").map(|node| required(node, "identifierref")).collect();
    assert_eq!(dependencies.len(), items.len(), "the test depends on all items");
}

fn check_test(files: &Files, path: &str, version: &Version) -> BTreeSet<String> {
    let document = xml(files, path);
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), version.element("assessmentTest"));
    assert_eq!(root.tag_name().namespace(), Some(version.items));
    assert_ncname(required(root, "identifier"));
    required(root, "title");
    let order = version.elements(&["outcomeDeclaration", "timeLimits", "testPart", "outcomeProcessing"]);
    assert_order(root, &order.iter().map(String::as_str).collect::<Vec<_>>());
    let part_name = version.element("testPart");
    let part = one(root, &part_name);
    assert!(["linear", "nonlinear"].contains(&version.attribute(part, "navigationMode")));
    assert!(["individual", "simultaneous"].contains(&version.attribute(part, "submissionMode")));
    let section_name = version.element("assessmentSection");
    let section = one(part, &section_name);
    assert_ne!(required(part, "identifier"), required(section, "identifier"));
    required(section, "title");
    assert!(["true", "false"].contains(&required(section, "visible")));
    let mut identifiers = BTreeSet::new();
    let mut hrefs = BTreeSet::new();
    for reference in all(section, &version.element("assessmentItemRef")) {
        assert_ncname(required(reference, "identifier"));
        assert!(identifiers.insert(required(reference, "identifier")));
        let href = required(reference, "href");
        let item = xml(files, href);
        assert_eq!(required(item.root_element(), "identifier"), required(reference, "identifier"));
        hrefs.insert(href.to_owned());
    }
    check_variables(root, version, &BTreeSet::new());
    if let Some(limits) = all(root, &version.element("timeLimits")).next() {
        assert!(version.attribute(limits, "maxTime").parse::<f64>().unwrap() > 0.0);
    }
    hrefs
}

fn check_item(files: &Files, path: &str, version: &Version) {
    let document = xml(files, path);
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), version.element("assessmentItem"));
    assert_eq!(root.tag_name().namespace(), Some(version.items));
    assert_ncname(required(root, "identifier"));
    assert!(!required(root, "title").is_empty());
    assert_eq!(version.attribute(root, "timeDependent"), "false");
    assert_eq!(required(root, "adaptive"), "false");
    let order = version.elements(&[
        "responseDeclaration",
        "outcomeDeclaration",
        "itemBody",
        "responseProcessing",
        "modalFeedback",
    ]);
    assert_order(root, &order.iter().map(String::as_str).collect::<Vec<_>>());
    for node in root.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        if node.tag_name().namespace() == Some(MATHML) {
            check_formula_part(node);
            continue;
        }
        let is_xhtml = ["p", "pre", "br", "div"].contains(&name);
        assert!(!version.has_content_body || is_xhtml || name.starts_with("qti-"), "{name}");
        assert_eq!(node.tag_name().namespace(), Some(version.items), "{name}");
    }
    let declaration_name = version.element("responseDeclaration");
    let declaration = one(root, &declaration_name);
    assert_eq!(required(declaration, "identifier"), "RESPONSE");
    check_interaction(root, declaration, version);
    check_variables(root, version, &BTreeSet::from(["RESPONSE"]));
    for holder in ["modalFeedback", "rubricBlock"] {
        for node in root.descendants().filter(|node| node.tag_name().name() == version.element(holder)) {
            let bodies = all(node, &version.element("contentBody")).count();
            assert_eq!(bodies, usize::from(version.has_content_body), "{holder}");
        }
    }
    for rubric in root.descendants().filter(|node| node.tag_name().name() == version.element("rubricBlock")) {
        assert_eq!(required(rubric, "view"), "scorer", "learners must not see model answers");
    }
}

/// MathML stands in a formula, and the formula in XHTML or where inline content may be.
fn check_formula_part(node: Node<'_, '_>) {
    let parent = node.parent_element().unwrap().tag_name();
    if node.tag_name().name() == "math" {
        assert_ne!(parent.namespace(), Some(MATHML), "no formula in a formula");
        let holders = ["p", "pre", "div", "prompt", "qti-prompt", "simpleChoice", "qti-simple-choice", "modalFeedback"];
        assert!(holders.contains(&parent.name()), "a formula in {}", parent.name());
        assert!(["inline", "block"].contains(&required(node, "display")));
    } else {
        assert_eq!(parent.namespace(), Some(MATHML), "{} outside of a formula", node.tag_name().name());
        assert!(!["annotation-xml", "maction", "mglyph"].contains(&node.tag_name().name()));
    }
}

fn check_interaction(root: Node<'_, '_>, declaration: Node<'_, '_>, version: &Version) {
    let is_interaction = |node: &Node<'_, '_>| node.tag_name().name().to_lowercase().ends_with("interaction");
    let interactions: Vec<_> = root.descendants().filter(is_interaction).collect();
    assert_eq!(interactions.len(), 1);
    let interaction = interactions[0];
    assert_eq!(version.attribute(interaction, "responseIdentifier"), "RESPONSE");
    let cardinality = required(declaration, "cardinality");
    let base = version.attribute(declaration, "baseType");
    let correct_name = version.element("correctResponse");
    let value_name = version.element("value");
    let values: Vec<String> = all(declaration, &correct_name)
        .flat_map(|correct| {
            all(correct, &value_name).map(|value| value.text().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        })
        .collect();
    assert!(cardinality == "multiple" || values.len() <= 1, "a single response has one value");
    let name = interaction.tag_name().name();
    if name == version.element("choiceInteraction") {
        assert_eq!(base, "identifier");
        let most = version.attribute(interaction, "maxChoices");
        assert_eq!(most == "1", cardinality == "single");
        let choice_name = version.element("simpleChoice");
        let choices: Vec<&str> = all(interaction, &choice_name).map(|choice| required(choice, "identifier")).collect();
        assert!(!choices.is_empty());
        assert_eq!(choices.iter().collect::<BTreeSet<_>>().len(), choices.len(), "identifiers are unique");
        choices.iter().for_each(|choice| assert_ncname(choice));
        assert!(values.iter().all(|value| choices.contains(&value.as_str())), "keys are among the choices");
        assert_eq!(values.iter().collect::<BTreeSet<_>>().len(), values.len(), "no key twice");
    } else if name == version.element("uploadInteraction") {
        assert_eq!(base, "file");
    } else {
        assert_eq!(base, "string");
    }
    if name == version.element("textEntryInteraction") {
        let parent = interaction.parent_element().unwrap();
        assert_eq!(parent.tag_name().name(), "p", "an inline interaction is inside a block");
    }
    for mapping in all(declaration, &version.element("mapping")) {
        version.attribute(mapping, "defaultValue");
        let entry_name = version.element("mapEntry");
        let keys: Vec<&str> = all(mapping, &entry_name).map(|entry| version.attribute(entry, "mapKey")).collect();
        assert!(!keys.is_empty());
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "no text is mapped twice");
        for entry in all(mapping, &entry_name) {
            assert!(version.attribute(entry, "mappedValue").parse::<f64>().unwrap().is_finite());
        }
    }
}

/// Every variable that is used is declared; every declared number is one.
fn check_variables(root: Node<'_, '_>, version: &Version, responses: &BTreeSet<&str>) {
    let mut declared = responses.clone();
    let outcome_name = version.element("outcomeDeclaration");
    for outcome in all(root, &outcome_name) {
        assert!(declared.insert(required(outcome, "identifier")));
        required(outcome, "cardinality");
        for name in ["normalMaximum", "normalMinimum", "masteryValue"] {
            if let Some(number) = outcome.attribute((version.name)(name).as_str()) {
                assert!(number.parse::<f64>().unwrap().is_finite(), "{name}");
            }
        }
    }
    let users = version.elements(&["variable", "correct", "mapResponse", "setOutcomeValue"]);
    for node in root.descendants().filter(|node| users.iter().any(|user| node.tag_name().name() == user)) {
        assert!(declared.contains(required(node, "identifier")), "{} is not declared", required(node, "identifier"));
    }
    for feedback in all(root, &version.element("modalFeedback")) {
        assert!(declared.contains(version.attribute(feedback, "outcomeIdentifier")));
        assert_eq!(version.attribute(feedback, "showHide"), "show");
        assert_ncname(required(feedback, "identifier"));
    }
}
