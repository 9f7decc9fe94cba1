//! What is right in QTI 1.2, and what it is worth.

use super::material::Fields;
use crate::report::{Loss, Report};
use crate::xml::Element;

/// What gives points.
pub(super) struct Conditions {
    /// Points, and the values that they are given for.
    given: Vec<(f64, Vec<Value>)>,
}

struct Value {
    response: String,
    text: String,
}

impl Conditions {
    /// Reads a question's response processing.
    pub(super) fn of(item: &Element, file: &str, report: &mut Report) -> Self {
        let mut given = Vec::new();
        for condition in item.all("resprocessing").flat_map(|processing| processing.all("respcondition")) {
            let Some(points) = points(condition) else { continue };
            let Some(tests) = condition.first("conditionvar") else { continue };
            let mut values = Vec::new();
            collect(tests, &mut values, file, report);
            if !values.is_empty() {
                given.push((points, values));
            }
        }
        Self { given }
    }

    /// The identifiers of the right options.
    pub(super) fn keys(&self, is_several: bool, file: &str, report: &mut Report) -> Vec<String> {
        let best = self.best();
        let mut keys: Vec<String> = Vec::new();
        for (points, values) in &self.given {
            // Options of which each gives a part of the points are all right.
            if *points < best && !is_several {
                report.add(file, Loss::Scoring, "Points for answers that are not quite right were left out.");
                continue;
            }
            if *points < best || (is_several && self.given.len() > 1) {
                report.add(
                    file,
                    Loss::Scoring,
                    "Points for single options were left out: the right selection gives them all.",
                );
            }
            for value in values {
                let key = value.text.trim().to_owned();
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        if keys.is_empty() {
            report.add(file, Loss::Answer, "The question declares no right answer.");
        }
        keys
    }

    /// The accepted texts.
    pub(super) fn texts(&self, is_own: bool, file: &str, report: &mut Report) -> Vec<String> {
        let best = self.best();
        let mut texts: Vec<String> = Vec::new();
        for (points, values) in &self.given {
            if *points < best {
                report.add(file, Loss::Scoring, "Points for answers that are not quite right were left out.");
                continue;
            }
            for value in values {
                let text = if is_own { value.text.clone() } else { value.text.trim().to_owned() };
                if !texts.contains(&text) && (is_own || !text.is_empty()) {
                    texts.push(text);
                }
            }
        }
        if texts.is_empty() {
            report.add(file, Loss::Answer, "The question declares no right answer.");
        }
        texts
    }

    /// The right texts of several gaps in one line; none when nothing is declared.
    pub(super) fn of_gaps(&self, responses: &[&Element]) -> Option<String> {
        let answer = |response: &&Element| {
            let ident = response.attribute("ident")?;
            let mut values = self.given.iter().flat_map(|(_, values)| values);
            values.find(|value| value.response == ident).map(|value| value.text.trim().to_owned())
        };
        let numbered = |(number, response): (usize, &&Element)| Some(format!("({number}) {}", answer(response)?));
        let answers: Vec<String> = (1..).zip(responses).filter_map(numbered).collect();
        (!answers.is_empty()).then(|| answers.join("; "))
    }

    fn best(&self) -> f64 {
        self.given.iter().map(|(points, _)| *points).fold(0.0, f64::max)
    }
}

/// The points that a condition gives, more than 0.
fn points(condition: &Element) -> Option<f64> {
    let set = |set: &Element| {
        let is_taken = set.attribute("action").is_some_and(|action| action == "Subtract");
        set.text().trim().parse::<f64>().ok().filter(|points| *points > 0.0 && !is_taken && points.is_finite())
    };
    condition.all("setvar").filter_map(set).reduce(f64::max)
}

/// Collects what must be given; what must not be given is left out.
fn collect(tests: &Element, values: &mut Vec<Value>, file: &str, report: &mut Report) {
    for test in tests.elements() {
        let value =
            || Value { response: test.attribute("respident").unwrap_or_default().to_owned(), text: test.text() };
        match test.name.as_str() {
            "varequal" => values.push(value()),
            "varsubstring" | "varsubset" => {
                report.add(
                    file,
                    Loss::Answer,
                    "A text that only had to be contained, or a pattern, became an exact one.",
                );
                values.push(value());
            }
            "vargte" | "vargt" | "varlte" | "varlt" | "varinside" => {
                report.add(file, Loss::Answer, "A range of right answers was left out.");
            }
            "and" | "or" => collect(test, values, file, report),
            _ => {}
        }
    }
}

/// The most points that a question gives: its weight, else what the test's tool says, else 1.
pub(super) fn score(item: &Element, fields: &Fields) -> f64 {
    let field =
        |label: &str| fields.get(label)?.trim().parse::<f64>().ok().filter(|score| score.is_finite() && *score >= 0.0);
    let declared = || {
        let variables = item.descendants().filter(|inside| inside.name == "decvar");
        let most =
            variables.filter_map(|variable| variable.attribute("maxvalue")?.trim().parse::<f64>().ok()).next()?;
        // 100 stands for all of it.
        (most.is_finite() && most > 0.0 && most != 100.0).then_some(most)
    };
    field("cc_weighting")
        .or_else(|| field("points_possible"))
        .or_else(|| field("qmd_weighting"))
        .or_else(declared)
        .unwrap_or(1.0)
}
