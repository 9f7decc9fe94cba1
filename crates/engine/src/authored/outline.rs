//! The first stage of every draft: its title, its description, and the parts that it will have.
//!
//! Small enough to be made from an overview of everything. What the parts say is written later, each by itself.

use std::collections::HashSet;

use language::normal::{normal, shorten};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::Survey;
use super::desk::{Assignment, Desk};
use super::ground::Ground;
use super::items::{excerpt_faults, given_of};
use super::prompt;
use super::sources::{Shown, Sources};
use super::wording::{self, line};
use crate::generator::GenerationError;

/// Longest title, heading and description, in characters.
pub(super) const TITLE: usize = 140;
pub(super) const HEADING: usize = 120;
pub(super) const DESCRIPTION: usize = 600;

const INSTRUCTIONS: &str = "\
Your part of the work is the plan. Other writers will write its parts, each from the excerpts that you name for it.

- `title`: what the whole is about, in a few words; not what kind of thing it is.
- `description`: one or two sentences for somebody who decides whether to use it.
- `parts`: in an order that is good to learn in. `heading`: a few words, no two alike. `excerpts`: all that the part is \
about; every excerpt that teaches something belongs to a part.";

/// What is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Product {
    Module,
    Video,
    Quiz,
    Slides,
}

/// A plan to be made.
struct Planning<'a> {
    survey: Survey<'a>,
    product: Product,
    /// Most parts, at least 1.
    most: usize,
}

/// A plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Outline {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) parts: Vec<PlannedPart>,
}

/// A part of a plan as the model names it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedPart {
    pub(super) heading: String,
    pub(super) excerpts: Vec<u32>,
}

/// A part to be written, with the excerpts (from 0) that it may be written from.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) heading: String,
    pub(super) excerpts: Vec<usize>,
}

/// The plan of a draft of so many parts at most.
pub(super) async fn plan(
    desk: &Desk<'_>,
    ground: &Ground,
    product: Product,
    most: usize,
) -> Result<Outline, GenerationError> {
    let survey = desk.compute(|| Survey::new((desk.sources, ground), desk.limits.overview_characters));
    desk.have(&Planning { survey, product, most: most.max(1) }).await
}

/// The parts with all excerpts shared out among them. A lesson that the plan forgot becomes a part of its own where
/// there is room (`most`), else it goes to the last part.
pub(super) fn parts(sources: &Sources, planned: &[PlannedPart], most: usize) -> Vec<Part> {
    let named: Vec<Vec<u32>> = planned.iter().map(|part| part.excerpts.clone()).collect();
    let (shares, forgotten) = sources.share_out(&named);
    let headings = planned.iter().map(|part| part.heading.clone());
    let mut parts: Vec<Part> = headings.zip(shares).map(|(heading, excerpts)| Part { heading, excerpts }).collect();
    for excerpts in forgotten {
        let title = excerpts.first().map_or("", |at| sources.lesson_title(*at));
        let room = parts.len() < most && title.chars().any(char::is_alphanumeric);
        match parts.last_mut().filter(|_| !room) {
            Some(last) => last.excerpts.extend(excerpts),
            None => parts.push(Part { heading: shorten(title, 16, HEADING - 1), excerpts }),
        }
    }
    parts
}

/// What is wrong with a part of a plan.
pub(super) fn part_faults(part: &PlannedPart, given: &[usize], ground: &Ground) -> Vec<String> {
    let mut faults: Vec<String> = wording::length("a heading", &part.heading, HEADING).into_iter().collect();
    faults.extend(excerpt_faults(&part.excerpts, given));
    faults.extend(ground.inventions_in_heading(&part.heading));
    faults
}

/// A part of a plan without excerpts that were not given; none where nothing is left of it.
pub(super) fn mended_part(part: PlannedPart, given: &[usize], ground: &Ground) -> Option<PlannedPart> {
    let excerpts = given_of(part.excerpts, given);
    let heading = shorten(&part.heading, 20, HEADING - 1);
    let sound =
        wording::length("a heading", &heading, HEADING).is_none() && ground.inventions_in_heading(&heading).is_empty();
    (sound && !excerpts.is_empty()).then_some(PlannedPart { heading, excerpts })
}

/// A title of a plan, short enough; none where it names what the material does not.
pub(super) fn mended_title(title: &str, ground: &Ground) -> Option<String> {
    let title = shorten(title, usize::MAX, TITLE - 1);
    let sound = title.chars().any(char::is_alphanumeric) && ground.inventions_in_heading(&title).is_empty();
    sound.then_some(title)
}

