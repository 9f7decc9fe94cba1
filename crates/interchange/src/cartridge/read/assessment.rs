//! A QTI 1.2 file: an assessment, an object bank, or items by themselves.

use super::item;
use super::material::{self, Text};
use crate::cartridge::extension::Extension;
use crate::error::ImportError;
use crate::model::TestContent;
use crate::qti::read::make_ids_unique;
use crate::report::Loss;
use crate::upload::Upload;
use crate::xml::Element;
use crate::xml::names::language_tag;

/// Reads a file; none when it is no QTI 1.2, which is reported.
pub(super) fn read(
    package: &mut Upload<'_>,
    file: &str,
    root: &Element,
    extension: Option<&Extension>,
) -> Result<Option<TestContent>, ImportError> {
    if root.name != "questestinterop" {
        package.report.add(file, Loss::File, "The file is no QTI 1.2 assessment.");
        return Ok(None);
    }
    if root.elements().filter(|element| is_whole(element)).count() > 1 {
        package.report.add(file, Loss::Structure, "Several tests in one file became one.");
    }
    let whole = root.elements().find(|element| is_whole(element)).unwrap_or(root);
    let fields = material::fields(whole);
    let is_own = extension.is_some();
    let title = whole.attribute("title").unwrap_or_default();
    let language = whole.attribute("xml:lang").or_else(|| root.attribute("xml:lang")).unwrap_or_default();
    let mut test = TestContent {
        title: if is_own { title.to_owned() } else { title.trim().to_owned() },
        description: description(whole, is_own, file, package),
        language: language_tag(language.trim()).unwrap_or_default().to_owned(),
        time_limit_minutes: fields
            .get("qmd_timelimit")
            .and_then(|limit| limit.trim().parse::<u32>().ok())
            .filter(|limit| *limit > 0)
            .map(f64::from),
        ..TestContent::default()
    };
    if let Some(extension) = extension {
        extend(&mut test, extension);
    }
    note_rules(root, &fields, file, package);
    let has_title = |item: &Element| item.attribute("title").is_some_and(|title| !title.trim().is_empty());
    if root.descendants().any(|element| element.name == "item" && has_title(element)) {
        package.report.add(file, Loss::Metadata, "Titles of the questions were left out.");
    }
    for element in root.descendants().filter(|element| element.name == "item") {
        let ident = element.attribute("ident").unwrap_or_default();
        let added = extension.and_then(|extension| extension.items.get(ident));
        if let Some(item) = item::read(element, added, file, &mut package.report) {
            package.count_item()?;
            test.items.push(item);
        }
    }
    make_ids_unique(&mut test.items);
    if test.items.is_empty() {
        package.report.add(file, Loss::Question, "The test has no question that can be kept, so it was left out.");
    }
    Ok((!test.items.is_empty()).then_some(test))
}

/// Adds what the cartridge has no place for.
fn extend(test: &mut TestContent, extension: &Extension) {
    test.subject.clone_from(&extension.subject);
    test.level.clone_from(&extension.level);
    test.passing = extension.passing;
    test.time_limit_minutes = test.time_limit_minutes.or(extension.time_limit_minutes);
}

fn is_whole(element: &Element) -> bool {
    matches!(element.name.as_str(), "assessment" | "objectbank")
}

/// What learners are told before the questions.
fn description(whole: &Element, is_own: bool, file: &str, package: &mut Upload<'_>) -> String {
    let names = ["rubric", "presentation_material", "objectives"];
    let mut text = Text::new(is_own);
    for part in whole.elements().filter(|part| names.contains(&part.name.as_str())) {
        text.take(part);
    }
    let (text, notes) = text.finish();
    notes.report(&mut package.report, file);
    text
}

fn note_rules(root: &Element, fields: &material::Fields, file: &str, package: &mut Upload<'_>) {
    let has = |name: &str| root.descendants().any(|element| element.name == name);
    let mut add = |is_lost: bool, code, message| {
        if is_lost {
            package.report.add(file, code, message);
        }
    };
    let sections = root.descendants().filter(|element| element.name == "section").count();
    add(sections > 1, Loss::Structure, "The sections were put one after the other; their titles were left out.");
    add(
        has("selection_ordering") || has("selection"),
        Loss::Behaviour,
        "Choosing questions at random and shuffling them was left out.",
    );
    add(has("itemref") || has("sectionref"), Loss::File, "Questions that are in other files were left out.");
    add(has("outcomes_processing"), Loss::Scoring, "Rules that compute the score of the whole were left out.");
    add(has("assessfeedback") || has("sectionfeedback"), Loss::Feedback, "Feedback on the whole test was left out.");
    let has_attempts = fields.get("cc_maxattempts").is_some_and(|attempts| !attempts.trim().is_empty());
    add(has_attempts, Loss::Behaviour, "How many attempts there are was left out.");
    let is_late_allowed = fields.get("cc_allow_late_submission").is_some_and(|allowed| allowed.trim() == "Yes");
    add(is_late_allowed, Loss::Behaviour, "That answers may be late was left out.");
}
