//! One item: what is asked, how, and what is right.

use std::collections::HashSet;

use super::answers;
use super::body::{self, Body};
use crate::limits::MAX_OPTIONS;
use crate::model::{Item, ItemKind};
use crate::qti::{TOOL, TRUE_FALSE};
use crate::report::{Loss, Report};
use crate::xml::Element;
use crate::xml::names::language_tag;

/// An item, and what its test needs of it.
pub(super) struct Found {
    pub(super) item: Item,
    pub(super) language: String,
    /// References to texts that several items share.
    pub(super) stimuli: Vec<String>,
    /// Whether it has a title of its own, which is not kept.
    pub(super) has_title: bool,
}

/// Reads an item; none when it can't be kept, which is reported.
pub(super) fn read(root: &Element, file: &str, report: &mut Report) -> Option<Found> {
    if let Some(reason) = unreadable(root) {
        report.add(file, Loss::Question, reason);
        return None;
    }
    let is_own = root.attribute("toolName") == Some(TOOL);
    let body = body::read(root.first("itemBody"));
    let asked = match Asked::of(&body) {
        Ok(asked) => asked,
        Err(reason) => {
            report.add(file, Loss::Question, reason);
            return None;
        }
    };
    body.notes.report(report, file);
    let mut item = Item {
        id: root.attribute("identifier").unwrap_or_default().to_owned(),
        question: body.question.clone(),
        kind: ItemKind::OpenEnded,
        options: Vec::new(),
        correct_answers: Vec::new(),
        explanation: explanation(root, &body, file, report),
        score: answers::score(root),
    };
    asked.fill(root, &body, &mut item, is_own, file, report);
    note_the_rest(root, &body, file, report);
    let title = root.attribute("title").unwrap_or_default();
    if item.question.is_empty() && !is_own {
        title.clone_into(&mut item.question);
    }
    scoring_rubric(&body, &mut item, file, report);
    let stimuli = root.all("assessmentStimulusRef").filter_map(|reference| reference.attribute("href"));
    Some(Found {
        has_title: !is_own && !title.trim().is_empty() && title != item.question,
        item,
        language: root.attribute("xml:lang").and_then(language_tag).unwrap_or_default().to_owned(),
        stimuli: stimuli.map(str::to_owned).collect(),
    })
}

/// Notes what stands beside question and answer and is not kept.
fn note_the_rest(root: &Element, body: &Body<'_>, file: &str, report: &mut Report) {
    if root.descendants().any(|inside| inside.name == "stylesheet") {
        report.add(file, Loss::Markup, "A style sheet was left out.");
    }
    const ALTERNATIVES: [&str; 3] = ["catalogInfo", "apipAccessibility", "companionMaterialsInfo"];
    if root.elements().any(|inside| ALTERNATIVES.contains(&inside.name.as_str())) {
        report.add(file, Loss::Media, "Alternative presentations and companion materials were left out.");
    }
    let is_restricted = |interaction: &&Element| -> bool {
        interaction.attribute("patternMask").is_some()
            || (interaction.name == "uploadInteraction" && interaction.attribute("type").is_some())
    };
    if body.interactions.iter().any(is_restricted) {
        report.add(file, Loss::Behaviour, "A rule about the form of the answer was left out.");
    }
}

/// Whether a question has more options or answers than anybody would write.
pub(crate) fn has_too_many(root: &Element) -> bool {
    const COUNTED: [&str; 6] = ["simpleChoice", "inlineChoice", "mapEntry", "value", "response_label", "varequal"];
    COUNTED.iter().any(|name| root.descendants().filter(|inside| inside.name == *name).count() > MAX_OPTIONS)
}

/// Why an item can't be kept, whatever it asks.
fn unreadable(root: &Element) -> Option<&'static str> {
    if root.name != "assessmentItem" {
        Some("The file is no QTI item.")
    } else if root.attribute("adaptive").map(str::trim) == Some("true") {
        Some("A question that changes while it is answered can't be kept.")
    } else if root.first("templateDeclaration").is_some() || root.first("templateProcessing").is_some() {
        Some("A question with random values can't be kept.")
    } else if has_too_many(root) {
        Some("A question with more than 1000 options or answers can't be kept.")
    } else {
        None
    }
}

