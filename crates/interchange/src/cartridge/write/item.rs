//! One question in the cartridge's profile of QTI 1.2: which of its forms it gets, and its elements.

use std::collections::HashSet;

use super::assessment::{Part, field, material};
use crate::cartridge::{GENERAL_FEEDBACK, RESPONSE, SOLUTION};
use crate::model::{Item, ItemKind};
use crate::qti::write::check_characters;
use crate::qti::write::shape::{distinct, keys};
use crate::report::{Loss, Report};
use crate::xml::write::Writer;

/// A question type of the profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    TrueFalse,
    MultipleChoice,
    MultipleResponse,
    FillIn,
    Essay,
}

impl Form {
    fn profile(self) -> &'static str {
        match self {
            Self::TrueFalse => "cc.true_false.v0p1",
            Self::MultipleChoice => "cc.multiple_choice.v0p1",
            Self::MultipleResponse => "cc.multiple_response.v0p1",
            Self::FillIn => "cc.fib.v0p1",
            Self::Essay => "cc.essay.v0p1",
        }
    }
}

/// Decides the form by what the profile asks of each, and notes what other systems will not see.
pub(super) fn form(item: &Item, file: &str, report: &mut Report) -> Form {
    let texts =
        [&item.id, &item.question, &item.explanation].into_iter().chain(&item.options).chain(&item.correct_answers);
    check_characters(texts.map(String::as_str), file, report);
    if !item.kind.has_options() && !item.options.is_empty() {
        let message = format!("The options were left out: a question of type “{}” has none.", item.kind.name());
        report.add(file, Loss::Answer, message);
    }
    if item.kind == ItemKind::Blank && distinct(&item.correct_answers).len() < item.correct_answers.len() {
        report.add(file, Loss::Answer, "An accepted text that is there twice was kept once.");
    }
    let right = keys(item).len();
    if item.kind.has_options() && right < item.correct_answers.len() {
        report.add(file, Loss::Answer, "A correct answer that is none of the options was left out.");
    }
    if weight(item).is_none() {
        report.add(file, Loss::Scoring, "Other systems will not see points that are no whole number from 1 to 99.");
    }
    let form = match (item.kind, item.options.len(), right) {
        (ItemKind::TrueFalse, 2, 1) => Form::TrueFalse,
        (ItemKind::Select | ItemKind::TrueFalse, 3.., 1) => Form::MultipleChoice,
        (ItemKind::Select | ItemKind::TrueFalse, 2.., 1..) => Form::MultipleResponse,
        (ItemKind::Blank, _, _) if !item.correct_answers.is_empty() => Form::FillIn,
        _ => Form::Essay,
    };
    let is_changed = match form {
        Form::TrueFalse | Form::FillIn => false,
        Form::MultipleChoice => item.kind == ItemKind::TrueFalse,
        Form::MultipleResponse => right == 1,
        Form::Essay => item.kind != ItemKind::OpenEnded,
    };
    if is_changed {
        let shown = match form {
            Form::Essay => "a question for an essay",
            Form::MultipleResponse => "one where several options may be right",
            _ => "a choice of one option",
        };
        let message =
            format!("A question of type “{}” has no equal; other systems will show {shown}.", item.kind.name());
        report.add(file, Loss::Question, message);
    }
    form
}

/// The points as the profile has a place for them.
fn weight(item: &Item) -> Option<u8> {
    let is_weight = item.score.fract() == 0.0 && (1.0..=99.0).contains(&item.score);
    // In range: checked in the line before.
    is_weight.then_some(item.score as u8)
}

/// Writes the question.
pub(super) fn write(writer: &mut Writer, part: &Part<'_>) {
    writer.open("item", &[("ident", &part.identifier)]);
    metadata(writer, part);
    writer.open("presentation", &[]);
    material(writer, &part.item.question);
    response(writer, part);
    writer.close();
    processing(writer, part);
    feedback(writer, part);
    writer.close();
}

fn metadata(writer: &mut Writer, part: &Part<'_>) {
    writer.open("itemmetadata", &[]);
    writer.open("qtimetadata", &[]);
    field(writer, "cc_profile", part.form.profile());
    if let Some(weight) = weight(part.item) {
        field(writer, "cc_weighting", &weight.to_string());
    }
    if part.form == Form::Essay {
        field(writer, "qmd_scoringpermitted", "Yes");
        field(writer, "qmd_computerscored", "No");
    }
    writer.close();
    writer.close();
}

