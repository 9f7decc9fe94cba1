//! The assessment test: which items in which order, the time limit, and what it takes to pass.

use std::collections::{BTreeSet, HashSet};

use super::item::{self, Found};
use super::{make_ids_unique, renamed};
use crate::error::ImportError;
use crate::model::{Item, Passing, TestContent};
use crate::qti::{SCORE_PERCENT, TOOL};
use crate::report::Loss;
use crate::text::flatten;
use crate::upload::Upload;
use crate::xml::Element;

/// How deep section files may refer to section files.
const MAX_REFERENCES_DEPTH: usize = 8;

/// Reads a test and its items; adds the items' files to `used`.
pub(super) fn read(
    package: &mut Upload<'_>,
    file: &str,
    root: Element,
    used: &mut BTreeSet<String>,
) -> Result<Option<TestContent>, ImportError> {
    if root.name != "assessmentTest" {
        package.report.add(file, Loss::File, "The file is no QTI test.");
        return Ok(None);
    }
    let mut walk = Walk::default();
    for part in root.all("testPart") {
        walk.part(package, file, part)?;
    }
    walk.report(package, file);
    if root.first("testFeedback").is_some() {
        package.report.add(file, Loss::Feedback, "Feedback on the whole test was left out.");
    }
    let mut test = TestContent {
        title: root.attribute("title").unwrap_or_default().to_owned(),
        description: walk.instructions.join("\n"),
        time_limit_minutes: time_limit(&root, file, package),
        passing: passing(&root),
        ..TestContent::default()
    };
    items(package, file, &mut test, &walk.references)?;
    let has_lost_all = test.items.is_empty() && !walk.references.is_empty();
    used.extend(walk.references.into_iter().map(|reference| reference.file));
    let is_own = root.attribute("toolName") == Some(TOOL);
    if root.first("outcomeProcessing").is_some() && !is_own {
        package.report.add(file, Loss::Scoring, "Rules that compute the score of the whole were left out.");
    }
    describe(&mut test, package, file, is_own);
    if has_lost_all {
        package.report.add(file, Loss::Question, "None of the test's questions can be kept, so it was left out.");
    }
    Ok((!has_lost_all).then_some(test))
}

/// The items that no test refers to, as a test; none when none of them can be kept.
pub(super) fn of_loose_items(package: &mut Upload<'_>, files: &[String]) -> Result<Option<TestContent>, ImportError> {
    let mut references = Vec::new();
    for file in files {
        package.count_item()?;
        references.push(Reference { file: file.clone(), weight: 1.0 });
    }
    let mut test = TestContent::default();
    let manifest = package.manifest_path.clone();
    items(package, &manifest, &mut test, &references)?;
    describe(&mut test, package, &manifest, false);
    Ok((!test.items.is_empty()).then_some(test))
}

/// An item in a test.
struct Reference {
    file: String,
    weight: f64,
}

/// What is met on the way through parts and sections.
#[derive(Default)]
struct Walk {
    references: Vec<Reference>,
    /// Files of sections that were read.
    section_files: HashSet<String>,
    instructions: Vec<String>,
    sections: usize,
    has_rules: bool,
    has_selection: bool,
    has_session_control: bool,
    has_part_limits: bool,
    has_categories: bool,
}

impl Walk {
    fn part(&mut self, package: &mut Upload<'_>, file: &str, part: &Element) -> Result<(), ImportError> {
        self.conditions(part);
        for section in part.elements() {
            self.section_or_reference(package, file, section, 0)?;
        }
        Ok(())
    }

    fn section_or_reference(
        &mut self,
        package: &mut Upload<'_>,
        file: &str,
        element: &Element,
        depth: usize,
    ) -> Result<(), ImportError> {
        match element.name.as_str() {
            "assessmentSection" => {
                self.sections += 1;
                self.conditions(element);
                for child in element.elements() {
                    self.section_or_reference(package, file, child, depth)?;
                }
            }
            "assessmentSectionRef" => self.section_file(package, file, element, depth)?,
            "assessmentItemRef" => {
                self.conditions(element);
                self.has_categories |= element.attribute("category").is_some();
                let href = element.attribute("href").unwrap_or_default();
                if let Some(path) = package.follow(file, href)? {
                    let weight = element.first("weight").and_then(|weight| weight.attribute("value"));
                    let weight = weight.and_then(|value| value.trim().parse().ok()).unwrap_or(1.0);
                    // Whether or not it can be kept: references alone take memory and time.
                    package.count_item()?;
                    self.references.push(Reference { file: path, weight });
                }
            }
            "rubricBlock" => {
                let (text, notes) = flatten(element);
                notes.report(&mut package.report, file);
                self.instructions.push(text);
            }
            "include" => {
                package.report.add(file, Loss::File, "A part that another file holds (XInclude) was left out.");
            }
            _ => {}
        }
        Ok(())
    }

    fn section_file(
        &mut self,
        package: &mut Upload<'_>,
        file: &str,
        element: &Element,
        depth: usize,
    ) -> Result<(), ImportError> {
        let Some(path) = package.follow(file, element.attribute("href").unwrap_or_default())? else { return Ok(()) };
        if depth >= MAX_REFERENCES_DEPTH {
            package.report.add(file, Loss::Structure, "Sections refer to sections too deeply; the rest was left out.");
            return Ok(());
        }
        if !self.section_files.insert(path.clone()) {
            package.report.add(file, Loss::Structure, "A section that is referred to more than once was kept once.");
            return Ok(());
        }
        let Some(root) = package.document(&path)? else { return Ok(()) };
        self.section_or_reference(package, &path, &renamed(root), depth + 1)
    }

