//! One item: declarations, body, response processing, feedback.

use super::Part;
use super::shape::{Shape, distinct, points, shape};
use crate::model::{Item, ItemKind};
use crate::qti::dialect::Sheet;
use crate::qti::{Dialect, MODEL_ANSWER, TOOL, TRUE_FALSE};
use crate::report::Report;
use crate::text::{GAP, block, inline, is_sensitive, markup};
use crate::xml::names::language_tag;
use crate::xml::write::{Attribute, Markup};

/// Characters of the question in the item's title.
const TITLE_CHARACTERS: usize = 60;

/// The item's file.
pub(super) fn write(part: &Part<'_>, number: usize, language: &str, dialect: Dialect, report: &mut Report) -> String {
    let shape = shape(part, report);
    let title = title(&part.item.question, number);
    let mut root: Vec<Attribute<'_>> = vec![
        ("identifier", &part.identifier),
        ("title", &title),
        ("adaptive", &"false"),
        ("timeDependent", &"false"),
        ("toolName", &TOOL),
        ("toolVersion", &"1"),
    ];
    let language = language_tag(language);
    if let Some(language) = &language {
        root.push(("xml:lang", language));
    }
    let mut sheet = Sheet::new(dialect, "assessmentItem", &root);
    response(&mut sheet, part.item, &shape);
    outcomes(&mut sheet, part.item, &shape);
    sheet.open("itemBody", &[]);
    body(&mut sheet, part.item, &shape);
    sheet.close();
    processing(&mut sheet, part.item, &shape);
    explanation(&mut sheet, part.item);
    sheet.finish()
}

fn choice(place: usize) -> String {
    format!("choice-{}", place + 1)
}

/// The question's beginning, on one line.
fn title(question: &str, number: usize) -> String {
    let words = question.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(TITLE_CHARACTERS) {
        _ if words.is_empty() => number.to_string(),
        Some((end, _)) => format!("{}…", words[..end].trim_end()),
        None => words,
    }
}

