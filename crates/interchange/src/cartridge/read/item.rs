//! One question of QTI 1.2: how it is asked, what is right, and what is said about it.

use std::collections::HashSet;

use super::answers::{self, Conditions};
use super::material::{Fields, Text, fields};
use super::question::{is_response, question};
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
    let mut reader = Reader { element, fields: fields(element), is_own: added.is_some(), file, report };
    let mut item = reader.item()?;
    if let Some(added) = added {
        extend(&mut item, added, reader.fields.contains_key("cc_weighting"));
    }
    Some(item)
}

struct Reader<'a> {
    element: &'a Element,
    fields: Fields,
    is_own: bool,
    file: &'a str,
    report: &'a mut Report,
}

/// How a question is asked.
enum Asked<'a> {
    Choice(&'a Element),
    Written,
    Gaps,
    Essay,
    Upload,
}

impl<'a> Reader<'a> {
    fn item(&mut self) -> Option<Item> {
        let element = self.element;
        let presentation = element.first("presentation");
        let inside = presentation.into_iter().flat_map(Element::descendants);
        let responses: Vec<&Element> = inside.filter(|inside| is_response(inside)).collect();
        let asked = match self.asked(&responses) {
            Ok(asked) => asked,
            Err(reason) => {
                let called = element.attribute("title").or_else(|| element.attribute("ident")).unwrap_or_default();
                self.note(Loss::Question, format!("The question “{}” can't be kept: {reason}.", shown(called)));
                return None;
            }
        };
        let (question, notes) = question(presentation, self.is_own, responses.len());
        notes.report(self.report, self.file);
        let mut item = Item {
            id: element.attribute("ident").unwrap_or_default().to_owned(),
            question,
            kind: ItemKind::OpenEnded,
            options: Vec::new(),
            correct_answers: Vec::new(),
            explanation: String::new(),
            score: answers::score(element, &self.fields),
        };
        let solutions = self.feedback(&mut item);
        self.answers(asked, &responses, solutions, &mut item);
        Some(item)
    }

    fn asked(&self, responses: &[&'a Element]) -> Result<Asked<'a>, String> {
        let profile = self.profile();
        if profile.contains("file_upload") {
            return Ok(Asked::Upload);
        }
        let renders = |response: &Element, name: &str| response.descendants().any(|inside| inside.name == name);
        match responses {
            [] if profile.contains("essay") => Ok(Asked::Essay),
            [] => Err("it asks nothing".to_owned()),
            [one] if one.name == "response_lid" && renders(one, "render_choice") => Ok(Asked::Choice(one)),
            [one] if renders(one, "render_fib") => {
                const WRITTEN: [&str; 5] = ["fib", "pattern_match", "short_answer", "fill", "numerical"];
                let is_essay = profile.contains("essay") || profile.contains("long answer");
                let is_written = WRITTEN.iter().any(|name| profile.contains(name));
                Ok(if is_essay || (!is_written && has_many_rows(one)) { Asked::Essay } else { Asked::Written })
            }
            several if several.len() > 1 && several.iter().all(|one| renders(one, "render_fib")) => Ok(Asked::Gaps),
            [_] => Err("its type has no equal".to_owned()),
            several => Err(format!("it asks {} things at once", several.len())),
        }
    }

    /// The question's type as its tool names it, in small letters; empty when it names none.
    fn profile(&self) -> String {
        let labels = ["cc_profile", "question_type", "qmd_itemtype"];
        labels
            .iter()
            .find_map(|label| self.fields.get(*label))
            .map(|profile| profile.to_lowercase())
            .unwrap_or_default()
    }

    fn answers(&mut self, asked: Asked<'_>, responses: &[&Element], solutions: Vec<String>, item: &mut Item) {
        let conditions = Conditions::of(self.element, self.file, self.report);
        match asked {
            Asked::Choice(response) => self.choice(response, &conditions, item),
            Asked::Written => {
                item.kind = ItemKind::Blank;
                item.correct_answers = conditions.texts(self.is_own, self.file, self.report);
            }
            Asked::Gaps => {
                self.note(Loss::Question, "A question with several gaps became an open question.");
                item.correct_answers = conditions.of_gaps(responses).into_iter().collect();
            }
            Asked::Essay => item.correct_answers = solutions,
            Asked::Upload => {
                item.kind = ItemKind::Submission;
                item.correct_answers = solutions;
            }
        }
    }

    fn choice(&mut self, response: &Element, conditions: &Conditions, item: &mut Item) {
        let mut identifiers = Vec::new();
        for label in response.descendants().filter(|inside| inside.name == "response_label") {
            identifiers.push(label.attribute("ident").unwrap_or_default().trim().to_owned());
            item.options.push(self.text(label));
        }
        let is_several = response.attribute("rcardinality") == Some("Multiple");
        for key in conditions.keys(is_several, self.file, self.report) {
            match identifiers.iter().position(|identifier| *identifier == key) {
                Some(place) => item.correct_answers.push(item.options[place].clone()),
                None => self.note(Loss::Answer, "A right answer that is none of the options was left out."),
            }
        }
        let profile = self.profile();
        let is_statement = profile.contains("true_false") || profile.contains("true/false");
        let looks_like_one = profile.is_empty() && !is_several && is_true_false(&item.options);
        item.kind = if is_statement || looks_like_one { ItemKind::TrueFalse } else { ItemKind::Select };
        if response.descendants().any(|inside| inside.attribute("shuffle") == Some("Yes")) {
            self.note(Loss::Behaviour, "Shuffling the options was left out.");
        }
    }

    /// Puts the feedback together as the explanation; gives the solutions, which are model answers of questions
    /// that a person scores.
    fn feedback(&mut self, item: &mut Item) -> Vec<String> {
        let mut solutions = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        let mut taken = HashSet::new();
        let mut depends = false;
        for feedback in self.element.all("itemfeedback") {
            let ident = feedback.attribute("ident").unwrap_or_default();
            let found: Vec<&Element> =
                feedback.descendants().filter(|inside| inside.name == "solutionmaterial").collect();
            if ident == SOLUTION || !found.is_empty() {
                solutions.extend(found.into_iter().map(|solution| self.text(solution)));
                continue;
            }
            if feedback.first("hint").is_some() {
                self.note(Loss::Feedback, "Hints were put into the explanation.");
            }
            depends |= ident != GENERAL_FEEDBACK;
            let text = self.text(feedback);
            if taken.insert(text.clone()) && (self.is_own || !text.is_empty()) {
                texts.push(text);
            }
        }
        if depends && !texts.is_empty() {
            self.note(Loss::Feedback, "Feedback that depends on the answer was put together as one explanation.");
        }
        item.explanation = texts.join("\n");
        solutions
    }

    fn text(&mut self, element: &Element) -> String {
        let mut text = Text::new(self.is_own);
        text.take(element);
        let (text, notes) = text.finish();
        notes.report(self.report, self.file);
        text
    }

    fn note(&mut self, code: Loss, message: impl Into<String>) {
        self.report.add(self.file, code, message);
    }
}

fn has_many_rows(response: &Element) -> bool {
    let rows = |element: &Element| element.attribute("rows")?.trim().parse::<u32>().ok();
    response.descendants().filter(|inside| inside.name == "render_fib").filter_map(rows).any(|rows| rows > 1)
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
