//! The assessment test: one section with the items in order, the time limit, and what it takes to pass.

use super::{Part, test_identifier};
use crate::model::{Passing, TestContent};
use crate::qti::dialect::Sheet;
use crate::qti::{Dialect, SCORE_PERCENT, TOOL};

/// The test's file.
pub(super) fn write(test: &TestContent, parts: &[Part<'_>], dialect: Dialect) -> String {
    let identifier = test_identifier(test, "test");
    let mut sheet = Sheet::new(
        dialect,
        "assessmentTest",
        &[("identifier", &identifier), ("title", &test.title), ("toolName", &TOOL), ("toolVersion", &"1")],
    );
    let total = parts.iter().map(|part| super::shape::points(part.item)).sum::<f64>();
    outcomes(&mut sheet, test.passing, total);
    if let Some(minutes) = test.time_limit_minutes {
        sheet.empty("timeLimits", &[("maxTime", &(minutes * 60.0))]);
    }
    sheet.open(
        "testPart",
        &[("identifier", &"part-1"), ("navigationMode", &"nonlinear"), ("submissionMode", &"individual")],
    );
    sheet.open("assessmentSection", &[("identifier", &"section-1"), ("title", &test.title), ("visible", &"false")]);
    for part in parts {
        sheet.empty("assessmentItemRef", &[("identifier", &part.identifier), ("href", &part.file())]);
    }
    sheet.close();
    sheet.close();
    processing(&mut sheet, test.passing, total);
    sheet.finish()
}

fn outcomes(sheet: &mut Sheet, passing: Option<Passing>, total: f64) {
    let float: [(&str, &dyn std::fmt::Display); 2] = [("cardinality", &"single"), ("baseType", &"float")];
    match &passing {
        Some(Passing::Points(points)) => sheet.empty(
            "outcomeDeclaration",
            &[("identifier", &"SCORE"), float[0], float[1], ("normalMaximum", &total), ("masteryValue", points)],
        ),
        _ => sheet
            .empty("outcomeDeclaration", &[("identifier", &"SCORE"), float[0], float[1], ("normalMaximum", &total)]),
    }
    if let Some(Passing::Percentage(percentage)) = &passing {
        sheet.empty(
            "outcomeDeclaration",
            &[
                ("identifier", &SCORE_PERCENT),
                float[0],
                float[1],
                ("normalMaximum", &100),
                ("masteryValue", percentage),
            ],
        );
    }
    if passing.is_some() {
        sheet.empty(
            "outcomeDeclaration",
            &[("identifier", &"PASSED"), ("cardinality", &"single"), ("baseType", &"boolean")],
        );
    }
}

/// Sums the points up, and compares them with what it takes to pass.
fn processing(sheet: &mut Sheet, passing: Option<Passing>, total: f64) {
    sheet.open("outcomeProcessing", &[]);
    sheet.open("setOutcomeValue", &[("identifier", &"SCORE")]);
    sheet.open("sum", &[]);
    sheet.empty("testVariables", &[("variableIdentifier", &"SCORE")]);
    sheet.close();
    sheet.close();
    match passing {
        Some(Passing::Points(points)) => passed(sheet, "SCORE", points),
        Some(Passing::Percentage(percentage)) => {
            share(sheet, total);
            passed(sheet, SCORE_PERCENT, percentage);
        }
        None => {}
    }
    sheet.close();
}

/// The points as a share of all points. Without points there is no share, and nobody passes.
fn share(sheet: &mut Sheet, total: f64) {
    sheet.open("setOutcomeValue", &[("identifier", &SCORE_PERCENT)]);
    sheet.open("divide", &[]);
    sheet.open("product", &[]);
    sheet.empty("variable", &[("identifier", &"SCORE")]);
    value(sheet, 100.0);
    sheet.close();
    value(sheet, total);
    sheet.close();
    sheet.close();
}

fn passed(sheet: &mut Sheet, outcome: &str, least: f64) {
    sheet.open("setOutcomeValue", &[("identifier", &"PASSED")]);
    sheet.open("gte", &[]);
    sheet.empty("variable", &[("identifier", &outcome)]);
    value(sheet, least);
    sheet.close();
    sheet.close();
}

fn value(sheet: &mut Sheet, number: f64) {
    sheet.leaf("baseValue", &[("baseType", &"float")], &number.to_string());
}