    fn conditions(&mut self, element: &Element) {
        let has = |name| element.first(name).is_some();
        self.has_rules |= has("preCondition") || has("branchRule");
        self.has_selection |= has("selection") || has("ordering");
        self.has_session_control |= has("itemSessionControl");
        self.has_part_limits |= has("timeLimits");
    }

    fn report(&self, package: &mut Upload<'_>, file: &str) {
        let mut add = |is_lost: bool, code, message| {
            if is_lost {
                package.report.add(file, code, message);
            }
        };
        add(
            self.sections > 1,
            Loss::Structure,
            "The sections were put one after the other; their titles were left out.",
        );
        add(self.has_rules, Loss::Behaviour, "Rules that leave out or repeat questions were left out.");
        add(self.has_selection, Loss::Behaviour, "Choosing questions at random and shuffling them was left out.");
        add(self.has_session_control, Loss::Behaviour, "Rules about attempts, review and skipping were left out.");
        add(self.has_categories, Loss::Metadata, "Categories of questions were left out.");
        add(self.has_part_limits, Loss::Behaviour, "Time limits of parts were left out.");
    }
}

/// Reads the items that are referred to, in order.
fn items(
    package: &mut Upload<'_>,
    test_file: &str,
    test: &mut TestContent,
    references: &[Reference],
) -> Result<(), ImportError> {
    let mut has_titles = false;
    for reference in references {
        let file = reference.file.as_str();
        let Some(root) = package.document(file)? else { continue };
        let Some(mut found) = item::read(&renamed(root), file, &mut package.report) else { continue };
        stimuli(package, file, &mut found)?;
        let mut item: Item = found.item;
        if let Some(own) = package.manifest.resource_of(file).filter(|resource| !resource.description.id.is_empty()) {
            item.id.clone_from(&own.description.id);
        }
        item.score *= reference.weight;
        has_titles |= found.has_title;
        if test.language.is_empty() {
            test.language = found.language;
        }
        test.items.push(item);
    }
    make_ids_unique(&mut test.items);
    if has_titles {
        package.report.add(test_file, Loss::Metadata, "Titles of the questions were left out.");
    }
    Ok(())
}

/// Puts shared texts before the question.
fn stimuli(package: &mut Upload<'_>, file: &str, found: &mut Found) -> Result<(), ImportError> {
    for href in std::mem::take(&mut found.stimuli).iter().rev() {
        let Some(path) = package.follow(file, href)? else { continue };
        let Some(root) = package.document(&path)? else { continue };
        let root = renamed(root);
        let (text, notes) = root.first("stimulusBody").map(flatten).unwrap_or_default();
        notes.report(&mut package.report, &path);
        package.report.add(file, Loss::Structure, "A text that several questions share was put before the question.");
        found.item.question = format!("{text}\n\n{}", found.item.question);
    }
    Ok(())
}

/// Adds what the manifest says about the test.
fn describe(test: &mut TestContent, package: &Upload<'_>, file: &str, is_own: bool) {
    let whole = &package.manifest.description;
    let own = package.manifest.resource_of(file).map_or(whole, |resource| &resource.description);
    let first = |texts: [&str; 2]| -> String {
        let tidy = |text: &str| if is_own { text.to_owned() } else { text.trim().to_owned() };
        texts.into_iter().map(tidy).find(|text| !text.is_empty()).unwrap_or_default()
    };
    if !own.language.is_empty() {
        test.language.clone_from(&own.language);
    } else if is_own || test.language.is_empty() {
        test.language.clone_from(&whole.language);
    }
    let description = first([&own.description, &whole.description]);
    let parts = [description, std::mem::take(&mut test.description)];
    test.description = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    test.subject = first([&own.subject, &whole.subject]);
    test.level = first([&own.level, &whole.level]);
    if test.title.is_empty() && !is_own {
        test.title = first([&own.title, &whole.title]);
    }
}

/// The time limit in whole minutes.
fn time_limit(root: &Element, file: &str, package: &mut Upload<'_>) -> Option<f64> {
    let seconds: f64 = root.first("timeLimits")?.attribute("maxTime")?.trim().parse().ok()?;
    if !seconds.is_finite() || seconds <= 0.0 {
        package.report.add(file, Loss::Behaviour, "The time limit is no number of seconds and was left out.");
        return None;
    }
    Some(seconds / 60.0)
}

/// What it takes to pass: the mastery value of the points or of their share.
fn passing(root: &Element) -> Option<Passing> {
    root.all("outcomeDeclaration").find_map(|outcome| {
        let value: f64 = outcome.attribute("masteryValue")?.trim().parse().ok()?;
        let identifier = outcome.attribute("identifier").unwrap_or_default();
        let is_share = identifier == SCORE_PERCENT || identifier.to_lowercase().contains("percent");
        Some(if is_share { Passing::Percentage(value) } else { Passing::Points(value) })
    })
}