/// A description of a plan, short enough and without what was invented; none where nothing is left of it.
pub(super) fn mended_text(text: &str, ground: &Ground) -> Option<String> {
    let text = shorten(&ground.without_inventions(text).0, usize::MAX, DESCRIPTION - 1);
    text.chars().any(char::is_alphanumeric).then_some(text)
}

/// The shape of a part of a plan.
pub(super) fn part_schema() -> Value {
    prompt::object(json!({ "heading": prompt::text("A few words."), "excerpts": prompt::numbers() }))
}

/// The headings that stand more than once.
pub(super) fn repeated<'t>(what: &str, headings: impl Iterator<Item = &'t str>) -> Option<String> {
    let mut seen = HashSet::new();
    let again = headings.into_iter().find(|heading| !seen.insert(normal(heading)))?;
    Some(format!("{what} “{again}” is there twice"))
}

impl Assignment for Planning<'_> {
    type Piece = Outline;
    const MOST_TOKENS: u32 = 4_000;

    fn name(&self) -> &'static str {
        match self.product {
            Product::Module => "module_outline",
            Product::Video => "video_outline",
            Product::Quiz => "quiz_outline",
            Product::Slides => "slides_outline",
        }
    }

    fn instructions(&self) -> String {
        let product = match self.product {
            Product::Module => {
                "What is planned is an interactive lesson to be read. Its parts become sections, and it covers all of the \
                 material."
            }
            Product::Video => {
                "What is planned is a short video that sums the material up. Its parts are told one after the other: what \
                 matters most."
            }
            Product::Quiz => {
                "What is planned is a quiz. Its parts are the topics that are asked about, so that all important ones are."
            }
            Product::Slides => {
                "What is planned is a deck of slides. Its parts become one slide or a few each. Where a request holds an \
                 outline, the parts follow it."
            }
        };
        format!("{INSTRUCTIONS}\n\n{product}")
    }

    fn schema(&self) -> Value {
        prompt::object(json!({
            "title": prompt::text("What it is about, in a few words."),
            "description": prompt::text("One or two sentences."),
            "parts": prompt::list(part_schema()),
        }))
    }

    fn material(&self) -> &Shown {
        &self.survey.shown
    }

    fn shorter(&self) -> Self {
        Self { survey: self.survey.shorter(), ..*self }
    }

    fn task(&self) -> String {
        match self.most {
            1 => "Make the plan. It has 1 part.".to_owned(),
            most => format!("Make the plan. It has at most {most} parts."),
        }
    }

    fn fitted(&self, outline: Outline) -> Outline {
        let part = |part: PlannedPart| PlannedPart { heading: line(&part.heading), ..part };
        Outline {
            title: line(&outline.title),
            description: line(&outline.description),
            parts: outline.parts.into_iter().map(part).collect(),
        }
    }

    fn texts(&self, outline: &Outline) -> Vec<String> {
        let headings = outline.parts.iter().map(|part| part.heading.as_str());
        let all: Vec<&str> = [outline.title.as_str(), &outline.description].into_iter().chain(headings).collect();
        vec![all.join(". ")]
    }

    fn faults(&self, outline: &Outline) -> Vec<String> {
        let given = self.survey.given();
        let Outline { title, description, parts } = outline;
        let mut faults = Vec::new();
        faults.extend(wording::length("`title`", title, TITLE));
        faults.extend(wording::length("`description`", description, DESCRIPTION));
        faults.extend(wording::entries("`parts`", parts.len(), self.most));
        faults.extend(parts.iter().take(self.most).flat_map(|part| part_faults(part, &given, self.survey.ground)));
        faults.extend(repeated("the heading", parts.iter().map(|part| part.heading.as_str())));
        faults.extend(self.survey.ground.inventions_in_heading(title));
        faults.extend(self.survey.ground.inventions(description));
        faults
    }

    fn mended(&self, outline: Outline) -> Option<(Outline, usize)> {
        let given = self.survey.given();
        let title = mended_title(&outline.title, self.survey.ground)?;
        let description = mended_text(&outline.description, self.survey.ground).unwrap_or_else(|| title.clone());
        let parts = outline.parts.into_iter().filter_map(|part| mended_part(part, &given, self.survey.ground));
        let mut seen = HashSet::new();
        let parts: Vec<PlannedPart> = parts.filter(|part| seen.insert(normal(&part.heading))).take(self.most).collect();
        // What a part names that fell away goes to another one; nothing that learners read was dropped.
        (!parts.is_empty()).then_some((Outline { title, description, parts }, 0))
    }
}