fn response(sheet: &mut Sheet, item: &Item, shape: &Shape) {
    let identifier: Attribute<'_> = ("identifier", &"RESPONSE");
    let single: Attribute<'_> = ("cardinality", &"single");
    match shape {
        Shape::Choice { keys } => {
            let cardinality = if keys.len() > 1 { "multiple" } else { "single" };
            let attributes: [Attribute<'_>; 3] =
                [identifier, ("cardinality", &cardinality), ("baseType", &"identifier")];
            if keys.is_empty() {
                return sheet.empty("responseDeclaration", &attributes);
            }
            sheet.open("responseDeclaration", &attributes);
            sheet.open("correctResponse", &[]);
            for key in keys {
                sheet.leaf("value", &[], &choice(*key));
            }
            sheet.close();
            sheet.close();
        }
        Shape::Text if !item.correct_answers.is_empty() => {
            sheet.open("responseDeclaration", &[identifier, single, ("baseType", &"string")]);
            sheet.open("correctResponse", &[]);
            sheet.leaf("value", &[], &item.correct_answers[0]);
            sheet.close();
            mapping(sheet, item);
            sheet.close();
        }
        Shape::Text | Shape::Essay => {
            sheet.empty("responseDeclaration", &[identifier, single, ("baseType", &"string")]);
        }
        Shape::Upload => sheet.empty("responseDeclaration", &[identifier, single, ("baseType", &"file")]),
    }
}

/// Every accepted text is worth all points.
fn mapping(sheet: &mut Sheet, item: &Item) {
    let points = points(item);
    sheet.open("mapping", &[("lowerBound", &0), ("upperBound", &points), ("defaultValue", &0)]);
    for answer in distinct(&item.correct_answers) {
        sheet.empty("mapEntry", &[("mapKey", answer), ("mappedValue", &points), ("caseSensitive", &"false")]);
    }
    sheet.close();
}

fn outcomes(sheet: &mut Sheet, item: &Item, shape: &Shape) {
    let points = points(item);
    let mut score: Vec<Attribute<'_>> = vec![
        ("identifier", &"SCORE"),
        ("cardinality", &"single"),
        ("baseType", &"float"),
        ("normalMaximum", &points),
        ("normalMinimum", &0),
    ];
    if sheet.dialect == Dialect::V30 && matches!(shape, Shape::Essay | Shape::Upload) {
        score.push(("externalScored", &"human"));
    }
    outcome(sheet, &score, "0");
    let maximum: [Attribute<'_>; 3] = [("identifier", &"MAXSCORE"), ("cardinality", &"single"), ("baseType", &"float")];
    outcome(sheet, &maximum, &points.to_string());
    if !item.explanation.is_empty() {
        let feedback: [Attribute<'_>; 3] =
            [("identifier", &"FEEDBACK"), ("cardinality", &"single"), ("baseType", &"identifier")];
        outcome(sheet, &feedback, "EXPLANATION");
    }
}

fn outcome(sheet: &mut Sheet, attributes: &[Attribute<'_>], default: &str) {
    sheet.open("outcomeDeclaration", attributes);
    sheet.open("defaultValue", &[]);
    sheet.leaf("value", &[], default);
    sheet.close();
    sheet.close();
}

fn body(sheet: &mut Sheet, item: &Item, shape: &Shape) {
    let response: Attribute<'_> = ("responseIdentifier", &"RESPONSE");
    match shape {
        Shape::Choice { keys } => {
            // 0 stands for any number.
            let most = if keys.len() > 1 { 0 } else { 1 };
            let mut attributes: Vec<Attribute<'_>> = vec![response, ("shuffle", &"false"), ("maxChoices", &most)];
            if item.kind == ItemKind::TrueFalse {
                attributes.push(("class", &TRUE_FALSE));
            }
            sheet.open("choiceInteraction", &attributes);
            sheet.mixed("prompt", &[], &markup(&item.question));
            for (place, option) in item.options.iter().enumerate() {
                sheet.mixed("simpleChoice", &[("identifier", &choice(place))], &markup(option));
            }
            sheet.close();
        }
        Shape::Text => gap(sheet, item, response),
        Shape::Essay => {
            sheet.open("extendedTextInteraction", &[response]);
            sheet.mixed("prompt", &[], &markup(&item.question));
            sheet.close();
            model_answers(sheet, item);
        }
        Shape::Upload => {
            sheet.open("uploadInteraction", &[response]);
            sheet.mixed("prompt", &[], &markup(&item.question));
            sheet.close();
            model_answers(sheet, item);
        }
    }
}

/// The input stands in the question's gap where there is one, else below the question.
fn gap(sheet: &mut Sheet, item: &Item, response: Attribute<'_>) {
    match item.question.split_once(GAP) {
        Some((before, after)) if !format!("{before}{after}").contains('_') && is_inline(&item.question) => {
            let input = sheet.inline("textEntryInteraction", &[response]);
            sheet.xhtml("p", &[], &Markup(format!("{}{}{}", inline(before).0, input.0, inline(after).0)));
        }
        _ => {
            sheet.xhtml("div", &[], &block(&item.question));
            sheet.open_xhtml("p");
            sheet.empty("textEntryInteraction", &[response]);
            sheet.close();
        }
    }
}

/// Whether the question reads the same with an element in the place of its gap.
fn is_inline(question: &str) -> bool {
    question != GAP && !is_sensitive(question)
}

/// For the eyes of those who score.
fn model_answers(sheet: &mut Sheet, item: &Item) {
    if item.correct_answers.is_empty() || item.kind.has_options() {
        return;
    }
    sheet.open("rubricBlock", &[("use", &"scoring"), ("view", &"scorer")]);
    let has_content_body = sheet.dialect == Dialect::V30;
    if has_content_body {
        sheet.open("contentBody", &[]);
    }
    for answer in &item.correct_answers {
        sheet.xhtml("div", &[("class", &MODEL_ANSWER)], &markup(answer));
    }
    if has_content_body {
        sheet.close();
    }
    sheet.close();
}

fn processing(sheet: &mut Sheet, item: &Item, shape: &Shape) {
    match shape {
        Shape::Choice { keys } if !keys.is_empty() => {
            sheet.open("responseProcessing", &[]);
            sheet.open("responseCondition", &[]);
            sheet.open("responseIf", &[]);
            sheet.open("match", &[]);
            sheet.empty("variable", &[("identifier", &"RESPONSE")]);
            sheet.empty("correct", &[("identifier", &"RESPONSE")]);
            sheet.close();
            sheet.open("setOutcomeValue", &[("identifier", &"SCORE")]);
            sheet.leaf("baseValue", &[("baseType", &"float")], &points(item).to_string());
            sheet.close();
            sheet.close();
            sheet.close();
            sheet.close();
        }
        Shape::Text if !item.correct_answers.is_empty() => {
            sheet.open("responseProcessing", &[]);
            sheet.open("responseCondition", &[]);
            sheet.open("responseIf", &[]);
            sheet.open("not", &[]);
            sheet.open("isNull", &[]);
            sheet.empty("variable", &[("identifier", &"RESPONSE")]);
            sheet.close();
            sheet.close();
            sheet.open("setOutcomeValue", &[("identifier", &"SCORE")]);
            sheet.empty("mapResponse", &[("identifier", &"RESPONSE")]);
            sheet.close();
            sheet.close();
            sheet.close();
            sheet.close();
        }
        _ => {}
    }
}

fn explanation(sheet: &mut Sheet, item: &Item) {
    if item.explanation.is_empty() {
        return;
    }
    let attributes: [Attribute<'_>; 3] =
        [("outcomeIdentifier", &"FEEDBACK"), ("showHide", &"show"), ("identifier", &"EXPLANATION")];
    if sheet.dialect == Dialect::V30 {
        sheet.open("modalFeedback", &attributes);
        sheet.open("contentBody", &[]);
        let text = block(&item.explanation);
        sheet.xhtml("div", &[], &text);
        sheet.close();
        sheet.close();
    } else {
        sheet.mixed("modalFeedback", &attributes, &block(&item.explanation));
    }
}
