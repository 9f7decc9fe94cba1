//! One question of QTI 1.2: what is asked, how, and what is right.

use super::answers::{self, Conditions};
use super::material::{Fields, Text, fields};
use crate::cartridge::extension::ItemExtension;
use crate::cartridge::{GENERAL_FEEDBACK, SOLUTION};
use crate::model::{Item, ItemKind};
use crate::qti::read::{has_too_many, is_true_false};
use crate::report::{Loss, Report, shown};
use crate::xml::Element;

/// Reads a question; none when it can't be kept, which is reported. `added` is what our own extension says.
pub(super) fn read(element: &Element, added: Option<&ItemExtension>, file: &str, report: &mut Report) -> Option<Item> {
    if has_too_many(element) {
        report.add(file, Loss::Question, "A question with more than 1000 options or answers can't be kept.");
        return None;
    }
    let fields = fields(element);
    let is_own = added.is_some();
    let presentation = element.first("presentation");
    let responses: Vec<&Element> =
        presentation.into_iter().flat_map(Element::descendants).filter(|inside| is_response(inside)).collect();
    let asked = match asked(&fields, &responses) {
        Ok(asked) => asked,
        Err(reason) => {
            let called = element.attribute("title").or_else(|| element.attribute("ident")).unwrap_or_default();
            report.add(file, Loss::Question, format!("The question “{}” can't be kept: {reason}.", shown(called)));
            return None;
        }
    };
    let question = question(presentation, is_own, &responses, file, report);
    let conditions = Conditions::of(element, file, report);
    let mut item = Item {
        id: element.attribute("ident").unwrap_or_default().to_owned(),
        question,
        kind: ItemKind::OpenEnded,
        options: Vec::new(),
        correct_answers: Vec::new(),
        explanation: String::new(),
        score: answers::score(element, &fields),
    };
    let solution = feedback(element, &mut item, is_own, file, report);
    match asked {
        Asked::Choice(response) => choice(response, &conditions, &fields, is_own, &mut item, file, report),
        Asked::Written => {
            item.kind = ItemKind::Blank;
            item.correct_answers = conditions.texts(is_own, file, report);
        }
        Asked::Gaps => {
            report.add(file, Loss::Question, "A question with several gaps became an open question.");
            item.correct_answers = conditions.of_gaps(&responses).into_iter().collect();
        }
        Asked::Essay => item.correct_answers = solution,
        Asked::Upload => {
            item.kind = ItemKind::Submission;
            item.correct_answers = solution;
        }
    }
    if let Some(added) = added {
        extend(&mut item, added, fields.contains_key("cc_weighting"));
    }
    Some(item)
}

/// How a question is asked.
enum Asked<'a> {
    Choice(&'a Element),
    Written,
    Gaps,
    Essay,
    Upload,
}

fn is_response(element: &Element) -> bool {
    matches!(
        element.name.as_str(),
        "response_lid" | "response_str" | "response_num" | "response_xy" | "response_grp" | "response_extension"
    )
}

fn asked<'a>(fields: &Fields, responses: &[&'a Element]) -> Result<Asked<'a>, String> {
    let profile = ["cc_profile", "question_type", "qmd_itemtype"].iter().find_map(|label| fields.get(*label));
    let profile = profile.map(|profile| profile.to_lowercase()).unwrap_or_default();
    if profile.contains("file_upload") {
        return Ok(Asked::Upload);
    }
    let renders = |response: &Element, name: &str| response.descendants().any(|inside| inside.name == name);
    match responses {
        [] if profile.contains("essay") => Ok(Asked::Essay),
        [] => Err("it asks nothing".to_owned()),
        [one] if one.name == "response_lid" && renders(one, "render_choice") => Ok(Asked::Choice(one)),
        [one] if renders(one, "render_fib") => {
            let is_essay = profile.contains("essay") || profile.contains("long answer");
            let is_written =
                ["fib", "pattern_match", "short_answer", "fill", "numerical"].iter().any(|name| profile.contains(name));
            Ok(if is_essay || (!is_written && has_many_rows(one)) { Asked::Essay } else { Asked::Written })
        }
        several if several.len() > 1 && several.iter().all(|one| renders(one, "render_fib")) => Ok(Asked::Gaps),
        [_] => Err("its type has no equal".to_owned()),
        several => Err(format!("it asks {} things at once", several.len())),
    }
}

fn has_many_rows(response: &Element) -> bool {
    let rows = |element: &Element| element.attribute("rows")?.trim().parse::<u32>().ok();
    response.descendants().filter(|inside| inside.name == "render_fib").filter_map(rows).any(|rows| rows > 1)
}