fn response(writer: &mut Writer, part: &Part<'_>) {
    let cardinality = if part.form == Form::MultipleResponse { "Multiple" } else { "Single" };
    if matches!(part.form, Form::FillIn | Form::Essay) {
        writer.open("response_str", &[("ident", &RESPONSE), ("rcardinality", &cardinality)]);
        writer.open("render_fib", &[]);
        writer.empty("response_label", &[("ident", &"answer1"), ("rshuffle", &"No")]);
    } else {
        writer.open("response_lid", &[("ident", &RESPONSE), ("rcardinality", &cardinality)]);
        writer.open("render_choice", &[]);
        for (place, option) in part.item.options.iter().enumerate() {
            writer.open("response_label", &[("ident", &label(place))]);
            material(writer, option);
            writer.close();
        }
    }
    writer.close();
    writer.close();
}

fn label(place: usize) -> String {
    format!("choice{}", place + 1)
}

fn has_solution(part: &Part<'_>) -> bool {
    part.form == Form::Essay && !part.item.kind.has_options() && !part.item.correct_answers.is_empty()
}

fn processing(writer: &mut Writer, part: &Part<'_>) {
    let has_explanation = !part.item.explanation.is_empty();
    if part.form == Form::Essay && !has_explanation && !has_solution(part) {
        return;
    }
    writer.open("resprocessing", &[]);
    writer.open("outcomes", &[]);
    writer.empty("decvar", &[("maxvalue", &100), ("minvalue", &0), ("varname", &"SCORE"), ("vartype", &"Decimal")]);
    writer.close();
    if has_explanation || has_solution(part) {
        writer.open("respcondition", &[("continue", &"Yes")]);
        writer.open("conditionvar", &[]);
        writer.empty("other", &[]);
        writer.close();
        if has_explanation {
            writer.empty("displayfeedback", &[("feedbacktype", &"Response"), ("linkrefid", &GENERAL_FEEDBACK)]);
        }
        if has_solution(part) {
            writer.empty("displayfeedback", &[("feedbacktype", &"Solution"), ("linkrefid", &SOLUTION)]);
        }
        writer.close();
    }
    conditions(writer, part);
    writer.close();
}

/// What gives the points.
fn conditions(writer: &mut Writer, part: &Part<'_>) {
    let keys = keys(part.item);
    match part.form {
        Form::Essay => {}
        Form::TrueFalse | Form::MultipleChoice => {
            for key in keys {
                condition(writer, |writer| equal(writer, &label(key)));
            }
        }
        Form::FillIn => {
            for answer in distinct(&part.item.correct_answers) {
                condition(writer, |writer| equal(writer, answer));
            }
        }
        Form::MultipleResponse => condition(writer, |writer| {
            writer.open("and", &[]);
            // The right ones first, in their order, so that the reader finds them in it.
            for key in &keys {
                equal(writer, &label(*key));
            }
            let right: HashSet<usize> = keys.iter().copied().collect();
            for place in (0..part.item.options.len()).filter(|place| !right.contains(place)) {
                writer.open("not", &[]);
                equal(writer, &label(place));
                writer.close();
            }
            writer.close();
        }),
    }
}

fn condition(writer: &mut Writer, tests: impl FnOnce(&mut Writer)) {
    writer.open("respcondition", &[("continue", &"No")]);
    writer.open("conditionvar", &[]);
    tests(writer);
    writer.close();
    writer.leaf("setvar", &[("action", &"Set"), ("varname", &"SCORE")], "100");
    writer.close();
}

fn equal(writer: &mut Writer, value: &str) {
    writer.leaf("varequal", &[("respident", &RESPONSE)], value);
}

fn feedback(writer: &mut Writer, part: &Part<'_>) {
    if !part.item.explanation.is_empty() {
        writer.open("itemfeedback", &[("ident", &GENERAL_FEEDBACK)]);
        writer.open("flow_mat", &[]);
        material(writer, &part.item.explanation);
        writer.close();
        writer.close();
    }
    if has_solution(part) {
        writer.open("itemfeedback", &[("ident", &SOLUTION)]);
        writer.open("solution", &[]);
        for answer in &part.item.correct_answers {
            writer.open("solutionmaterial", &[]);
            material(writer, answer);
            writer.close();
        }
        writer.close();
        writer.close();
    }
}
