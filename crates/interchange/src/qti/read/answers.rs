//! What is right, and what it is worth.

use std::collections::HashMap;

use super::body::Options;
use crate::report::{Loss, Report};
use crate::xml::Element;

/// The right options of a choice.
pub(super) fn chosen(
    root: &Element,
    interaction: &Element,
    options: &Options,
    is_own: bool,
    file: &str,
    report: &mut Report,
) -> Vec<String> {
    let Some(declaration) = declaration(root, interaction) else {
        report.add(file, Loss::Answer, "The question declares no right answer.");
        return Vec::new();
    };
    let mapped = mapped(declaration);
    let best = best(&mapped);
    let mut keys = correct(declaration);
    if keys.is_empty() {
        let is_single = declaration.attribute("cardinality") == Some("single");
        let is_right = |value: f64| value > 0.0 && (!is_single || value == best);
        keys = mapped.iter().filter(|(_, value)| is_right(*value)).map(|(key, _)| key.clone()).collect();
    }
    if mapped.iter().any(|(_, value)| *value != 0.0) {
        report.add(file, Loss::Scoring, "Points for single options were left out: the right selection gives them all.");
    }
    if keys.is_empty() && !is_own {
        report.add(file, Loss::Answer, "The question declares no right answer.");
    }
    let mut chosen = Vec::new();
    for key in keys {
        match options.identifiers.iter().position(|identifier| *identifier == key) {
            Some(place) => chosen.push(options.texts[place].clone()),
            None => report.add(file, Loss::Answer, "A right answer that is none of the options was left out."),
        }
    }
    chosen
}

/// The accepted texts of a gap.
pub(super) fn written(
    root: &Element,
    interaction: &Element,
    is_own: bool,
    file: &str,
    report: &mut Report,
) -> Vec<String> {
    let Some(declaration) = declaration(root, interaction) else { return Vec::new() };
    let mapped = mapped_raw(declaration);
    if is_own {
        return mapped.into_iter().map(|(key, _)| key).collect();
    }
    let best = best(&mapped);
    let mut accepted: Vec<String> = correct(declaration);
    for (key, value) in mapped {
        let key = key.trim().to_owned();
        if value > 0.0 && value < best {
            report.add(file, Loss::Scoring, "A text that gives only some of the points was left out.");
        } else if value > 0.0 && !accepted.contains(&key) {
            accepted.push(key);
        }
    }
    if accepted.is_empty() {
        report.add(file, Loss::Answer, "The question declares no right answer.");
    }
    accepted
}

/// The right texts of several gaps in one line; none when nothing is declared.
pub(super) fn of_gaps(root: &Element, interactions: &[&Element]) -> Option<String> {
    let mut declarations = HashMap::new();
    for declaration in root.all("responseDeclaration") {
        declarations.entry(declaration.attribute("identifier")).or_insert(declaration);
    }
    let answer = |interaction: &&Element| {
        let declaration = declarations.get(&Some(interaction.attribute("responseIdentifier")?))?;
        let first = correct(declaration).into_iter().next()?;
        let choice = interaction.all("inlineChoice").find(|choice| choice.attribute("identifier") == Some(&first));
        Some(choice.map_or(first, |choice| choice.text().trim().to_owned()))
    };
    let answers: Vec<String> = interactions
        .iter()
        .enumerate()
        .filter_map(|(number, interaction)| Some(format!("({}) {}", number + 1, answer(interaction)?)))
        .collect();
    (!answers.is_empty()).then(|| answers.join("; "))
}

/// The declared right answers of any interaction.
pub(super) fn declared(root: &Element, interaction: &Element) -> Vec<String> {
    declaration(root, interaction).map(correct).unwrap_or_default()
}

/// The most points that an item gives: what it says, else what its rules give, else 1.
pub(super) fn score(root: &Element) -> f64 {
    let outcome = |identifier: &str| {
        let is_it = |outcome: &&Element| outcome.attribute("identifier") == Some(identifier);
        root.all("outcomeDeclaration").find(is_it)
    };
    let default = |outcome: &Element| number(&outcome.at(&["defaultValue", "value"])?.text());
    let maximum = outcome("MAXSCORE").and_then(default);
    let normal = || number(outcome("SCORE")?.attribute("normalMaximum")?);
    maximum.or_else(normal).or_else(|| given(root)).unwrap_or(1.0)
}

/// The most that the response processing or a mapping gives.
fn given(root: &Element) -> Option<f64> {
    let processing = root.first("responseProcessing")?;
    let sets_score =
        |element: &&Element| element.name == "setOutcomeValue" && element.attribute("identifier") == Some("SCORE");
    let set = processing.descendants().filter(sets_score).filter_map(|set| number(&set.first("baseValue")?.text()));
    if let Some(most) = set.filter(|value| *value > 0.0).reduce(f64::max) {
        return Some(most);
    }
    let uses_mapping = processing.attribute("template").is_some_and(|template| template.contains("map_response"))
        || processing.descendants().any(|element| element.name == "mapResponse");
    if !uses_mapping {
        return None;
    }
    let declaration = root.all("responseDeclaration").find(|declaration| declaration.first("mapping").is_some())?;
    let mapped = mapped(declaration);
    let upper = declaration.first("mapping").and_then(|mapping| number(mapping.attribute("upperBound")?));
    let sum: f64 = mapped.iter().map(|(_, value)| value.max(0.0)).sum();
    let most = if declaration.attribute("cardinality") == Some("single") { best(&mapped) } else { sum };
    let most = upper.map_or(most, |upper| most.min(upper));
    (most > 0.0).then_some(most)
}

fn declaration<'a>(root: &'a Element, interaction: &Element) -> Option<&'a Element> {
    let response = interaction.attribute("responseIdentifier")?;
    root.all("responseDeclaration").find(|declaration| declaration.attribute("identifier") == Some(response))
}

fn correct(declaration: &Element) -> Vec<String> {
    let values = declaration.first("correctResponse").into_iter().flat_map(|correct| correct.all("value"));
    values.map(|value| value.text().trim().to_owned()).filter(|value| !value.is_empty()).collect()
}

fn mapped(declaration: &Element) -> Vec<(String, f64)> {
    mapped_raw(declaration).into_iter().map(|(key, value)| (key.trim().to_owned(), value)).collect()
}

fn mapped_raw(declaration: &Element) -> Vec<(String, f64)> {
    let entries = declaration.first("mapping").into_iter().flat_map(|mapping| mapping.all("mapEntry"));
    let entry =
        |entry: &Element| Some((entry.attribute("mapKey")?.to_owned(), number(entry.attribute("mappedValue")?)?));
    entries.filter_map(entry).collect()
}

fn best(mapped: &[(String, f64)]) -> f64 {
    mapped.iter().map(|(_, value)| *value).fold(0.0, f64::max)
}

/// A finite number, 0 or more.
fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}