/// What is asked, with signs for gaps in the middle of it.
fn question(
    presentation: Option<&Element>,
    is_own: bool,
    responses: &[&Element],
    file: &str,
    report: &mut Report,
) -> String {
    let Some(presentation) = presentation else { return String::new() };
    let mut walk = Walk { text: Text::new(is_own), gaps: responses.len(), gap: 0, pending: None };
    walk.content(presentation);
    let (text, notes) = walk.text.finish();
    notes.report(report, file);
    text
}

struct Walk {
    text: Text,
    gaps: usize,
    gap: usize,
    /// A gap that is only shown when more text follows it.
    pending: Option<String>,
}

impl Walk {
    fn content(&mut self, element: &Element) {
        for child in element.elements() {
            if is_response(child) {
                let is_gap = child.descendants().any(|inside| inside.name == "render_fib");
                for material in child.all("material") {
                    self.take(material);
                }
                self.gap += 1;
                if is_gap && self.gaps > 1 {
                    self.text.gap(&format!("({}) ", self.gap));
                } else if is_gap {
                    self.pending = Some(String::new());
                }
            } else if child.name == "flow" {
                self.content(child);
            } else {
                self.take(child);
            }
        }
    }

    fn take(&mut self, element: &Element) {
        if let Some(label) = self.pending.take() {
            self.text.gap(&label);
        }
        self.text.take(element);
    }
}

fn choice(
    response: &Element,
    conditions: &Conditions,
    fields: &Fields,
    is_own: bool,
    item: &mut Item,
    file: &str,
    report: &mut Report,
) {
    let labels: Vec<&Element> = response.descendants().filter(|inside| inside.name == "response_label").collect();
    let mut identifiers = Vec::new();
    for label in labels {
        let mut text = Text::new(is_own);
        text.take(label);
        let (text, notes) = text.finish();
        notes.report(report, file);
        identifiers.push(label.attribute("ident").unwrap_or_default().trim().to_owned());
        item.options.push(text);
    }
    let is_several = response.attribute("rcardinality") == Some("Multiple");
    for key in conditions.keys(is_several, file, report) {
        match identifiers.iter().position(|identifier| *identifier == key) {
            Some(place) => item.correct_answers.push(item.options[place].clone()),
            None => report.add(file, Loss::Answer, "A right answer that is none of the options was left out."),
        }
    }
    let profile = ["cc_profile", "question_type", "qmd_itemtype"].iter().find_map(|label| fields.get(*label));
    let profile = profile.map(|profile| profile.to_lowercase()).unwrap_or_default();
    let is_statement = profile.contains("true_false") || profile.contains("true/false");
    let is_known = !profile.is_empty();
    item.kind = if is_statement || (!is_known && !is_several && is_true_false(&item.options)) {
        ItemKind::TrueFalse
    } else {
        ItemKind::Select
    };
    if response.descendants().any(|inside| inside.attribute("shuffle") == Some("Yes")) {
        report.add(file, Loss::Behaviour, "Shuffling the options was left out.");
    }
}

/// Puts the feedback together as the explanation; the solution, for questions that a person scores, is a
/// model answer.
fn feedback(element: &Element, item: &mut Item, is_own: bool, file: &str, report: &mut Report) -> Vec<String> {
    let mut solutions = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let mut depends = false;
    for feedback in element.all("itemfeedback") {
        let ident = feedback.attribute("ident").unwrap_or_default();
        let found: Vec<&Element> = feedback.descendants().filter(|inside| inside.name == "solutionmaterial").collect();
        if ident == SOLUTION || !found.is_empty() {
            solutions.extend(found.into_iter().map(|solution| text(solution, is_own, file, report)));
            continue;
        }
        if feedback.first("hint").is_some() {
            report.add(file, Loss::Feedback, "Hints were put into the explanation.");
        }
        depends |= ident != GENERAL_FEEDBACK;
        let text = text(feedback, is_own, file, report);
        if !texts.contains(&text) && (is_own || !text.is_empty()) {
            texts.push(text);
        }
    }
    if depends && !texts.is_empty() {
        report.add(file, Loss::Feedback, "Feedback that depends on the answer was put together as one explanation.");
    }
    item.explanation = texts.join("\n");
    solutions
}

fn text(element: &Element, is_own: bool, file: &str, report: &mut Report) -> String {
    let mut text = Text::new(is_own);
    text.take(element);
    let (text, notes) = text.finish();
    notes.report(report, file);
    text
}

/// Adds what the cartridge has no place for, where it fits what the cartridge says.
fn extend(item: &mut Item, added: &ItemExtension, has_weight: bool) {
    item.id.clone_from(&added.id);
    if !has_weight {
        item.score = added.score;
    }
    if item.kind == ItemKind::OpenEnded {
        item.kind = added.kind;
        if let Some((options, answers)) = &added.content {
            item.options.clone_from(options);
            item.correct_answers.clone_from(answers);
        }
    } else if item.kind.has_options() == added.kind.has_options() {
        item.kind = added.kind;
    }
}