/// How an item is asked.
enum Asked<'a> {
    Choice(&'a Element),
    /// One gap to be written in.
    Gap(&'a Element),
    /// One gap with a list to choose from.
    List(&'a Element),
    /// Several gaps.
    Gaps(&'a [&'a Element]),
    Essay(&'a Element),
    Upload,
}

impl<'a> Asked<'a> {
    fn of(body: &'a Body<'a>) -> Result<Self, String> {
        let is_gap =
            |element: &&Element| matches!(element.name.as_str(), "textEntryInteraction" | "inlineChoiceInteraction");
        match body.interactions.as_slice() {
            [] => Err("A text without a question was left out.".to_owned()),
            [one] => match one.name.as_str() {
                "choiceInteraction" => Ok(Self::Choice(one)),
                "textEntryInteraction" => Ok(Self::Gap(one)),
                "inlineChoiceInteraction" => Ok(Self::List(one)),
                "extendedTextInteraction" => Ok(Self::Essay(one)),
                "uploadInteraction" => Ok(Self::Upload),
                other => {
                    let kind = other.strip_suffix("Interaction").unwrap_or(other);
                    Err(format!("A question of the type “{}” can't be kept.", crate::report::shown(kind)))
                }
            },
            several if several.iter().all(is_gap) => Ok(Self::Gaps(several)),
            several => Err(format!("A question that asks {} things at once can't be kept.", several.len())),
        }
    }

    fn fill(&self, root: &Element, body: &Body<'_>, item: &mut Item, is_own: bool, file: &str, report: &mut Report) {
        match self {
            Self::Choice(interaction) => {
                let options = body::options(interaction, "simpleChoice");
                add_feedback(&options, item, file, report);
                options.notes.report(report, file);
                item.correct_answers = answers::chosen(root, interaction, &options, is_own, file, report);
                item.options = options.texts;
                item.kind = choice_kind(interaction, item, is_own);
                if interaction.attribute("shuffle") == Some("true") {
                    report.add(file, Loss::Behaviour, "Shuffling the options was left out.");
                }
            }
            Self::List(interaction) => {
                let options = body::options(interaction, "inlineChoice");
                options.notes.report(report, file);
                item.correct_answers = answers::chosen(root, interaction, &options, is_own, file, report);
                item.options = options.texts;
                item.kind = ItemKind::Select;
            }
            Self::Gap(interaction) => {
                item.kind = ItemKind::Blank;
                item.correct_answers = answers::written(root, interaction, is_own, file, report);
            }
            Self::Gaps(interactions) => {
                report.add(file, Loss::Question, "A question with several gaps became an open question.");
                let answer = answers::of_gaps(root, interactions);
                item.correct_answers = answer.into_iter().collect();
            }
            Self::Essay(interaction) => {
                item.correct_answers = if is_own { Vec::new() } else { answers::declared(root, interaction) };
                item.correct_answers.extend(body.model_answers.iter().cloned());
            }
            Self::Upload => {
                item.kind = ItemKind::Submission;
                item.correct_answers.clone_from(&body.model_answers);
            }
        }
    }
}

/// Whether a choice is a statement to be judged.
fn choice_kind(interaction: &Element, item: &Item, is_own: bool) -> ItemKind {
    let class = interaction.attribute("class").unwrap_or_default();
    if class.split_whitespace().any(|name| name == TRUE_FALSE) {
        return ItemKind::TrueFalse;
    }
    let is_statement = !is_own && item.correct_answers.len() <= 1 && is_true_false(&item.options);
    if is_statement { ItemKind::TrueFalse } else { ItemKind::Select }
}

/// Whether these are the two options of a statement to be judged, in a language that schools write in.
pub(crate) fn is_true_false(options: &[String]) -> bool {
    const PAIRS: [(&str, &str); 27] = [
        ("true", "false"),
        ("t", "f"),
        ("wahr", "falsch"),
        ("richtig", "falsch"),
        ("vrai", "faux"),
        ("verdadero", "falso"),
        ("verdadeiro", "falso"),
        ("vero", "falso"),
        ("waar", "onwaar"),
        ("juist", "onjuist"),
        ("sant", "falskt"),
        ("sandt", "falsk"),
        ("sant", "usant"),
        ("totta", "tarua"),
        ("prawda", "fałsz"),
        ("pravda", "nepravda"),
        ("igaz", "hamis"),
        ("adevărat", "fals"),
        ("doğru", "yanlış"),
        ("верно", "неверно"),
        ("правда", "неправда"),
        ("صح", "خطأ"),
        ("सही", "गलत"),
        ("正确", "错误"),
        ("对", "错"),
        ("正しい", "誤り"),
        ("참", "거짓"),
    ];
    let [first, second] = options else { return false };
    let (first, second) = (first.trim().to_lowercase(), second.trim().to_lowercase());
    PAIRS.iter().any(|(yes, no)| (first == *yes && second == *no) || (first == *no && second == *yes))
}

/// All feedback as one explanation.
fn explanation(root: &Element, body: &Body<'_>, file: &str, report: &mut Report) -> String {
    let mut texts: Vec<String> = Vec::new();
    let modal = root.all("modalFeedback").map(crate::text::flatten);
    for (text, notes) in modal {
        notes.report(report, file);
        texts.push(text);
    }
    let several = texts.len() + body.feedback.len() > 1;
    texts.extend(body.feedback.iter().cloned());
    if several {
        report.add(file, Loss::Feedback, "Feedback that depends on the answer was put together as one explanation.");
    }
    let mut taken = HashSet::new();
    texts.retain(|text| !text.is_empty() && taken.insert(text.clone()));
    texts.join("\n")
}

/// Adds feedback on single options to the explanation.
fn add_feedback(options: &body::Options, item: &mut Item, file: &str, report: &mut Report) {
    for (option, feedback) in &options.feedback {
        report.add(file, Loss::Feedback, "Feedback on single options was put into the explanation.");
        if !item.explanation.is_empty() {
            item.explanation.push('\n');
        }
        item.explanation.push_str(&format!("{option}: {feedback}"));
    }
}

/// Adds what scorers are told to the explanation.
fn scoring_rubric(body: &Body<'_>, item: &mut Item, file: &str, report: &mut Report) {
    for rubric in &body.rubrics {
        report.add(file, Loss::Scoring, "Instructions for scoring were put into the explanation.");
        if !item.explanation.is_empty() {
            item.explanation.push('\n');
        }
        item.explanation.push_str(rubric);
    }
}
